"""Thinking times in buckets of 2.3 %, so that a million of them take no room."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from harness.store.times import NS_PER_TICK, NS_PER_US, TimeColumns
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


class ThoughtColumns(NamedTuple):
    """The decisions of one match, by column."""

    seat: Ints
    bucket: Ints
    spent_ns: Ints
    lag_ns: Ints


class Thoughts:
    """Thinking times of somebody."""

    def __init__(self) -> None:
        self._counts = np.zeros(BUCKETS, np.int64)
        self._total_ns = 0
        self._lag_ns = 0

    def add(self, columns: ThoughtColumns, seat: int) -> None:
        """Counts the decisions of one seat of a match."""
        own = columns.seat == seat
        counts = np.bincount(columns.bucket[own], minlength=BUCKETS)
        self.add_counts(counts, int(columns.spent_ns[own].sum()), int(columns.lag_ns[own].sum()))

    def add_counts(self, counts: Ints, total_ns: int, lag_ns: int) -> None:
        """Adds decisions by bucket (`buckets_of`), which come to so much time and lag."""
        self._counts += counts
        self._total_ns += total_ns
        self._lag_ns += lag_ns

    def thinking(self) -> Thinking | None:
        """What they come to; None where there are none."""
        count = int(self._counts.sum())
        if not count:
            return None
        total_s, lag_s = self._total_ns / NS_PER_S, self._lag_ns / NS_PER_S
        return Thinking(count, self._at(0.50, count), self._at(0.99, count), total_s, lag_s)

    def _at(self, share: float, count: int) -> float:
        bucket = int(np.searchsorted(np.cumsum(self._counts), math.ceil(share * count)))
        return float(10 ** ((bucket + 0.5) / _BUCKETS_PER_DECADE)) / NS_PER_MS


def thought_columns(times: TimeColumns) -> ThoughtColumns:
    """The times of a match, to be counted seat by seat."""
    spent_ns = spent_ns_of(times.spent_us)
    seat = np.frombuffer(bytes(times.seats), np.uint8).astype(np.int64)
    return ThoughtColumns(seat, buckets_of(spent_ns), spent_ns, np.array(times.lag_ticks, np.int64) * NS_PER_TICK)


def spent_ns_of(times: Sequence[int]) -> Ints:
    """Thinking times in nanoseconds, from microseconds as they are packed."""
    spent_ns: Ints = np.array(times, np.uint64).clip(max=MOST_US).astype(np.int64) * NS_PER_US
    return spent_ns


def buckets_of(spent_ns: Ints) -> Ints:
    """The buckets of thinking times."""
    buckets: Ints = (_BUCKETS_PER_DECADE * np.log10(np.maximum(spent_ns, _LEAST_NS))).astype(np.int64)
    return buckets


def thinking_by_seat(times: TimeColumns, seat_count: int) -> tuple[Thinking | None, ...]:
    """Thinking times of one match."""
    columns = thought_columns(times)
    thoughts = [Thoughts() for _ in range(seat_count)]
    for seat, each in enumerate(thoughts):
        each.add(columns, seat)
    return tuple(each.thinking() for each in thoughts)
