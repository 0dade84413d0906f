"""Two are told apart from pairs, seldom wrongly however often one looks; `tests/bench/peeking.py` does it for long."""

import math

import numpy as np
import pytest

from ladder.errors import LadderError
from ladder.paired import ALIKE_BLOCKS, BETTER, Tally, mean_band, parse_aim, share_band
from tests.bench.peeking import alarms, margins, verdict


def tally_of(*margins: float | None, ahead: float | None = None) -> Tally:
    tally = Tally()
    for margin in margins:
        level = 0.5 if not margin else float(margin > 0)
        tally.add(margin, level if ahead is None else ahead)
    return tally


@pytest.mark.slow
def test_equal_bots_are_told_apart_in_less_than_one_of_twenty_comparisons_with_a_look_after_each_block() -> None:
    found = alarms(margins("zhiletka", 100), trials=200, blocks=300)

    assert found.shown < 0.05
    assert found.either < 0.05
    assert found.one_look > 0.2  # what an interval for one look would do


def test_a_clear_lead_is_shown_within_few_blocks() -> None:
    drawn = np.random.default_rng(5).normal(60.0, 40.0, 60)

    assert verdict(drawn) == "shown"
    assert verdict(-drawn) == "refuted"


def test_nothing_is_shown_below_ten_blocks() -> None:
    assert tally_of(*[50.0, 60.0] * 4, 55.0).verdict(BETTER) is None
    assert tally_of(*[50.0, 60.0] * 5).verdict(BETTER) == "shown"


def test_a_hundred_blocks_without_a_difference_are_alike() -> None:
    assert tally_of(*[0.0] * (ALIKE_BLOCKS - 1)).verdict(BETTER) is None
    assert tally_of(*[0.0] * ALIKE_BLOCKS).verdict(BETTER) == "alike"
    assert tally_of(*[0.0] * ALIKE_BLOCKS, 5.0).verdict(BETTER) is None


def test_the_band_of_a_share_is_where_the_mixture_is_twenty_times_as_likely() -> None:
    band = share_band(18, 24)

    for edge in (band.low, band.high):
        mixture = math.lgamma(19) + math.lgamma(7) - math.lgamma(26)
        likelihood = 18 * math.log(edge) + 6 * math.log(1 - edge)
        assert mixture - likelihood == pytest.approx(math.log(20))
    assert band.low < band.mean == 0.75 < band.high


def test_a_perfect_share_is_not_certain() -> None:
    assert share_band(20, 20).low == pytest.approx((1 / (20 * 21)) ** (1 / 20))
    assert share_band(20, 20).high == 1.0
    assert share_band(0, 0) == (0.5, 0.0, 1.0)


def test_an_aim_holds_at_the_lower_end_of_its_band() -> None:
    tally = tally_of(*[30.0, 50.0] * 20)
    margin = tally.margin
    assert margin is not None

    assert tally.verdict(parse_aim(f"margin>={margin.low - 0.1:.2f}")) == "shown"
    assert tally.verdict(parse_aim(f"margin>={margin.low + 0.1:.2f}")) is None
    assert tally.verdict(parse_aim(f"margin>={margin.high + 0.1:.2f}")) == "refuted"
    assert tally.verdict(parse_aim("ahead >= 0.8")) == "shown"
    assert tally.verdict(parse_aim("ahead >= 0.9")) is None


@pytest.mark.parametrize("text", ["ahead>0.8", "ahead>=80%", "ahead>=1.2", "points>=3", "", "margin>="])
def test_another_expression_is_refused_with_the_mend(text: str) -> None:
    with pytest.raises(LadderError, match="ahead"):
        parse_aim(text)


@pytest.mark.parametrize("aim", [BETTER, parse_aim("margin>=2"), parse_aim("ahead>=0.55")])
def test_so_many_blocks_as_are_said_to_be_needed_would_do(aim: object) -> None:
    tally = tally_of(*[30.0, -20.0, 25.0, -15.0, 10.0] * 4)
    needed = tally.needed(aim)  # type: ignore[arg-type]  # parametrize loses the type
    assert needed is not None

    assert tally.verdict(aim) is None  # type: ignore[arg-type]  # the same
    deviation = float(np.std([30.0, -20.0, 25.0, -15.0, 10.0] * 4, ddof=1))
    if aim is BETTER:
        band, less = mean_band(6.0, deviation, needed), mean_band(6.0, deviation, needed - 1)
        assert band is not None
        assert less is not None
        assert less.low < 0.0 <= band.low


def test_no_number_of_blocks_would_show_a_lead_that_is_none() -> None:
    assert tally_of(*[-3.0, 2.0] * 20).needed(BETTER) is None
    assert tally_of(*[-3.0, 2.0] * 20).needed(parse_aim("ahead>=0.5")) is None


def test_a_block_with_a_fault_has_no_margin_and_is_lost() -> None:
    tally = tally_of(*[40.0, 60.0] * 10)
    for _ in range(20):
        tally.add(None, 0.0)

    assert (tally.blocks, tally.left_out, tally.ahead.mean) == (40, 20, 0.5)
    assert tally.margin == tally_of(*[40.0, 60.0] * 10).margin
    assert tally.verdict(BETTER) is None  # better where it played, but it falls over in half of its matches


def test_who_loses_every_block_by_a_fault_is_known_not_to_be_better_though_there_is_no_margin() -> None:
    tally = Tally()
    for _ in range(9):
        tally.add(None, 0.0)

    assert tally.verdict(BETTER) is None
    tally.add(None, 0.0)
    assert (tally.margin, tally.verdict(BETTER)) == (None, "refuted")
