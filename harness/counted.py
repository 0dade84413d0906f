"""Results that count, as columns of numbers: those of a round, and those of a season that the ladder is rated from.

The same columns as `ladder.columns.gather` makes of `harness.counting.counted_results`, match for match, without a
value for each match on the way.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.agenda import voids_of
from harness.counting import early_withdrawals, rounds_of_season
from harness.cup import CupFile
from harness.faults import ABSENT, FaultKind
from harness.store.columns import SeatColumns
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Round, Ruling
from ladder.columns import Bools, Columns, Ints

Narrow = NDArray[np.int32]
"""Of rows there are millions."""


class CountedRound(NamedTuple):
    """What counts of a round: whole blocks that are not void, in the order of their numbers.

    `number`, `size` and `block` are by match, what stands below them by row: a seat, in order.
    """

    row: Round
    entries: tuple[Entry, ...]
    """All of the round; in `entry` are indices into these."""
    kinds: tuple[str, ...]
    """Of faults; in `fault` are indices into these. The first is "", for none."""
    number: Ints
    size: Ints
    block: Ints
    entry: Narrow
    place: Narrow
    points: Ints
    fault: Narrow
    is_own: Bools
    """The bot itself sat there, and was not withdrawn early in the round."""

    def firsts(self) -> Ints:
        """By match: the row of its first seat."""
        firsts: Ints = np.cumsum(self.size) - self.size
        return firsts

    def matches(self, chosen: Ints) -> "CountedRound":
        """The matches at `chosen` alone, in that order."""
        size = self.size[chosen]
        rows = np.repeat(self.firsts()[chosen] - (np.cumsum(size) - size), size) + np.arange(size.sum())
        return self._made(chosen, rows)

    def parts(self, block_count: int) -> Iterator["CountedRound"]:
        """The same in parts: first what counts of the first `block_count` blocks of the round, and so on."""
        starts = np.flatnonzero(np.diff((self.block - 1) // block_count, prepend=-1))
        rows = np.append(self.firsts(), len(self.entry))
        for first, end in zip(starts, np.append(starts[1:], len(self.number)), strict=True):
            yield self._made(slice(first, end), slice(rows[first], rows[end]))

    def _made(self, matches: Ints | slice, rows: Ints | slice) -> "CountedRound":
        return self._replace(
            number=self.number[matches],
            size=self.size[matches],
            block=self.block[matches],
            entry=self.entry[rows],
            place=self.place[rows],
            points=self.points[rows],
            fault=self.fault[rows],
            is_own=self.is_own[rows],
        )


class _Names:
    """Names by number, in the order in which they came."""

    def __init__(self, *names: str) -> None:
        self.numbers = {name: number for number, name in enumerate(names)}

    def number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def sorted(self) -> tuple[tuple[str, ...], Ints]:
        """The names, ascending, and by old number the new one."""
        names = sorted(self.numbers)
        new = np.empty(len(names), np.int64)
        new[[self.numbers[name] for name in names]] = np.arange(len(names))
        return tuple(names), new


def counted_rounds(ledger: Ledger, cup: CupFile, rulings: Sequence[Ruling]) -> tuple[CountedRound, ...]:
    """What counts of each round of the season of `cup`, by `rulings`; those with nothing in them are left out."""
    voids = voids_of(ledger, cup.name, rulings)
    found = []
    for row in rounds_of_season(ledger, cup):
        seats = ledger.seat_columns(cup.name, row.round)
        if seats.number:
            early = early_withdrawals(ledger, row, rulings)
            found.append(_counted(row, seats, early, voids.left_out(row.round), duplicate=cup.cup.duplicate))
    return tuple(counted for counted in found if len(counted.number))


def _counted(
    row: Round, seats: SeatColumns, early: frozenset[str], left_out: Collection[int], *, duplicate: bool
) -> CountedRound:
    number = np.asarray(seats.number, np.int64)
    starts = np.flatnonzero(np.diff(number, prepend=-1))
    size = np.diff(np.append(starts, len(number)))
    entry_keys = np.array(list(seats.entries))  # which ascend
    entry = np.searchsorted(entry_keys, np.asarray(seats.entry_key, np.int64)).astype(np.int32)
    entries = tuple(seats.entries.values())
    kinds = _Names("")
    fault = np.zeros(len(number), np.int32)
    is_own = ~np.array([entry.label in early for entry in entries], np.bool_)[entry]
    for at in seats.faults:
        seat_row = int(np.searchsorted(number, at.number)) + at.seat
        fault[seat_row] = kinds.number(at.kind)
        is_own[seat_row] &= at.kind not in (FaultKind.START, ABSENT)
    block = np.asarray(seats.block, np.int64)[starts]
    found = CountedRound(
        row=row,
        entries=entries,
        kinds=tuple(kinds.numbers),
        number=number[starts],
        size=size,
        block=block,
        entry=entry,
        place=np.asarray(seats.place, np.int64).astype(np.int32),
        points=np.asarray(seats.points, np.int64),
        fault=fault,
        is_own=is_own,
    )
    _, in_order, count = np.unique(block, return_inverse=True, return_counts=True)
    counts = (count[in_order] == (size if duplicate else 1)) & ~np.isin(block, list(left_out))
    return found if counts.all() else found.matches(np.flatnonzero(counts))


def columns_of(rounds: Iterable[CountedRound], player_key: Callable[[Entry], str]) -> Columns:
    """The columns of `rounds`, from which they are rated; `player_key` names who plays."""
    players, kinds = _Names(), _Names("")
    parts: list[_Part] = []
    block_count = 0
    # In the order of the ids as texts, by which every sum is taken.
    for counted in sorted(rounds, key=lambda counted: f"{counted.row.round}/"):
        as_text = _as_text(counted.number)
        in_order = np.all(as_text[1:] > as_text[:-1])
        ordered = counted if in_order else counted.matches(np.argsort(as_text, kind="stable"))
        blocks, block = np.unique(_as_text(ordered.block), return_inverse=True)
        player = np.array([players.number(player_key(entry)) for entry in ordered.entries], np.int32)
        kind = np.array([kinds.number(kind) for kind in ordered.kinds], np.int32)
        fault = kind[ordered.fault]
        parts.append(
            _Part(
                ordered.size,
                block_count + block,
                player[ordered.entry],
                ordered.place,
                ordered.points,
                fault,
                ordered.is_own,
            )
        )
        block_count += len(blocks)
    if len(parts) != 1:  # what is whole already takes no room a second time
        nothing = np.zeros(0, np.int64)
        parts.insert(0, _Part(nothing, nothing, _NO_ROW, _NO_ROW, nothing, _NO_ROW, np.zeros(0, np.bool_)))
    whole = parts[0] if len(parts) == 1 else _Part(*map(np.concatenate, zip(*parts, strict=True)))
    size, block, player, place, points, fault, is_own = whole
    used = np.unique(player)
    names, new_player = players.sorted()
    kind_names, new_kind = kinds.sorted()
    seen = np.zeros(len(names), np.bool_)
    seen[new_player[used]] = True
    used_kinds = np.unique(np.append(new_kind[np.unique(fault)], 0))
    scored = is_own & (fault == 0)
    return Columns(
        players=tuple(name for name, there in zip(names, seen, strict=True) if there),
        block_count=block_count,
        first=np.concatenate(([0], np.cumsum(size))).astype(np.int64),
        block=block,
        player=(np.cumsum(seen) - 1)[new_player].astype(np.int32)[player],
        place=place,
        points=np.where(scored, points, 0.0),
        scored=scored,
        own=is_own,
        fault=np.searchsorted(used_kinds, new_kind).astype(np.int32)[fault],
        fault_kinds=tuple(kind_names[kind] for kind in used_kinds.tolist()),
    )


class _Part(NamedTuple):
    """A round on the way to the columns. `size` and `block` are by match, the rest by row."""

    size: Ints
    block: Ints
    player: Narrow
    place: Narrow
    points: Ints
    fault: Narrow
    is_own: Bools


_NO_ROW: Narrow = np.zeros(0, np.int32)


def _as_text(numbers: Ints) -> Ints:
    """Numbers in the order in which `numbers`, below 10**10 and written with at least six digits, stand as texts."""
    digits = np.maximum(6, np.searchsorted(10 ** np.arange(11), numbers, side="right"))
    keys: Ints = numbers * 10 ** (10 - digits) * 16 + digits
    return keys
