"""`bot.toml`: what a bot is called, what it plays, how it is started and what it asks for.

The file is a promise: the bot's Hello may narrow it and never widens it. What it needs is a
request: the organiser grants it.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from harness.games import GAME_NAMES
from harness.names import did_you_mean, why_not_a_name, why_not_a_title, why_not_a_version
from harness.toml_file import AsTuple, Table, checked_by, read, shown

FILE_NAME = "bot.toml"
MAX_MANIFEST_BYTES = 64 * 1024
MAX_AUTHOR_CHARACTERS = 80
DEFAULT_MAX_MATCHES = 64
PLACEHOLDERS = ("{python}", "{dir}")
"""What the harness replaces in a command line: an interpreter, the bot's own folder."""

_PLACEHOLDER = re.compile(r"\{[a-z_]+\}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RUNTIME = re.compile(r"[a-z0-9][a-z0-9._-]*")


def _games(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        raise ValueError(f"must name at least one game; there are {', '.join(GAME_NAMES)}")
    for name in names:
        if name not in GAME_NAMES:
            raise ValueError(f"no game is called {shown(name)}; {did_you_mean(name, GAME_NAMES)}")
    if len(set(names)) < len(names):
        raise ValueError("names a game twice")
    return names


def _split(value: object) -> object:
    if isinstance(value, str):
        raise ValueError('must be a list of words, such as ["{python}", "bot.py"]; no shell takes a text apart')
    return value


def _words(words: tuple[str, ...]) -> tuple[str, ...]:
    if not words or not words[0]:
        raise ValueError('must begin with the program, such as ["{python}", "bot.py"]')
    for word in words:
        if "\0" in word:
            raise ValueError(f"{shown(word)} holds a NUL, which no command line can")
        if _PLACEHOLDER.fullmatch(word) and word not in PLACEHOLDERS:
            raise ValueError(f"nothing stands for {word}; {did_you_mean(word, PLACEHOLDERS)}")
    return words


def _env(env: dict[str, str]) -> dict[str, str]:
    for name, value in env.items():
        if _VARIABLE.fullmatch(name) is None:
            raise ValueError(f"{shown(name)} cannot be the name of a variable")
        if name.upper().startswith("CARDARENA_"):
            raise ValueError(f"{name}: names that begin with CARDARENA_ are the harness's own; take another")
        if "\0" in value:
            raise ValueError(f"{name} holds a NUL, which no variable can")
    return env


def why_not_a_runtime(text: str) -> str | None:
    """Why `text` cannot be the name of a runtime of the organiser."""
    if _RUNTIME.fullmatch(text) is None:
        return f"must be a name from the organiser's arena.toml, not {shown(text)}"
    return None


Words = Annotated[tuple[str, ...], AfterValidator(_words), AsTuple, BeforeValidator(_split)]
"""A command line: the program and its arguments."""


class BotTable(Table):
    """`[bot]`: who it is."""

    name: Annotated[str, checked_by(why_not_a_name), Field(examples=['"tallinn-fox"'])]
    version: Annotated[str, checked_by(why_not_a_version), Field(examples=['"1.0.0"'])]
    authors: Annotated[
        tuple[Annotated[str, checked_by(lambda text: why_not_a_title(text, MAX_AUTHOR_CHARACTERS))], ...],
        AsTuple,
    ] = ()
    games: Annotated[tuple[str, ...], AfterValidator(_games), AsTuple, Field(examples=['["guillotine"]'])]
    notes: Literal["private", "public"] = "private"
    """Whether the notes of its decisions are shown to all in replays."""


class RunTable(Table):
    """`[run]`: how it is started and spoken to."""

    argv: Annotated[Words, Field(examples=['["{python}", "bot.py"]'])]
    env: Annotated[dict[str, str], AfterValidator(_env)] = Field(default_factory=dict)
    protocol: Literal["grpc", "lines"] = "grpc"
    address: Literal["unix", "tcp"] = "unix"
    max_matches: int = Field(default=DEFAULT_MAX_MATCHES, ge=1, le=4096)
    """Most matches at once on its stream."""


class BuildTable(Table):
    """`[build]`: commands run once for each tree, one after the other, before its first start."""

    argv: Annotated[tuple[Words, ...], AsTuple, Field(min_length=1, examples=['[["make"]]'])]


class NeedsTable(Table):
    """`[needs]`: a request."""

    memory_mb: int | None = Field(default=None, ge=1)
    start_s: float | None = Field(default=None, gt=0)
    runtime: Annotated[str, checked_by(why_not_a_runtime)] | None = None


class BotManifest(Table):
    """A `bot.toml`."""

    schema_number: Literal[1] = Field(default=1, alias="schema")
    bot: BotTable
    run: RunTable
    build: BuildTable | None = None
    needs: NeedsTable = NeedsTable()

    @property
    def name(self) -> str:
        """`[bot].name`."""
        return self.bot.name

    @property
    def version(self) -> str:
        """`[bot].version`."""
        return self.bot.version


def read_manifest(folder: Path) -> BotManifest:
    """The `bot.toml` of the bot in `folder`. TomlError where there is none or it cannot be used."""
    return read(folder / FILE_NAME, BotManifest, max_bytes=MAX_MANIFEST_BYTES)


def command(argv: Sequence[str], *, python: str, folder: Path) -> tuple[str, ...]:
    """`argv` with `{python}` and `{dir}` replaced, wherever in a word they stand."""
    return tuple(word.replace("{python}", python).replace("{dir}", str(folder)) for word in argv)
