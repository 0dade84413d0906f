"""Thinking times in buckets of 2.3 %, so that a million of them take no room."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from harness.store.times import DecisionTime
from ladder.columns import Ints
from ladder.site.values import Thinking

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
_BUCKETS_PER_DECADE = 100
_LEAST_NS = 1000
MOST_US = 10**14
"""Three years: no decision takes longer."""
BUCKETS = 2048
"""All are below."""


class Thoughts:
    """Thinking times of somebody."""

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self._total_ns = 0
        self._lag_ns = 0

    def add(self, time: DecisionTime) -> None:
        """Counts one decision."""
        self._buckets[int(_BUCKETS_PER_DECADE * math.log10(max(time.spent_ns, _LEAST_NS)))] += 1
        self._total_ns += time.spent_ns
        self._lag_ns += time.lag_ns

    def add_counts(self, buckets: Mapping[int, int], total_ns: int, lag_ns: int) -> None:
        """Counts decisions by bucket (`buckets_of`), which come to so much time and lag."""
        self._buckets.update(buckets)
        self._total_ns += total_ns
        self._lag_ns += lag_ns

    def thinking(self) -> Thinking | None:
        """What they come to; None where there are none."""
        count = self._buckets.total()
        if not count:
            return None
        total_s, lag_s = self._total_ns / NS_PER_S, self._lag_ns / NS_PER_S
        return Thinking(count, self._at(0.50, count), self._at(0.99, count), total_s, lag_s)

    def _at(self, share: float, count: int) -> float:
        wanted = math.ceil(share * count)
        below = 0
        for bucket in sorted(self._buckets):
            below += self._buckets[bucket]
            if below >= wanted:
                return float(10 ** ((bucket + 0.5) / _BUCKETS_PER_DECADE)) / NS_PER_MS
        raise AssertionError("a share of a count is never more than the count")


def buckets_of(spent_ns: Ints) -> Ints:
    """The buckets of thinking times."""
    buckets: Ints = (_BUCKETS_PER_DECADE * np.log10(np.maximum(spent_ns, _LEAST_NS))).astype(np.int64)
    return buckets


def thinking_by_seat(times: Iterable[DecisionTime], seat_count: int) -> tuple[Thinking | None, ...]:
    """Thinking times of one match."""
    thoughts = [Thoughts() for _ in range(seat_count)]
    for time in times:
        thoughts[time.seat].add(time)
    return tuple(each.thinking() for each in thoughts)
