"""`cardarena void`."""

import time
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from harness.agenda import is_present, settings_of
from harness.cli.app import Common, verb
from harness.cli.decree import print_rulings, show_effect
from harness.cli.homes import open_ledger
from harness.rulings import voids
from harness.store.ledger import Ledger
from harness.store.rows import Ruling


@verb('cardarena void spring-cup/1/000017 --reason "the lights went out"')
def void(
    context: typer.Context,
    matches: Annotated[list[str], typer.Argument(help="Ids of matches.", metavar="MATCH...", show_default=False)],
    reason: Annotated[str, typer.Option("--reason", help="Why: shown to everybody.", metavar="TEXT")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print standings before and after; decide nothing.")
    ] = False,
) -> None:
    """Declare matches void, each with its block. The next run plays the block again with new deals."""
    common: Common = context.obj
    with open_ledger(common) as ledger:
        rulings = voids(ledger, matches, reason, at_unix_ns=time.time_ns())
        if dry_run:
            show_effect(ledger, rulings, common)
        else:
            print_rulings(ledger.rulings.add(rulings), common, _again(ledger, rulings))


def _again(ledger: Ledger, rulings: Sequence[Ruling]) -> Iterator[str]:
    """Whether what is void now is played again."""
    present = {is_present(ledger, settings_of(ledger.round(ruling.cup, ruling.round))) for ruling in rulings}
    if True in present:
        which = " of the present season" if False in present else ""
        yield f"`cardarena run` plays what is void{which} again, with new deals"
    if False in present:
        yield "what is void of a season that is over is not played again"
