"""Results as columns: one order, nothing told twice."""

import numpy as np
import pytest

from ladder.columns import gather
from ladder.errors import LadderError
from ladder.results import Result
from tests.ladder.made_up import played_cup, series


def test_columns_know_no_order() -> None:
    games = played_cup(seats=(2, 5), rotations=2)

    one, other = gather(games), gather(reversed(games))

    for name in ("first", "block", "player", "place", "points", "scored", "own", "fault"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert (one.players, one.block_count, one.fault_kinds) == (other.players, other.block_count, other.fault_kinds)


def test_a_match_told_twice_counts_once() -> None:
    games = series("abc", "bca")

    assert gather([*games, *games]).match_count == 2


def test_a_match_told_differently_is_refused() -> None:
    with pytest.raises(LadderError, match="match m0000 has two different results"):
        gather([*series("abc"), *series("acb")])


def test_a_named_block_is_not_the_match_of_that_name() -> None:
    games = [Result("x", None, ("a", "b"), (1, 2)), Result("y", "x", ("a", "b"), (1, 2))]

    assert gather(games).block_count == 2


def test_points_of_faulted_and_unrated_seats_are_not_scored() -> None:
    columns = gather([Result("m", None, ("a", "b", "c"), (1, 2, 3), (5, 6, 7), (None, None, "timeout"), (1,))])

    assert columns.scored.tolist() == [True, False, False]
    assert columns.own.tolist() == [True, False, True]
    assert columns.fault_kinds == ("", "timeout")


@pytest.mark.parametrize(
    "wrong",
    [
        Result("m", None, ("a", "b"), (1,)),
        Result("m", None, ("a", "b"), (1, 2), (1.0,)),
        Result("m", None, ("a", "b"), (1, 2), None, ("timeout",)),
        Result("m", None, ("a", "b"), (0, 1)),
        Result("m", None, ("a", "b"), (1, 2), None, (), (2,)),
        Result("m", None, ("a", "b"), (1, 2), (1.0, float("nan"))),
    ],
)
def test_a_result_that_does_not_fit_itself_is_the_callers_mistake(wrong: Result) -> None:
    with pytest.raises(ValueError, match="match m: "):
        gather([wrong])


def test_no_results_are_no_columns() -> None:
    columns = gather([])

    assert (columns.match_count, columns.players, columns.block_count) == (0, (), 0)
