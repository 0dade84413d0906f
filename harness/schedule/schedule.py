"""A round's schedule: tables by number, heats, balance, digest.

A **block** is a group of bots that plays one set of deals: in every rotation of the seats where deals are
duplicated, else once. Tables are numbered from 1, block by block, and in a block rotation by rotation.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from harness.deals import fields
from harness.schedule.balance import Balance, Tally
from harness.schedule.draws import Bools, Ints
from harness.schedule.grouping import Blocks, Listed
from harness.schedule.pairing import meetings
from harness.schedule.seating import neighbours

_COUNT_ROWS = 1 << 16
_HEAT_MATCHES = 4096  # of what is played again


class Table(NamedTuple):
    """One match to be played. `seats` holds labels."""

    number: int
    block: int
    rotation: int
    seats: tuple[int, ...]


class Heat(NamedTuple):
    """Whole blocks that are played together: table numbers by phase.

    Phase r holds rotation r of all the heat's blocks, and bot processes start afresh for each: none sees a deal twice.
    """

    phases: tuple[tuple[int, ...], ...]


class Part(NamedTuple):
    """The blocks at tables of one size. `blocks` numbers bots by their places in `labels`."""

    size: int
    rotations: int
    block_count: int
    labels: Ints
    blocks: Blocks


def even_heats(block_count: int, heat_blocks: int) -> tuple[int, ...]:
    """Ends of heats of equal size, at least `heat_blocks` each.

    >>> even_heats(10, 3)
    (3, 6, 10)
    """
    count = max(1, block_count // heat_blocks)
    return tuple(block_count * (heat + 1) // count for heat in range(count))


def growing_heats(block_count: int, first: int) -> tuple[int, ...]:
    """Ends of heats of `first` blocks, or an eighth of what was before where that is more; no short one at the end.

    >>> growing_heats(30, 2)
    (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 27, 30)
    """
    ends = [min(first, block_count)]
    while ends[-1] < block_count:
        step = max(first, ends[-1] // 8)
        ends.append(ends[-1] + step if ends[-1] + 2 * step <= block_count else block_count)
    return tuple(ends)


class Schedule:
    """Who meets whom, in which seats, in which order: fixed when made, worked out as far as it is asked for."""

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        made_from: bytes,
        ranked: Bools,
        may_meet: Bools,
        heat_ends: Sequence[int],
        requested_matches: int | None,
        part_of: Ints | None = None,
    ) -> None:
        """For `make_schedule`. `ranked[label]` and `may_meet[label, label]` say what the balance counts.

        `part_of`: the part of each block, in order. None: sizes take turns, each evenly from first block to last.
        """
        self._parts = tuple(parts)
        self._made_from = made_from
        self._ranked, self._may_meet = ranked, may_meet
        self._heat_ends = tuple(heat_ends)
        self.requested_matches = requested_matches
        """A budget of matches; `match_count` is less where that is no whole number of blocks. None without one."""
        self.block_count = sum(part.block_count for part in parts)
        self.match_count = sum(part.block_count * part.rotations for part in parts)
        self.label_count = 1 + max(int(part.labels.max()) for part in parts)
        """Labels in use are below this: so many bots fill tables as it goes beyond bots and house."""
        if len(parts) > 1:
            self._part_of = _evenly([part.block_count for part in parts]) if part_of is None else part_of
            self._row_of = np.empty(self.block_count, np.int64)
            for number, part in enumerate(parts):
                self._row_of[self._part_of == number] = np.arange(part.block_count)
            rotations = np.array([part.rotations for part in parts])[self._part_of]
            self._ends = np.cumsum(rotations)

    def table(self, number: int) -> Table:
        """The table of that number, from 1."""
        if not 0 < number <= self.match_count:
            raise ValueError(f"no table {number}: there are {self.match_count}")
        if len(self._parts) == 1:
            block, turn = divmod(number - 1, self._parts[0].rotations)
        else:
            block = int(np.searchsorted(self._ends, number, side="left"))
            turn = number - 1 - (int(self._ends[block - 1]) if block else 0)
        part, row = self._place(block)
        seats = part.labels[part.blocks.rows(row, row + 1)[0]].tolist()
        return Table(number, block + 1, turn + 1, tuple(seats[-turn:] + seats[:-turn]))

    def heats(self) -> Iterator[Heat]:
        """The heats, in order: every table in exactly one of them."""
        first = 0
        for stop in self._heat_ends:
            phases: list[list[int]] = []
            for block in range(first, stop):
                part, _ = self._place(block)
                start = self._first_table(block)
                phases.extend([] for _ in range(part.rotations - len(phases)))
                for turn in range(part.rotations):
                    phases[turn].append(start + turn)
            yield Heat(tuple(map(tuple, phases)))
            first = stop

    def rotations_of(self, block: int) -> int:
        """How many tables a block (from 1) has."""
        return self._place(block - 1)[0].rotations

    def tables_of(self, block: int) -> tuple[Table, ...]:
        """The tables of a block (from 1), rotation by rotation."""
        part, _ = self._place(block - 1)
        first = self._first_table(block - 1)
        return tuple(self.table(number) for number in range(first, first + part.rotations))

    def again(self, blocks: Sequence[int]) -> "Schedule":
        """Of these blocks (from 1) alone, in this order: the same bots in the same seats, numbered anew."""
        places = [self._place(block - 1) for block in blocks]
        sizes = sorted({part.size for part, _ in places})
        part_of = np.array([sizes.index(part.size) for part, _ in places], np.int64)
        parts = []
        for size in sizes:
            rows = [(part, row) for part, row in places if part.size == size]
            part = rows[0][0]
            listed = Listed(np.concatenate([part.blocks.rows(row, row + 1) for _, row in rows]))
            parts.append(part._replace(block_count=len(rows), blocks=listed))
        match_count = sum(part.rotations for part, _ in places)
        return Schedule(
            parts,
            made_from=fields("again", *blocks) + self._made_from,
            ranked=self._ranked,
            may_meet=self._may_meet,
            heat_ends=even_heats(len(blocks), -(-_HEAT_MATCHES * len(blocks) // match_count)),
            requested_matches=None,
            part_of=part_of,
        )

    def appearances(self) -> tuple[int, ...]:
        """Matches by label, counted from all tables (which works them all out)."""
        counts = np.zeros(self.label_count, np.int64)
        for part in self._parts:
            for start in range(0, part.block_count, _COUNT_ROWS):
                rows = part.labels[part.blocks.rows(start, min(start + _COUNT_ROWS, part.block_count))]
                counts += part.rotations * np.bincount(rows.ravel(), minlength=self.label_count)
        return tuple(counts.tolist())

    def balance(self) -> Balance:
        """How even it is, counted from all its tables (which works them all out)."""
        label_count = len(self._ranked)
        tally = Tally(self._may_meet, self._ranked)
        for part in self._parts:
            seats = np.zeros(label_count * part.size, np.int64)
            met = np.zeros((label_count, label_count), np.int64)
            beside = np.zeros_like(met)
            for start in range(0, part.block_count, _COUNT_ROWS):
                rows = part.labels[part.blocks.rows(start, min(start + _COUNT_ROWS, part.block_count))]
                met += meetings(rows, label_count)
                beside += neighbours(rows, label_count)
                places = rows * part.size + np.arange(part.size)
                seats += np.bincount(places.ravel(), minlength=len(seats))
            tally.add(
                size=part.size,
                rotations=part.rotations,
                block_count=part.block_count,
                seats=seats.reshape(label_count, part.size),
                met=met,
                beside=beside,
            )
        return tally.balance()

    def digest(self) -> str:
        """SHA-256, in hex, of all that the schedule is computed from: equal digests, equal schedules."""
        return hashlib.sha256(self._made_from).hexdigest()

    def _place(self, block: int) -> tuple[Part, int]:
        if len(self._parts) == 1:
            return self._parts[0], block
        return self._parts[int(self._part_of[block])], int(self._row_of[block])

    def _first_table(self, block: int) -> int:
        if len(self._parts) == 1:
            return 1 + block * self._parts[0].rotations
        return 1 + (int(self._ends[block - 1]) if block else 0)


def _evenly(counts: Sequence[int]) -> Ints:
    """Parts of so many blocks each, taking turns."""
    keys = np.concatenate([(np.arange(count) + 0.5) / count for count in counts])
    turns: Ints = np.repeat(np.arange(len(counts)), counts)[np.argsort(keys, kind="stable")]
    return turns
