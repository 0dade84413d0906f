"""What the pages of bots count: results by seat, table, contract and opponent, faults, thinking times.

Points of faulted seats, which the house played to the end, are in no mean. Matches that share deals are one
observation.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from harness.counted import CountedRound
from harness.faults import ABSENT
from harness.publish.block_sums import BlockSum, block_sums
from harness.publish.record_counts import RecordCounts
from harness.publish.thoughts import BUCKETS, Thoughts
from harness.standing import player_key
from harness.store.rows import Entry
from ladder.columns import Ints
from ladder.site.values import TallyTable, Thinking

K = TypeVar("K")
_Sums = defaultdict[str, defaultdict[K, BlockSum]]
"""By player and heading."""


class Meetings(NamedTuple):
    """How often a player came out ahead of another, level with it, behind it."""

    ahead: int
    level: int
    behind: int


class Figures:
    """Counts matches; then tells each player's numbers. A player is what `player_key` says."""

    def __init__(self) -> None:
        self._seats: _Sums[int] = _sums()
        self._sizes: _Sums[int] = _sums()
        self._contracts: _Sums[str] = _sums()
        self._meetings: defaultdict[str, defaultdict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        self._thoughts: defaultdict[str, Thoughts] = defaultdict(Thoughts)
        self.faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By player and kind."""

    def add(self, counted: CountedRound) -> None:
        """Counts the results of whole blocks."""
        players = [player_key(entry) for entry in counted.entries]
        size = np.repeat(counted.size, counted.size)
        block = np.repeat(counted.block, counted.size)
        seat = np.arange(len(size)) - np.repeat(counted.firsts(), counted.size)
        clean = np.flatnonzero(counted.fault == 0)
        entry, place = counted.entry[clean].astype(np.int64), counted.place[clean].astype(np.int64)
        results = (block[clean], counted.points[clean], place)
        for sums, heading in ((self._seats, seat), (self._sizes, size)):
            _add(
                sums,
                players,
                range(size.max(initial=0) + 1),
                block_sums(entry, heading[clean], *results),
            )
        at_fault = np.flatnonzero(counted.fault)
        for seated, kind in zip(counted.entry[at_fault].tolist(), counted.fault[at_fault].tolist(), strict=True):
            if counted.kinds[kind] != ABSENT:
                self.faults[players[seated]][counted.kinds[kind]] += 1
        self._add_meetings(counted, players, size - seat)

    def _add_meetings(self, counted: CountedRound, players: Sequence[str], seats_left: Ints) -> None:
        """`seats_left`: by row, how many seats of its table stand from it to the end."""
        count = len(players)
        met = np.zeros(count * count * 3, np.int64)
        for distance in range(1, int(counted.size.max(initial=0))):
            row = np.flatnonzero(seats_left > distance)
            row = row[(counted.fault[row] == 0) & (counted.fault[row + distance] == 0)]
            one, other = (counted.entry[at].astype(np.int64) for at in (row, row + distance))
            order = np.sign(counted.place[row + distance] - counted.place[row])  # 1: ahead
            for mine, theirs, ahead in ((one, other, order), (other, one, -order)):
                met += np.bincount((mine * count + theirs) * 3 + ahead + 1, minlength=len(met))
        there = np.flatnonzero(met)
        for key, times in zip(there.tolist(), met[there].tolist(), strict=True):
            pair, order = divmod(key, 3)
            mine, theirs = divmod(pair, count)
            if players[mine] != players[theirs]:
                self._meetings[players[mine]][counted.entries[theirs].label][order - 1] += times

    def add_records(self, entries: Sequence[Entry], counts: RecordCounts) -> None:
        """Counts what the records of such blocks tell."""
        players = [player_key(entry) for entry in entries]
        _add(self._contracts, players, counts.contracts, counts.by_contract)
        entry, bucket, decisions = counts.thoughts.T
        by_bucket = np.zeros((len(players), BUCKETS), np.int64)
        by_bucket[entry, bucket] = decisions
        for player, row, totals in zip(players, by_bucket, counts.totals.tolist(), strict=True):
            self._thoughts[player].add_counts(row, *totals)

    def thinking(self, player: str) -> Thinking | None:
        """Its thinking times."""
        return self._thoughts[player].thinking()

    def meetings(self, player: str) -> Mapping[str, Meetings]:
        """How it fared against each other label."""
        met = self._meetings[player]
        return {label: Meetings(count[1], count[0], count[-1]) for label, count in sorted(met.items())}

    def tables(self, player: str) -> Iterator[TallyTable]:
        """Its results by contract, by seat and by size of the table, where there is a choice of them."""
        contracts = self._contracts[player]
        if contracts:
            rows = tuple(contracts[name].tally(name) for name in contracts)
            by_points = tuple(sorted(rows, key=lambda row: (row.points_mean, row.name)))
            yield TallyTable("By contract", "Contract", "deals", by_points)
        sizes = self._sizes[player]
        if len(sizes) > 1:
            rows = tuple(sizes[size].tally(str(size)) for size in sorted(sizes))
            yield TallyTable("By size of the table", "Seats", "matches", rows)
        seats = self._seats[player]
        if seats:
            rows = tuple(seats[seat].tally(str(seat)) for seat in sorted(seats))
            yield TallyTable("By seat", "Seat", "matches", rows)


def _sums() -> _Sums[K]:
    return defaultdict(lambda: defaultdict(BlockSum))


def _add(sums: _Sums[K], players: Sequence[str], headings: Sequence[K], rows: Ints) -> None:
    """Adds the rows of `block_sums`."""
    for entry, heading, *numbers in rows.tolist():
        sums[players[entry]][headings[heading]].add(numbers)
