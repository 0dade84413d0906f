"""The ladder for people: a table, what is to be known about its numbers, and the sentence."""

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from harness.cli.tables import Column, grid, output, print_text
from ladder.export import elo_text, points_text
from ladder.standings import Row, Standings

_NAMES_SHOWN = 6
NAME_WIDTH = 20
"""Names up to so long are not broken."""


def print_standings(standings: Standings) -> None:
    """The ladder on stdout."""
    if standings.rows:
        console = output()
        console.print(standings_table(standings, console))
    for line in _reasons(standings):
        print_text(line)
    if standings.luck.sentence is not None:
        print_text(standings.luck.sentence)
    print_text(standings.sentence)


def standings_table(standings: Standings, console: Console) -> Table:
    """A row a bot, as wide as `console` allows: what says least is left out before names are broken."""
    columns = list(_columns(standings))
    unbounded = console.options.update(max_width=10_000)  # else it measures what it would make of the table
    for name in ("place", "ranks", None):
        table = grid(columns, standings.rows)
        if name is None or console.measure(table, options=unbounded).minimum <= console.width:
            break
        columns = [column for column in columns if column.heading != name]
    return table


def _columns(standings: Standings) -> Iterator[Column[Row]]:
    """Ranks with their intervals, Elo with its interval, points, places, matches, and faults where there are any."""
    names = Counter(row.bot for row in standings.rows)
    points = "points (low)" if standings.game == "guillotine" else "chips" if standings.game else "points"
    yield Column("", lambda row: "-" if row.rank is None else str(row.rank), is_number=True)
    yield Column(
        "bot", lambda row: row.bot if names[row.bot] == 1 else f"{row.bot} {row.version or ''}", width=NAME_WIDTH
    )
    yield Column("Elo", elo_text, is_number=True)
    yield Column("ranks", _ranks, is_whole=True)
    yield Column(points, points_text, is_number=True)
    yield Column("place", lambda row: "-" if row.place_mean is None else f"{row.place_mean:.2f}", is_number=True)
    yield Column("matches", lambda row: str(row.matches), is_number=True)
    if any(row.faults for row in standings.rows):
        yield Column("faults", _faults)


def _ranks(row: Row) -> str:
    return "" if row.rank_low == row.rank_high else f"{row.rank_low}-{row.rank_high}"


def _faults(row: Row) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(row.faults_by_kind.items()))


def _reasons(standings: Standings) -> Iterator[str]:
    """What limits the numbers of which bots, each reason once."""
    by_reason: dict[str, list[str]] = {}
    for row in standings.rows:
        if row.reason is not None:
            by_reason.setdefault(row.reason, []).append(row.bot)
    for reason, bots in by_reason.items():
        more = f" and {len(bots) - _NAMES_SHOWN} more" if len(bots) > _NAMES_SHOWN else ""
        yield f"{', '.join(bots[:_NAMES_SHOWN])}{more}: {reason}"
