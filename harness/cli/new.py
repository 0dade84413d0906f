"""`cardarena new`."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.tables import print_json, remarks
from harness.errors import HarnessError
from harness.games import GAME_NAMES
from harness.printable import printable
from harness.workshop.ladder_template import ladder_template
from harness.workshop.scaffold import install_packages, kind, languages, scaffold


@verb("cardarena new my-bot --lang node")
def new(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="The name of the bot or the ladder, and the folder that is made.", metavar="NAME")
    ],
    lang: Annotated[str, typer.Option(help=f"One of {', '.join(languages())}.")] = "python",
    lines: Annotated[
        bool, typer.Option("--lines", help="A bot that reads JSON on stdin and needs no library, rather than gRPC.")
    ] = False,
    game: Annotated[
        list[str] | None,
        typer.Option(help="Only this game; may be repeated.", metavar="GAME", show_default="all"),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install/--no-install", help="Bring the packages that it needs into its folder.")
    ] = True,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Make a repository that hosts a ladder: cup file, bots by team, workflow.")
    ] = False,
) -> None:
    """Make a folder with a bot that plays, to begin from."""
    common: Common = context.obj
    folder = Path(name)
    if ladder:
        if lines or lang != "python":
            raise HarnessError(
                "a ladder comes with a bot in Python: leave --lang and --lines out, and make others there"
            )
        _new_ladder(common, folder, game or [])
        return
    games = tuple(game) if game else GAME_NAMES
    made = scaffold(folder, language=lang, lines=lines, games=games)
    form = name if name.startswith(("/", ".")) else f"./{name}"
    commands = [
        f"cardarena check {form}",
        f"cardarena match {games[0]} {form} --fill sample:random",
        f"cardarena pack {form}",
    ]
    if packages := kind(lang, lines=lines).install:
        if install:
            if not common.quiet:
                remarks().print(printable(f"{folder}: {shlex.join(packages)}"), soft_wrap=True)
            install_packages(folder, packages)
        else:
            commands.insert(0, f"(cd {form} && {shlex.join(packages)})")
    if common.json:
        print_json({"folder": str(folder), "files": [path.name for path in made], "commands": commands})
        return
    print(printable(f"{folder}: {', '.join(path.name for path in made)}"))
    if not common.quiet:
        print("next:")
        for command in commands:
            print(printable(f"  {command}"))


def _new_ladder(common: Common, folder: Path, games: Sequence[str]) -> None:
    if len(games) > 1:
        raise HarnessError(f"a ladder has one game, not {len(games)}: say --game once")
    made = [
        str(path.relative_to(folder)) for path in ladder_template(folder, game=games[0] if games else GAME_NAMES[0])
    ]
    commands = [
        f"cd {folder}",
        "cardarena submit bots",
        "cardarena plan ladder.toml",
        "cardarena run ladder.toml --publish site",
    ]
    if common.json:
        print_json({"folder": str(folder), "files": made, "commands": commands})
        return
    print(printable(f"{folder}: {', '.join(made)}"))
    if not common.quiet:
        print("next: push it to a repository of yours (README.md says how), or play it here:")
        for command in commands:
            print(printable(f"  {command}"))
