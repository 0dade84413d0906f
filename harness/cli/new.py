"""`cardarena new`."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.tables import print_json
from harness.games import GAME_NAMES
from harness.printable import printable
from harness.workshop.scaffold import languages, scaffold


@verb("cardarena new my-bot")
def new(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The bot's name, and the folder that is made.", metavar="NAME")],
    lang: Annotated[str, typer.Option(help=f"One of {', '.join(languages())}.")] = "python",
    game: Annotated[
        list[str] | None,
        typer.Option(help="Only this game; may be repeated.", metavar="GAME", show_default="all"),
    ] = None,
) -> None:
    """Make a folder with a bot that plays, to begin from."""
    common: Common = context.obj
    folder = Path(name)
    games = tuple(game) if game else GAME_NAMES
    made = scaffold(folder, language=lang, games=games)
    form = name if name.startswith(("/", ".")) else f"./{name}"
    commands = [
        f"cardarena check {form}",
        f"cardarena match {games[0]} {form} --fill sample:random",
        f"cardarena pack {form}",
    ]
    if common.json:
        print_json({"folder": str(folder), "files": [path.name for path in made], "commands": commands})
        return
    print(printable(f"{folder}: {', '.join(path.name for path in made)}"))
    if not common.quiet:
        print("next:")
        for command in commands:
            print(printable(f"  {command}"))
