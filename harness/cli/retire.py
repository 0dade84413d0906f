"""`cardarena retire`."""

import time
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.homes import open_ledger
from harness.cli.tables import print_json


@verb("cardarena retire my-bot@1.0.0")
def retire(
    context: typer.Context,
    bot: Annotated[str, typer.Argument(help="A submitted bot: all its versions, or one.", metavar="NAME[@VERSION]")],
    undo: Annotated[bool, typer.Option("--undo", help="Let it play again.")] = False,
) -> None:
    """Take a submitted bot out of the ladders that it would play in. Its matches stay."""
    common: Common = context.obj
    name, _, version = bot.partition("@")
    with open_ledger(common) as ledger:
        meant = ledger.versions.retire(name, version or None, at_unix_ns=None if undo else time.time_ns())
    if common.json:
        print_json([{"bot": row.name, "version": row.version, "retired": not undo} for row in meant])
        return
    for row in meant:
        print(f"{row.name} {row.version} {'plays again' if undo else 'is retired: it plays in no round to come'}")
