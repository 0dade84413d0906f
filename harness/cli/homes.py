"""The home and the cup that a reading verb means."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.cli.app import Common
from harness.cup import CupFile, from_pinned, read_cup
from harness.errors import HarnessError
from harness.names import did_you_mean
from harness.printable import printable
from harness.store.home import existing_home, find_home
from harness.store.ledger import Ledger
from harness.workshop.entry import BotFinder


def open_ledger(common: Common) -> Ledger:
    """The ledger of the home that is meant; HarnessError where there is none."""
    home = existing_home(find_home(common.home))
    if not home.ledger.is_file():
        raise HarnessError(f"no ledger in {home}; `cardarena run CUP.toml` begins one")
    return Ledger(home.ledger)


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
