"""The ladder for people: a table, what is to be known about its numbers, and the sentence."""

from collections import Counter
from collections.abc import Iterator

from rich.table import Table

from harness.cli.tables import grid, output, print_text
from ladder.export import elo_text, points_text
from ladder.standings import Row, Standings

_NAMES_SHOWN = 6


def print_standings(standings: Standings) -> None:
    """The ladder on stdout."""
    if standings.rows:
        output().print(standings_table(standings))
    for line in _reasons(standings):
        print_text(line)
    if standings.luck.sentence is not None:
        print_text(standings.luck.sentence)
    print_text(standings.sentence)


def standings_table(standings: Standings) -> Table:
    """Ranks with their intervals, Elo with its interval, points, places, matches, and faults where there are any."""
    points = "points (low)" if standings.game == "guillotine" else "chips" if standings.game else "points"
    headings = ["", "bot", "Elo", "ranks", points, "place", "matches"]
    with_faults = any(row.faults for row in standings.rows)
    if with_faults:
        headings.append("faults")
    names = Counter(row.bot for row in standings.rows)
    rows = (_cells(row, named_alone=names[row.bot] == 1, with_faults=with_faults) for row in standings.rows)
    return grid(headings, rows, right=(0, 2, 4, 5, 6), whole=(3,))


def _cells(row: Row, *, named_alone: bool, with_faults: bool) -> tuple[str, ...]:
    faults = ", ".join(f"{count} {kind}" for kind, count in sorted(row.faults_by_kind.items()))
    cells = (
        "-" if row.rank is None else str(row.rank),
        row.bot if named_alone else f"{row.bot} {row.version or ''}",
        elo_text(row),
        "" if row.rank_low == row.rank_high else f"{row.rank_low}-{row.rank_high}",
        points_text(row),
        "-" if row.place_mean is None else f"{row.place_mean:.2f}",
        str(row.matches),
    )
    return (*cells, faults) if with_faults else cells


def _reasons(standings: Standings) -> Iterator[str]:
    """What limits the numbers of which bots, each reason once."""
    by_reason: dict[str, list[str]] = {}
    for row in standings.rows:
        if row.reason is not None:
            by_reason.setdefault(row.reason, []).append(row.bot)
    for reason, bots in by_reason.items():
        more = f" and {len(bots) - _NAMES_SHOWN} more" if len(bots) > _NAMES_SHOWN else ""
        yield f"{', '.join(bots[:_NAMES_SHOWN])}{more}: {reason}"
