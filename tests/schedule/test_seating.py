"""Seats: even for every bot at any time, left neighbours even where that is free."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.deals import Chance
from harness.schedule.draws import Draws, Ints
from harness.schedule.seating import choose_circles, neighbours, seat_evenly


def draws(name: str = "seating") -> Draws:
    return Draws(Chance(name.encode()))


def groups_by_lot(bot_count: int, size: int, count: int, key: int) -> Ints:
    return draws(str(key)).permutations(count, bot_count)[:, :size]


@settings(max_examples=50, deadline=None)
@given(st.integers(6, 12), st.integers(2, 6), st.integers(1, 60), st.integers(0, 1000))
def test_any_k_consecutive_tables_of_a_run_use_k_different_seats(
    bot_count: int, size: int, count: int, key: int
) -> None:
    groups = groups_by_lot(bot_count, size, count, key)

    seated = seat_evenly(groups, np.zeros((bot_count, bot_count), np.int64), draws())

    assert np.sort(seated, axis=1).tolist() == np.sort(groups, axis=1).tolist()
    for bot in range(bot_count):
        seats = [group.index(bot) for group in seated.tolist() if bot in group]
        for start in range(0, len(seats), size):
            run = seats[start : start + size]
            assert len(set(run)) == len(run)


@pytest.mark.slow
def test_thousands_of_tables_are_seated_evenly() -> None:
    groups = groups_by_lot(40, 4, 5000, 1)

    seated = seat_evenly(groups, np.zeros((40, 40), np.int64), draws())

    seats = Counter((bot, seat) for group in seated.tolist() for seat, bot in enumerate(group))
    assert all(max(counts) - min(counts) <= 1 for counts in ([seats[b, s] for s in range(4)] for b in range(40)))


@settings(max_examples=50, deadline=None)
@given(st.integers(6, 9), st.integers(2, 6), st.integers(1, 40))
def test_circles_keep_the_groups_and_count_left_neighbours(bot_count: int, size: int, count: int) -> None:
    groups = groups_by_lot(bot_count, size, count, 1)
    beside = np.zeros((bot_count, bot_count), np.int64)

    seated = choose_circles(groups, beside, draws())

    assert np.sort(seated, axis=1).tolist() == np.sort(groups, axis=1).tolist()
    assert beside.tolist() == neighbours(seated, bot_count).tolist()


@pytest.mark.parametrize("seat", [choose_circles, seat_evenly])
def test_left_neighbours_are_more_even_than_by_lot(seat: Callable[[Ints, Ints, Draws], Ints]) -> None:
    groups = np.tile(np.arange(4), (24, 1))

    beside = np.zeros((4, 4), np.int64)
    seat(groups, beside, draws())

    counts = beside[~np.eye(4, dtype=np.bool_)]
    assert int(counts.sum()) == 96
    assert int(counts.max() - counts.min()) <= 2


def test_left_is_the_next_seat_clockwise() -> None:
    beside = neighbours(np.array([[2, 0, 1]]), 3)

    assert beside.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
