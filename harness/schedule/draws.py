"""Chance in bulk: numbers for searches, from the one stream of chance there is."""

import numpy as np
from numpy.typing import NDArray

from harness.deals import Chance

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

_POOL_WORDS = 4096


class Draws:
    """Numbers drawn from `chance`, many at a time.

    A number below n is 32 bits modulo n: fair enough to choose among candidates, where n is far below 2**32.
    """

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._pool: list[int] = []

    def words(self, count: int) -> Ints:
        """`count` numbers of 32 bits."""
        return np.frombuffer(self._chance.expand(4 * count), dtype=">u4").astype(np.int64)

    def below(self, n: int) -> int:
        """A number from 0 to `n - 1`."""
        if not self._pool:
            self._pool = self.words(_POOL_WORDS).tolist()
        return self._pool.pop() % n

    def permutation(self, n: int) -> Ints:
        """0 to `n - 1` in some order."""
        return np.argsort(self.words(n), kind="stable")

    def permutations(self, count: int, n: int) -> Ints:
        """`count` rows, each 0 to `n - 1` in some order."""
        return np.argsort(self.words(count * n).reshape(count, n), axis=1, kind="stable")
