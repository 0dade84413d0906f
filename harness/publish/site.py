"""`publish`: the site of one cup, or of all cups of a ledger, into a folder."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from harness.cup import CupFile, from_pinned
from harness.errors import HarnessError
from harness.publish.board import cup_values
from harness.publish.stretches import Stretches
from harness.record import ReplayDifference
from harness.store.ledger import Ledger
from harness.store.sheets import Sheets
from ladder.site.folder import Written, write_site
from ladder.site.pages import File, site_files
from ladder.site.values import Place

NAMELESS = "_"
"""The folder of a season without a name, which no season can be called."""


def publish(
    ledger: Ledger,
    folder: Path,
    cups: Sequence[CupFile],
    sheets: Sheets | None = None,
    *,
    counts: Path | None = None,
    processes: int = 1,
    on_opened: Callable[[int, int], None] = lambda count, total: None,
) -> Written:
    """Brings `folder` up to date with `cups`: the first at its root, the others below `cups/`, old seasons beside them.

    `sheets` tells on what rounds were played; None: nothing is known of that. The folder `counts` keeps what records
    come to, so that each is opened once; None: nothing does. Many are opened in so many `processes`, and `on_opened` is
    told how many of a round were so far, and of how many. LadderError where the folder holds something and is no site
    of ours, or another process is writing it; HarnessError where a record that came from elsewhere does not follow the
    rules.
    """
    stretches = Stretches(ledger, counts, processes, on_opened)
    try:
        with ledger.snapshot():
            return write_site(folder, _files(ledger, cups, stretches, sheets))
    except ReplayDifference as difference:
        raise HarnessError(
            f"{difference}; it was imported as it is: take the cup into a new home from where `cardarena verify` finds "
            "no difference"
        ) from None


def _files(ledger: Ledger, cups: Sequence[CupFile], stretches: Stretches, sheets: Sheets | None) -> Iterator[File]:
    """The ledger is first looked at when they are asked for, and so once nobody else can write the folder."""
    yield from site_files(list(_places(ledger, cups, stretches, sheets)))


def _places(ledger: Ledger, cups: Sequence[CupFile], stretches: Stretches, sheets: Sheets | None) -> Iterator[Place]:
    for number, cup in enumerate(cups):
        folder = "" if number == 0 else f"cups/{cup.name}/"
        yield Place(folder, cup_values(ledger, cup, stretches, sheets))
        for season, pinned in earlier_seasons(ledger, cup).items():
            yield Place(f"{folder}seasons/{season or NAMELESS}/", cup_values(ledger, pinned, stretches, sheets))


def earlier_seasons(ledger: Ledger, cup: CupFile) -> dict[str | None, CupFile]:
    """The other seasons of `cup`, newest first, each as its newest round pinned it."""
    seasons: dict[str | None, CupFile] = {}
    for row in reversed(ledger.rounds(cup.name)):
        pinned = from_pinned(row.settings, source=f"{cup.name}, round {row.round}")
        if pinned.cup.season != cup.cup.season:
            seasons.setdefault(pinned.cup.season, pinned)
    return seasons
