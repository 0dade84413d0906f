"""What records and thinking times of matches come to, in numbers: what no result tells."""

import json
import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from harness.counted import CountedRound
from harness.errors import HarnessError
from harness.outline import Outline
from harness.publish.block_sums import SUMS, block_sums
from harness.publish.thoughts import BUCKETS, buckets_of, spent_ns_of
from harness.store.ledger import Ledger
from harness.store.rows import match_id
from harness.store.times import NS_PER_TICK, TimeColumns
from ladder.columns import Ints

MOST_PICKS = 3
"""A site shows three matches, each for a reason of its own: of one reason two may be taken."""


class Swing(NamedTuple):
    """How far the winner of a match came from behind in its last deal."""

    swing: int
    number: int
    """Of the match."""


class RecordCounts(NamedTuple):
    """Counts of some matches of a round. Entries are those of `CountedRound.entries`."""

    contracts: tuple[str, ...]
    sandboxes: tuple[str, ...]
    """In which matches were played, in the order in which they came."""
    swings: tuple[Swing, ...]
    """The largest ones."""
    by_contract: Ints
    """`block_sums` of the points of deals, by entry and number of the contract."""
    thoughts: Ints
    """Rows of entry, bucket of the thinking time, decisions."""
    totals: Ints
    """By entry: nanoseconds of thinking, and of lag."""

    def to_bytes(self) -> bytes:
        """All of it, to be kept."""
        arrays = (self.by_contract, self.thoughts, self.totals)
        head = [self.contracts, self.sandboxes, self.swings, [array.shape for array in arrays]]
        numbers = b"".join(array.astype("<i8").tobytes() for array in arrays)
        return json.dumps(head).encode() + b"\n" + zlib.compress(numbers, 1)

    @staticmethod
    def from_bytes(data: bytes) -> "RecordCounts":
        """What `to_bytes` gave. ValueError or TypeError where it did not."""
        head, _, rest = data.partition(b"\n")
        contracts, sandboxes, swings, shapes = json.loads(head)
        numbers = np.frombuffer(zlib.decompress(rest), "<i8").astype(np.int64)
        ends = np.cumsum([rows * columns for rows, columns in shapes])
        by_contract, thoughts, totals = (
            part.reshape(shape) for part, shape in zip(np.split(numbers, ends[:-1]), shapes, strict=True)
        )
        swings = tuple(Swing(*swing) for swing in swings)
        return RecordCounts(tuple(contracts), tuple(sandboxes), swings, by_contract, thoughts, totals)


def record_counts(ledger: Ledger, counted: CountedRound, game: str) -> RecordCounts:
    """Opens the matches of `counted`, a part of a round of `game`. HarnessError where one is damaged."""
    opened = _Opened(counted, game)
    cup, round = counted.row.cup, counted.row.round
    at = {number: index for index, number in enumerate(counted.number.tolist())}
    for number, found in ledger.outlines(cup, round, first=min(at), last=max(at)):
        if number in at and not opened.add(at[number], found.record, found.times):
            match = match_id(cup, round, number)
            raise HarnessError(f"{match} is damaged (its deals or times do not fit it); take the ledger from a copy")
    return opened.counts()


class _Opened:
    """Matches on the way to their counts."""

    def __init__(self, counted: CountedRound, game: str) -> None:
        self.counted = counted
        self.has_contracts = self.low_wins = game == "guillotine"
        self.rows = counted.firsts().tolist()
        self.sizes, self.places, self.faults = counted.size.tolist(), counted.place.tolist(), counted.fault.tolist()
        self.contracts: dict[str, int] = {}
        self.sandboxes: dict[str, None] = {}
        self.swings: list[Swing] = []
        # Of a deal the row of its first seat, and so on; of a decision its seat, and that of its match.
        self.deal_row, self.deal_size, self.contract, self.points = array("q"), array("q"), array("q"), array("q")
        self.think_row, self.think_count, self.seats = array("q"), array("q"), bytearray()
        self.spent_us, self.lag_ticks = array("Q"), array("q")

    def add(self, index: int, record: Outline, times: TimeColumns) -> bool:
        """Counts the match at `index`; False, and nothing counted, where what is kept of it does not fit."""
        size, row = self.sizes[index], self.rows[index]
        deal_count = len(record.first_actions)
        if len(record.points) != size * deal_count or max(times.seats, default=0) >= size:
            return False
        self.sandboxes.setdefault(str(record.meta.get("sandbox", "")))
        if self.has_contracts:
            names = [action.removeprefix("contract:").capitalize() for action in record.first_actions]
            self.contract.extend([self.contracts.setdefault(name, len(self.contracts)) for name in names])
            self.deal_row.extend([row] * deal_count)
            self.deal_size.extend([size] * deal_count)
            self.points.extend(record.points)
        if deal_count > 1 and not any(self.faults[row : row + size]):
            swing = self._swing(self.places[row : row + size], record.points)
            if swing > 0:
                self.swings.append(Swing(swing, int(self.counted.number[index])))
        self.think_row.append(row)
        self.think_count.append(len(times.seats))
        self.seats.extend(times.seats)
        self.spent_us.extend(times.spent_us)
        self.lag_ticks.extend(times.lag_ticks)
        return True

    def _swing(self, places: Sequence[int], points: Sequence[int]) -> int:
        """How much the winner made up in the last deal; 0 where it was not behind, or is not alone."""
        if places.count(1) != 1:
            return 0
        size, winner = len(places), places.index(1)
        sign = -1 if self.low_wins else 1
        after = [sign * sum(points[seat::size]) for seat in range(size)]
        before = [total - sign * last for total, last in zip(after, points[-size:], strict=True)]
        behind, ahead = (sums.pop(winner) - max(sums) for sums in (before, after))
        return ahead - behind if behind < 0 else 0

    def counts(self) -> RecordCounts:
        """What they come to."""
        return RecordCounts(
            contracts=tuple(self.contracts),
            sandboxes=tuple(self.sandboxes),
            swings=largest(self.swings),
            by_contract=self._by_contract(),
            **self._thinking(),
        )

    def _by_contract(self) -> Ints:
        counted, size = self.counted, np.array(self.deal_size, np.int64)
        seat = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        row = np.repeat(np.array(self.deal_row, np.int64), size) + seat
        contract = np.repeat(np.array(self.contract, np.int64), size)
        clean = counted.fault[row] == 0
        row = row[clean]
        block = np.repeat(counted.block, counted.size)[row]
        points = np.array(self.points, np.int64)[clean]
        return block_sums(counted.entry[row].astype(np.int64), contract[clean], block, points, np.zeros_like(row))

    def _thinking(self) -> dict[str, Ints]:
        row = np.repeat(np.array(self.think_row, np.int64), np.array(self.think_count, np.int64))
        entry = self.counted.entry[row + np.frombuffer(self.seats, np.uint8)].astype(np.int64)
        spent_ns = spent_ns_of(self.spent_us)
        lag_ns = np.array(self.lag_ticks, np.int64) * NS_PER_TICK
        key, decisions = np.unique(entry * BUCKETS + buckets_of(spent_ns), return_counts=True)
        totals = np.zeros((len(self.counted.entries), 2), np.int64)
        np.add.at(totals, entry, np.column_stack((spent_ns, lag_ns)))
        return {"thoughts": np.column_stack((key // BUCKETS, key % BUCKETS, decisions)), "totals": totals}


class CountsSum:
    """Adds up the counts of parts of a round."""

    def __init__(self, entry_count: int) -> None:
        self._sandboxes: set[str] = set()
        self._swings: tuple[Swing, ...] = ()
        self._by_contract: defaultdict[str, Ints] = defaultdict(lambda: np.zeros((entry_count, SUMS), np.int64))
        self._thoughts = np.zeros((entry_count, BUCKETS), np.int64)
        self._totals = np.zeros((entry_count, 2), np.int64)

    def add(self, counts: RecordCounts) -> None:
        """Adds a part."""
        self._sandboxes.update(counts.sandboxes)
        self._swings = largest((*self._swings, *counts.swings))
        for number, name in enumerate(counts.contracts):
            rows = counts.by_contract[counts.by_contract[:, 1] == number]
            self._by_contract[name][rows[:, 0]] += rows[:, 2:]
        entry, bucket, decisions = counts.thoughts.T
        self._thoughts[entry, bucket] += decisions
        self._totals += counts.totals

    def counts(self) -> RecordCounts:
        """What the parts come to."""
        there = np.nonzero(self._thoughts)
        by_contract = [np.zeros((0, 2 + SUMS), np.int64)]
        for number, sums in enumerate(self._by_contract.values()):
            entry = np.flatnonzero(sums[:, 0])
            by_contract.append(np.column_stack((entry, np.full_like(entry, number), sums[entry])))
        return RecordCounts(
            contracts=tuple(self._by_contract),
            sandboxes=tuple(sorted(self._sandboxes)),
            swings=self._swings,
            by_contract=np.concatenate(by_contract),
            thoughts=np.column_stack((*there, self._thoughts[there])),
            totals=self._totals,
        )


def largest(swings: Iterable[Swing]) -> tuple[Swing, ...]:
    """The largest of `swings`, as many as may be shown; of equal ones those of the first matches."""
    return tuple(sorted(swings, key=lambda found: (-found.swing, found.number))[:MOST_PICKS])
