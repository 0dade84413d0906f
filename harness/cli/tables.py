"""What verbs print: tables and lines for people, JSON for programs."""

import json
import sys
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.printable import printable, printable_json

PLAIN_WIDTH = 120
"""Columns of a table that is not printed on a terminal."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leaves it to `harness.cli.main`."""
        raise BrokenPipeError


def output() -> Console:
    """Where results go: stdout, as wide as the terminal; no colour where NO_COLOR is set or it is no terminal."""
    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return _Console(highlight=False, markup=False, emoji=False, width=width)


def remarks() -> Console:
    """Where progress and remarks go: stderr."""
    return _Console(stderr=True, highlight=False, markup=False, emoji=False)


def print_text(text: str) -> None:
    """A line for people on stdout, on a terminal broken between words. `text` may hold what strangers wrote."""
    console = output()
    console.print(Text(printable(text)), soft_wrap=not console.is_terminal)


def print_json(value: object) -> None:
    """`value` as a line of JSON on stdout; a text is a line of JSON already."""
    line = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    sys.stdout.write(printable_json(line) + "\n")


def print_lines(text: str) -> None:
    """Lines that are harmless but for what strangers wrote into them, on stdout."""
    for line in text.removesuffix("\n").split("\n"):
        sys.stdout.write(printable(line) + "\n")


def grid(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = (), whole: Sequence[int] = ()
) -> Table:
    """A table with `headings`; columns `right` are numbers. Cells are text of strangers, shown as it is.

    Where there is no room, cells are broken, but not those of columns `right` and `whole`.
    """
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True, header_style="bold")
    for index, heading in enumerate(headings):
        is_number = index in right
        table.add_column(
            Text(heading),
            justify="right" if is_number else "left",
            overflow="fold",
            no_wrap=is_number or index in whole,
        )
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table
