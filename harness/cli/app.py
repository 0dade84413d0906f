"""The typer application and what holds for every verb: home, quiet, JSON, progress."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

app = typer.Typer(
    name="cardarena",
    help="Tournaments of card games between programs: bots over gRPC, refereed matches, Elo ladders.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # `harness.cli.main` decides what a person sees; locals may hold tokens
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog="Start here: cardarena demo",
)


Progress = Literal["live", "lines", "none"]
"""A table that redraws itself on a terminal, plain lines elsewhere, or nothing."""


class Common(NamedTuple):
    """Options that every verb knows."""

    home: Path | None
    quiet: bool
    json: bool
    progress: Progress


_FLAGS = ("--quiet", "--json", "--no-progress")
_VALUES = ("--home",)


def common_first(argv: Sequence[str]) -> list[str]:
    """`argv` with the options of `Common` moved before the verb: they may stand before or after it.

    >>> common_first(["ladder", "--json", "spring"])
    ['--json', 'ladder', 'spring']
    """
    first: list[str] = []
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in _FLAGS or word.startswith(tuple(f"{name}=" for name in _VALUES)):
            first.append(word)
        elif word in _VALUES:
            first += [word, *(value for value in [next(words, None)] if value is not None)]
        else:
            rest.append(word)
    return first + rest


@app.callback()
def common(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(
            help="Where ledger and bots are kept. Else $CARDARENA_HOME, else the nearest .cardarena above.",
            show_default=False,
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print results only.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print facts as JSON; nothing else on stdout.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print no progress.")] = False,
) -> None:
    """Keep the common options for the verb."""
    progress: Progress = "none" if no_progress or quiet else "live" if sys.stderr.isatty() else "lines"
    context.obj = Common(home, quiet, json, progress)
