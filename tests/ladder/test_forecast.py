"""The forecast of interval widths."""

import numpy as np
import pytest

from ladder.fit import fit
from ladder.forecast import forecast_half_width
from tests.ladder.made_up import scored


def test_two_bots_by_hand() -> None:
    # 100 even games: information 25 + 1/4 of the prior, and the pool's mean halves the variance.
    forecast = forecast_half_width(bots=2, seats=2, blocks=100)

    assert forecast is not None
    assert forecast.rating == pytest.approx(1.984217 * 173.7178 * (0.5 / 25.25) ** 0.5, rel=1e-5)
    assert forecast.difference == pytest.approx(forecast.rating * 2**0.5)


@pytest.mark.parametrize("size", [2, 4, 6])
def test_among_equals_the_forecast_comes_true(size: int) -> None:
    chance = np.random.default_rng(4)
    names = "abcdef"
    results = [
        scored(f"{i:04d}", None, [names[j] for j in chance.permutation(6)[:size]], chance.normal(size=size))
        for i in range(1200 // size)
    ]

    rated = fit(results)
    forecast = forecast_half_width(bots=6, seats=size, blocks=200)

    assert forecast is not None
    found = [rated.half_width(i) or 0 for i in range(6)]
    assert np.mean(found) == pytest.approx(forecast.rating, rel=0.1)


def test_duplicates_that_are_worth_more_narrow_the_forecast() -> None:
    plain = forecast_half_width(bots=8, seats=4, blocks=50, matches_per_block=4, prior=0)
    better = forecast_half_width(bots=8, seats=4, blocks=50, matches_per_block=4, prior=0, gain=4)

    assert plain is not None
    assert better is not None
    assert better.rating == pytest.approx(plain.rating / 2)


def test_what_cannot_be_forecast_is_none() -> None:
    assert forecast_half_width(bots=8, seats=4, blocks=1) is None
    assert forecast_half_width(bots=1, seats=4, blocks=10) is None
