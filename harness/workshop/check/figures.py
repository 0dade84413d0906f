"""Figures about thinking times, and what they forecast."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from harness import deals
from harness.match import TimeControl

FORECAST_COUNT = 1000
_KEY = b"think times"


class Forecast(NamedTuple):
    """Of `FORECAST_COUNT` matches made up of the measured times, how many end in a timeout."""

    timeouts: int
    slowed: int
    """The same on a machine, or among neighbours, that let the bot think three times as long."""


def percentile(values: Sequence[int], percent: int) -> int:
    """The smallest of `values`, at least one, that is not below `percent` of them.

    >>> percentile([40, 10, 20, 30], 50), percentile([40, 10, 20, 30], 99)
    (20, 40)
    """
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def forecast(matches: Sequence[Sequence[int]], time: TimeControl) -> Forecast:
    """What `matches`, the measured times of each, lead to expect under `time`.

    Each made-up match is as long as a measured one, its times drawn with replacement from those of all.
    """
    pool = [spent_ns for match in matches for spent_ns in match]
    if not pool:
        return Forecast(0, 0)
    if sum(pool) * 3 < time.bank_ns and max(pool) * 3 < time.decision_ns:
        return Forecast(0, 0)  # all of them together would not run out
    chance = deals.Chance(_KEY)
    counts = [0, 0]
    for number in range(FORECAST_COUNT):
        length = len(matches[number % len(matches)])
        drawn = [pool[chance.below(len(pool))] for _ in range(length)]
        for index, factor in enumerate((1, 3)):
            counts[index] += _runs_out((spent_ns * factor for spent_ns in drawn), time)
    return Forecast(*counts)


def _runs_out(times_ns: Iterable[int], time: TimeControl) -> bool:
    left_ns = time.bank_ns
    for spent_ns in times_ns:
        if spent_ns > min(left_ns, time.decision_ns):
            return True
        left_ns += time.increment_ns - spent_ns
    return False
