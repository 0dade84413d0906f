"""What the pages of bots count: results by seat, table, contract and opponent, faults, thinking times.

Points of faulted seats, which the house played to the end, are in no mean. Matches that share deals are one
observation.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from harness.faults import ABSENT
from harness.record import MatchRecord
from harness.standing import player_key
from harness.store.rows import Result
from harness.store.times import DecisionTime
from ladder.fit import half_width
from ladder.site.values import Tally, TallyTable, Thinking

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
_FEW_BLOCKS = 10
_BUCKETS_PER_DECADE = 100


class Thoughts:
    """Thinking times in buckets of 2.3 %, so that a million of them take no room."""

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self._total_ns = 0
        self._lag_ns = 0

    def add(self, time: DecisionTime) -> None:
        """Counts one decision."""
        self._buckets[int(_BUCKETS_PER_DECADE * math.log10(max(time.spent_ns, 1000)))] += 1
        self._total_ns += time.spent_ns
        self._lag_ns += time.lag_ns

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


def thinking_by_seat(times: Iterable[DecisionTime], seat_count: int) -> tuple[Thinking | None, ...]:
    """Thinking times of one match."""
    thoughts = [Thoughts() for _ in range(seat_count)]
    for time in times:
        thoughts[time.seat].add(time)
    return tuple(each.thinking() for each in thoughts)


class _Sum:
    """Points and places under one heading, with what each block adds."""

    def __init__(self) -> None:
        self.count = 0
        self.places = 0
        self.by_block: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def add(self, block: str, points: float, place: int) -> None:
        self.count += 1
        self.places += place
        told = self.by_block[block]
        told[0] += points
        told[1] += 1

    def tally(self, name: str) -> Tally:
        mean = sum(points for points, _ in self.by_block.values()) / self.count
        blocks = len(self.by_block)
        half = None
        if blocks >= _FEW_BLOCKS:
            squares = sum((points - mean * count) ** 2 for points, count in self.by_block.values())
            half = half_width(math.sqrt(squares * blocks / (blocks - 1)) / self.count, blocks)
        return Tally(name, self.count, self.places / self.count if self.places else None, mean, half)


class Meetings(NamedTuple):
    """How often a player came out ahead of another, level with it, behind it."""

    ahead: int
    level: int
    behind: int


class Figures:
    """Counts matches; then tells each player's numbers. A player is what `player_key` says."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._seats: defaultdict[str, defaultdict[int, _Sum]] = defaultdict(lambda: defaultdict(_Sum))
        self._sizes: defaultdict[str, defaultdict[int, _Sum]] = defaultdict(lambda: defaultdict(_Sum))
        self._contracts: defaultdict[str, defaultdict[str, _Sum]] = defaultdict(lambda: defaultdict(_Sum))
        self._meetings: defaultdict[str, defaultdict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        self._thoughts: defaultdict[str, Thoughts] = defaultdict(Thoughts)
        self.faults: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        """Matches of each player's faults, by kind, oldest first."""

    def add(self, result: Result, record: MatchRecord, times: Iterable[DecisionTime]) -> None:
        """Counts one match."""
        players = [player_key(entry) for entry in result.entries]
        for seat, player in enumerate(players):
            kind = result.faults[seat]
            if kind is not None:
                if kind != ABSENT:
                    self.faults[player][kind].append(result.match)
                continue
            points, place = result.points[seat], result.places[seat]
            self._seats[player][seat].add(result.block, points, place)
            self._sizes[player][len(players)].add(result.block, points, place)
            if self._game == "guillotine":
                self._add_contracts(player, seat, result.block, record)
            for other, opponent in enumerate(players):
                if opponent != player and result.faults[other] is None:
                    order = (place < result.places[other]) - (place > result.places[other])
                    self._meetings[player][result.entries[other].label][order] += 1
        for time in times:
            self._thoughts[players[time.seat]].add(time)

    def _add_contracts(self, player: str, seat: int, block: str, record: MatchRecord) -> None:
        for deal in record.deals:
            contract = deal.actions[0].removeprefix("contract:").capitalize()
            self._contracts[player][contract].add(block, deal.points[seat], 0)

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
            yield TallyTable("By contract", "Contract", "deals", tuple(sorted(rows, key=lambda row: row.points_mean)))
        sizes = self._sizes[player]
        if len(sizes) > 1:
            yield TallyTable(
                "By size of the table",
                "Seats",
                "matches",
                tuple(sizes[size].tally(str(size)) for size in sorted(sizes)),
            )
        seats = self._seats[player]
        if seats:
            yield TallyTable(
                "By seat", "Seat", "matches", tuple(seats[seat].tally(str(seat)) for seat in sorted(seats))
            )
