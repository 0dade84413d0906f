"""Mean points a match (or a deal, or a hand) with intervals in which a block is one observation."""

from typing import NamedTuple

import numpy as np

from ladder.columns import Columns
from ladder.fit import half_width

_FEW_BLOCKS = 10


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
    rows = np.flatnonzero(columns.scored)
    player = columns.player[rows].astype(np.int64)
    points = columns.points[rows] / per_match
    block = columns.block[columns.match_of_row()[rows]]
    matches = np.bincount(player, minlength=count)
    mean = np.bincount(player, points, count) / np.maximum(matches, 1)

    # Linearised mean: what a block adds to it beyond its share, summed over the block's matches.
    keys, slot = np.unique(player * columns.block_count + block, return_inverse=True)
    excess = np.bincount(slot, points - mean[player], len(keys))
    player_of_key = keys // max(columns.block_count, 1)
    blocks = np.bincount(player_of_key, minlength=count)
    squares = np.bincount(player_of_key, excess**2, count)
    return tuple(_mean(float(mean[i]), float(squares[i]), int(matches[i]), int(blocks[i])) for i in range(count))


def _mean(mean: float, squares: float, matches: int, blocks: int) -> PointsMean:
    if not matches:
        return PointsMean(None, None, None, 0)
    se = (squares * blocks / max(blocks - 1, 1)) ** 0.5 / matches
    half = half_width(se, blocks)
    # A few blocks that happen to agree prove no certainty.
    if half is None or (half <= 1e-9 * abs(mean) and blocks < _FEW_BLOCKS):
        return PointsMean(mean, None, None, blocks)
    return PointsMean(mean, mean - half, mean + half, blocks)
