"""Groups by arithmetic: the bots stand on a circle, and a base block is shifted all the way round.

The N shifts of a base block of k points (its orbit) are N tables at which every bot sits k times, once in each place
of the block. Two bots meet in an orbit as often as the distance between them on the circle occurs in the block. So a
matrix of N x N meetings comes down to N/2 distances: base blocks are found quickly where tables would take for ever.
"""

from itertools import chain, combinations, permutations
from math import comb, gcd

import numpy as np

from harness.schedule.draws import Draws, Ints

_NEVER = 1 << 20
_TRY_STEPS, _TRY_STEPS_A_BLOCK = 40, 10
"""After so many steps a search begins anew: sooner, and it misses; later, and it has long been stuck."""
_MOST_TRIES = 50


class Orbits:
    """Chooses base blocks of `size` among `point_count` points, distances as even as those chosen before allow."""

    def __init__(self, point_count: int, size: int, draws: Draws) -> None:
        self._points = np.arange(point_count)
        self._size = size
        self._draws = draws
        self._distance = np.minimum(self._points, point_count - self._points)
        # Half-way round, each use of the distance makes every such pair meet twice.
        self._weights = np.ones(point_count // 2 + 1, np.int64)
        if point_count % 2 == 0:
            self._weights[-1] = 2
        self._uses = np.zeros_like(self._weights)
        self._steps = np.zeros(point_count, np.int64)
        orders = [(0, *rest) for rest in permutations(range(1, size))]
        self._circles = np.array(orders, np.int64)

    @property
    def spread(self) -> int:
        """Most meetings of two bots less the fewest, over all orbits so far."""
        met = (self._uses * self._weights)[1:]
        return int(met.max() - met.min())

    def base_blocks(self, count: int) -> Ints:
        """`count` more base blocks, a row each, in the order of the seats."""
        before = self._uses
        best: tuple[int, Ints, Ints] | None = None
        for _ in range(min(len(self._points), _MOST_TRIES)):
            self._uses = before.copy()
            blocks = self._attempt(count)
            cost = int((self._weights * self._uses * self._uses).sum())
            if best is None or cost < best[0]:
                best = cost, blocks, self._uses
            if self.spread <= 1:
                break
        assert best is not None
        _, blocks, self._uses = best
        return np.array([self.in_seats(block) for block in blocks])

    def _attempt(self, count: int) -> Ints:
        blocks = np.zeros((count, self._size), np.int64)
        for block in blocks:
            for place in range(1, self._size):
                block[place] = self._best_point(block[:place])
                np.add.at(self._uses, self._between(block[place], block[:place]), 1)
        for _ in range(_TRY_STEPS + _TRY_STEPS_A_BLOCK * count):
            if self.spread <= 1:
                break
            self._move_a_point(blocks)
        return blocks

    def _between(self, point: int, others: Ints) -> Ints:
        return self._distance[(point - others) % len(self._points)]

    def _best_point(self, others: Ints) -> int:
        """The point whose distances to `others` are used least, ties by lot."""
        distances = self._distance[(self._points[:, None] - others) % len(self._points)]
        price = (self._weights * (2 * self._uses + 1))[distances].sum(1)
        price[others] = _NEVER
        for second in range(1, len(others)):
            for first in range(second):
                twice = distances[:, first] == distances[:, second]
                price += np.where(twice, 2 * self._weights[distances[:, first]], 0)
        return int(np.argmin((price << 20) + (self._draws.words(len(price)) >> 12)))

    def _move_a_point(self, blocks: Ints) -> None:
        """Finds a better place for a point of a distance that is used most (of any, now and then)."""
        distances = self._distance[(blocks[:, :, None] - blocks[:, None, :]) % len(self._points)]
        met = (self._uses * self._weights)[distances]
        met[distances == 0] = -1
        places = np.argwhere(met == met.max() if self._draws.below(4) else met >= 0)
        row, place, _ = places[self._draws.below(len(places))].tolist()
        others = np.delete(blocks[row], place)
        np.subtract.at(self._uses, self._between(blocks[row, place], others), 1)
        blocks[row, place] = self._best_point(others)
        np.add.at(self._uses, self._between(blocks[row, place], others), 1)

    def in_seats(self, block: Ints) -> Ints:
        """`block` in the order round the table that repeats steps to the left neighbour least; begun anywhere."""
        circles = block[self._circles]
        steps = (np.roll(circles, -1, axis=1) - circles) % len(self._points)
        ordered = np.sort(steps, axis=1)
        repeats = (ordered[:, 1:] == ordered[:, :-1]).sum(1)
        price = self._steps[steps].sum(1) + repeats
        best = np.flatnonzero(price == price.min())
        chosen = int(best[self._draws.below(len(best))])
        np.add.at(self._steps, steps[chosen], 1)
        return np.roll(circles[chosen], self._draws.below(self._size))


def even_count(point_count: int, size: int) -> int:
    """The least number of orbits after which all could have met equally often."""
    count = (point_count - 1) // gcd(point_count - 1, size * (size - 1))
    meetings = count * size * (size - 1) // (point_count - 1)
    return count if point_count % 2 or meetings % 2 == 0 else 2 * count


def tables_of(blocks: Ints, labels: Ints, draws: Draws) -> Ints:
    """Tables of the orbits of `blocks`, orbit by orbit, each in an order by lot; `labels[point]` is a point's bot."""
    point_count = len(labels)
    shifts = draws.permutations(len(blocks), point_count)
    points = (blocks[:, None, :] + shifts[:, :, None]) % point_count
    tables: Ints = labels[points.reshape(-1, blocks.shape[1])]
    return tables


def all_base_blocks(point_count: int, size: int) -> tuple[Ints, Ints]:
    """A base block for every orbit of as many tables as there are points; and all groups of the shorter orbits."""
    count = comb(point_count, size)
    flat = np.fromiter(chain.from_iterable(combinations(range(point_count), size)), np.int64, count * size)
    groups = flat.reshape(count, size)
    gaps = np.concatenate([np.diff(groups, axis=1), groups[:, :1] + point_count - groups[:, -1:]], axis=1)
    # The gaps round the circle, begun where that gives the greatest number, are the same for all of an orbit alone.
    digits = (point_count + 1) ** np.arange(size)
    names = np.max([np.roll(gaps, shift, axis=1) @ digits for shift in range(size)], axis=0)
    _, first, orbit, lengths = np.unique(names, return_index=True, return_inverse=True, return_counts=True)
    return groups[first[lengths == point_count]], groups[lengths[orbit] < point_count]
