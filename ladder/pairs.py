"""From columns to what the fit sees: tables of one size, and how often who finished ahead of whom.

Counts are whole half points, kept apart by table size, so that the sums of the fit are exact and know no order.
"""

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ladder.columns import Columns, Floats, Ints


class Tables(NamedTuple):
    """All matches with the same number of rated seats, ascending by block."""

    weight: float  # of each pair of a match
    block: Ints  # by match
    player: NDArray[np.int32]  # match x seat, index into the fit's players
    place: NDArray[np.int32]  # match x seat


class Field(NamedTuple):
    """Everything the likelihood needs. Only players with a rated pair are in it."""

    players: tuple[str, ...]
    tables: tuple[Tables, ...]
    won: Floats  # players x players: weighted points of row against column


def pair_weight(seat_count: float) -> float:
    """Weight of each of the pairs of a match.

    The pairs of one match share players, so they tell less than as many separate games: the number of others that a
    seat beats varies (k + 1) / 3 times as much as if its pairs were independent. The weight makes up for it.
    """
    return 3 / (seat_count + 1)


def field_of(columns: Columns, without: Collection[str] = ()) -> Field:
    """The rated part of `columns`: own seats of players outside `without`, in matches where two of them meet."""
    left_out = np.array([name in without for name in columns.players], dtype=np.bool_)
    rows = np.flatnonzero(columns.own & ~left_out[columns.player])
    seats = np.bincount(columns.match_of_row()[rows], minlength=columns.match_count)
    start = np.concatenate(([0], np.cumsum(seats)))
    tables: list[Tables] = []
    for size in np.unique(seats[seats >= 2]):
        matches = np.flatnonzero(seats == size)
        at = rows[start[matches][:, None] + np.arange(size)]
        player = columns.player[at]
        # A bot that met nobody but itself learned nothing about the others.
        meets = player.min(axis=1) != player.max(axis=1)
        matches, at, player = matches[meets], at[meets], player[meets]
        order = np.argsort(columns.block[matches], kind="stable")
        if len(order):
            block = columns.block[matches][order]
            tables.append(Tables(pair_weight(int(size)), block, player[order], columns.place[at][order]))

    seen = np.zeros(len(columns.players), dtype=np.bool_)
    for table in tables:
        seen[table.player.ravel()] = True
    number = (np.cumsum(seen) - 1).astype(np.int32)
    tables = [table._replace(player=number[table.player]) for table in tables]
    players = tuple(name for name, is_in in zip(columns.players, seen, strict=True) if is_in)
    return Field(players, tuple(tables), _points_won(tables, len(players)))


def seat_pairs(tables: Tables) -> Iterator[tuple[int, int]]:
    """Every pair of seats of these tables, once."""
    return combinations(range(tables.player.shape[1]), 2)


def half_points(tables: Tables, one: int, other: int) -> NDArray[np.int32]:
    """Half points of seat `one` against seat `other`, by match: 2 ahead, 1 tied, 0 behind."""
    points: NDArray[np.int32] = np.sign(tables.place[:, other] - tables.place[:, one]) + np.int32(1)
    return points


def _points_won(tables: list[Tables], player_count: int) -> Floats:
    won = np.zeros((player_count, player_count))
    for table in tables:
        halves = np.zeros(player_count * player_count)
        for one, other in seat_pairs(table):
            i, j = table.player[:, one].astype(np.int64), table.player[:, other]
            points = half_points(table, one, other)
            halves += np.bincount(i * player_count + j, weights=points, minlength=len(halves))
            halves += np.bincount(j * np.int64(player_count) + i, weights=2 - points, minlength=len(halves))
        won += table.weight / 2 * halves.reshape(player_count, player_count)
    np.fill_diagonal(won, 0.0)
    return won
