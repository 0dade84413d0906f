"""Who sits at a table with whom, where no formula says: groups dealt out, then mended by swaps.

How often every two bots meet is a symmetric matrix. What swaps make small is the sum of its squares, which is least
where all meet equally often. Two bots that may never meet carry `APART` in the matrix from the start.
"""

import numpy as np

from harness.schedule.draws import Bools, Draws, Ints

APART = 1 << 20
"""Meetings that stand for "never": no swap buys one at that price."""

_SWAP_ROWS = 1024
_GOLDEN = 0.618


def appearances(table_count: int, size: int, teams: Ints, given: Ints, order: Ints) -> Ints:
    """How many of the seats at `table_count` tables of `size` each bot gets: evenly, but no team more than one a table.

    A team too big for its share fills one seat at every table and no more. What does not divide goes to those who were
    `given` least before, in `order`. `teams` numbers the bots' teams from 0; there are enough of them to fill a table.
    """
    bot_count = len(teams)
    if (np.bincount(teams) * size > bot_count).any():
        return _fill(table_count, size, teams, given, order)
    laps, rest = divmod(table_count, bot_count)
    return laps * size + _fill(rest, size, teams, given, order)


def _fill(table_count: int, size: int, teams: Ints, given: Ints, order: Ints) -> Ints:
    team_sizes = np.bincount(teams)
    full = np.zeros(len(team_sizes), np.bool_)
    while True:
        open_bots = int(team_sizes[~full].sum())
        rest = table_count * (size - int(full.sum()))
        crowded = ~full & (team_sizes * rest > table_count * open_bots)
        if not crowded.any():
            break
        full |= crowded
    shares = np.where(full[teams], table_count // team_sizes[teams], rest // max(open_bots, 1))
    room = (table_count - np.bincount(teams, shares)).astype(np.int64)
    left = table_count * size - int(shares.sum())
    for bot in order[np.lexsort((given[order], shares[order]))].tolist():
        if left and room[teams[bot]] > 0:
            shares[bot] += 1
            room[teams[bot]] -= 1
            left -= 1
    if left:
        raise AssertionError("more seats than the teams can fill")
    return shares


def deal_groups(shares: Ints, teams: Ints, size: int, draws: Draws) -> Ints:
    """Groups of `size` in which bot i sits `shares[i]` times, never beside one of its team.

    The shares add up to a multiple of `size`, and no team has more of them than there are groups: so a deck of them, a
    team's together and its bots in turn, dealt round and round, puts no team twice into a group.
    """
    group_count = int(shares.sum()) // size
    if np.bincount(teams, shares).max(initial=0) > group_count:
        raise AssertionError("a team with more seats than groups")
    bots = np.repeat(np.arange(len(shares)), shares)
    turns = np.arange(len(bots)) - np.repeat(np.cumsum(shares) - shares, shares)
    bot_rank, team_rank = draws.permutation(len(shares)), draws.permutation(int(teams.max()) + 1)
    deck = bots[np.lexsort((bot_rank[bots], turns, team_rank[teams[bots]]))]
    # A stride near the golden section, prime to the count, scatters each bot evenly over the groups.
    stride = max(1, round(group_count * _GOLDEN))
    while np.gcd(stride, group_count) != 1:
        stride += 1
    groups = np.empty((group_count, size), np.int64)
    place = np.arange(len(deck))
    groups[place * stride % group_count, place // group_count] = deck
    return groups


def meetings(groups: Ints, bot_count: int) -> Ints:
    """How often every two of `bot_count` bots share one of `groups`; 0 on the diagonal."""
    size = groups.shape[1]
    counts = np.zeros((bot_count, bot_count), np.int64)
    for first in range(size):
        for second in range(first):
            pairs = groups[:, first] * bot_count + groups[:, second]
            counts += np.bincount(pairs, minlength=bot_count * bot_count).reshape(bot_count, bot_count)
    return counts + counts.T


def apart_pairs(teams: Ints) -> Bools:
    """Which two bots never meet: those of one team, and each with itself."""
    same: Bools = teams[:, None] == teams
    return same


def conflicts(groups: Ints, apart: Bools) -> int:
    """Pairs at one table that may not meet."""
    size = groups.shape[1]
    return sum(int(apart[groups[:, a], groups[:, b]].sum()) for a in range(size) for b in range(a))


def excess(counts: Ints, apart: Bools, weight: int) -> int:
    """How far `counts` are from even: 0 where no schedule with the same appearances could be more so.

    The sum of squares, less what it would be if each bot spread its meetings over the others as evenly as it could.
    """
    others = np.maximum((~apart).sum(1), 1)
    even, more = np.divmod(counts.sum(1) // weight, others)
    least = weight * weight * int((others * even * even + more * (2 * even + 1)).sum())
    return int((counts * counts).sum()) - least


def mend(groups: Ints, before: Ints, apart: Bools, weight: int, steps: int, draws: Draws) -> Ints:
    """`groups` after swaps that make meetings even, `before` and the groups (`weight` each) counted together.

    Everybody keeps its number of appearances. Many groups are mended a thousand at a time, in `steps` steps, each
    thousand after those before it.
    """
    mended = groups.copy()
    counts = before.copy()
    for start in range(0, len(groups), _SWAP_ROWS):
        part = mended[start : start + _SWAP_ROWS]
        others = counts
        counts = others + weight * meetings(part, len(counts))
        free = counts[~apart]
        floor = int(free.min()) if free.size else 0
        relative = np.where(apart, 0, counts - floor)
        aim = int((relative * relative).sum()) - excess(relative, apart, weight)
        _swap(part, np.where(apart, APART + counts, relative), apart, weight, aim, steps, draws)
        counts = others + weight * meetings(part, len(counts))
    return mended


def _swap(groups: Ints, counts: Ints, apart: Bools, weight: int, aim: int, steps: int, draws: Draws) -> None:
    """Swaps bots between `groups`, in place, until the cost is `aim` or `steps` are over; `counts` is used up.

    Each step takes a bot from a table where two meet that meet most, tries it in every other place, and takes the best
    one, ties by lot. Steps sideways, and now and then one uphill, lead out of dead ends; the best groups seen are kept.
    """
    size = groups.shape[1]
    np.fill_diagonal(counts, 0)
    cost = int((counts * counts).sum()) - APART * APART * (int(apart.sum()) - len(counts))
    best_cost, best = cost, groups.copy()
    member = np.zeros(len(counts), np.int64)
    # With one bot left out of each table, a swap only exchanges tables.
    for _ in range(steps if len(groups) > 1 and len(counts) > size + 1 else 0):
        if best_cost <= aim:
            break
        met = counts[groups[:, :, None], groups[:, None, :]]
        load = met.sum(2)
        places = np.flatnonzero(met.max(2).ravel() == met.max()) if draws.below(8) else np.arange(load.size)
        table, seat = divmod(int(places[draws.below(len(places))]), size)
        bot = int(groups[table, seat])
        left = np.delete(groups[table], seat)
        member[left] = 1
        inside = member[groups]
        member[left] = 0
        beside = counts[bot][groups]
        # Half the change of cost for each swap of `bot`, in weights; whoever sits at both tables meets both as before.
        change = counts[left].sum(0)[groups] - load[table, seat] + beside.sum(1)[:, None] - beside - load
        change += 2 * weight * (size - 1 - (inside.sum(1)[:, None] - inside))
        change[(inside > 0) | (groups == bot).any(1)[:, None]] = APART * APART
        change[table] = APART * APART
        ties = np.flatnonzero(change.ravel() == change.min())
        other_table, other_seat = divmod(int(ties[draws.below(len(ties))]), size)
        step = int(change[other_table, other_seat])
        if step > 2 * weight or (step > 0 and draws.below(3)):
            continue
        other = int(groups[other_table, other_seat])
        joined = np.delete(groups[other_table], other_seat)
        for mover, old, new in ((bot, left, joined), (other, joined, left)):
            counts[mover, old] -= weight
            counts[old, mover] -= weight
            counts[mover, new] += weight
            counts[new, mover] += weight
        groups[table, seat], groups[other_table, other_seat] = other, bot
        cost += 4 * weight * step
        if cost < best_cost:
            best_cost, best[:] = cost, groups
    groups[:] = best
