"""A test of the whole harness at once: one deterministic bot in all seats of a block gains nothing on itself.

Every rotation is then the same game, and everybody sits in every seat of it once. Whatever dealt other cards, mixed up
seats, or told one seat more than another would leave a margin.
"""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import pytest

from harness.roster import HomeRoster
from harness.sandbox.cell import PLAIN
from harness.standing import cup_standings
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.tournament import play_cup
from harness.workers.pool import open_pool
from tests.in_process import Bots, InProcess, Notes, cup_file

GAMES = [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 3), ("zhiletka", 6)]
CLONES = ("clone", *(f"clone#{number}" for number in range(2, 7)))


def margins(ledger: Ledger) -> list[dict[str, int]]:
    """By block, the points of each bot over all rotations less those of the first."""
    sums: dict[str, dict[str, int]] = {}
    for result in ledger.results("test"):
        block = sums.setdefault(result.block, {})
        for entry, points in zip(result.entries, result.points, strict=True):
            block[entry.label] = block.get(entry.label, 0) + points
    return [{bot: points - next(iter(block.values())) for bot, points in block.items()} for block in sums.values()]


def zeros(labels: Sequence[str], blocks: Iterable[int]) -> list[dict[str, int]]:
    return [dict.fromkeys(labels, 0) for _ in blocks]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_bot_that_plays_itself_gains_nothing_over_the_rotations_of_a_block(
    tmp_path: Path, game: str, seats: int
) -> None:
    cup = cup_file(tmp_path, game=game, seats=seats, matches=12 * seats)
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        asyncio.run(play_cup(cup, ledger, Bots(*CLONES[:seats]), Notes(), InProcess(choose_first=True).opener()))

        assert margins(ledger) == zeros(CLONES[:seats], range(12))
        points = [result.points for result in ledger.results("test")]
        assert len(set(points)) > 1
        board = cup_standings(ledger, cup)
    assert {row.elo for row in board.rows} == {1500.0}
    assert board.luck.sentence == "Duplicates leave no luck at all here: the bots play alike."


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("guillotine", 4), ("zhiletka", 3)])
def test_a_program_that_plays_itself_in_the_arena_gains_nothing_either(tmp_path: Path, game: str, seats: int) -> None:
    cup = cup_file(tmp_path, game=game, seats=seats, matches=2 * seats, bots=["sample:stateless"] * seats)
    home = make_home(Home(tmp_path / "home", "a test's own"))
    with Ledger(home.ledger, create=True) as ledger:
        roster = HomeRoster(home, ledger.versions, tmp_path)
        run = asyncio.run(play_cup(cup, ledger, roster, Notes(), partial(open_pool, 1, PLAIN.sandbox)))

        assert run.withdrawn == ()
        assert not any(any(result.faults) for result in ledger.results("test"))
        assert margins(ledger) == zeros(
            ["stateless", *(f"stateless#{number}" for number in range(2, seats + 1))], range(2)
        )
