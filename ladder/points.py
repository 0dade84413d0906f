"""Mean points a match (or a deal, or a hand) with intervals in which a block is one observation."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ladder.columns import Columns, Ints
from ladder.fit import half_width

_FEW_BLOCKS = 10
_MATCHES_AT_ONCE = 1 << 16  # bounds memory, not the result


class PointsMean(NamedTuple):
    """Mean points of one player; None where its matches cannot say. `blocks` is the number of observations."""

    mean: float | None
    low: float | None
    high: float | None
    blocks: int


def mean_points(columns: Columns, *, per_match: int = 1) -> tuple[PointsMean, ...]:
    """Mean points of each player of `columns`, in their order, divided by `per_match`: 24 deals give points a deal.

    Points of faulted seats, which the house played to the end, are in no mean.
    """
    count = len(columns.players)
    matches = np.bincount(columns.player, columns.scored, count).astype(np.int64)
    mean = np.bincount(columns.player, columns.points / per_match, count) / np.maximum(matches, 1)

    # Linearised mean: what a block adds to it beyond its share, summed over the block's matches.
    blocks, squares = np.zeros(count, np.int64), np.zeros(count)
    for rows, block in _scored_rows(columns):
        player = columns.player[rows]
        keys, slot = np.unique(player.astype(np.int64) * columns.block_count + block, return_inverse=True)
        excess = np.bincount(slot, columns.points[rows] / per_match - mean[player], len(keys))
        player_of_key = keys // max(columns.block_count, 1)
        blocks += np.bincount(player_of_key, minlength=count)
        np.add.at(squares, player_of_key, excess**2)  # one after the other, however many rows come at once
    return tuple(_mean(float(mean[i]), float(squares[i]), int(matches[i]), int(blocks[i])) for i in range(count))


def _scored_rows(columns: Columns) -> Iterator[tuple[Ints, Ints]]:
    """Rows with points of their own and the block of each: whole blocks, ascending, a bounded number at a time."""
    order = np.argsort(columns.block, kind="stable")
    block = columns.block[order]
    low = 0
    while low < len(order):
        high = int(np.searchsorted(block, block[min(low + _MATCHES_AT_ONCE, len(order)) - 1], side="right"))
        first, size = columns.first[order[low:high]], np.diff(columns.first)[order[low:high]]
        rows = np.repeat(first - (np.cumsum(size) - size), size) + np.arange(size.sum())
        of_row = np.repeat(block[low:high], size)
        scored = columns.scored[rows]
        yield rows[scored], of_row[scored]
        low = high


def _mean(mean: float, squares: float, matches: int, blocks: int) -> PointsMean:
    if not matches:
        return PointsMean(None, None, None, 0)
    se = (squares * blocks / max(blocks - 1, 1)) ** 0.5 / matches
    half = half_width(se, blocks)
    # A few blocks that happen to agree prove no certainty.
    if half is None or (half <= 1e-9 * abs(mean) and blocks < _FEW_BLOCKS):
        return PointsMean(mean, None, None, blocks)
    return PointsMean(mean, mean - half, mean + half, blocks)
