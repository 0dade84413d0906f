"""Rank intervals by drawing ratings, the same draws on every machine and with every version of numpy.

numpy.random promises no stable streams, so the uniforms are a hash of the draw's number (SplitMix64), and the normals
their quantiles.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from ladder.columns import Floats, Ints

DRAWS = 10_000
_SEED = np.uint64(0x6C61646465720001)
_DRAWS_AT_ONCE = 500  # bounds memory


def normals(start: int, count: int) -> Floats:
    """Numbers `start` to `start + count - 1` of a fixed sequence of standard normal deviates."""
    # SplitMix64: a counter in steps of the golden ratio, then a mixing function (Steele, Lea, Flood 2014).
    counter: NDArray[np.uint64] = np.arange(start + 1, start + count + 1, dtype=np.uint64)
    z = _SEED + counter * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    uniform = ((z >> np.uint64(11)).astype(np.float64) + 0.5) / 2.0**53  # never 0 or 1
    deviates: Floats = ndtri(uniform)
    return deviates


def rank_intervals(elo: Floats, covariance: Floats) -> tuple[Ints, Ints]:
    """Lowest and highest rank (1 is best) of the middle 95 % of draws from the ratings' joint distribution."""
    count = len(elo)
    if count == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    root = _root(covariance)
    ranks = np.empty((DRAWS, count), dtype=np.int32)
    for low in range(0, DRAWS, _DRAWS_AT_ONCE):
        noise = normals(low * count, _DRAWS_AT_ONCE * count).reshape(_DRAWS_AT_ONCE, count)
        order = np.argsort(-(elo + noise @ root.T), axis=1, kind="stable")
        np.put_along_axis(ranks[low : low + _DRAWS_AT_ONCE], order, np.arange(1, count + 1, dtype=np.int32)[None, :], 1)
    ranks.sort(axis=0)
    outside = DRAWS * 25 // 1000
    return ranks[outside].astype(np.int64), ranks[DRAWS - 1 - outside].astype(np.int64)


def _root(covariance: Floats) -> Floats:
    """Cholesky factor: unlike eigenvectors it is unique, so equal input gives equal draws on every machine."""
    # Anchors have no variance and differences may have none: a millionth of an Elo makes every pivot positive. Where
    # rounding has gone further, so does the lift, up to where any matrix has a factor.
    lift = 1e-12 + 1e-9 * float(np.abs(covariance).max())
    while True:
        try:
            root: Floats = np.linalg.cholesky(covariance + lift * np.eye(len(covariance))).astype(np.float64)
        except np.linalg.LinAlgError:
            lift *= 10
        else:
            return root
