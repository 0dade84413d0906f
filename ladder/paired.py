"""Which of two is better, told from pairs that share everything else, by bands that hold however often one looks.

A pair is a block: one set of deals played twice, once with the one and once with the other. Two things are measured:
the *margin*, by how many points the one did better, and how often it was *ahead*. The bands are confidence sequences:
the truth is outside at any time, over all looks to come, with a probability of 5 % at most, so one may stop as soon as
a band says what one wanted to know.

* The margin's band is that of `ladder.settled`: Robbins' normal mixture, with Student's t for the measured deviation.
* The share's is a mixture of binomials over all shares (Robbins, "Statistical methods related to the law of the
  iterated logarithm", Ann. Math. Statist. 41, 1970; Howard, Ramdas, McAuliffe, Sekhon, "Time-uniform, nonparametric,
  nonasymptotic confidence sequences", Ann. Statist. 49, 2021). It is exact for wins and losses; a tie, counted as half
  a win, only makes it safer, since the likelihood ratio is convex in what is counted.

`tests/bench/peeking.py` measures how often either is wrong.
"""

import math
import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from scipy.special import betaln

from ladder.errors import LadderError
from ladder.fit import FEW_BLOCKS
from ladder.settled import band

WRONG = 0.05
"""Probability that a band ever leaves the truth outside."""
ALIKE_BLOCKS = 100
"""So many blocks, all without a difference, and the two play alike."""
MOST_NEEDED = 10_000_000
_BISECTIONS = 60

Measure = Literal["margin", "ahead"]
Verdict = Literal["shown", "refuted", "alike"]


class Band(NamedTuple):
    """What is known of a number by now."""

    mean: float
    low: float
    high: float


class Aim(NamedTuple):
    """What is to be shown: that the lower end of a band is not below a bound."""

    measure: Measure
    at_least: float
    text: str


BETTER = Aim("margin", 0.0, "better")
"""More points, by whatever margin."""


def parse_aim(text: str) -> Aim:
    """The aim that `ahead>=0.80` or `margin>=5` means. LadderError for anything else."""
    found = re.fullmatch(r"\s*(ahead|margin)\s*>=\s*(-?\d+(?:\.\d+)?)\s*", text)
    if found is None:
        raise LadderError(f"{text!r}: write ahead>=0.80 (a share of the blocks) or margin>=5 (points a match)")
    measure, number = found[1], float(found[2])
    if measure == "ahead" and not 0.0 < number < 1.0:
        raise LadderError(f"{text!r}: ahead is a share of the blocks, above 0 and below 1")
    return Aim("ahead" if measure == "ahead" else "margin", number, f"{measure}>={found[2]}")


class Tally:
    """The blocks so far. They are added in an order that was fixed before any was played."""

    def __init__(self) -> None:
        self.blocks = 0
        self.left_out = 0
        """Blocks with a fault: they have no margin, and whoever was at fault is behind."""
        self._ahead = 0.0
        self._mean = 0.0
        self._squares = 0.0

    def add(self, margin: float | None, ahead: float) -> None:
        """One block: the margin in points (None: somebody was at fault), and 1, 0.5 or 0 for ahead, level or behind."""
        self.blocks += 1
        self._ahead += ahead
        if margin is None:
            self.left_out += 1
            return
        step = margin - self._mean
        self._mean += step / (self.blocks - self.left_out)
        self._squares += step * (margin - self._mean)

    @property
    def margin(self) -> Band | None:
        """Points a match; None while there are too few blocks with a difference to say."""
        return mean_band(self._mean, self._deviation, self.blocks - self.left_out)

    @property
    def ahead(self) -> Band:
        """The share of the blocks in which the one was ahead, ties half."""
        return share_band(self._ahead, self.blocks)

    @property
    def _deviation(self) -> float:
        count = self.blocks - self.left_out
        return math.sqrt(self._squares / (count - 1)) if count > 1 else 0.0

    def verdict(self, aim: Aim) -> Verdict | None:
        """Whether the aim is shown, or that it does not hold, or that there is no difference; None: not known yet."""
        if self.blocks >= ALIKE_BLOCKS and not self.left_out and not self._squares and not self._mean:
            return "alike"
        measured = self.margin if aim.measure == "margin" else self.ahead
        # What is lost by faults has no margin, and may be all that there is.
        if aim.measure == "margin" and self.left_out and self.blocks >= FEW_BLOCKS and self.ahead.high < 0.5:
            return "refuted"
        if measured is None:
            return None
        if measured.high < aim.at_least:
            return "refuted"
        if measured.low < aim.at_least:
            return None
        # A margin leaves out what faults cost: whoever had some must be ahead with them counted as lost, too.
        is_sound = aim.measure == "ahead" or not self.left_out or self.ahead.low > 0.5
        return "shown" if is_sound else None

    def needed(self, aim: Aim) -> int | None:
        """Blocks after which the aim would be shown if all went on as so far; None where it never would."""
        if aim.measure == "margin":
            mean, deviation = self._mean, self._deviation
            if mean <= aim.at_least or not deviation:
                return None
            return _first(lambda count: _low(mean_band(mean, deviation, count)) >= aim.at_least)
        share = self._ahead / self.blocks if self.blocks else 0.0
        if share <= aim.at_least:
            return None
        return _first(lambda count: share_band(share * count, count).low >= aim.at_least)


def mean_band(mean: float, deviation: float, count: int) -> Band | None:
    """Of a mean of `count` blocks with this standard deviation. None below ten blocks, and where they do not differ."""
    if count < FEW_BLOCKS or not deviation:
        return None
    half = band(count, WRONG / 2) * deviation / math.sqrt(count)
    return Band(mean, mean - half, mean + half)


def share_band(won: float, count: int) -> Band:
    """Of a share of which `won` of `count` were seen."""
    if not count:
        return Band(0.5, 0.0, 1.0)
    share = won / count
    # The band holds the shares whose likelihood is not below a twentieth of the uniform mixture's.
    least = float(betaln(won + 1, count - won + 1)) + math.log(WRONG)

    def fits(other: float) -> bool:
        return _log_likelihood(won, count, other) >= least

    return Band(share, _edge(fits, share, 0.0), _edge(fits, share, 1.0))


def _log_likelihood(won: float, count: int, share: float) -> float:
    ahead = won * math.log(share) if won else 0.0
    behind = (count - won) * math.log1p(-share) if won < count else 0.0
    return ahead + behind


def _edge(fits: Callable[[float], bool], inside: float, outside: float) -> float:
    """The last number from `inside` towards `outside` that fits; what fits is an interval."""
    if inside == outside:
        return outside
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        if fits(middle):
            inside = middle
        else:
            outside = middle
    return inside


def _low(measured: Band | None) -> float:
    return -math.inf if measured is None else measured.low


def _first(holds: Callable[[int], bool]) -> int | None:
    """The least count for which `holds`, which holds from there on; None above ten million."""
    most = FEW_BLOCKS
    while not holds(most):
        most *= 2
        if most > MOST_NEEDED:
            return None
    least = most // 2
    while least + 1 < most:
        middle = (least + most) // 2
        if holds(middle):
            most = middle
        else:
            least = middle
    return most
