"""Matches that may be worth seeing, found by their results: few of very many, so that only these are opened."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from harness.counted import CountedRound
from harness.publish.features import FIRST_RANKS
from harness.publish.record_counts import MOST_PICKS
from harness.standing import player_key
from ladder.columns import Floats, Ints
from ladder.standings import Standings


class Candidate(NamedTuple):
    """A match, and what there is against showing it: the least is best."""

    against: float
    round: int
    number: int


class Candidates:
    """The best for each reason to show a match, as many as may be shown."""

    def __init__(self, standings: Standings) -> None:
        self._elo = {row.player: row.elo for row in standings.rows if row.elo is not None}
        self._rank = {row.player: row.rank for row in standings.rows if row.rank is not None}
        self._found: dict[str, list[Candidate]] = {}

    def add(self, counted: CountedRound) -> None:
        """Looks at results for the closest among the first, and for the biggest upset."""
        players = [player_key(entry) for entry in counted.entries]
        elo = np.array([self._elo.get(player, np.nan) for player in players])
        rank = np.array([self._rank.get(player, FIRST_RANKS + 1) for player in players])
        faults = np.add.reduceat(counted.fault != 0, counted.firsts())
        for size in np.unique(counted.size).tolist():
            match = np.flatnonzero((counted.size == size) & (faults == 0))
            rows = counted.firsts()[match, None] + np.arange(size)
            is_won = (counted.place[rows] == 1).sum(axis=1) == 1
            match, rows = match[is_won], rows[is_won]
            for reason, against in (("closest", _gaps(counted, rows, rank)), ("upset", _chances(counted, rows, elo))):
                self._offer(reason, counted, match, against)

    def _offer(self, reason: str, counted: CountedRound, match: Ints, against: Floats) -> None:
        number = counted.number[match]
        best = np.lexsort((number, against))[:MOST_PICKS]
        best = best[np.isfinite(against[best])]
        pairs = zip(against[best].tolist(), number[best].tolist(), strict=True)
        self.offer(reason, (Candidate(value, counted.row.round, at) for value, at in pairs))

    def offer(self, reason: str, candidates: Iterable[Candidate]) -> None:
        """More that may be shown for `reason`."""
        self._found[reason] = sorted([*self._found.get(reason, ()), *candidates])[:MOST_PICKS]

    def matches(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Round by round, the numbers of all of them, ascending."""
        found = {(one.round, one.number) for candidates in self._found.values() for one in candidates}
        for round in sorted({round for round, _ in found}):
            yield round, sorted(number for where, number in found if where == round)


def _gaps(counted: CountedRound, rows: Ints, rank: Ints) -> Floats:
    """By match: points between winner and second; without end where one of them is not of the first ranks."""
    order = np.argsort(counted.place[rows], axis=1, kind="stable")[:, :2]
    first, second = np.take_along_axis(rows, order, axis=1).T
    are_first = np.maximum(rank[counted.entry[first]], rank[counted.entry[second]]) <= FIRST_RANKS
    gap = np.abs(counted.points[first] - counted.points[second])
    return np.where(are_first, gap, np.inf)


def _chances(counted: CountedRound, rows: Ints, elo: Floats) -> Floats:
    """By match: the winner's chance by the ratings, times the seats; without end where somebody has no rating.

    Rounded, so that equal chances are equal in whatever order of the seats they were added.
    """
    ratings = elo[counted.entry[rows]]
    strengths = 10 ** ((ratings - ratings.max(axis=1, initial=-np.inf, keepdims=True)) / 400)
    winner = np.argmin(counted.place[rows], axis=1)[:, None]
    share = np.take_along_axis(strengths, winner, axis=1)[:, 0] / strengths.sum(axis=1) * rows.shape[1]
    return np.where(np.isfinite(share), np.round(share, 9), np.inf)
