"""`new`: a bot's folder to begin with, from the templates of its language."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from string import Template

from harness.errors import HarnessError
from harness.games import GAME_NAMES
from harness.names import did_you_mean, why_not_a_name
from harness.printable import printable

SCAFFOLDS = Path(__file__).with_name("scaffolds")
FILLED_IN = (".toml", ".md")
"""Files in which `$name`, `$games` and `$game` stand for what was chosen."""


def languages() -> tuple[str, ...]:
    """Languages that there are templates for."""
    return tuple(sorted(path.name for path in SCAFFOLDS.iterdir() if (path / "bot.toml").is_file()))


def scaffold(folder: Path, *, language: str = "python", games: Sequence[str] = GAME_NAMES) -> tuple[Path, ...]:
    """Makes `folder`, called as the bot is to be, and returns its files.

    HarnessError, and nothing is made, where it is there already, its name is no bot's, or there are no templates.
    """
    if (why_not := why_not_a_name(folder.name)) is not None:
        raise HarnessError(f"{printable(str(folder))}: the name of a bot {why_not}")
    if language not in languages():
        raise HarnessError(
            f"there is no scaffold for {printable(language)}; {did_you_mean(language, languages())} "
            "(protos/README.md tells how to write a bot in any language)"
        )
    for game in games:
        if game not in GAME_NAMES:
            raise HarnessError(f"no game is called {printable(game)}; {did_you_mean(game, GAME_NAMES)}")
    if folder.exists() or folder.is_symlink():
        raise HarnessError(f"{printable(str(folder))}: is there already; take another name")
    words = {"name": folder.name, "games": json.dumps(list(games)), "game": games[0]}
    made = []
    try:
        folder.mkdir(parents=True)
        for template in sorted((SCAFFOLDS / language).iterdir()):
            if not template.is_file():
                continue  # caches of tools
            target = folder / template.name
            if template.suffix in FILLED_IN:
                target.write_text(Template(template.read_text()).substitute(words))
            else:
                shutil.copyfile(template, target)
            made.append(target)
    except OSError as error:
        raise HarnessError(f"{printable(str(folder))}: cannot be made: {error.strerror}") from None
    return tuple(made)
