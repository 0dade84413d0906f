"""The ratings that make the results most likely: Newton's method on the pairwise logistic likelihood.

Strengths are in natural units: the odds that i finishes ahead of j are exp(strength_i - strength_j). With a prior the
pool's centre is one more unknown, a player who tied `prior` games with everybody.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_expit

from ladder.columns import Floats, Ints

_LONGEST_STEP = 4.0  # natural units; far steps overshoot where the curve is flat
_SETTLED = 1e-16  # squared distance to the optimum, in standard errors
_ROUNDS = 500


class Optimum(NamedTuple):
    """Strengths of the players, then of the centre when there is a prior; the Hessian there, over all of them."""

    strength: Floats
    hessian: Floats


def with_centre(won: Floats, prior: float) -> Floats:
    """`won` with the pool's centre as one more player, who tied `prior` games with each of the others."""
    count = len(won)
    extended = np.full((count + 1, count + 1), prior / 2)
    extended[:count, :count] = won
    extended[count, count] = 0.0
    return extended


def maximise(won: Floats, start: Floats, free: Ints) -> Optimum:
    """Strengths that maximise the likelihood of `won`; only those numbered `free` move away from `start`.

    The caller makes sure that a finite, unique optimum exists: everybody is linked both ways to a fixed player.
    """
    met = won + won.T
    strength = start.copy()
    height = _log_likelihood(won, strength)
    for _ in range(_ROUNDS):
        ahead = expit(strength[:, None] - strength[None, :])
        slope = (won - met * ahead).sum(axis=1)[free]
        curvature = hessian(met, strength)[np.ix_(free, free)]
        step = np.linalg.solve(curvature, slope)
        if slope @ step < _SETTLED:
            strength[free] += step
            break
        step *= min(1.0, _LONGEST_STEP / float(np.abs(step).max()))
        climbed = strength.copy()
        for _ in range(60):
            climbed[free] = strength[free] + step
            new_height = _log_likelihood(won, climbed)
            if new_height > height:
                break
            step /= 2
        else:
            break  # as high as rounding lets us see
        strength, height = climbed, new_height
    return Optimum(strength, hessian(met, strength))


def hessian(met: Floats, strength: Floats) -> Floats:
    """Curvature of the negative log-likelihood; rows sum to zero."""
    difference = strength[:, None] - strength[None, :]
    links = met * expit(difference) * expit(-difference)
    return np.diag(links.sum(axis=1)) - links


def grounded_inverse(curvature: Floats, free: Ints) -> Floats:
    """Inverse of the `free` part; the fixed players' rows and columns are zero: they do not move."""
    inverse = np.zeros_like(curvature)
    if len(free):
        part = np.linalg.inv(curvature[np.ix_(free, free)])
        inverse[np.ix_(free, free)] = (part + part.T) / 2
    return inverse


def _log_likelihood(won: Floats, strength: Floats) -> float:
    return float(np.sum(won * log_expit(strength[:, None] - strength[None, :])))
