"""The ladder for people: a table, what is to be known about its numbers, and the sentence."""

from collections import Counter
from collections.abc import Iterator

from harness.cli.tables import Column, Grid, grid, output, print_text
from ladder.export import elo_text, points_text
from ladder.standings import Row, Standings

_NAMES_SHOWN = 6
_SAYS_LEAST = ("place", "ranks")
NAME_WIDTH = 20
"""Names up to so long are not broken."""


def print_standings(standings: Standings) -> None:
    """The ladder on stdout."""
    if standings.rows:
        console = output()
        table, left_out = fitted_table(standings, console.width)
        console.print(table)
        if left_out:
            print_text(f"No room for: {', '.join(left_out)}.")
    for line in _reasons(standings):
        print_text(line)
    if standings.luck.sentence is not None:
        print_text(standings.luck.sentence)
    print_text(standings.sentence)


def fitted_table(standings: Standings, width: int) -> tuple[Grid, tuple[str, ...]]:
    """A row a bot, in `width` columns: what says least is left out before names are broken, and named beside it.

    Where even that takes more room, each bot has lines of its own, and nothing is left out.
    """
    columns = list(_columns(standings))
    for count in range(len(_SAYS_LEAST) + 1):
        left_out = _SAYS_LEAST[:count]
        table = grid([column for column in columns if column.heading not in left_out], standings.rows)
        if table.fits(width):
            return table, left_out
    return grid(columns, standings.rows), ()


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
