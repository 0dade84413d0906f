"""Drawings: scales with round marks, bars that end where intervals end."""

import pytest

from ladder.site.charts import Scale, elo_bar, elo_scale, history_chart
from ladder.site.values import Moment
from tests.ladder.site.made_up import board


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([1450.0, 1550.0], [1450, 1475, 1500, 1525, 1550]),
        ([1000.0, 2000.0], [1000, 1250, 1500, 1750, 2000]),
        ([1500.0], [1490, 1495, 1500, 1505, 1510]),
        ([], [-10, -5, 0, 5, 10]),
    ],
)
def test_marks_are_round_numbers(values: list[float], ticks: list[int]) -> None:
    scale = Scale(values)

    assert [tick.value for tick in scale.ticks] == ticks
    assert all(0 <= tick.at <= 100 for tick in scale.ticks)


def test_bars_keep_the_order_and_the_ends_of_intervals() -> None:
    rows = board().rows
    scale = elo_scale(rows)
    assert scale is not None

    for row in rows:
        bar = elo_bar(row, scale)
        assert bar is not None
        assert row.elo is not None
        assert row.elo_low is not None
        assert 0 < bar.low < bar.middle < bar.high < 100
        assert bar.middle == scale.at(row.elo)
        assert bar.low == scale.at(row.elo_low)
        assert not bar.open_low
        assert not bar.open_high


def test_the_bar_of_a_perfect_record_is_open_to_one_side() -> None:
    row = board().rows[0]._replace(bound="at least", elo_high=None)
    scale = elo_scale([row])

    bar = elo_bar(row, scale)

    assert bar is not None
    assert (bar.high, bar.open_low, bar.open_high) == (100.0, False, True)


def test_without_a_rating_there_is_no_scale() -> None:
    assert elo_scale([board().rows[0]._replace(elo=None, elo_low=None, elo_high=None)]) is None


def test_a_rating_without_interval_is_a_point() -> None:
    row = board().rows[0]._replace(elo_low=None, elo_high=None)
    scale = elo_scale([row])

    bar = elo_bar(row, scale)

    assert bar is not None
    assert bar.low == bar.middle == bar.high
    assert elo_bar(row._replace(elo=None), scale) is None


def test_a_history_has_a_point_a_round_and_a_band_around_it() -> None:
    chart = history_chart([Moment(1, 1500.0, 1450.0, 1550.0), Moment(3, 1540.0, None, None)])

    assert chart is not None
    assert [point[0] for point in chart.points] == [0.0, 100.0]
    assert chart.points[0][1] > chart.points[1][1]  # up is a smaller y
    assert len(chart.band.split()) == 4
    assert history_chart([Moment(1, 1500.0, None, None)]) is None
