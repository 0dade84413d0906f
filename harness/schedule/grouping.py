"""The blocks of one table size: which bots sit down together, one row a block, in the seats of rotation 1.

Bots are numbered from 0 within the field of that size; rows are in the order of play.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from math import comb
from typing import Protocol

import numpy as np

from harness.deals import Chance
from harness.schedule.draws import Draws, Floats, Ints
from harness.schedule.orbits import Orbits, all_base_blocks, even_count, tables_of
from harness.schedule.pairing import apart_pairs, conflicts, deal_groups, excess, meetings, mend
from harness.schedule.pods import Pods
from harness.schedule.seating import choose_circles, neighbours, seat_evenly

_CHAPTER_ORBITS = 64
_PART_TABLES = 2048
_TAIL_TABLES = 256
_TAIL_STEPS = 1000
_QUICK_STEPS = 300


class Blocks(Protocol):
    """The blocks of one table size."""

    def rows(self, start: int, stop: int) -> Ints:
        """Blocks `start` to `stop - 1`, from 0, a row each."""


class Listed:
    """Blocks worked out beforehand."""

    def __init__(self, rows: Ints) -> None:
        self._rows = rows.astype(np.int32)

    def rows(self, start: int, stop: int) -> Ints:
        """Blocks `start` to `stop - 1`, from 0, a row each."""
        return self._rows[start:stop].astype(np.int64)


class Balanced:
    """Blocks in which all meet equally often, worked out as far as they are asked for.

    The body is whole orbits: every bot plays as often as every other, and equally often in every seat. The tail
    holds what does not divide, and as many orbits before it as swaps need to make the meetings even.
    """

    def __init__(
        self,
        *,
        shares: Ints,
        teams: Ints,
        size: int,
        rotates: bool,
        met_before: Callable[[], Ints],
        chance: Chance,
        most_alive: int | None = None,
    ) -> None:
        """`shares[bot]`: the number of its blocks. `met_before()`: meetings, in matches, at tables of other sizes.

        Where more bots play than `most_alive`, and so much that it costs no evenness worth speaking of, the body is
        played in pods (`harness.schedule.pods`), unless teams keep bots apart.
        """
        self._shares, self._teams, self._size, self._rotates = shares, teams, size, rotates
        self._met_before, self._chance = met_before, chance
        self._bot_count = len(shares)
        self._block_count = int(shares.sum()) // size
        self._apart = apart_pairs(teams)
        self._has_teams = len(np.unique(teams)) < len(teams)
        # In an orbit all play equally often, which a team with more than its share of the bots cannot.
        crowded = int(np.bincount(teams).max()) * size > self._bot_count
        self._orbit_count = 0 if crowded else self._block_count // self._bot_count
        self._weight = size if rotates else 1
        pods = None if most_alive is None or self._has_teams else Pods(self._bot_count, size, most_alive)
        self._pods = pods if pods is not None and pods.fit and pods.are_even(self._orbit_count) else None
        self._met = np.zeros((self._bot_count, self._bot_count), np.int64)
        self._beside = np.zeros_like(self._met)
        self._parts: list[Ints] = []
        self._ends = [0]
        self._maker = self._make()

    def rows(self, start: int, stop: int) -> Ints:
        """Blocks `start` to `stop - 1`, from 0, a row each; those before them are worked out first and kept."""
        while self._ends[-1] < stop:
            part = next(self._maker)
            self._parts.append(part.astype(np.int32))
            self._ends.append(self._ends[-1] + len(part))
        first, last = bisect_right(self._ends, start) - 1, bisect_right(self._ends, stop - 1)
        rows = self._parts[first] if last - first == 1 else np.concatenate(self._parts[first:last])
        return rows[start - self._ends[first] : stop - self._ends[first]].astype(np.int64)

    @property
    def is_in_pods(self) -> bool:
        """Whether the bots meet pod by pod."""
        return self._pods is not None

    def met(self) -> Ints:
        """How many matches every two bots play together, over all blocks."""
        self.rows(self._block_count - 1, self._block_count)
        return self._weight * self._met

    def _make(self) -> Iterator[Ints]:
        draws = Draws(self._chance)
        if self._pods is not None:
            for tables in self._pods.sessions(self._orbit_count, draws):
                self._beside += neighbours(tables, self._bot_count)
                yield self._counted(tables)
            yield self._counted(self._tail(np.zeros((0, self._size), np.int64), draws))
            return
        body = max(0, self._orbit_count - max(1, _TAIL_TABLES // self._bot_count))
        last_orbits = [np.zeros((0, self._size), np.int64)]
        for first, tables in self._orbits(draws, body):
            if first >= body:
                last_orbits.append(tables)
            elif self._has_teams:
                mended = self._mended(tables, self._met, 1, _QUICK_STEPS, draws)
                yield self._counted(seated(mended, self._beside, draws, rotates=self._rotates))
            else:
                self._beside += neighbours(tables, self._bot_count)
                yield self._counted(tables)
        yield self._counted(self._tail(np.concatenate(last_orbits), draws))

    def _orbits(self, draws: Draws, body: int) -> Iterator[tuple[int, Ints]]:
        """Tables of orbits, some 2,000 at a time, and the number of the first; orbit `body` is always a first.

        Once all have met equally often, the bots change places on the circle, and the same base blocks will do again.
        """
        orbits = Orbits(self._bot_count, self._size, draws)
        even = even_count(self._bot_count, self._size)
        chapter = max(1, _CHAPTER_ORBITS // even) * even if even <= _CHAPTER_ORBITS else _CHAPTER_ORBITS
        step = max(1, _PART_TABLES // self._bot_count)
        labels, blocks, flat = draws.permutation(self._bot_count), np.zeros((0, self._size), np.int64), False
        done = 0
        while done < self._orbit_count:
            left = self._orbit_count - done
            count = chapter if 2 * left >= 3 * chapter else left
            if not (flat and len(blocks) == count):
                blocks = orbits.base_blocks(count)
            starts = sorted({*range(0, count, step)} | {body - done} & {*range(count)})
            for start, stop in zip(starts, [*starts[1:], count], strict=True):
                yield done + start, tables_of(blocks[start:stop], labels, draws)
            done += count
            flat = orbits.spread == 0
            if flat:
                labels = draws.permutation(self._bot_count)

    def _tail(self, orbits: Ints, draws: Draws) -> Ints:
        """The last blocks: what does not divide, with `orbits`, which swaps may take apart if they must."""
        dealt = deal_groups(self._shares - self._size * self._orbit_count, self._teams, self._size, draws)
        before = self._met_before() + self._weight * self._met
        at_hand = len(orbits) // self._bot_count
        # Orbits do not mind teams, so those are all taken apart. Else one will often do; many are small ones.
        attempts = {at_hand} if self._has_teams else {0, min(at_hand, 1), at_hand} if at_hand < 8 else {0, at_hand}
        best: tuple[int, Ints, Ints] | None = None
        for taken in sorted(attempts):
            kept = orbits[: len(orbits) - taken * self._bot_count]
            counts = before + self._weight * meetings(kept, self._bot_count)
            loose = np.concatenate([orbits[len(kept) :], dealt])
            steps = _TAIL_STEPS if taken or (self._has_teams and len(loose) <= _PART_TABLES) else _QUICK_STEPS
            loose = self._mended(loose, counts, self._weight, steps, draws)
            off = excess(counts + self._weight * meetings(loose, self._bot_count), self._apart, self._weight)
            if best is None or off < best[0]:
                best = off, kept, loose
            if off == 0:
                break
        assert best is not None
        _, kept, loose = best
        self._beside += neighbours(kept, self._bot_count)
        return np.concatenate([kept, seated(loose, self._beside, draws, rotates=self._rotates)])

    def _mended(self, groups: Ints, before: Ints, weight: int, steps: int, draws: Draws) -> Ints:
        """`groups` with meetings made even and teams apart; dealt out anew where swaps cannot part a team."""
        mended = mend(groups, before, self._apart, weight, steps, draws)
        if conflicts(mended, self._apart):
            shares = np.bincount(groups.ravel(), minlength=self._bot_count)
            dealt = deal_groups(shares, self._teams, self._size, draws)
            mended = mend(dealt, before, self._apart, weight, steps, draws)
        return mended

    def _counted(self, tables: Ints) -> Ints:
        self._met += meetings(tables, self._bot_count)
        return tables


def every_group(teams: Ints, size: int, draws: Draws, *, rotates: bool) -> Ints:
    """Every group of `size` bots of different teams, once, in seats.

    By orbits, their order by lot: whenever one is over, all have played equally often, but for teams. Whole orbits
    have even seats; the rest is seated after them. Where teams leave gaps, there are no whole ones.
    """
    bot_count = len(teams)
    blocks, others = all_base_blocks(bot_count, size)
    orbits = Orbits(bot_count, size, draws)
    labels = draws.permutation(bot_count)
    blocks = blocks[draws.permutation(len(blocks))]
    blocks = np.array([orbits.in_seats(block) for block in blocks], np.int64).reshape(-1, size)
    whole = tables_of(blocks, labels, draws)
    others = labels[others[draws.permutation(len(others))]]
    beside = np.zeros((bot_count, bot_count), np.int64)
    if len(np.unique(teams)) < bot_count:
        groups = np.concatenate([whole, others])
        apart = apart_pairs(teams)
        met = np.zeros(len(groups), np.bool_)
        for first, second in combinations(range(size), 2):
            met |= apart[groups[:, first], groups[:, second]]
        whole, others = groups[:0], groups[~met]
    beside += neighbours(whole, bot_count)
    return np.concatenate([whole, seated(others, beside, draws, rotates=rotates)])


def against_house(turns: Ints, house: Ints, size: int, teams: Ints, draws: Draws) -> Ints:
    """A table for each of `turns`, bots in the order of play: with it the `size - 1` of `house` that it has met least.

    Of those of different teams; there are enough.
    """
    met = np.zeros((len(teams), len(teams)), np.int64)
    played = np.zeros(len(teams), np.int64)
    groups = np.empty((len(turns), size), np.int64)
    for row, bot in enumerate(turns.tolist()):
        order = house[np.lexsort((draws.words(len(house)), played[house], met[bot, house]))]
        group, present = [bot], {int(teams[bot])}
        for opponent in order.tolist():
            if len(group) < size and int(teams[opponent]) not in present:
                group.append(opponent)
                present.add(int(teams[opponent]))
        met[bot, group[1:]] += 1
        played[group[1:]] += 1
        groups[row] = group
    return groups


def for_needy(needs: Ints, size: int, teams: Ints, met: Ints, draws: Draws) -> Ints:
    """Tables until every bot has sat at `needs[bot]`: each for the one that needs most, with those it has met least.

    So whoever needs tables meets everybody equally often, also those who need none. `met` counts earlier meetings and
    is changed in place. Whoever sits more often than it needs to, does so evenly.
    """
    left, sat = needs.copy(), np.zeros(len(needs), np.int64)
    share = np.maximum(even_shares(needs, size), 1e-9)
    groups: list[list[int]] = []
    while left.max() > 0:
        lots = draws.words(len(needs))
        group = [int(np.lexsort((lots, -left))[0])]
        while len(group) < size:
            needy = [bot for bot in group if needs[bot] > 0]
            present = np.isin(teams, teams[group])
            order = np.lexsort((lots, sat / share, met[needy].sum(0), present))
            group.append(int(order[0]))
        for first, second in combinations(group, 2):
            met[first, second] += 1
            met[second, first] += 1
        left[group] -= 1
        sat[group] += 1
        groups.append(group)
    return np.array(groups, np.int64).reshape(-1, size)


def even_shares(needs: Ints, size: int) -> Floats:
    """How many tables everybody sits at if all needed ones have seats drawn from everybody.

    >>> even_shares(np.array([12, 0, 0, 0, 0]), 3).tolist()
    [12.0, 6.0, 6.0, 6.0, 6.0]
    """
    others = len(needs) - 1
    shares = np.zeros(len(needs))
    levels = [*sorted({int(need) for need in needs} - {0}, reverse=True), 0]
    for level, lower in pairwise(levels):
        needy = needs >= level
        without = comb(others - int(needy.sum()), size - 1) / comb(others, size - 1) if not needy.all() else 0.0
        shares += (level - lower) * np.where(needy, 1.0, 1.0 - without)
    return shares


def seated(groups: Ints, beside: Ints, draws: Draws, *, rotates: bool) -> Ints:
    """`groups` in seats; `beside` counts earlier left neighbours and is changed in place."""
    return (choose_circles if rotates else seat_evenly)(groups, beside, draws)
