"""`cardarena check`."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.checking import members, told
from harness.cli.codes import CHECK_FAILED, DONE
from harness.cli.homes import finding_bots
from harness.cli.sandboxing import RequireOption, SandboxOption, chosen, repeated
from harness.cli.tables import output, print_json, remarks
from harness.cup import read_cup
from harness.printable import printable
from harness.workshop.check import CHECK_NAMES, check_bot


@verb("cardarena check ./my-bot --like cup.toml")
def check(
    context: typer.Context,
    bot: Annotated[str, typer.Argument(help="A folder, an archive, a name, or sample:NAME.", metavar="BOT")],
    like: Annotated[
        Path | None,
        typer.Option(metavar="CUP.toml", help="Under the rules, clock and limits of this cup.", show_default=False),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help=f"Only this check; may be repeated. {', '.join(CHECK_NAMES)}."),
    ] = None,
    sandbox: SandboxOption = None,
    require_sandbox: RequireOption = False,
) -> int:
    """Start a bot as the ladder would, play with it, and say what is well and what is not."""
    common: Common = context.obj
    cup = None if like is None else read_cup(like)
    say = remarks() if common.progress != "none" else None
    with finding_bots(common) as finder:
        report = check_bot(
            bot,
            finder,
            cup=cup,
            only=only or (),
            open_sandbox=lambda in_file: chosen(sandbox, require=require_sandbox, in_file=in_file),
            on_stage=lambda stage: (
                None if say is None else say.print(f"checking {printable(bot)}: {stage}", soft_wrap=True)
            ),
        )
    options = [*(["--like", str(like)] if like else []), *repeated(sandbox, require=require_sandbox)]
    if common.json:
        print_json(members(report, options))
    else:
        for line in told(report, options, output().width):
            print(printable(line))
    return CHECK_FAILED if report.failures else DONE
