"""How much results scatter from block to block, asked of the data: the CR2 cluster sandwich.

A block is everything that shares deals, and one observation: its score is by how much its players did better than their
ratings say. So neither the pairs of one match, nor the rotations of one deal, count as if they were independent.
Ratings follow the very blocks that they are held against, which makes surprises look smaller than they are; CR2 (Bell
and McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage samples", Survey Methodology
28, 2002) undoes that exactly where the model is right. CR3, the jackknife, undoes it twice.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from ladder.columns import Bools, Floats, Ints
from ladder.pairs import Field, Tables, half_points, seat_pairs

_MATCHES_AT_ONCE = 1 << 16  # bounds memory, not the result's meaning
_CELLS_AT_ONCE = 1 << 20
# A block that alone holds a rating in place (leverage 1) cannot be left out. With a prior nothing has leverage 1.
_SOLE_LEVERAGE = 1 - 1e-6
_ROOT_SETTLED = 1e-12
_MOST_ROUNDS = 50


class Scatter(NamedTuple):
    """How far the scores of all blocks scatter together; `irreplaceable`: some block cannot be left out."""

    meat: Floats  # players x players; inverse @ meat @ inverse is the covariance
    irreplaceable: bool


class _Blocks(NamedTuple):
    """Blocks with the same number of players: score vectors, Hessians, and who the players are."""

    player: Ints  # block x p
    score: Floats  # block x p
    hessian: Floats  # block x p x p


def blocks_by_player(field: Field) -> tuple[Ints, int]:
    """In how many blocks each player has a pair, and how many blocks have one at all."""
    count = len(field.players)
    keys = [np.unique(table.block[:, None] * count + table.player) for table in field.tables]
    joined = np.unique(np.concatenate(keys)) if keys else np.zeros(0, dtype=np.int64)
    return np.bincount(joined % max(count, 1), minlength=count), len(np.unique(joined // max(count, 1)))


def scatter(field: Field, strength: Floats, inverse: Floats, own: Floats, *, prior: float) -> Scatter:
    """The meat of the sandwich at `strength` (natural units).

    A few blocks cannot say how much a bot's results scatter, but the whole field can: by a factor of what the model
    expects, below 1 where rotations cancel luck, above where the model is too sure. So a block counts for a share with
    its own surprise, for the rest with what it should have been by the field. So the variances of many small samples
    are moderated elsewhere (Smyth, "Linear models and empirical Bayes methods for assessing differential expression in
    microarray experiments", Stat. Appl. Genet. Mol. Biol. 3, 2004).

    Args:
        inverse: inverse Hessian, players x players, in any gauge.
        own: the share by player; the least of its players' goes for a block.
        prior: only tells whether a block may prove irreplaceable.
    """
    count = len(field.players)
    surprise, expected = np.zeros(count * count), np.zeros(count * count)
    seen = due = 0.0  # of the surprises of all blocks, measured by `inverse`
    irreplaceable = False
    for blocks in _blocks(field, strength):
        size = blocks.player.shape[1]
        step = max(1, _CELLS_AT_ONCE // (size * size))
        for low in range(0, len(blocks.player), step):
            part = slice(low, low + step)
            player, score, hessian = blocks.player[part], blocks.score[part], blocks.hessian[part]
            worth = inverse[player[:, :, None], player[:, None, :]]
            leverage = hessian @ worth
            due += float(np.trace(leverage, axis1=1, axis2=2).sum())
            sole = _sole(leverage) if prior == 0 else np.zeros(len(player), dtype=np.bool_)
            irreplaceable |= bool(sole.any())
            leverage[sole] = 0.0
            corrected = _inverse_root(np.eye(size) - leverage) @ score[:, :, None]
            squares = corrected @ corrected.transpose(0, 2, 1)
            seen += float((squares * worth).sum())
            share = own[player].min(axis=1)[:, None, None]
            cells = (player[:, :, None] * count + player[:, None, :]).ravel()
            np.add.at(surprise, cells, (share * squares).ravel())
            np.add.at(expected, cells, ((1 - share) * hessian).ravel())
    factor = seen / due if due > 0 else 1.0
    return Scatter((surprise + factor * expected).reshape(count, count), irreplaceable)


def _inverse_root(matrices: Floats) -> Floats:
    """The inverse of the square root of each matrix; their eigenvalues are real and above 0, and 1 at most.

    The product form of the iteration of Denman and Beavers (Cheng, Higham, Kenney, Laub, "Approximating the logarithm
    of a matrix to specified accuracy", SIAM J. Matrix Anal. Appl. 22, 2001): three rounds where blocks are many.
    """
    one = np.eye(matrices.shape[1])
    product, root = matrices, np.broadcast_to(one, matrices.shape)
    for _ in range(_MOST_ROUNDS):
        inverse = np.linalg.inv(product)
        root = (root + root @ inverse) / 2
        product = (2 * one + product + inverse) / 4
        if np.abs(product - one).max(initial=0.0) < _ROOT_SETTLED:
            break
    return root


def _sole(leverage: Floats) -> Bools:
    largest: Floats = np.linalg.eigvals(leverage).real.max(axis=1)
    return largest > _SOLE_LEVERAGE


def _blocks(field: Field, strength: Floats) -> Iterator[_Blocks]:
    """All blocks, a bounded number at a time, those with equally many players together."""
    if not field.tables:
        return
    per_block = np.zeros(1 + max(int(table.block[-1]) for table in field.tables), dtype=np.int64)
    for table in field.tables:
        per_block += np.bincount(table.block, minlength=len(per_block))
    chunk_of_block = (np.cumsum(per_block) - per_block) // _MATCHES_AT_ONCE
    edges = [*np.flatnonzero(np.diff(chunk_of_block, prepend=-1)).tolist(), len(per_block)]
    for low, high in pairwise(edges):
        parts = [_between(table, low, high) for table in field.tables]
        yield from _chunk([part for part in parts if len(part.block)], strength)


def _between(tables: Tables, low: int, high: int) -> Tables:
    """The matches of blocks `low` to `high - 1`."""
    part = slice(*np.searchsorted(tables.block, (low, high)))
    return Tables(tables.weight, tables.block[part], tables.player[part], tables.place[part])


def _chunk(tables: list[Tables], strength: Floats) -> Iterator[_Blocks]:
    # One slot for each player of each block, blocks ascending, players ascending in each.
    count = len(strength)
    keys = np.concatenate([(table.block[:, None] * count + table.player).ravel() for table in tables])
    slots, slot_of_row = np.unique(keys, return_inverse=True)
    _, first, sizes = np.unique(slots // count, return_index=True, return_counts=True)
    block_of_slot = np.repeat(np.arange(len(first)), sizes)
    place_in_block = np.arange(len(slots)) - first[block_of_slot]
    cell_start = np.cumsum(sizes * sizes) - sizes * sizes  # where the block's Hessian begins in `hessian`

    score = np.zeros(len(slots))
    hessian = np.zeros(int(np.sum(sizes * sizes)))
    taken = 0
    for table in tables:
        shape = table.player.shape
        slot = slot_of_row[taken : taken + table.player.size].reshape(shape)
        taken += table.player.size
        start = cell_start[block_of_slot[slot[:, 0]]]
        width = sizes[block_of_slot[slot[:, 0]]]
        for one, other in seat_pairs(table):
            i, j = slot[:, one], slot[:, other]
            ahead = expit(strength[table.player[:, one]] - strength[table.player[:, other]])
            surprise = table.weight * (half_points(table, one, other) / 2 - ahead)
            curvature = table.weight * ahead * (1 - ahead)
            score += np.bincount(i, surprise, len(slots)) - np.bincount(j, surprise, len(slots))
            a, b = place_in_block[i], place_in_block[j]
            for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                np.add.at(hessian, start + row * width + column, sign * curvature)

    for size in np.unique(sizes):
        at = first[sizes == size][:, None] + np.arange(size)
        cells = cell_start[sizes == size][:, None] + np.arange(size * size)
        player = slots[at] % count
        yield _Blocks(player, score[at], hessian[cells].reshape(-1, size, size))
