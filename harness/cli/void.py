"""`cardarena void`."""

import time
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.decree import print_rulings, show_effect
from harness.cli.homes import open_ledger
from harness.rulings import voids


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
            print_rulings(
                ledger.rulings.add(rulings), common, ["`cardarena run` plays what is void again, with new deals"]
            )
