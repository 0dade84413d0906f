"""How ratings came about, round by round: a row a bot, a column a round."""

from collections.abc import Sequence

from harness.cli.tables import Column, grid, output, print_json
from harness.standing import Moment
from ladder.export import elo_text
from ladder.standings import Row

ROUNDS_SHOWN = 5
"""The newest ones; --json has all."""
NAME_WIDTH = 20


def print_history(moments: Sequence[Moment], *, json: bool) -> None:
    """Ratings after each round on stdout."""
    if json:
        print_json(
            [{"round": moment.round, "bots": [_members(row) for row in moment.standings.rows]} for moment in moments]
        )
        return
    shown = moments[-ROUNDS_SHOWN:]
    by_round = {moment.round: {row.bot: row for row in moment.standings.rows} for moment in shown}
    bots = list(dict.fromkeys(row.bot for moment in reversed(shown) for row in moment.standings.rows))
    columns = [Column[str]("bot", str, width=NAME_WIDTH)]
    columns += [_column(round, rows) for round, rows in by_round.items()]
    output().print(grid(columns, bots))


def _column(round: int, rows: dict[str, Row]) -> Column[str]:
    return Column(f"round {round}", lambda bot: elo_text(rows[bot]) if bot in rows else "", is_number=True)


def _members(row: Row) -> dict[str, object]:
    """What is told of a bot: numbers with six decimals, as everywhere."""
    known = {"elo": row.elo, "elo_low": row.elo_low, "elo_high": row.elo_high}
    rounded = {name: None if value is None else round(value, 6) for name, value in known.items()}
    return {"bot": row.bot, "version": row.version, "rank": row.rank, **rounded, "matches": row.matches}
