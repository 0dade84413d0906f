"""Matches for those who need them: enough for each, opponents drawn evenly from everybody, looks that come sooner."""

from collections import Counter

import numpy as np
import pytest

from harness.schedule import ImpossibleSchedule, Schedule
from harness.schedule.grouping import even_shares
from tests.schedule.counting import appearances, first_rotations, meetings, schedule, span, tables

FIELD = 20


def opponents(made: Schedule, bot: int, size: int = 4) -> Counter[int]:
    """How many blocks `bot` shares with each."""
    met = meetings(first_rotations(made, size))
    return Counter({other: met[min(bot, other), max(bot, other)] for other in range(FIELD) if other != bot})


@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize(
    ("needy", "within"),
    [({3: 60}, 1), ({0: 60, 19: 60}, 1), ({1: 240, 2: 80, 7: 12}, 1), (dict.fromkeys(range(15), 48), 2)],
)
def test_everybody_gets_what_it_needs_and_meets_all_others_equally_often(
    needy: dict[int, int], within: int, duplicate: bool
) -> None:
    needs = [needy.get(bot, 0) for bot in range(FIELD)]

    made = schedule(bot_count=FIELD, needs=needs, duplicate=duplicate)

    played = Counter(bot for table in tables(made) for bot in table.seats)
    assert all(played[bot] >= need for bot, need in needy.items())
    most = max(needy, key=lambda bot: needy[bot])
    assert played[most] - needy[most] <= 4
    assert span(opponents(made, most), set(range(FIELD)) - {most}) <= within
    rest = set(range(FIELD)) - set(needy)
    assert span(appearances(first_rotations(made, 4)), rest) <= 5


def test_who_needs_nothing_sits_down_with_those_who_do_and_no_oftener_than_that_asks_for() -> None:
    made = schedule(bot_count=FIELD, needs=[60] * 3 + [0] * 17)

    groups = first_rotations(made, 4)
    assert all(min(group) < 3 for group in groups)
    assert len(groups) == pytest.approx(float(even_shares(np.array([60] * 3 + [0] * 17), 4).sum()) / 4, rel=0.05)


def test_seats_are_even_and_teams_stay_apart() -> None:
    teams = [bot // 2 for bot in range(FIELD)]

    made = schedule(bot_count=FIELD, needs=[40, 40] + [0] * 18, teams=teams)

    for table in tables(made):
        assert len({teams[bot] for bot in table.seats}) == 4
    seats = Counter((bot, seat) for table in tables(made) for seat, bot in enumerate(table.seats))
    for bot in range(FIELD):
        assert span(seats, [(bot, seat) for seat in range(4)]) <= 1


def test_table_sizes_share_what_is_needed() -> None:
    made = schedule(bot_count=FIELD, needs=[60] + [0] * 19, sizes=(2, 3, 4), duplicate=True)

    played = Counter(len(table.seats) for table in tables(made) if 0 in table.seats)
    assert played == {2: 20, 3: 21, 4: 20}


def test_the_house_and_what_fills_tables_are_opponents() -> None:
    made = schedule(bot_count=2, house_count=1, fill_count=1, needs=[8, 0])

    assert {bot for table in tables(made) for bot in table.seats} == {0, 1, 2, 3}
    assert made.match_count == 8


def test_in_a_gauntlet_each_bot_plays_what_it_needs() -> None:
    made = schedule(format="gauntlet", bot_count=4, house_count=3, needs=[12, 0, 4, 0], duplicate=True)

    played = Counter(bot for table in tables(made) for bot in table.seats if bot < 4)
    assert played == {0: 12, 2: 4}


def test_the_balance_counts_those_who_need_matches() -> None:
    made = schedule(bot_count=FIELD, needs=[57] + [0] * 19)

    balance = made.balance()
    assert str(balance.appearances) == "57"
    assert str(balance.pairs) == "9"
    assert balance.pair_count == 19


def test_nobody_in_need_is_no_schedule() -> None:
    for format in ("balanced", "gauntlet"):
        with pytest.raises(ImpossibleSchedule, match="nobody needs a match"):
            schedule(format=format, bot_count=4, house_count=3, needs=[0, 0, 0, 0])


def test_other_needs_or_other_heats_have_another_digest() -> None:
    plain = {"bot_count": 6, "needs": [4, 0, 0, 0, 0, 0]}
    made = [
        schedule(**plain),
        schedule(**plain | {"needs": [0, 4, 0, 0, 0, 0]}),
        schedule(**plain, first_heat_matches=3),
        schedule(bot_count=6, matches_per_bot=4),
        schedule(bot_count=6, matches_per_bot=4, first_heat_matches=3),
    ]

    assert len({each.digest() for each in made}) == 5
    assert schedule(**plain).digest() == made[0].digest()


def test_heats_for_looking_grow_with_what_was_played_before() -> None:
    made = schedule(bot_count=8, matches=4000, duplicate=True, first_heat_matches=100)

    sizes = [sum(map(len, heat.phases)) for heat in made.heats()]
    before = np.cumsum([0, *sizes[:-1]])
    assert sum(sizes) == 4000
    assert sizes[:8] == [100] * 8
    assert all(100 <= size <= max(100, earlier / 8) for size, earlier in zip(sizes[:-1], before, strict=False))
    assert sizes[-1] < 2.25 * sizes[-2]
