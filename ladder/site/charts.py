"""Where things stand in the drawings of a page: scales, bars of intervals, the line of a history. Numbers only.

Positions are per cent of the width (or height) of a drawing, so that it may be as wide as it likes.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ladder.site.values import Moment
from ladder.standings import Row

_STEPS = (1, 2, 2.5, 5, 10)


class Tick(NamedTuple):
    """A mark of a scale."""

    at: float
    value: int


class Bar(NamedTuple):
    """An interval and its middle; `low` or `high` is None where the interval is open to that side."""

    low: float
    high: float
    middle: float
    open_low: bool
    open_high: bool


class Scale:
    """Maps values from `low` to `high` to 0 to 100, with a little air on both sides."""

    def __init__(self, values: Iterable[float], tick_count: int = 4) -> None:
        found = sorted(values) or [0.0]
        low, high = found[0], found[-1]
        air = max((high - low) * 0.04, 10.0)
        self.low, self.high = low - air, high + air
        self.ticks = tuple(Tick(self.at(value), value) for value in _round_values(self.low, self.high, tick_count))

    def at(self, value: float) -> float:
        """Where `value` stands, with one decimal."""
        return round(100 * (value - self.low) / (self.high - self.low), 1)


def elo_scale(rows: Sequence[Row]) -> Scale | None:
    """A scale for the ratings of `rows` and their intervals; None where there are none."""
    ends = [end for row in rows for end in (row.elo, row.elo_low, row.elo_high) if end is not None]
    return Scale(ends) if ends else None


def elo_bar(row: Row, scale: Scale | None) -> Bar | None:
    """The bar of `row`; None where it has no rating."""
    if row.elo is None or scale is None:
        return None
    known = row.bound is not None or row.elo_low is not None
    low = 0.0 if row.elo_low is None and known else scale.at(row.elo if row.elo_low is None else row.elo_low)
    high = 100.0 if row.elo_high is None and known else scale.at(row.elo if row.elo_high is None else row.elo_high)
    return Bar(low, high, scale.at(row.elo), known and row.elo_low is None, known and row.elo_high is None)


class History(NamedTuple):
    """A line of ratings, the band of their intervals, and its points. Of a drawing 100 wide and 100 high."""

    line: str
    band: str
    points: tuple[tuple[float, float, Moment], ...]
    ticks: tuple[Tick, ...]


def history_chart(moments: Sequence[Moment]) -> History | None:
    """The drawing of a history; None where there is no course to see."""
    if len(moments) < 2:
        return None
    scale = Scale([end for m in moments for end in (m.elo, m.low, m.high) if end is not None], tick_count=3)
    first, last = moments[0].round, moments[-1].round

    def across(moment: Moment) -> float:
        return round(100 * (moment.round - first) / (last - first), 1)

    def up(elo: float) -> float:
        return round(100 - scale.at(elo), 1)

    line = " ".join(f"{across(m)},{up(m.elo)}" for m in moments)
    tops = [f"{across(m)},{up(m.elo if m.high is None else m.high)}" for m in moments]
    bottoms = [f"{across(m)},{up(m.elo if m.low is None else m.low)}" for m in reversed(moments)]
    points = tuple((across(m), up(m.elo), m) for m in moments)
    ticks = tuple(Tick(round(100 - tick.at, 1), tick.value) for tick in scale.ticks)
    return History(line, " ".join([*tops, *bottoms]), points, ticks)


def _round_values(low: float, high: float, count: int) -> list[int]:
    """About `count` round numbers from `low` to `high`."""
    rough = (high - low) / (count + 1)
    power = 10 ** math.floor(math.log10(rough))
    step = next(step * power for step in _STEPS if step * power >= rough)
    first = math.ceil(low / step)
    return [round(step * number) for number in range(first, math.floor(high / step) + 1)]
