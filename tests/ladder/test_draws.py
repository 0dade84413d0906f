"""Rank intervals and the stream that they are drawn from."""

import numpy as np
import pytest

from ladder.draws import normals, rank_intervals


def test_the_stream_is_splitmix64() -> None:
    # Pinned: a change here changes printed rank intervals.
    assert normals(0, 3) == pytest.approx([-1.0358257111477946, 0.6512741379066775, -1.3373626941535024], abs=1e-12)


def test_the_stream_does_not_depend_on_how_it_is_cut() -> None:
    assert np.array_equal(normals(0, 100), np.concatenate((normals(0, 37), normals(37, 63))))


def test_the_deviates_are_standard_normal() -> None:
    sample = normals(0, 100_000)

    assert abs(sample.mean()) < 0.01
    assert sample.std() == pytest.approx(1, abs=0.01)
    assert (np.abs(sample) < 1.959964).mean() == pytest.approx(0.95, abs=0.003)


def test_certain_ratings_have_certain_ranks() -> None:
    low, high = rank_intervals(np.array([3.0, 2.0, 1.0]), np.zeros((3, 3)))

    assert low.tolist() == high.tolist() == [1, 2, 3]


def test_one_close_pair_shares_two_ranks() -> None:
    low, high = rank_intervals(np.array([1600.0, 1501.0, 1500.0, 1200.0]), np.eye(4) * 100)

    assert (low.tolist(), high.tolist()) == ([1, 2, 2, 4], [1, 3, 3, 4])


def test_nobody_has_no_ranks() -> None:
    low, high = rank_intervals(np.zeros(0), np.zeros((0, 0)))

    assert len(low) == len(high) == 0
