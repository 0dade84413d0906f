"""Ratings on the Elo scale, with their uncertainty, from all results at once.

Every pair at a table is a small game: a point for who finished ahead, half a point each when tied. The fit takes all
of them together, so the order of matches plays no part. `docs/ratings.md` says what the numbers mean.
"""

import bisect
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import expit, log_expit, ndtr, ndtri, stdtrit

from ladder.columns import Bools, Columns, Floats, Ints, gather
from ladder.errors import LadderError
from ladder.newton import Optimum, grounded_inverse, maximise, with_centre
from ladder.pairs import Field, field_of
from ladder.results import Result
from ladder.sandwich import blocks_by_player, scatter

ELO_PER_UNIT = 400 / math.log(10)  # Elo in one natural unit of strength
POOL_MEAN_ELO = 1500.0
FEW_BLOCKS = 10
FEW_POINTS = 5
_LUCKY_BLOCKS = 20  # from here on a perfect record is hardly luck
FIELD_BLOCKS = 10  # what the scatter of the whole field counts, in blocks of a bot's own
_SMALLEST_PRIOR = 1e-3  # below it numbers drown in rounding; 0 itself is exact
_WIDEST_ANCHORS_ELO = 4000.0
_MOST_ANCHOR_ELO = 1e6  # no scale is so far from zero, and beyond it decimals drown
_ONE_SIDED = float(ndtri(0.95)) ** 2

Bound = Literal["at least", "at most"]


class Unconnected(LadderError):
    """Without a prior there are no finite ratings: some group never lost or tied a game against the rest.

    `groups` are the largest sets within which everybody is linked to everybody by points taken, the largest first.
    """

    def __init__(self, groups: tuple[tuple[str, ...], ...]) -> None:
        self.groups = groups
        shown = " | ".join(", ".join(group[:6]) + (", ..." if len(group) > 6 else "") for group in groups[:6])
        more = f" | and {len(groups) - 6} more" if len(groups) > 6 else ""
        super().__init__(
            f"not enough data: no finite ratings without a prior, because {len(groups)} groups are not linked by "
            f"points taken both ways: {shown}{more}; rate with a prior (1 is usual) or add matches between the groups"
        )


class Difference(NamedTuple):
    """How much better one player is than another. `low` and `high` are None when a player has one block only."""

    elo: float
    se: float
    low: float | None
    high: float | None
    better: float  # probability that it is more than nothing


@dataclass(frozen=True, eq=False)
class Fit:
    """Ratings of the players that have a rated pair, ascending by name; arrays are in the order of `players`.

    `pool` numbers the sets of players who met, directly or through others (anchors count as having met); 0 is the
    main one. Numbers of different pools cannot be compared: only the prior holds them at a distance.
    """

    players: tuple[str, ...]
    elo: Floats
    se: Floats
    blocks: Ints
    block_count: int
    points_won: Floats  # weighted points, half of them where tied
    points_lost: Floats
    freedom: Floats  # degrees of freedom of the errors: how many blocks they were measured from, less one
    provisional: Bools  # the data are too few, or too much on one side, for the error bar to be trusted
    bound: tuple[Bound | None, ...]  # not None: a perfect record; `limit` is all that is known
    limit: Floats  # Elo; 0 where there is no bound
    pool: Ints
    groups: tuple[tuple[str, ...], ...]  # linked by points taken both ways, the largest first
    covariance: Floats  # Elo squared, in the gauge of `se`: against the anchors, else the mean of each pool
    model_covariance: Floats  # the same from the likelihood's curvature
    anchors: Mapping[str, float]
    pool_mean: float | None  # of the main pool; None when anchors hold the scale
    prior: float
    without: frozenset[str]  # players whose seats were left out

    def index(self, player: str) -> int | None:
        """Position of `player` in the arrays; None when it has no rated pair."""
        position = bisect.bisect_left(self.players, player)
        return position if position < len(self.players) and self.players[position] == player else None

    def half_width(self, index: int) -> float | None:
        """Half of the 95 % interval of a rating; None where its player has one block only."""
        return float(_half_width(self.se, self.freedom)[index]) if self.blocks[index] >= 2 else None

    def difference_se(self, chosen: Ints) -> Floats:
        """Standard error of every difference between the players numbered `chosen`, in Elo."""
        covariance = self.covariance[np.ix_(chosen, chosen)]
        own = covariance.diagonal()
        return np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))

    def better(self, chosen: Ints) -> Floats:
        """Probability that the row's player is better than the column's, for the players numbered `chosen`."""
        lead = self.elo[chosen][:, None] - self.elo[chosen][None, :]
        se = self.difference_se(chosen)
        certain = se <= 0.0
        return np.where(certain, (np.sign(lead) + 1) / 2, ndtr(lead / np.where(certain, 1.0, se)))

    def difference(self, player: str, other: str) -> Difference | None:
        """Lead of `player` over `other` with its 95 % interval; None when one has no rating or they never met."""
        i, j = self.index(player), self.index(other)
        if i is None or j is None or self.pool[i] != self.pool[j]:
            return None
        both = np.array([i, j])
        elo, se = float(self.elo[i] - self.elo[j]), float(self.difference_se(both)[0, 1])
        enough = min(self.blocks[i], self.blocks[j]) >= 2
        half = float(_half_width(se, min(self.freedom[i], self.freedom[j]))) if enough else None
        better = float(self.better(both)[0, 1])
        return Difference(elo, se, None if half is None else elo - half, None if half is None else elo + half, better)


def half_width(se: float, blocks: int) -> float | None:
    """Half of the 95 % interval of an estimate from `blocks` blocks; None below two, which say nothing of scatter."""
    return float(_half_width(se, blocks - 1)) if blocks >= 2 else None


def _half_width(se: Floats | float, freedom: Floats | float) -> Floats:
    return np.asarray(stdtrit(freedom, 0.975) * se, dtype=np.float64)


def fit(
    results: Iterable[Result] | Columns,
    *,
    prior: float = 1.0,
    anchors: Mapping[str, float] | None = None,
    pool_mean: float = POOL_MEAN_ELO,
    without: Collection[str] = (),
) -> Fit:
    """Rate everybody in `results`.

    Args:
        prior: virtual tied games of each player with the pool's centre; 0 is plain maximum likelihood.
        anchors: fixed ratings in Elo. Those without a rated pair hold nothing and are passed over.
        pool_mean: mean rating of the (main) pool, when no anchor holds the scale.
        without: players whose seats are left out; the other pairs of their matches stay.

    Raises:
        Unconnected: `prior` is 0 and the maximum is not finite.
        LadderError: an anchor that is not in `results`, or anchors too far apart.
    """
    if not (prior == 0 or _SMALLEST_PRIOR <= prior < math.inf):
        raise ValueError(f"prior {prior}: 0, or from {_SMALLEST_PRIOR}")
    columns = results if isinstance(results, Columns) else gather(results)
    field = field_of(columns, without)
    fixed = _fixed(anchors or {}, columns, field)
    anchored = np.array([field.players.index(name) for name in fixed], dtype=np.int64)
    links = field.won > 0
    links[np.ix_(anchored, anchored)] = True
    groups = _components(links, strong=True)
    if prior == 0 and groups.max(initial=0) > 0:
        raise Unconnected(_named(groups, field.players))
    pool = _main_first(_components(links, strong=False), field, anchored)

    optimum, free = _solve(field, anchored, np.array(list(fixed.values())) / ELO_PER_UNIT, prior)
    elo = ELO_PER_UNIT * optimum.strength[: len(field.players)]
    if not fixed and len(elo):
        elo = elo - elo[pool == 0].mean() + pool_mean
    blocks, block_count = blocks_by_player(field)
    trust = _trust(field, blocks, block_count)
    errors = _errors(field, optimum, free, prior, trust, pool=None if fixed else pool)
    silent = trust.silent | (groups > 0) | errors.irreplaceable
    silent[anchored] = False
    lacking = np.maximum((errors.model - errors.found).diagonal(), 0.0)
    covariance = errors.found + np.diag(np.where(silent, lacking, 0.0))
    se = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    reach = np.where((blocks >= 2) & (blocks < _LUCKY_BLOCKS), _half_width(se, trust.freedom), 0.0)
    bound, limit = _bounds(field, elo, anchored, reach)
    return Fit(
        players=field.players,
        elo=elo,
        se=se,
        blocks=blocks,
        block_count=block_count,
        points_won=field.won.sum(axis=1),
        points_lost=field.won.sum(axis=0),
        freedom=trust.freedom,
        provisional=silent | (trust.one_sided & ~np.isin(np.arange(len(elo)), anchored)),
        bound=bound,
        limit=limit,
        pool=pool,
        groups=_named(groups, field.players),
        covariance=covariance,
        model_covariance=errors.model,
        anchors=fixed,
        pool_mean=None if fixed else pool_mean,
        prior=prior,
        without=frozenset(without),
    )


def _solve(field: Field, anchored: Ints, anchors: Floats, prior: float) -> tuple[Optimum, Ints]:
    """The most likely strengths, and who was free to move: somebody must hold the scale.

    Those are the anchors, else the pool's centre, else (without a prior) the player with the most games.
    """
    count = len(field.players)
    won = with_centre(field.won, prior) if prior else field.won
    start = np.full(len(won), anchors.mean() if len(anchors) else 0.0)
    start[anchored] = anchors
    games = field.won.sum(axis=0) + field.won.sum(axis=1)
    held = anchored if len(anchored) else np.array([count if prior else np.argmax(games)] if count else [], dtype=int)
    free = np.setdiff1d(np.arange(len(won)), held) if count else np.zeros(0, dtype=np.int64)
    return maximise(won, start, free), free


class _Errors(NamedTuple):
    """Covariances in Elo squared, in the gauge in which ratings are shown."""

    found: Floats
    model: Floats
    irreplaceable: bool  # some block cannot be left out, so what was found is not to be trusted


def _errors(field: Field, optimum: Optimum, free: Ints, prior: float, trust: "_Trust", *, pool: Ints | None) -> _Errors:
    """What the data show and what the model expects. `pool`: measure against each pool's mean; None: as anchored."""
    count = len(field.players)
    gauge = np.eye(count)
    if pool is not None:
        # Before the sandwich, not after: the centre is often so uncertain that it would drown the differences.
        same = pool[:, None] == pool[None, :]
        gauge -= same / same.sum(axis=1)
    curvature = optimum.hessian
    model = gauge @ grounded_inverse(curvature, free)[:count, :count] @ gauge
    bread = grounded_inverse(_softened(curvature, optimum.strength, trust.lone, prior), free)
    pull = gauge @ _pull(optimum.strength, bread, prior)[:count]
    inverse = gauge @ bread[:count, :count] @ gauge
    found = scatter(field, optimum.strength[:count], inverse, trust.own, prior=prior)
    covariance = inverse @ found.meat @ inverse
    covariance = (covariance + covariance.T) / 2 + np.outer(pull, pull)
    return _Errors(ELO_PER_UNIT**2 * covariance, ELO_PER_UNIT**2 * model, found.irreplaceable)


def _fixed(anchors: Mapping[str, float], columns: Columns, field: Field) -> dict[str, float]:
    """Anchors that can hold the scale, in the order of the players."""
    for name, value in sorted(anchors.items()):
        if name not in columns.players:
            raise LadderError(f"anchor {name} is in no result; anchors are bots that play")
        if not abs(value) <= _MOST_ANCHOR_ELO:
            raise LadderError(f"anchor {name}: {value} is no rating; give a number such as 1500")
    fixed = {name: float(anchors[name]) for name in field.players if name in anchors}
    if fixed and max(fixed.values()) - min(fixed.values()) > _WIDEST_ANCHORS_ELO:
        raise LadderError(f"anchors lie over {_WIDEST_ANCHORS_ELO:.0f} Elo apart; results cannot bridge that")
    return fixed


def _components(links: Bools, *, strong: bool) -> Ints:
    """Component of each player, the largest numbered 0; equal ones by their first player.

    In a strong one a way of links leads from everybody to everybody; in a weak one against links as well.
    """
    if not len(links):
        return np.zeros(0, dtype=np.int64)
    # Squared until it grows no more. Not scipy.sparse: loading it takes longer than all that a short cup needs.
    near = links if strong else links | links.T
    reach = (near | np.eye(len(links), dtype=np.bool_)).astype(np.float32)
    while (further := np.minimum(reach @ reach, 1)).sum() > reach.sum():
        reach = further
    mutual = (reach > 0) & (reach.T > 0)
    first = np.argmax(mutual, axis=1)  # the first player of the component of each
    sizes = mutual.sum(axis=1)
    firsts = np.unique(first)
    order = firsts[np.lexsort((firsts, -sizes[firsts]))]
    number_of: Ints = np.empty(len(links), dtype=np.int64)
    number_of[order] = np.arange(len(order))
    numbers: Ints = number_of[first]
    return numbers


def _named(component: Ints, players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    numbers = range(int(component.max(initial=-1)) + 1)
    return tuple(tuple(players[i] for i in np.flatnonzero(component == number)) for number in numbers)


def _main_first(pool: Ints, field: Field, anchored: Ints) -> Ints:
    """`pool` renumbered so that 0 holds the anchors, else the most games."""
    if not len(pool):
        return pool
    games = np.bincount(pool, weights=field.won.sum(axis=1))
    main = int(pool[anchored[0]]) if len(anchored) else int(np.argmax(games.round(6)))
    swapped = np.where(pool == 0, main, pool)
    return np.where(pool == main, 0, swapped)


def _softened(curvature: Floats, strength: Floats, lone: Bools, prior: float) -> Floats:
    """The Hessian, but with the prior's chord in place of its tangent for players with one block.

    Without that block such a player falls to the centre. Near a perfect record the tangent is almost flat, and the
    one Newton step of the sandwich would overshoot the centre by thousands of Elo, to the harm of everybody whose
    rating is measured against the pool's mean; the chord lands on it.
    """
    if not prior:
        return curvature
    centre = len(strength) - 1
    away = strength[:centre] - strength[centre]
    near = np.abs(away) < 1e-6
    chord = np.where(near, 0.25, np.tanh(away / 2) / (2 * np.where(near, 1.0, away)))
    extra = np.where(lone, prior * (chord - expit(away) * expit(-away)), 0.0)
    softened = curvature.copy()
    at = np.arange(centre)
    softened[at, at] += extra
    softened[at, centre] -= extra
    softened[centre, at] -= extra
    softened[centre, centre] += extra.sum()
    return softened


def _pull(strength: Floats, bread: Floats, prior: float) -> Floats:
    """How far the prior holds everybody from where the results alone would put them, to first order.

    It is a bias of known size and enters the error bars as such: without it they are too narrow at both ends of a
    wide field (`tests/bench/coverage.py`). Where results are plenty it vanishes, and without a prior it is zero.
    """
    if not prior:
        return np.zeros_like(strength)
    slope = prior * (expit(strength - strength[-1]) - 0.5)
    slope[-1] = -slope[:-1].sum()
    pull: Floats = bread @ slope
    return pull


class _Trust(NamedTuple):
    """How far the blocks of each player can say how much its results scatter."""

    own: Floats  # share of its own blocks in the answer; the rest is the field's
    freedom: Floats
    lone: Bools  # one block
    one_sided: Bools  # nearly all points on one side
    silent: Bools  # so little to go by that the error must not be below the model's


def _trust(field: Field, blocks: Ints, block_count: int) -> _Trust:
    won, lost = field.won.sum(axis=1), field.won.sum(axis=0)
    decided = np.zeros(len(field.players))
    for table in field.tables:
        for seat in range(table.player.shape[1]):
            unequal = (table.place != table.place[:, [seat]]).sum(axis=1)
            decided += np.bincount(table.player[:, seat], table.weight * unequal, len(decided))
    rarer = np.minimum(won, lost)
    # What is the same blocks again tells nothing new: two bots that only met each other are the whole field.
    of_field = np.minimum(FIELD_BLOCKS, block_count - blocks)
    freedom = np.maximum(blocks - 1 + of_field, 1)
    return _Trust(
        own=(freedom - of_field) / freedom,
        freedom=freedom,
        lone=blocks == 1,
        one_sided=rarer < FEW_POINTS,
        silent=(blocks < FEW_BLOCKS) | (rarer == 0) | (decided < FEW_POINTS),
    )


def _bounds(field: Field, elo: Floats, anchored: Ints, reach: Floats) -> tuple[tuple[Bound | None, ...], Floats]:
    """What a perfect record proves: the rating at which it would be a one-sided 5 % surprise.

    A few lucky blocks choose who is perfect, and the limit does not know it: it goes back to `reach` below the rating
    at least (above, for one who won nothing).
    """
    bounds: list[Bound | None] = []
    limit = np.zeros(len(elo))
    for number in range(len(elo)):
        won, lost = field.won[number], field.won[:, number]
        bound: Bound | None = None
        if number not in anchored:
            bound = "at least" if not lost.any() else "at most" if not won.any() else None
        bounds.append(bound)
        if bound:
            sign = 1.0 if bound == "at least" else -1.0
            games = won + lost
            proven = _surprising(games[games > 0], sign * elo[games > 0])
            limit[number] = sign * (min(proven, sign * elo[number] - reach[number]) if reach[number] else proven)
    return tuple(bounds), limit


def _surprising(games: Floats, opponents: Floats) -> float:
    """Elo at which winning all of `games` has twice the log-likelihood loss of `_ONE_SIDED`, by bisection."""
    low, high = float(opponents.min()) - 1e5, float(opponents.max()) + 1e5
    for _ in range(100):
        middle = (low + high) / 2
        loss = -2 * float(games @ log_expit((middle - opponents) / ELO_PER_UNIT))
        low, high = (middle, high) if loss > _ONE_SIDED else (low, middle)
    return (low + high) / 2
