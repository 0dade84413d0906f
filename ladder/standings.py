"""The ladder as people read it: ranks with their intervals, ratings, points, and one sentence that sums it up.

A number that the data cannot give is None and the row's `reason` says why; nothing is ever NaN.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from ladder.columns import Columns, Ints, gather
from ladder.draws import rank_intervals
from ladder.fit import FEW_BLOCKS, Bound, Fit
from ladder.luck import Luck, measure_luck
from ladder.points import PointsMean, mean_points
from ladder.results import WITHDRAWN, Result
from ladder.words import plural

_SETTLED = 0.025  # one-sided chance of a wrong order that a whole board may carry (Holm)
_NAMES_SHOWN = 6
NOTHING_PLAYED = "no match has been played yet"


class Entry(NamedTuple):
    """Who is behind a player of the results. Versions of a bot are players of their own."""

    player: str
    bot: str
    version: str | None = None
    team: str | None = None
    ranked: bool = True  # False: rated but never ranked, as house bots and withdrawn ones are
    listed: bool = True  # False: in the fit only, as replaced versions are
    reason: str | None = None  # why it is not ranked, not rated or not as the others


class Row(NamedTuple):
    """One line. `matches`, `blocks` and places count what the bot itself played and is rated by, faults are all of its.

    `absences`: seats that another played because the bot had been withdrawn. They are no faults.
    """

    player: str
    rank: int | None
    rank_low: int | None  # best rank of the 95 % interval
    rank_high: int | None
    bot: str
    version: str | None
    team: str | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    se: float | None
    matches: int
    blocks: int
    points_mean: float | None
    points_low: float | None
    points_high: float | None
    place_mean: float | None
    faults: int
    faults_by_kind: Mapping[str, int]
    rated: bool
    provisional: bool
    bound: Bound | None  # not None: perfect record; elo_low or elo_high is the limit that it proves
    reason: str | None
    absences: int = 0


class Ruling(NamedTuple):
    """What took a block of matches, or a player, out of the count."""

    kind: str
    round: int
    block: int | None  # None: it is about a player
    match: str | None  # the one in that block that it names
    bot: str | None
    reason: str


@dataclass(frozen=True)
class Standings:
    """Rows: the ranked ones in order, then the rated ones by Elo, then the rest by name. `los` in the same order."""

    cup: str | None
    game: str | None
    anchors: Mapping[str, float]  # by bot; empty: the pool's mean is fixed
    pool_mean: float | None
    matches: int
    connected: bool  # every rated player met every other, directly or through others
    sentence: str
    open_ranks: tuple[tuple[int, int], ...]  # ranges of ranks whose order is not settled
    los: tuple[tuple[float | None, ...], ...]  # probability that the row's bot is better than the column's
    rows: tuple[Row, ...]
    luck: Luck  # what duplicates are worth here
    rulings: tuple[Ruling, ...] = ()  # by which results were left out, by round and block
    season: str | None = None  # of the cup, where it has a name


class _Played(NamedTuple):
    """What a player's own seats add up to."""

    matches: int
    blocks: int
    place_mean: float | None
    faults_by_kind: Mapping[str, int]
    absences: int
    seats: int
    """All of them, also those that do not rate it."""
    points: PointsMean


_NOTHING = _Played(0, 0, None, {}, 0, 0, PointsMean(None, None, None, 0))


def standings(
    results: Iterable[Result] | Columns,
    fit: Fit,
    *,
    entries: Sequence[Entry] = (),
    cup: str | None = None,
    game: str | None = None,
    ranked_after: int = 0,
    points_per_match: int = 1,
    why_empty: str = NOTHING_PLAYED,
) -> Standings:
    """Standings of `results`, which are the ones that `fit` was made from.

    Args:
        entries: who the players are; players without one go by their own name. Entries that have not played get a
            row that says so.
        ranked_after: matches that a bot must have played to be ranked.
        points_per_match: points are divided by it; 24 deals give points a deal.
        why_empty: why there are no results, where there are none.
    """
    columns = results if isinstance(results, Columns) else gather(results)
    known = {entry.player: entry for entry in entries}
    if len(known) != len(entries):
        raise ValueError("two entries for one player")
    players = sorted({*columns.players, *known})
    played = dict(zip(columns.players, _played(columns, points_per_match), strict=True))
    no_match = "no match yet" if why_empty == NOTHING_PLAYED else "no match that counts yet"
    drafts = [
        _draft(known.get(player, Entry(player, player)), played.get(player, _NOTHING), fit, ranked_after, no_match)
        for player in players
        if player not in known or known[player].listed
    ]
    ranked = sorted((draft for draft in drafts if draft.rank is not None), key=_by_elo)
    rest = sorted((draft for draft in drafts if draft.rank is None), key=_by_elo)
    order = np.array([fit.index(row.player) for row in ranked], dtype=np.int64)
    ranked = _with_ranks(ranked, order, fit)
    rows = (*ranked, *rest)
    los = _los(rows, fit)
    open_ranks = _open_ranks(ranked, los)
    labels = _labels(rows)
    sentence = " ".join(
        [
            _leader(ranked, labels, los, columns, ranked_after, why_empty),
            *_openness(ranked, open_ranks),
            *_strangers(fit, known),
        ]
    )
    return Standings(
        cup=cup,
        game=game,
        anchors={known[name].bot if name in known else name: elo for name, elo in fit.anchors.items()},
        pool_mean=fit.pool_mean,
        matches=columns.match_count,
        connected=bool((fit.pool == 0).all()),
        sentence=sentence,
        open_ranks=open_ranks,
        los=los,
        rows=rows,
        luck=measure_luck(columns, fit),
    )


def _played(columns: Columns, points_per_match: int) -> list[_Played]:
    count = len(columns.players)
    rows = np.flatnonzero(columns.own)
    player = columns.player[rows].astype(np.int64)
    match = columns.match_of_row()[rows]
    seats = np.bincount(player, minlength=count)
    matches = _distinct(player, match, columns.match_count, count)
    blocks = _distinct(player, columns.block[match], columns.block_count, count)
    place_mean = np.bincount(player, columns.place[rows], count) / np.maximum(seats, 1)
    kinds = len(columns.fault_kinds)
    named = [(kind, name) for kind, name in enumerate(columns.fault_kinds) if name not in ("", WITHDRAWN)]
    away = columns.fault_kinds.index(WITHDRAWN) if WITHDRAWN in columns.fault_kinds else None
    faults = np.bincount(columns.player * kinds + columns.fault, minlength=count * kinds).reshape(count, kinds)
    return [
        _Played(
            int(matches[i]),
            int(blocks[i]),
            float(place_mean[i]) if seats[i] else None,
            {name: int(faults[i, kind]) for kind, name in named if faults[i, kind]},
            0 if away is None else int(faults[i, away]),
            int(faults[i].sum()),
            points,
        )
        for i, points in enumerate(mean_points(columns, per_match=points_per_match))
    ]


def _distinct(player: Ints, item: Ints, item_count: int, player_count: int) -> Ints:
    """How many different items each player has."""
    keys = np.sort(player * max(item_count, 1) + item)  # np.unique is several times slower
    return np.bincount(keys[np.diff(keys, prepend=-1) > 0] // max(item_count, 1), minlength=player_count)


def _draft(entry: Entry, played: _Played, fit: Fit, ranked_after: int, no_match: str) -> Row:
    """The row of one player, with rank 0 when it is to be ranked."""
    index = fit.index(entry.player)
    comparable = index is not None and fit.pool[index] == 0
    reasons = [entry.reason] if entry.reason else []
    elo = low = high = se = bound = None
    rank = None
    provisional = False
    if index is None or not comparable:
        reasons.append(_no_rating(entry, played, fit, no_match))
    else:
        elo, bound = float(fit.elo[index]), fit.bound[index]
        provisional = bool(fit.provisional[index])
        half = 0.0 if entry.player in fit.anchors else fit.half_width(index)
        if bound:
            limit = float(fit.limit[index])
            low, high = (limit, None) if bound == "at least" else (None, limit)
        elif half is not None:
            low, high, se = elo - half, elo + half, float(fit.se[index])
        reasons.extend(_caveats(entry.player, index, fit))
        if not entry.ranked:
            reasons = reasons or ["rated, not ranked"]
        elif played.matches < ranked_after:
            reasons.append(f"{played.matches} of the {ranked_after} matches that a rank asks for")
        else:
            rank = 0
    if played.absences and played.matches:
        reasons.append(f"the house played {plural(played.absences, 'match', 'matches')} in its place")
    return Row(
        player=entry.player,
        rank=rank,
        rank_low=None,
        rank_high=None,
        bot=entry.bot,
        version=entry.version,
        team=entry.team,
        elo=elo,
        elo_low=low,
        elo_high=high,
        se=se,
        matches=played.matches,
        blocks=played.blocks,
        points_mean=played.points.mean,
        points_low=played.points.low,
        points_high=played.points.high,
        place_mean=played.place_mean,
        faults=sum(played.faults_by_kind.values()),
        faults_by_kind=played.faults_by_kind,
        rated=entry.player not in fit.without,
        provisional=provisional,
        bound=bound,
        reason="; ".join(reasons) or None,
        absences=played.absences,
    )


def _no_rating(entry: Entry, played: _Played, fit: Fit, no_match: str) -> str:
    if entry.player in fit.without:
        return "not rated"
    if not played.matches and played.seats:
        house = f", the house played {played.absences}" if played.absences else ""
        return f"not enough data: none of its {plural(played.seats, 'match', 'matches')} rates it{house}"
    if not played.matches:
        return f"not enough data: {no_match}"
    if fit.index(entry.player) is None:
        return "not enough data: no rated opponent yet"
    return "not enough data: has not met the main pool, directly or through others"


def _caveats(player: str, index: int, fit: Fit) -> list[str]:
    """What a reader of the rating should know."""
    blocks = int(fit.blocks[index])
    if player in fit.anchors:
        return []
    if fit.bound[index]:
        record = "won every point" if fit.bound[index] == "at least" else "won no point"
        return [f"{record}: {fit.bound[index]} {fit.limit[index]:.0f} is all that shows"]
    if blocks < 2:
        return ["not enough data for an interval: one block"]
    if blocks < FEW_BLOCKS:
        return [f"provisional: {blocks} blocks"]
    if player not in fit.groups[0]:
        return ["provisional: no points both ways with the main group, so the prior holds the distance"]
    if fit.provisional[index]:
        return ["provisional: too few points on one side"]
    return []


def _by_elo(row: Row) -> tuple[bool, float, str]:
    return row.elo is None, 0.0 if row.elo is None else -round(row.elo, 6), row.player


def _with_ranks(rows: list[Row], order: Ints, fit: Fit) -> list[Row]:
    """`rows`, best first, with their ranks; equal ratings share the better rank, which its interval always holds."""
    lows, highs = rank_intervals(fit.elo[order], fit.covariance[np.ix_(order, order)])
    ranked: list[Row] = []
    for position, row in enumerate(rows):
        tied = bool(ranked) and _by_elo(ranked[-1])[1] == _by_elo(row)[1]
        rank = ranked[-1].rank if tied else position + 1
        assert rank is not None
        low, high = min(rank, int(lows[position])), max(rank, int(highs[position]))
        ranked.append(row._replace(rank=rank, rank_low=low, rank_high=high))
    return ranked


def _los(rows: Sequence[Row], fit: Fit) -> tuple[tuple[float | None, ...], ...]:
    rated = [row.player for row in rows if row.elo is not None]
    better = fit.better(np.array([fit.index(player) for player in rated], dtype=np.int64)).tolist()
    numbers = {player: number for number, player in enumerate(rated)}
    return tuple(
        tuple(
            better[numbers[row.player]][numbers[column.player]]
            if row.player in numbers and column.player in numbers
            else None
            for column in rows
        )
        for row in rows
    )


def _open_ranks(ranked: Sequence[Row], los: Sequence[Sequence[float | None]]) -> tuple[tuple[int, int], ...]:
    """Ranges of neighbours that are not all told apart, by Holm's procedure over the whole board."""
    doubts = sorted((1.0 - (los[i][i + 1] or 0.0), i) for i in range(len(ranked) - 1))
    settled: set[int] = set()
    for passed, (doubt, i) in enumerate(doubts):
        if doubt > _SETTLED / (len(doubts) - passed):
            break
        settled.add(i)
    ranges: list[tuple[int, int]] = []
    first = 0
    for i in range(len(ranked)):
        if i == len(ranked) - 1 or i in settled:
            if i > first:
                ranges.append((first + 1, i + 1))
            first = i + 1
    return tuple(ranges)


def _labels(rows: Sequence[Row]) -> Mapping[str, str]:
    """What the sentence calls each player: the bot's name, with the version where the name alone is not one row's."""
    ordered = sorted(rows, key=lambda row: row.bot)
    shared = {bot for bot, same in groupby(ordered, key=lambda row: row.bot) if len(list(same)) > 1}
    return {row.player: f"{row.bot} {row.version or row.player}" if row.bot in shared else row.bot for row in rows}


def _leader(
    ranked: Sequence[Row],
    labels: Mapping[str, str],
    los: Sequence[Sequence[float | None]],
    columns: Columns,
    ranked_after: int,
    why_empty: str,
) -> str:
    if not columns.match_count:
        return f"Not enough data: {why_empty}."
    if not ranked:
        return (
            f"Not enough data: nobody has the {ranked_after} matches that a rank asks for."
            if ranked_after > 1
            else "Not enough data: nobody to be ranked has met a rated opponent yet."
        )
    first = labels[ranked[0].player]
    if len(ranked) == 1:
        return f"{first} is the only ranked bot."
    together = [labels[row.player] for row in ranked if row.rank == 1]
    if len(together) > 1:
        return f"{_listing(together)} share the lead."
    return f"{first} leads and is better than {labels[ranked[1].player]} with a probability of {_percent(los[0][1])}."


def _percent(probability: float | None) -> str:
    assert probability is not None
    return "over 99.9 %" if probability > 0.999 else f"{100 * probability:.1f} %"


def _openness(ranked: Sequence[Row], open_ranks: Sequence[tuple[int, int]]) -> list[str]:
    if len(ranked) < 2:
        return []
    if not open_ranks:
        return ["All ranks are settled."]
    return [f"Still open: ranks {_listing([f'{low}-{high}' for low, high in open_ranks])}."]


def _strangers(fit: Fit, known: Mapping[str, Entry]) -> list[str]:
    names = [known[player].bot if player in known else player for player in _outside(fit)]
    if not names:
        return []
    return [f"Not connected with the others, so without numbers: {_listing(names)}."]


def _outside(fit: Fit) -> list[str]:
    return [player for player, pool in zip(fit.players, fit.pool, strict=True) if pool != 0]


def _listing(names: Sequence[str]) -> str:
    if len(names) > _NAMES_SHOWN:
        return f"{', '.join(names[:_NAMES_SHOWN])} and {len(names) - _NAMES_SHOWN} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
