"""`new --ladder`: a repository that hosts a ladder: cup file, folder of bots by team, the workflow that plays it."""

import shutil
from importlib.metadata import version
from pathlib import Path
from string import Template

from harness.errors import HarnessError
from harness.games import GAME_NAMES
from harness.names import did_you_mean, why_not_a_name
from harness.printable import printable
from harness.workshop.scaffold import FILLED_IN, making, scaffold

TEMPLATE = Path(__file__).with_name("ladder_template")
EXAMPLE = Path("bots/example/beginner")
"""A bot to begin with, so that the ladder plays at once."""


def ladder_template(folder: Path, *, game: str = GAME_NAMES[0]) -> tuple[Path, ...]:
    """Makes `folder`, called as the cup is to be, and returns its files.

    HarnessError, and nothing is made, where it is there already, its name is no cup's, or there is no such game.
    """
    if (why_not := why_not_a_name(folder.name)) is not None:
        raise HarnessError(f"{printable(str(folder))}: the name of a ladder {why_not}")
    if game not in GAME_NAMES:
        raise HarnessError(f"no game is called {printable(game)}; {did_you_mean(game, GAME_NAMES)}")
    if folder.exists() or folder.is_symlink():
        raise HarnessError(f"{printable(str(folder))}: is there already; take another name")
    words = {
        "name": folder.name,
        "title": folder.name.replace("-", " ").capitalize(),
        "game": game,
        "version": version("cardarena"),
    }
    made = []
    with making(folder):
        for template in sorted(path for path in TEMPLATE.rglob("*") if path.is_file()):
            target = folder / template.relative_to(TEMPLATE)
            target.parent.mkdir(parents=True, exist_ok=True)
            if template.suffix in FILLED_IN:
                target.write_text(Template(template.read_text()).substitute(words))
            else:
                shutil.copyfile(template, target)
            made.append(target)
        return (*made, *scaffold(folder / EXAMPLE, games=(game,)))
