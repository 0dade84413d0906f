"""Results under headings, with what each block adds: kept as seven whole numbers, whatever the number of blocks.

Matches that share deals are one observation. The spread of a mean over blocks follows from sums of products over the
blocks, which add up in any order, exactly.
"""

import math

import numpy as np

from ladder.columns import Ints
from ladder.fit import half_width
from ladder.site.values import Tally

SUMS = 7
"""Numbers that stand for any number of results."""
_FEW_BLOCKS = 10


def block_sums(who: Ints, heading: Ints, block: Ints, points: Ints, place: Ints) -> Ints:
    """What results, one an element, come to: a row for each pair of `who` and `heading` that is there, ascending.

    In a row stand the two, then results, places, blocks and points, and over the blocks the sums of squared points,
    of points times results, of squared results.
    """
    width = int(heading.max(initial=0)) + 1
    pair = who * width + heading
    order = np.lexsort((block, pair))
    pair, block, points, place = pair[order], block[order], points[order], place[order]
    starts = np.flatnonzero((np.diff(pair, prepend=-1) != 0) | (np.diff(block, prepend=-1) != 0))
    count = np.diff(starts, append=len(pair))
    total, places = _sums(points, starts), _sums(place, starts)
    pair = pair[starts]
    starts = np.flatnonzero(np.diff(pair, prepend=-1))
    columns = (count, places, np.ones_like(count), total, total * total, total * count, count * count)
    sums = [_sums(column, starts) for column in columns]
    found: Ints = np.column_stack((pair[starts] // width, pair[starts] % width, *sums))
    return found


def _sums(values: Ints, starts: Ints) -> Ints:
    return np.add.reduceat(values, starts) if len(starts) else np.zeros(0, np.int64)


class BlockSum:
    """What the results under one heading come to."""

    def __init__(self) -> None:
        self.numbers = [0] * SUMS

    def add(self, numbers: list[int]) -> None:
        """Adds what `block_sums` found of other blocks, without who and heading."""
        self.numbers = [ours + more for ours, more in zip(self.numbers, numbers, strict=True)]

    def tally(self, name: str) -> Tally:
        """As a page shows it."""
        count, places, blocks, points, points_squared, points_counts, counts_squared = self.numbers
        half = None
        if blocks >= _FEW_BLOCKS:
            # The sum over blocks of (points - mean * results) squared, times the square of all results: whole numbers.
            squares = points_squared * count**2 - 2 * points * points_counts * count + points**2 * counts_squared
            half = half_width(math.sqrt(squares * blocks / (blocks - 1)) / count**2, blocks)
        return Tally(name, count, places / count if places else None, points / count, half)
