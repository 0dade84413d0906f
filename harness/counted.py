"""Results that count, as the columns that the ladder is rated from: of a million matches in seconds.

The same columns as `ladder.columns.gather` makes of `harness.counting.counted_results`, match for match, without a
value for each match on the way.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from harness.agenda import voids_of
from harness.counting import early_withdrawals, rounds_of_season
from harness.cup import CupFile
from harness.faults import ABSENT, FaultKind
from harness.store.columns import SeatColumns
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Ruling
from ladder.columns import Bools, Columns, Ints


class _Part(NamedTuple):
    """What counts of a round. By row (a seat), but for the first two, which are by match."""

    size: Ints
    block: Ints
    player: Ints
    place: Ints
    points: Ints
    fault: Ints
    is_own: Bools


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


def counted_columns(
    ledger: Ledger, cup: CupFile, rulings: Sequence[Ruling], player_key: Callable[[Entry], str]
) -> Columns:
    """Columns of the results that count of the season of `cup`, by `rulings`; `player_key` names who plays."""
    voids = voids_of(ledger, cup.name, rulings)
    players, kinds = _Names(), _Names("")
    parts: list[_Part] = []
    block_count = 0
    # In the order of the ids as texts, by which every sum is taken.
    for row in sorted(rounds_of_season(ledger, cup), key=lambda row: f"{row.round}/"):
        seats = ledger.seat_columns(cup.name, row.round)
        if seats.number:
            early = early_withdrawals(ledger, row, rulings)
            part = _part(seats, early, players, kinds, player_key, duplicate=cup.cup.duplicate)
            part = _kept(part, np.array([voids.counts(row.round, block) for block in part.block.tolist()], np.bool_))
            blocks, number = np.unique(_as_text(part.block), return_inverse=True)
            parts.append(part._replace(block=block_count + number))
            block_count += len(blocks)
    whole = [np.concatenate(columns) for columns in zip(*parts, strict=True)] if parts else [np.zeros(0, np.int64)] * 7
    size, block, player, place, points, fault, is_own = whole
    used = np.unique(player)
    names, new_player = players.sorted()
    kind_names, new_kind = kinds.sorted()
    seen = np.zeros(len(names), np.bool_)
    seen[new_player[used]] = True
    used_kinds = np.unique(np.append(new_kind[fault], 0))
    own: Bools = is_own.astype(np.bool_)
    scored = own & (fault == 0)
    return Columns(
        players=tuple(name for name, there in zip(names, seen, strict=True) if there),
        block_count=block_count,
        first=np.concatenate(([0], np.cumsum(size))).astype(np.int64),
        block=block.astype(np.int64),
        player=(np.cumsum(seen) - 1)[new_player[player]].astype(np.int32),
        place=place.astype(np.int32),
        points=np.where(scored, points.astype(np.float64), 0.0),
        scored=scored,
        own=own,
        fault=np.searchsorted(used_kinds, new_kind[fault]).astype(np.int32),
        fault_kinds=tuple(kind_names[kind] for kind in used_kinds.tolist()),
    )


def _part(
    seats: SeatColumns,
    early: frozenset[str],
    players: _Names,
    kinds: _Names,
    player_key: Callable[[Entry], str],
    *,
    duplicate: bool,
) -> _Part:
    """The whole blocks of a round, in the order of their ids as texts."""
    number = np.array(seats.number)
    starts = np.flatnonzero(np.diff(number, prepend=-1))
    size = np.diff(np.append(starts, len(number)))
    entry_keys, entry = np.unique(np.array(seats.entry_key), return_inverse=True)
    entries = [seats.entries[key] for key in entry_keys.tolist()]
    fault = np.zeros(len(number), np.int64)
    is_own = ~np.array([entry.label in early for entry in entries], np.bool_)[entry]
    for at in seats.faults:
        row = int(np.searchsorted(number, at.number)) + at.seat
        fault[row] = kinds.number(at.kind)
        is_own[row] &= at.kind not in (FaultKind.START, ABSENT)
    part = _Part(
        size=size,
        block=np.array(seats.block)[starts],
        player=np.array([players.number(player_key(entry)) for entry in entries])[entry],
        place=np.array(seats.place),
        points=np.array(seats.points),
        fault=fault,
        is_own=is_own,
    )
    _, block, count = np.unique(part.block, return_inverse=True, return_counts=True)
    order = np.argsort(_as_text(number[starts]), kind="stable")
    return _kept(part, count[block] == (size if duplicate else 1), order)


def _kept(part: _Part, is_kept: Bools, order: Ints | None = None) -> _Part:
    """The matches that are kept, in `order`."""
    matches = np.flatnonzero(is_kept) if order is None else order[is_kept[order]]
    size = part.size[matches]
    firsts = (np.cumsum(part.size) - part.size)[matches]
    rows = np.repeat(firsts - (np.cumsum(size) - size), size) + np.arange(size.sum())
    return _Part(size, part.block[matches], *(column[rows] for column in part[2:]))


def _as_text(numbers: Ints) -> Ints:
    """Numbers in the order in which `numbers`, below 10**10 and written with at least six digits, stand as texts."""
    digits = np.maximum(6, np.searchsorted(10 ** np.arange(11), numbers, side="right"))
    keys: Ints = numbers * 10 ** (10 - digits) * 16 + digits
    return keys
