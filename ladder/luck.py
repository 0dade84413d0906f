"""What duplicates are worth here: how many matches with fresh deals would show as much as one of a block.

In a block the same bots play the same deals in rotated seats, so that the luck of the cards cancels as far as they
play alike. A bot's *surprise* in a match is how much better it did than its rating says. If every match had deals of
its own, the variances of its surprises would add up; in fact the surprises of a block are added first. The **gain** is
the sum of squares of the former, divided by that of the latter, over all bots of all whole blocks. By so much are the
variances of differences between bots smaller than those of as many matches with fresh deals.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ladder.columns import Columns, Floats, Ints
from ladder.fit import ELO_PER_UNIT, Fit, half_width
from ladder.pairs import field_of

_FEWEST_BLOCKS = 10
_SOLE_LEVERAGE = 1 - 1e-6  # a block that alone holds a rating in place has no surprise to tell
_NOTHING_LEFT = 1e-12  # of the variance: rounding
_BLOCKS_AT_ONCE = 1 << 14  # bounds memory, not the result's meaning


class Gain(NamedTuple):
    """One match of a block is worth `times` matches with fresh deals: infinitely many where blocks leave no luck."""

    times: float
    low: float  # of the 95 % interval
    high: float
    block_count: int


class Luck(NamedTuple):
    """What duplicates gain for Elo and for points; None where there are no blocks of rotations, or fewer than ten."""

    elo: Gain | None
    points: Gain | None

    @property
    def sentence(self) -> str | None:
        """The gains for people; None where there is nothing to say."""
        if self.elo is None:
            return None
        if math.isinf(self.elo.times):
            return "Duplicates leave no luck at all here: the bots play alike."
        elo, points = self.elo, self.points
        for_points = (
            "" if points is None or math.isinf(points.times) else f"; for points {_times(points)} {_range(points)}"
        )
        return f"Duplicates here are worth {_times(elo)} as many matches {_range(elo)}{for_points}."


def measure_luck(columns: Columns, fit: Fit) -> Luck:
    """The gains in `columns`, of which `fit` was made."""
    return Luck(_gain(_elo_surprises(columns, fit)), _gain(_points_surprises(columns)))


class _Repeats(NamedTuple):
    """Blocks whose matches were all played by the same bots: who (ascending), and a value each by rotation."""

    player: Ints  # block x bot
    value: Floats  # block x rotation x bot


class _Surprises(NamedTuple):
    """Surprises in such blocks, and what it takes to see them as if the block had no say in the ratings."""

    value: Floats  # block x rotation x bot
    leverage: Floats  # block x bot x bot: a match's own part in the ratings


def _gain(found: Iterator[_Surprises]) -> Gain | None:
    apart, together = [np.zeros(0)], [np.zeros(0)]
    for surprises in found:
        rotations = surprises.value.shape[1]
        heavy = np.linalg.eigvals(rotations * surprises.leverage).real.max(axis=1) > _SOLE_LEVERAGE
        value, leverage = surprises.value[~heavy], surprises.leverage[~heavy]
        apart.append(_squares(value, leverage))
        together.append(_squares(value.sum(axis=1, keepdims=True), rotations * leverage))
    return _ratio(np.concatenate(apart), np.concatenate(together))


def _squares(value: Floats, leverage: Floats) -> Floats:
    """Sum of squares by block, without the shrinkage of surprises whose match has pulled the ratings its way."""
    own = np.eye(value.shape[2]) - leverage
    squares: Floats = (value * np.linalg.solve(own[:, None], value[..., None])[..., 0]).sum(axis=(1, 2))
    return squares


def _ratio(apart: Floats, together: Floats) -> Gain | None:
    count = len(apart)
    if count < _FEWEST_BLOCKS or not apart.sum() > 0:
        return None
    if together.sum() <= _NOTHING_LEFT * apart.sum():
        return Gain(math.inf, math.inf, math.inf, count)
    times = float(apart.sum() / together.sum())
    # The ratio's logarithm, linearised; a block is one observation.
    pull = apart / apart.sum() - together / together.sum()
    half = half_width(float(np.sqrt((pull**2).sum() * count / (count - 1))), count)
    assert half is not None
    return Gain(times, times * math.exp(-half), times * math.exp(half), count)


def _elo_surprises(columns: Columns, fit: Fit) -> Iterator[_Surprises]:
    match_counts = np.bincount(columns.block, minlength=columns.block_count)
    strength, inverse = fit.elo / ELO_PER_UNIT, fit.model_covariance / ELO_PER_UNIT**2
    for tables in field_of(columns, fit.without).tables:
        for repeats in _repeats(tables.block, tables.player, tables.place, match_counts):
            own = strength[repeats.player]
            ahead = expit(own[:, :, None] - own[:, None, :])
            curvature = tables.weight * ahead * (1 - ahead)
            behind = np.sign(repeats.value[..., None, :] - repeats.value[..., :, None])
            surprise = (behind + 1) / 2 - ahead[:, None]
            yield _Surprises(
                tables.weight * surprise.sum(axis=3),
                _laplacian(curvature) @ inverse[repeats.player[:, :, None], repeats.player[:, None, :]],
            )


def _points_surprises(columns: Columns) -> Iterator[_Surprises]:
    """The same with a bot's margins over the others at its table, in points, in place of the games that it won."""
    match_counts = np.bincount(columns.block, minlength=columns.block_count)
    found = list(_whole_tables(columns, match_counts))
    count = len(columns.players)
    curvature = np.zeros((count, count))
    slope = np.zeros(count)
    for repeats in found:
        rotations, size = repeats.value.shape[1:]
        cells = repeats.player[:, :, None] * count + repeats.player[:, None, :]
        games = np.bincount(cells.ravel(), minlength=count * count).reshape(count, count) * float(rotations)
        np.fill_diagonal(games, 0.0)
        curvature += _laplacian(games.astype(np.float64)[None])[0]
        margin = size * (repeats.value - repeats.value.mean(axis=2, keepdims=True)).sum(axis=1)
        slope += np.bincount(repeats.player.ravel(), margin.ravel(), count)
    inverse = np.linalg.pinv(curvature, hermitian=True) if found else curvature
    worth = inverse @ slope
    for repeats in found:
        size = repeats.value.shape[2]
        left = repeats.value - worth[repeats.player][:, None]
        own = size * np.eye(size) - np.ones((size, size))
        yield _Surprises(
            size * (left - left.mean(axis=2, keepdims=True)),
            own @ inverse[repeats.player[:, :, None], repeats.player[:, None, :]],
        )


def _whole_tables(columns: Columns, match_counts: Ints) -> Iterator[_Repeats]:
    """Blocks in which every seat of every match has points of its own."""
    sizes = np.diff(columns.first)
    scored = np.bincount(columns.match_of_row(), columns.scored, columns.match_count)
    for size in np.unique(sizes[scored == sizes]):
        matches = np.flatnonzero((sizes == size) & (scored == size))
        rows = columns.first[matches][:, None] + np.arange(size)
        yield from _repeats(columns.block[matches], columns.player[rows], columns.points[rows], match_counts)


def _repeats(
    block: Ints, player: NDArray[np.int32], value: Floats | NDArray[np.int32], match_counts: Ints
) -> Iterator[_Repeats]:
    """Blocks of two matches or more, all of them among these and played by the same bots, a bounded number at a time.

    `block` is by match, `player` and `value` by match and seat.
    """
    order = np.argsort(block, kind="stable")
    found, first, counts = np.unique(block[order], return_index=True, return_counts=True)
    whole = (counts >= 2) & (counts == match_counts[found])
    for rotations in np.unique(counts[whole]):
        starts = first[whole & (counts == rotations)]
        for low in range(0, len(starts), _BLOCKS_AT_ONCE):
            at = order[starts[low : low + _BLOCKS_AT_ONCE, None] + np.arange(rotations)]
            seats = np.argsort(player[at], axis=2)
            who = np.take_along_axis(player[at], seats, 2).astype(np.int64)
            same = (who == who[:, :1]).all(axis=(1, 2)) & (np.diff(who[:, 0], axis=1) > 0).all(axis=1)
            if same.any():
                values = np.take_along_axis(value[at[same]], seats[same], 2)
                yield _Repeats(who[same, 0], values.astype(np.float64))


def _laplacian(weight: Floats) -> Floats:
    """Curvature of pairs with these weights; the diagonal of `weight` plays no part."""
    weight = weight * (1 - np.eye(weight.shape[1]))
    curvature: Floats = weight.sum(axis=2)[:, :, None] * np.eye(weight.shape[1]) - weight
    return curvature


def _times(gain: Gain) -> str:
    return f"{_number(gain.times)} times"


def _range(gain: Gain) -> str:
    return f"({_number(gain.low)} to {_number(gain.high)})"


def _number(value: float) -> str:
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"
