"""Intervals hold the truth about as often as they say; `tests/bench/coverage.py` has the long version."""

import pytest

from tests.bench.coverage import Design, measure


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        Design("tables of four", 8, (4,), 30),
        Design("duplicates", 8, (4,), 15, rotations=4, gaussian=True),
        Design("all sizes", 8, (2, 3, 4, 5, 6), 30),
    ],
    ids=lambda design: design.name,
)
def test_ninety_five_percent_intervals_hold_the_truth_as_often(design: Design) -> None:
    found = measure(design, cups=60, seed=2)

    assert 0.93 <= found.rating.hits / found.rating.trials <= 0.97
    assert 0.93 <= found.difference.hits / found.difference.trials <= 0.98
