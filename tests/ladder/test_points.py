"""Mean points by hand."""

import math

import pytest

from ladder.columns import gather
from ladder.points import PointsMean, mean_points
from ladder.results import Result
from tests.ladder.made_up import played_cup


def _of(name: str, results: list[Result], *, per_match: int = 1) -> PointsMean:
    columns = gather(results)
    return mean_points(columns, per_match=per_match)[columns.players.index(name)]


def _match(match: str, points: float, *, block: str | None = None, fault: str | None = None) -> Result:
    return Result(match, block, ("a", "b"), (1, 2), (points, -points), (fault, None))


def test_single_matches_give_the_textbook_t_interval() -> None:
    # Mean 4, standard deviation 2, four observations: t(0.975, 3) = 3.182446.
    found = _of("a", [_match(f"m{i}", points) for i, points in enumerate((2, 4, 4, 6))])

    half = 3.182446 * math.sqrt(8 / 3) / 2
    assert (found.mean, found.low, found.high) == pytest.approx((4, 4 - half, 4 + half), rel=1e-6)
    assert found.blocks == 4


def test_matches_of_a_block_are_one_observation() -> None:
    single = _of("a", [_match(f"m{i}", points) for i, points in enumerate((2, 4, 4, 6))])
    copied = _of("a", [_match(f"m{i}{copy}", p, block=str(i)) for i, p in enumerate((2, 4, 4, 6)) for copy in range(5)])

    assert copied == pytest.approx(single)


def test_points_may_be_shown_by_deal() -> None:
    whole = _of("b", [_match(f"m{i}", points) for i, points in enumerate((24, 48, 12))])

    assert _of("b", [_match(f"m{i}", p) for i, p in enumerate((24, 48, 12))], per_match=24) == pytest.approx(
        PointsMean(-28 / 24, (whole.low or 0) / 24, (whole.high or 0) / 24, 3)
    )


def test_a_faulted_seat_enters_no_average_and_the_others_do() -> None:
    results = [_match("m0", 2), _match("m1", 4), _match("m2", 1000, fault="crashed")]

    assert _of("a", results).mean == pytest.approx(3)
    assert _of("b", results).mean == pytest.approx(-1006 / 3)


def test_one_block_has_a_mean_and_no_interval() -> None:
    assert _of("a", [_match("m0", 5)]) == PointsMean(5, None, None, 1)


def test_no_points_have_no_mean() -> None:
    assert _of("a", [Result("m", None, ("a", "b"), (1, 2))]) == PointsMean(None, None, None, 0)


def test_two_blocks_that_agree_prove_no_certainty() -> None:
    assert _of("a", [_match("m0", 5.1), _match("m1", 5.1)]) == PointsMean(5.1, None, None, 2)


def test_many_blocks_that_agree_do() -> None:
    found = _of("a", [_match(f"m{i}", 5) for i in range(20)])

    assert (found.mean, found.low, found.high) == pytest.approx((5, 5, 5))


def test_means_are_the_same_to_the_last_bit_however_many_matches_are_looked_at_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = gather(played_cup(blocks=30, rotations=4, seed=2))
    whole = mean_points(columns)
    monkeypatch.setattr("ladder.points._MATCHES_AT_ONCE", 5)

    assert mean_points(columns) == whole
