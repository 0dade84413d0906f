"""`new`: a bot's folder to begin with, from the templates of its language."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import NamedTuple

from harness.errors import HarnessError
from harness.games import GAME_NAMES
from harness.names import did_you_mean, why_not_a_name
from harness.printable import printable

SCAFFOLDS = Path(__file__).with_name("scaffolds")
FILLED_IN = (".toml", ".md", ".txt")
"""Files in which `$name`, `$games` and so on stand for what was chosen."""
INSTALL_S = 300.0
LAST_LINES = 5
_SDK, _LINES = "from harness.bot import", "from cardarena import"
"""In the Python bot of lines the names of the SDK come from the file beside it."""


class Scaffold(NamedTuple):
    """The templates of one kind of bot."""

    program: str
    """The file that its author changes."""
    sources: tuple[str, ...]
    """Files below SCAFFOLDS, or folders of them, besides the README."""
    files: str
    """What the README says about the other files, Markdown."""
    install: tuple[str, ...] = ()
    """What brings the packages that it needs into its folder."""


_VIEW = "`{0}` holds what the seat knows (`View`) and the conversation with the harness"
_LINE = "one JSON object a line in, one action a line out"
_MADE = "`Makefile` makes the program, once for each version"
_KINDS = {
    ("python", False): Scaffold("bot.py", ("python",), "`harness.bot` is the SDK."),
    ("python", True): Scaffold(
        "bot.py", ("python/bot.py", "python-lines"), f"{_VIEW.format('cardarena.py')}: {_LINE}; no library is needed."
    ),
    ("node", False): Scaffold(
        "bot.js",
        ("node", "arena.proto"),
        f"{_VIEW.format('cardarena.js')}, by the protocol in `arena.proto`.",
        ("npm", "install", "--no-bin-links", "--no-audit", "--no-fund", "--silent"),
    ),
    ("node", True): Scaffold(
        "bot.js", ("node/bot.js", "node-lines"), f"{_VIEW.format('cardarena.js')}: {_LINE}; no package is needed."
    ),
    ("cpp", False): Scaffold(
        "bot.cc",
        ("cpp", "arena.proto"),
        f"{_VIEW.format('cardarena.h')}, by the protocol in `arena.proto`. {_MADE}, with Debian's `make g++ pkg-config "
        "libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc`.",
    ),
    ("cpp", True): Scaffold(
        "bot.cc",
        ("cpp/bot.cc", "cpp-lines"),
        f"{_VIEW.format('cardarena.h')}: {_LINE}; no library is needed. {_MADE}.",
    ),
}


def languages() -> tuple[str, ...]:
    """Languages that there are templates for."""
    return tuple(dict.fromkeys(language for language, _ in _KINDS))


def kind(language: str, *, lines: bool = False) -> Scaffold:
    """The templates for bots in `language`, of lines or of gRPC. HarnessError where there are none."""
    if language not in languages():
        raise HarnessError(
            f"there is no scaffold for {printable(language)}; {did_you_mean(language, languages())} "
            "(docs/languages.md tells how to write a bot in any other)"
        )
    return _KINDS[language, lines]


def scaffold(
    folder: Path, *, language: str = "python", lines: bool = False, games: Sequence[str] = GAME_NAMES
) -> tuple[Path, ...]:
    """Makes `folder`, called as the bot is to be, and returns its files, in the order of their names.

    HarnessError, and nothing is made, where it is there already, its name is no bot's, or there are no templates.
    """
    if (why_not := why_not_a_name(folder.name)) is not None:
        raise HarnessError(f"the name of a bot {why_not}")
    templates = kind(language, lines=lines)
    for game in games:
        if game not in GAME_NAMES:
            raise HarnessError(f"no game is called {printable(game)}; {did_you_mean(game, GAME_NAMES)}")
    if folder.exists() or folder.is_symlink():
        raise HarnessError(f"{printable(str(folder))}: is there already; take another name")
    words = {
        "name": folder.name,
        "games": json.dumps(list(games)),
        "game": games[0],
        "program": templates.program,
        "files": templates.files,
    }
    with making(folder):
        return tuple(_fill_in(template, folder / template.name, words, lines=lines) for template in _sources(templates))


@contextmanager
def making(folder: Path) -> Iterator[None]:
    """Makes `folder`, which is not there, for what the block puts into it; where the block fails it is gone again.

    HarnessError where the disk is full, or nothing may be written there.
    """
    try:
        folder.mkdir(parents=True)
        try:
            yield
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    except OSError as error:
        raise HarnessError(f"{printable(str(folder))}: cannot be made: {error.strerror}") from None


def install_packages(folder: Path, command: Sequence[str]) -> None:
    """Runs what brings a bot's packages into its `folder`. HarnessError, and the folder stays, where that fails."""
    if shutil.which(command[0]) is None:
        raise HarnessError(_not_installed(folder, command, f"{command[0]} is not installed here"))
    try:
        ran = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=INSTALL_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HarnessError(_not_installed(folder, command, str(error))) from None
    if ran.returncode != 0:
        lines = ran.stdout.decode(errors="replace").strip().splitlines()[-LAST_LINES:]
        raise HarnessError(_not_installed(folder, command, "\n".join(["it said:", *map(printable, lines)])))


def _not_installed(folder: Path, command: Sequence[str], why: str) -> str:
    again = f"cd {printable(str(folder))} && {' '.join(command)}"
    return f"{printable(str(folder))} is made, but not its packages; when that is mended: {again}\n{why}"


def _sources(templates: Scaffold) -> list[Path]:
    """The files to be copied, by name."""
    found = [SCAFFOLDS / "README.md"]
    for source in templates.sources:
        path = SCAFFOLDS / source
        found += [file for file in path.iterdir() if file.is_file()] if path.is_dir() else [path]
    return sorted(found, key=lambda path: path.name)


def _fill_in(template: Path, target: Path, words: dict[str, str], *, lines: bool) -> Path:
    if template.suffix in FILLED_IN:
        target.write_text(Template(template.read_text()).substitute(words))
    elif lines and template.suffix == ".py":
        target.write_text(template.read_text().replace(_SDK, _LINES))
    else:
        shutil.copyfile(template, target)
    return target
