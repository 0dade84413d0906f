"""Table sizes, budgets, formats, filled seats and heats."""

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import pytest

from harness.deals import schedule_chance
from tests.schedule.counting import (
    appearances,
    first_rotations,
    meetings,
    schedule,
    span,
    tables,
)


def test_table_sizes_share_the_matches_and_take_turns() -> None:
    made = schedule(bot_count=6, sizes=(2, 3, 4), matches=62)

    sizes = [len(table.seats) for table in tables(made)]
    assert Counter(sizes) == {2: 21, 3: 21, 4: 20}
    assert all({2, 3, 4} == set(sizes[start : start + 4]) for start in range(56))


def test_duplicates_round_a_budget_down_to_whole_blocks_of_each_size() -> None:
    made = schedule(bot_count=6, sizes=(2, 3, 4), matches=62, duplicate=True)

    assert made.requested_matches == 62
    assert Counter(len(table.seats) for table in tables(made)) == {2: 20, 3: 21, 4: 20}
    assert (made.match_count, made.block_count) == (61, 22)


@pytest.mark.parametrize("sizes", [(4,), (2, 3, 4)])
@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("format", ["balanced", "gauntlet"])
@pytest.mark.parametrize("wanted", [1, 7, 40])
def test_matches_per_bot_are_met_and_hardly_exceeded(
    format: str, sizes: tuple[int, ...], duplicate: bool, wanted: int
) -> None:
    made = schedule(format=format, bot_count=7, house_count=3, sizes=sizes, matches_per_bot=wanted, duplicate=duplicate)

    played = appearances([table.seats for table in tables(made)])
    # Up to a whole block, and no more than a block between any two.
    most = wanted + len(sizes) * (2 * max(sizes) if duplicate else 1)
    assert all(wanted <= played[bot] <= most for bot in range(7))
    assert made.requested_matches is None


def test_matches_per_bot_hold_for_the_bots_of_a_big_team_too() -> None:
    made = schedule(bot_count=8, matches_per_bot=10, teams=[0, 0, 0, 0, 1, 2, 3, 4])

    assert min(appearances([table.seats for table in tables(made)]).values()) == 10
    assert made.match_count == 40


@pytest.mark.parametrize("duplicate", [False, True])
def test_round_robin_holds_every_group_of_every_size_once(duplicate: bool) -> None:
    made = schedule(format="round-robin", bot_count=5, house_count=2, sizes=(2, 4), duplicate=duplicate)

    for size in (2, 4):
        groups = first_rotations(made, size)
        assert sorted(tuple(sorted(group)) for group in groups) == [*combinations(range(7), size)]
        seats = Counter((bot, seat) for group in groups for seat, bot in enumerate(group))
        if not duplicate:
            assert all(span(seats, [(bot, seat) for seat in range(size)]) <= 1 for bot in range(7))
    assert made.match_count == (2 * comb(7, 2) + 4 * comb(7, 4) if duplicate else comb(7, 2) + comb(7, 4))


@pytest.mark.parametrize("duplicate", [False, True])
def test_gauntlet_seats_one_bot_with_the_house(duplicate: bool) -> None:
    made = schedule(format="gauntlet", bot_count=6, house_count=5, sizes=(3, 4), matches=240, duplicate=duplicate)

    for size in (3, 4):
        groups = first_rotations(made, size)
        assert all(sum(label < 6 for label in group) == 1 for group in groups)
        assert span(appearances(groups), range(6)) <= 1
        assert span(meetings(groups), [(bot, house) for bot in range(6) for house in range(6, 11)]) <= 1 + 5 % 4
        seats = Counter((bot, seat) for group in groups for seat, bot in enumerate(group))
        if not duplicate:
            assert all(span(seats, [(bot, seat) for seat in range(size)]) <= 1 for bot in range(11))


def test_gauntlet_seats_no_bot_with_a_house_bot_of_its_team() -> None:
    made = schedule(
        format="gauntlet", bot_count=2, house_count=4, sizes=(3,), matches=30, teams=["a", "b", "a", "c", "c", "d"]
    )

    met = meetings([table.seats for table in tables(made)])
    assert {pair for pair in met if min(pair) < 2} == {(0, 3), (0, 4), (0, 5), (1, 2), (1, 3), (1, 4), (1, 5)}
    assert (3, 4) not in met


@pytest.mark.parametrize(
    ("format", "budget", "groups"),
    [
        ("balanced", {"matches": 8}, {(0, 1), (0, 1, 2, 3)}),
        ("round-robin", {}, {(0, 1), (0, 1, 2, 3)}),
        ("gauntlet", {"matches": 8}, {(0, 1), (0, 1, 2, 3)}),
    ],
)
def test_too_few_for_a_table_are_filled_up(format: str, budget: dict[str, int], groups: set[tuple[int, ...]]) -> None:
    made = schedule(format=format, bot_count=1, house_count=1, fill_count=9, sizes=(2, 4), **budget)

    assert {tuple(sorted(table.seats)) for table in tables(made)} == groups
    assert made.label_count == 4


def test_nobody_is_filled_in_where_there_are_enough() -> None:
    assert schedule(bot_count=4, fill_count=3, matches=8).label_count == 4


def test_a_bot_meets_no_deal_twice_in_a_phase_and_every_stream_is_full() -> None:
    made = schedule(bot_count=20, matches=20_000, duplicate=True, max_matches=64, heat_matches=1)

    heats = list(made.heats())
    assert len(heats) == 15
    for heat in heats:
        assert len(heat.phases) == 4
        for phase in heat.phases:
            played = appearances([made.table(number).seats for number in phase])
            assert min(played[bot] for bot in range(20)) >= 64


def test_without_duplicates_a_heat_has_one_phase() -> None:
    heats = list(schedule(bot_count=5, matches=300, max_matches=8, heat_matches=100).heats())

    assert [len(heat.phases) for heat in heats] == [1, 1, 1]
    assert [len(heat.phases[0]) for heat in heats] == [100, 100, 100]


@pytest.mark.parametrize(
    "arguments",
    [
        {"bot_count": 12, "matches": 601, "duplicate": False},
        {"bot_count": 7, "sizes": (2, 3, 4), "matches": 200, "duplicate": True},
        {"bot_count": 90, "matches": 1200, "teams": [bot // 3 for bot in range(90)]},
    ],
)
def test_what_was_asked_for_before_makes_no_difference(arguments: dict[str, Any]) -> None:
    forwards, backwards = schedule(**arguments), schedule(**arguments)

    last_first = [backwards.table(number) for number in range(backwards.match_count, 0, -1)]

    assert last_first[::-1] == tables(forwards)


def test_chance_that_was_drawn_from_gives_the_same_schedule() -> None:
    used = schedule_chance(bytes(range(32)), "1")
    used.shuffled(range(50))

    assert tables(schedule(chance=used, matches=50)) == tables(schedule(matches=50))
