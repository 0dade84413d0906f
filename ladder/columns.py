"""Results as numpy columns: the one form from which fit, points and standings are computed.

Matches stand in ascending order of their ids and players in ascending order of their names, so that every sum is
taken in the same order whatever the order of the input was.
"""

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from operator import lt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ladder.errors import LadderError
from ladder.results import Result

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Columns:
    """Results of many matches. A row is a seat; the rows of match m are `first[m]:first[m + 1]`, seats in order."""

    players: tuple[str, ...]  # ascending; numbers in `player` are indices into it
    block_count: int
    first: Ints  # match_count + 1 row numbers
    block: Ints  # by match
    player: NDArray[np.int32]  # by row, as all below
    place: NDArray[np.int32]
    points: Floats  # 0 where `scored` is false
    scored: Bools  # has points, and they are the bot's own: neither faulted nor an unrated seat
    own: Bools  # the bot itself sat there: not an unrated seat
    fault: NDArray[np.int32]  # index into `fault_kinds`, 0 for none
    fault_kinds: tuple[str, ...]  # the first is ""

    @property
    def match_count(self) -> int:
        """Number of matches."""
        return len(self.first) - 1

    def match_of_row(self) -> Ints:
        """Match number of each row."""
        return np.repeat(np.arange(self.match_count), np.diff(self.first))


def gather(results: Iterable[Result]) -> Columns:
    """Columns of `results`, in any order. The same result twice counts once.

    Raises:
        LadderError: one match id with two different results.
        ValueError: places, points or faults that do not fit the number of bots.
    """
    ids: list[str] = []
    player_numbers: dict[str, int] = {}
    block_numbers: dict[tuple[bool, str], int] = {}
    kind_numbers: dict[str, int] = {"": 0}
    sizes, blocks, players = array("q"), array("q"), array("i")
    places, faults, points = array("i"), array("i"), array("d")
    own, scored = bytearray(), bytearray()
    for result in results:
        size = len(result.bots)
        _check(result, size)
        ids.append(result.match)
        sizes.append(size)
        named = result.block is not None
        blocks.append(block_numbers.setdefault((named, result.block or result.match), len(block_numbers)))
        players.extend([player_numbers.setdefault(bot, len(player_numbers)) for bot in result.bots])
        places.extend(result.places)
        kinds = result.faults or (None,) * size
        faults.extend([kind_numbers.setdefault(kind or "", len(kind_numbers)) for kind in kinds])
        points.extend(result.points or (0.0,) * size)
        seated = [seat not in result.unrated for seat in range(size)]
        own.extend(seated)
        has_points = result.points is not None
        scored.extend([has_points and sits and not kind for sits, kind in zip(seated, kinds, strict=True)])

    names = sorted(player_numbers)
    kinds_sorted = sorted(kind_numbers)  # "" comes first
    keys = sorted(block_numbers)
    is_scored = _array(scored, np.bool_)
    points_of_row = _array(points, np.float64)
    points_of_row[~is_scored] = 0.0
    columns = Columns(
        players=tuple(names),
        block_count=len(keys),
        first=np.concatenate(([0], np.cumsum(_array(sizes, np.int64)))),
        block=_renumbered([block_numbers[key] for key in keys], _array(blocks, np.int64)).astype(np.int64),
        player=_renumbered([player_numbers[name] for name in names], _array(players, np.int32)),
        place=_array(places, np.int32),
        points=points_of_row,
        scored=is_scored,
        own=_array(own, np.bool_),
        fault=_renumbered([kind_numbers[kind] for kind in kinds_sorted], _array(faults, np.int32)),
        fault_kinds=tuple(kinds_sorted),
    )
    if all(map(lt, ids, islice(ids, 1, None))):  # As most results come: in order, and none told twice.
        return columns
    order = sorted(range(len(ids)), key=ids.__getitem__)
    keep = [
        number
        for position, number in enumerate(order)
        if position == 0 or not _told_before(columns, ids, order[position - 1], number)
    ]
    return _matches(columns, np.array(keep, dtype=np.int64))


def _array(values: "array[int] | array[float] | bytearray", kind: type[Number]) -> NDArray[Number]:
    """The very numbers of `values`, which are of that kind and grow no more."""
    return np.frombuffer(values, dtype=kind)


def _check(result: Result, size: int) -> None:
    lengths = {len(result.places), len(result.points if result.points is not None else result.bots)}
    if lengths != {size} or len(result.faults) not in (0, size):
        raise ValueError(f"match {result.match}: places, points and faults must be one a bot")
    if size and not (min(result.places) >= 1 and all(0 <= seat < size for seat in result.unrated)):
        raise ValueError(f"match {result.match}: places count from 1, unrated seats from 0")
    if result.points is not None and not all(map(math.isfinite, result.points)):
        raise ValueError(f"match {result.match}: points must be finite")


def _renumbered(old_by_new: list[int], values: NDArray[np.int32] | Ints) -> NDArray[np.int32]:
    """`values` with each old number replaced by its new one, the position in `old_by_new`."""
    new_by_old = np.empty(len(old_by_new), dtype=np.int32)
    new_by_old[old_by_new] = np.arange(len(old_by_new), dtype=np.int32)
    renumbered: NDArray[np.int32] = new_by_old[values]
    return renumbered


def _told_before(columns: Columns, ids: list[str], earlier: int, later: int) -> bool:
    """Whether match number `later` is `earlier` told again; LadderError when it is told differently."""
    if ids[earlier] != ids[later]:
        return False
    a = slice(columns.first[earlier], columns.first[earlier + 1])
    b = slice(columns.first[later], columns.first[later + 1])
    by_row = (columns.player, columns.place, columns.points, columns.scored, columns.own, columns.fault)
    if columns.block[earlier] != columns.block[later] or not all(np.array_equal(part[a], part[b]) for part in by_row):
        raise LadderError(f"match {ids[later]} has two different results; a match id belongs to one match")
    return True


def _matches(columns: Columns, matches: Ints) -> Columns:
    """The columns of `matches` alone, in that order."""
    sizes = np.diff(columns.first)[matches]
    first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    rows = np.repeat(columns.first[matches] - first[:-1], sizes) + np.arange(first[-1])
    return Columns(
        players=columns.players,
        block_count=columns.block_count,
        first=first,
        block=columns.block[matches],
        player=columns.player[rows],
        place=columns.place[rows],
        points=columns.points[rows],
        scored=columns.scored[rows],
        own=columns.own[rows],
        fault=columns.fault[rows],
        fault_kinds=columns.fault_kinds,
    )
