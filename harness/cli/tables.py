"""What verbs print: tables and lines for people, JSON for programs."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

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


def print_lines_as_they_are(lines: Iterable[str]) -> None:
    """Lines that are harmless already, and may hold our own colours, on stdout, at once."""
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


def duration(seconds: float) -> str:
    """Time for people.

    >>> duration(3725)
    '1 h 02 min'
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


T = TypeVar("T")


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column of a table of `T`. Cells may hold text of strangers: they are shown as they are, made harmless."""

    heading: str
    cell: Callable[[T], str]
    is_number: bool = False
    """On the right, and never broken."""
    is_whole: bool = False
    """Never broken."""
    width: int = 0
    """Cells longer than this are broken; 0: those that the terminal has no room for."""


def grid(columns: Sequence[Column[T]], rows: Iterable[T]) -> Table:
    """A table with a row for each of `rows`."""
    shown = [[printable(column.cell(row)) for column in columns] for row in rows]
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for index, column in enumerate(columns):
        longest = max([len(column.heading), *(len(cells[index]) for cells in shown)])
        fixed = longest if column.is_number or column.is_whole else min(longest, column.width)
        table.add_column(
            Text(column.heading),
            justify="right" if column.is_number else "left",
            overflow="fold",
            width=fixed or None,
        )
    for cells in shown:
        table.add_row(*map(Text, cells))
    return table
