"""First places are called settled late, but rightly; `tests/bench/stopping.py` has the long version."""

import math
from itertools import pairwise

import pytest

from ladder.fit import fit
from ladder.settled import band, settled_places
from tests.bench.stopping import Cup, measure
from tests.ladder.made_up import series


def test_a_clear_order_is_settled_from_the_first_place_on() -> None:
    rated = fit(series(*["abcd", "bacd", "abcd", "abdc", "acbd"] * 40))

    assert settled_places(rated, rated.players, 1) == 1
    assert settled_places(rated, rated.players, 4) == 4
    assert settled_places(rated, rated.players, 9) == 4


def test_a_place_is_open_while_one_behind_it_may_be_better() -> None:
    rated = fit(series(*["abcd", "acbd", "abcd", "acbd", "bacd", "cabd"] * 30))

    assert settled_places(rated, rated.players, 1) == 1
    assert settled_places(rated, rated.players, 2) == 1
    assert settled_places(rated, ["a", "c", "d"], 2) == 2


def test_a_late_bot_with_few_matches_keeps_every_place_open() -> None:
    results = series(*["abcd", "bacd", "abcd", "abdc", "acbd"] * 40)
    late = series(*["daec"] * 9, prefix="n")

    assert settled_places(fit([*results, *late]), ["a", "b", "c", "d", "e"], 1) == 0


def test_without_a_rating_in_the_main_pool_nothing_is_settled() -> None:
    rated = fit([*series(*["abcd", "bacd"] * 40), *series("xy", "yx", prefix="n")])

    assert settled_places(rated, ["a", "b", "x"], 1) == 0
    assert settled_places(rated, ["a", "b", "nobody"], 1) == 0


def test_a_bot_alone_is_in_its_place() -> None:
    rated = fit(series(*["ab", "ba"] * 40))

    assert settled_places(rated, ["a"], 3) == 1
    assert settled_places(rated, [], 3) == 0


def test_the_band_is_wider_than_one_look_takes_and_nearly_as_wide_at_any_time() -> None:
    bands = [band(blocks, 0.025) for blocks in (30, 100, 300, 1000, 10_000)]

    assert math.isinf(band(9, 0.025))
    assert min(bands) > 1.5 * 1.96
    assert max(bands) < 2 * 1.96
    assert all(narrow < wide for narrow, wide in pairwise([band(100, wrong) for wrong in (0.1, 0.01, 0.001)]))


@pytest.mark.slow
def test_looking_after_every_heat_a_wrong_order_is_hardly_ever_called_settled() -> None:
    cup = Cup("two equal leaders", (200, 200, 0, 0, 0, 0), 1, blocks=120)

    found = measure(cup, cups=25, seed=3, look_blocks=10)

    assert found.wrong == 0.0
    assert found.wrong_at_one_look > 0.05


@pytest.mark.slow
def test_a_leader_is_found_long_before_the_last_match() -> None:
    found = measure(Cup("one leader", (300, 0, 0, 0, 0, 0), 1, blocks=400), cups=10, seed=3)

    assert found.stopped == 1.0
    assert found.wrong == 0.0
    assert found.blocks is not None
    assert found.blocks < 100
