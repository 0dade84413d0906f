"""The options that say how far bots are confined."""

from typing import Annotated, Literal

import typer

from harness.sandbox.cell import Sandbox
from harness.sandbox.levels import choose

LevelName = Literal["auto", "bwrap", "landlock", "limits", "none"]

SandboxOption = Annotated[
    LevelName | None,
    typer.Option("--sandbox", help="How far bots are confined; else the best that works here.", show_default=False),
]
RequireOption = Annotated[
    bool, typer.Option("--require-sandbox", help="Rather play nothing than without the best there is, bwrap.")
]


def repeated(asked: LevelName | None, *, require: bool) -> list[str]:
    """The same options, as words of a command that repeats this one."""
    return [*(["--sandbox", asked] if asked else []), *(["--require-sandbox"] if require else [])]


def chosen(asked: LevelName | None, *, require: bool, in_file: str = "auto") -> Sandbox:
    """The level that the options, else a cup file, ask for. HarnessError where it cannot be had here."""
    return choose(asked or in_file, require=require)
