"""`cardarena demo`."""

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.codes import BOTS_WITHDRAWN, DONE
from harness.cli.publish import bring_up_to_date, index_of, newest_first
from harness.cli.run import play, print_outcome
from harness.cli.tables import print_json
from harness.cup import read_cup
from harness.errors import HarnessError
from harness.printable import printable
from harness.sandbox.levels import choose
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.whole_file import whole_file
from ladder.export import to_json

FOLDER = Path("cardarena-demo")
CUPS = {
    "guillotine": """\
schema = 1
[cup]
name = "guillotine-demo"
title = "Guillotine, the house bots"
game = "guillotine"
seats = 4
format = "balanced"
matches = 240
duplicate = true
bots = ["sample:sharp", "sample:steady", "sample:novice", "sample:random"]
[publish]
replay_limit = 60
""",
    "zhiletka": """\
schema = 1
[cup]
name = "zhiletka-demo"
title = "Zhiletka at tables of two, three and four"
game = "zhiletka"
seats = [2, 3, 4]
format = "balanced"
matches = 720
duplicate = true
bots = ["sample:sharp", "sample:steady", "sample:novice", "sample:random"]
[publish]
replay_limit = 60
""",
}


@verb("cardarena demo")
def demo(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Where the demo keeps its cups and its ledger.")] = FOLDER,
) -> int:
    """Play small cups of the sample bots in both games, just now; print the ladders and publish their site."""
    common: Common = context.obj
    home = Home((common.home or folder / ".cardarena").absolute(), "the demo's own")
    _prepare(folder)
    make_home(home)
    code = DONE
    facts = []
    with Ledger(home.ledger, create=True) as ledger:
        for game in CUPS:
            settings = read_cup(folder / f"{game}.toml")
            if not (common.json or common.quiet):
                print(f"\n{printable(settings.title)}")
            played, standings = play(settings, folder, home, ledger, common, choose())
            if common.json:
                facts.append(json.loads(to_json(standings)))
            else:
                print_outcome(played, standings)
            if played.withdrawn:
                code = BOTS_WITHDRAWN
        site = folder / "site"
        bring_up_to_date(ledger, site, newest_first(ledger), home, common)
    if common.json:
        print_json(facts)
    elif not common.quiet:
        print(f"\nEverything is in {printable(str(folder))}. Look around:")
        for words in ("ladder guillotine-demo", "replay guillotine-demo/1/000001", "verify"):
            print(f"  cardarena {words} --home {printable(shlex.quote(str(home.path)))}")
        print(f"The same with every card, in a browser:\n  {printable(str(index_of(site)))}")
    return code


def _prepare(folder: Path) -> None:
    """Writes the cup files. One that was changed is left as it is."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for game, text in CUPS.items():
            path = folder / f"{game}.toml"
            if not path.exists():
                with whole_file(path) as unfinished:  # the half of one would be taken for changed
                    unfinished.write_text(text)
    except OSError as error:
        raise HarnessError(f"{folder}: cannot be written: {error.strerror}; name another folder") from None
