"""`cardarena rulings`."""

import time
from collections.abc import Iterator
from typing import Annotated

import typer

from harness.agenda import voids_of
from harness.cli.app import Common, verb
from harness.cli.decree import members, print_rulings, show_effect, what
from harness.cli.homes import open_ledger
from harness.cli.tables import Column, grid, output, print_json
from harness.errors import HarnessError
from harness.moment import utc_text
from harness.rulings import absences, undone
from harness.store.ledger import Ledger
from harness.store.rows import Ruling, RulingKind
from ladder.words import plural


@verb("cardarena rulings --undo 3 --dry-run")
def rulings(
    context: typer.Context,
    undo: Annotated[
        int | None, typer.Option("--undo", help="Take this ruling back.", metavar="N", show_default=False)
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --undo: print standings before and after; decide nothing.")
    ] = False,
) -> None:
    """List what was declared void or withdrawn, when and why; or take a ruling back."""
    common: Common = context.obj
    if dry_run and undo is None:
        raise HarnessError("rulings: --dry-run goes with --undo")
    with open_ledger(common) as ledger:
        if undo is None:
            found = ledger.rulings.all()
        else:
            ruling = undone(ledger, undo, at_unix_ns=time.time_ns())
            if dry_run:
                show_effect(ledger, [ruling], common)
                return
            ledger.rulings.undo(ruling.ruling, at_unix_ns=ruling.undone_unix_ns or 0)
            print_rulings([ruling], common, _brought_back(ledger, ruling))
            return
    if common.json:
        print_json([members(ruling) for ruling in found])
    elif found:
        output().print(grid(_COLUMNS, found))
    else:
        print("no rulings")


def _brought_back(ledger: Ledger, ruling: Ruling) -> Iterator[str]:
    """What undoing `ruling` brings back, and what it cannot."""
    if ruling.kind is not RulingKind.WITHDRAW:
        replayed = voids_of(ledger, ruling.cup).is_replayed(ruling.round, ruling.block or 0)
        yield f"its block counts again{'; what was played in its place counts for nothing' if replayed else ''}"
        return
    yield f"{ruling.label} may be ranked again, and plays in what `cardarena run` plays from now on"
    house = absences(ledger, ruling)
    if house:
        stay = "stays as it is" if house == 1 else "stay as they are"
        yield f"{plural(house, 'match', 'matches')} that the house played in its place {stay}, unrated in its seat"


_COLUMNS = (
    Column[Ruling]("", lambda ruling: str(ruling.ruling), is_number=True),
    Column[Ruling]("when", lambda ruling: utc_text(ruling.at_unix_ns), is_whole=True),
    Column[Ruling]("what", what, width=60),
    Column[Ruling]("by", lambda ruling: "harness" if ruling.kind is RulingKind.FAILURE else "organiser", is_whole=True),
    Column[Ruling]("why", lambda ruling: ruling.reason + ("" if ruling.undone_unix_ns is None else " (undone)")),
)
