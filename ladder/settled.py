"""Whether the first places are settled: a rule that stays right however often one looks.

A 95 % interval is made for one look. Whoever looks after every heat, and stops when two intervals come apart, is wrong
far more often than once in twenty. Here a lead counts only when it leaves a *confidence sequence*: a band that the
truth leaves at any time, over all looks to come, with a small probability only (Robbins' normal mixture, with the
errors of the fit). It is some 1.9 times as wide as the interval of a single look, whatever the number of looks.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, stdtrit

from ladder.fit import FEW_BLOCKS, Fit

WRONG = 0.05
"""Probability that the first places are ever called settled in a wrong order."""
_BEST_AT_BLOCKS = 100  # the band is narrowest there, and hardly wider at ten times more or fewer
_MIXTURE = 10.0


def settled_places(fit: Fit, contenders: Sequence[str], count: int, *, wrong: float = WRONG) -> int:
    """How many of the first `count` places among `contenders` are settled, from the first place on.

    A place is settled when its bot is better than each of those behind it. All contenders must be rated and in the main
    pool; a bot with fewer than ten blocks settles nothing.
    """
    chosen = np.array([index for player in contenders if (index := fit.index(player)) is not None], dtype=np.int64)
    if len(chosen) < len(contenders) or (fit.pool[chosen] != 0).any():
        return 0
    chosen = chosen[np.argsort(-fit.elo[chosen], kind="stable")]
    elo, blocks, se = fit.elo[chosen], fit.blocks[chosen], fit.difference_se(chosen)
    places = min(count, len(chosen) - 1)
    # The first wrong place is a bot put before the one that belongs there: one of so many pairs.
    pairs = sum(len(chosen) - place for place in range(1, places + 1))
    for place in range(places):
        behind = np.arange(place + 1, len(chosen))
        fewest = np.minimum(blocks[place], blocks[behind])
        bands = [band(int(number), wrong / pairs) for number in fewest]
        if not (elo[place] - elo[behind] > np.array(bands) * se[place, behind]).all():
            return place
    return min(count, len(chosen))


def band(blocks: int, wrong: float) -> float:
    """Half width of the confidence sequence after `blocks` blocks, in standard errors.

    `wrong` is the probability that the truth is ever found above the upper half; infinite below ten blocks.
    """
    if blocks < FEW_BLOCKS:
        return math.inf
    time = _MIXTURE * blocks / _BEST_AT_BLOCKS
    normal = math.sqrt((1 + 1 / time) * math.log((1 + time) / (2 * wrong) ** 2))
    # The error is itself measured, from so many blocks: Student's t in place of the normal.
    return -float(stdtrit(blocks - 1, ndtr(-normal)))
