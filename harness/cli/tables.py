"""Tables for people, on a terminal or in a file: standings, bots, balance."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from harness.printable import printable
from ladder.export import elo_text, points_text
from ladder.standings import Row, Standings

PLAIN_WIDTH = 120
"""Columns of a table that is not printed on a terminal."""


def output() -> Console:
    """Where results go: stdout, as wide as the terminal; no colour where NO_COLOR is set or it is no terminal."""
    console = Console(highlight=False, markup=False, emoji=False)
    return console if console.is_terminal else Console(highlight=False, markup=False, emoji=False, width=PLAIN_WIDTH)


def grid(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> Table:
    """A table with `headings`; columns `right` are numbers. Cells are text of strangers, shown as it is."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(Text(heading), justify="right" if index in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


def standings_table(standings: Standings, *, points_heading: str) -> RenderableType:
    """The ladder: ranks with their intervals, Elo with its interval, points, matches, faults."""
    headings = ("", "bot", "Elo", "ranks", points_heading, "place", "matches", "faults", "")
    return grid(headings, (_cells(row) for row in standings.rows), right=(0, 2, 4, 5, 6, 7))


def _cells(row: Row) -> tuple[str, ...]:
    ranks = "" if row.rank_low is None else f"{row.rank_low}-{row.rank_high}"
    faults = ", ".join(f"{count} {kind}" for kind, count in sorted(row.faults_by_kind.items()))
    return (
        "-" if row.rank is None else str(row.rank),
        f"{row.bot} {row.version}" if row.version else row.bot,
        elo_text(row),
        "" if row.rank_low == row.rank_high else ranks,
        points_text(row),
        "-" if row.place_mean is None else f"{row.place_mean:.2f}",
        str(row.matches),
        faults or "0",
        row.reason or "",
    )


def points_heading(game: str) -> str:
    """What the points of a match of `game` are called in a table."""
    return "points (low wins)" if game == "guillotine" else "chips"
