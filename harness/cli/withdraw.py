"""`cardarena withdraw`."""

import time
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.decree import print_rulings, show_effect
from harness.cli.homes import cup_in, open_ledger
from harness.rulings import withdrawals


@verb('cardarena withdraw my-bot --reason "it reads its opponents\' cards"')
def withdraw(
    context: typer.Context,
    bot: Annotated[str, typer.Argument(help="Name of a bot of the cup.", metavar="BOT", show_default=False)],
    reason: Annotated[str, typer.Option("--reason", help="Why: shown to everybody.", metavar="TEXT")],
    cup: Annotated[str | None, typer.Option("--cup", help="Name of the cup; else the only one of the home.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print standings before and after; decide nothing.")
    ] = False,
) -> None:
    """Withdraw a bot from a cup: it plays no more and takes no rank. Its results stay."""
    common: Common = context.obj
    with open_ledger(common) as ledger:
        rulings = withdrawals(ledger, cup_in(ledger, cup), bot, reason, at_unix_ns=time.time_ns())
        if dry_run:
            show_effect(ledger, rulings, common)
        else:
            print_rulings(ledger.rulings.add(rulings), common)
