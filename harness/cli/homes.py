"""The home that a verb reads or fills, and the cup that it means."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from harness.cli.app import Common
from harness.cup import CupFile, from_pinned, read_cup
from harness.errors import HarnessError
from harness.names import did_you_mean
from harness.printable import printable
from harness.store.home import Home, existing_home, find_home, make_home
from harness.store.ledger import Ledger
from harness.workshop.entry import BotFinder


def open_ledger(common: Common) -> Ledger:
    """The ledger of the home that is meant; HarnessError where there is none."""
    home = existing_home(find_home(common.home))
    if not home.ledger.is_file():
        raise HarnessError(f"no ledger in {home}; `cardarena run CUP.toml` begins one")
    return Ledger(home.ledger)


@contextmanager
def home_to_fill(home: Home) -> Iterator[Ledger]:
    """The ledger of `home`, made if it must be; what was made is gone again where nothing came into it."""
    folders = [path for path in (home.logs, home.bots, home.path, *home.path.parents) if not path.exists()]
    has_ledger = home.ledger.exists()
    try:
        with Ledger(make_home(home).ledger, create=True) as ledger:
            yield ledger
    finally:
        with suppress(OSError, HarnessError):
            if not has_ledger and (not home.ledger.exists() or _is_unused(home)):
                for path in (*home.path.glob(f".{home.ledger.name}-run-*.lock"), home.ledger):
                    path.unlink(missing_ok=True)
                for folder in folders:
                    folder.rmdir()


def _is_unused(home: Home) -> bool:
    """Whether nothing is in a home, and no other process has its ledger open: the last to close it removes the -wal."""
    with Ledger(home.ledger) as ledger:
        if ledger.cups() or any(ledger.versions.rows()):
            return False
    is_open = home.ledger.with_name(f"{home.ledger.name}-wal").exists()
    return not is_open and not any(any(folder.iterdir()) for folder in (home.bots, home.logs))


@contextmanager
def finding_bots(common: Common, *, awaits: bool = False) -> Iterator[BotFinder]:
    """Finds bots from this folder, submitted ones too where there is a ledger; makes none. `awaits`: for practice."""
    home = find_home(common.home)
    if not home.ledger.is_file():
        yield BotFinder(Path.cwd(), awaits=awaits)
        return
    with Ledger(home.ledger) as ledger:
        yield BotFinder(Path.cwd(), home, ledger.versions, awaits=awaits)


def cup_in(ledger: Ledger, name: str | None, season: str | None = None) -> CupFile:
    """The cup called `name` (or meant by a cup file), else the only one, as its newest round pinned it.

    As the newest round of `season` did, where one is named.
    """
    names = [row.cup for row in ledger.cups()]
    if not names:
        raise HarnessError("the ledger holds no cup yet; `cardarena run CUP.toml` plays one")
    if name is None:
        if len(names) > 1:
            raise HarnessError(f"which cup? There are {', '.join(names)}")
        name = names[0]
    elif name.endswith(".toml"):
        name = read_cup(Path(name)).name
    if name not in names:
        raise HarnessError(f"no cup called {printable(name)}; {did_you_mean(name, names)}")
    rounds = ledger.rounds(name)
    meant = rounds[-1:] if season is None else rounds
    pinned = [from_pinned(row.settings, source=f"{name}, round {row.round}") for row in meant]
    if season is None:
        return pinned[-1]
    seasons = {cup.cup.season: cup for cup in pinned if cup.cup.season is not None}
    if season not in seasons:
        raise HarnessError(f"{name} has no season {printable(season)}; {did_you_mean(season, list(seasons))}")
    return seasons[season]
