"""What verbs print: tables and lines for people, JSON for programs."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
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
_BREAKABLE = 24
"""Words longer than this may be broken where there is no room."""
_BETWEEN = "  "
"""What stands between two cells."""
_NOTHING = ("", "-", "–")


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


class Grid:
    """A table; where the terminal is too narrow for it, each row as lines of its own, with nothing left out."""

    def __init__(self, headings: Sequence[str], rows: Sequence[Sequence[str]], columns: Sequence[Column[T]]) -> None:
        """`rows` hold harmless texts, one for each heading."""
        self._headings = headings
        self._rows = rows
        self._columns = columns
        self._longest = [
            max([len(heading), *(len(cells[index]) for cells in rows)]) for index, heading in enumerate(headings)
        ]

    def fits(self, width: int) -> bool:
        """Whether it is a table on a terminal of so many columns."""
        count = len(self._columns)
        least = (self._fixed(index) or min(self._longest_word(index), _BREAKABLE) for index in range(count))
        return sum(least) + len(_BETWEEN) * (count - 1) <= width

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.fits(options.max_width):
            yield self._table()
        else:
            yield from map(Text, self._lines(options.max_width))

    def _fixed(self, index: int) -> int:
        """Width of a column that gives none of it up; 0: the terminal decides."""
        column, longest = self._columns[index], self._longest[index]
        return longest if column.is_number or column.is_whole else min(longest, column.width)

    def _longest_word(self, index: int) -> int:
        texts = [self._headings[index], *(cells[index] for cells in self._rows)]
        return max(len(word) for text in texts for word in text.split(" "))

    def _table(self) -> Table:
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
        for index, (heading, column) in enumerate(zip(self._headings, self._columns, strict=True)):
            table.add_column(
                Text(heading),
                justify="right" if column.is_number else "left",
                overflow="fold",
                width=self._fixed(index) or None,
            )
        for cells in self._rows:
            table.add_row(*map(Text, cells))
        return table

    def _lines(self, width: int) -> Iterator[str]:
        """A number and what the row is about, then the other cells that say something, each after its heading."""
        at = 0 if self._headings[0] else 1
        for cells in self._rows:
            yield " ".join(filter(None, cells[: at + 1]))
            named = zip(self._headings[at + 1 :], cells[at + 1 :], strict=True)
            line = ""
            for fact in (f"{heading} {cell}" for heading, cell in named if cell not in _NOTHING):
                if line and len(line) + len(_BETWEEN) + len(fact) > width:
                    yield line
                    line = ""
                line = f"{line}{_BETWEEN}{fact}"
            if line:
                yield line


def grid(columns: Sequence[Column[T]], rows: Iterable[T]) -> Grid:
    """A table with a row for each of `rows`."""
    shown = [[printable(column.cell(row)) for column in columns] for row in rows]
    return Grid([column.heading for column in columns], shown, columns)
