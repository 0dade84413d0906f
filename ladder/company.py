"""How much better a bot does where a certain other sits at its table: play into each other's hands, if there is any.

At a table of three or more, what X and Y do to each other is their own affair: styles differ. What counts is how they
fare against the *others* there. By how much X is stronger against these where Y sits than elsewhere is its *shift* in
the company of Y, in Elo; so is that of Y; and the *joint* shift is what they gain together. Who helps each other has a
joint shift; who gives itself up for another leaves that one a shift of its own. No pattern of play is assumed, as in
Mazrooei, Archibald, Bowling, "Automating collusion detection in sequential games" (AAAI 2013): to collude is to do
jointly better than strength explains.

* The shift is one more unknown in the fit, estimated by one Newton step from none (Rao's score test). So the ratings'
  own uncertainty is in its error, and that these two have pulled their own ratings up is undone.
* The error goes by how much their blocks scatter, moderated by those of all pairs, as in `ladder.sandwich`.
* Styles that suit each other shift as well. The scatter of all pairs tells how far that goes here: where it is wider
  than chance, all errors grow alike (Devlin, Roeder, "Genomic control for association studies", Biometrics 55, 1999).
* Many pairs are looked at, each for three shifts: chances are those of Holm, "A simple sequentially rejective multiple
  test procedure", Scand. J. Statist. 6, 1979. All is for one look at one ladder.

`docs/ladders.md` says what it means that a pair stands out, and what it does not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri, stdtr, stdtrit

from ladder.columns import Bools, Columns, Floats, Ints
from ladder.fit import ELO_PER_UNIT, FEW_BLOCKS, FEW_POINTS, FIELD_BLOCKS, Fit
from ladder.pairs import Tables, field_of, seat_pairs
from ladder.words import plural

WRONG = 0.05
"""Probability that any pair of a ladder stands out by chance, in one look."""
_LEAST_APART = 0.05  # of what is known of a pair must come from elsewhere, or together and apart cannot be told apart
_MEDIAN_SQUARE = float(ndtri(0.75)) ** 2  # of a standard normal
_ROWS_AT_ONCE = 1 << 16  # bounds memory, not the result's meaning
_CELLS_AT_ONCE = 1 << 21
_RAREST = 1e-6
_LEAST_SCATTER = 1e-6  # of what the model expects: where all matches end alike, the rest is rounding

Whose = Literal["joint", "one", "other"]
_WHOSE: tuple[Whose, ...] = ("joint", "one", "other")


class Shift(NamedTuple):
    """How much stronger against the others at the table, in Elo, with half of its 95 % interval."""

    elo: float
    half_width: float
    chance: float
    """Probability that some shift of some pair of this ladder comes out so high by chance alone (Holm)."""


class Pair(NamedTuple):
    """Two players, ascending by name, who sat together with others in `blocks` blocks."""

    one: str
    other: str
    blocks: int
    joint: Shift
    """Of both alike, in each other's company."""
    of_one: Shift
    """Of `one` where `other` sits."""
    of_other: Shift

    @property
    def most(self) -> tuple[Whose, Shift]:
        """The shift that chance explains least, and whose it is."""
        shifts = (self.joint, self.of_one, self.of_other)
        return min(zip(_WHOSE, shifts, strict=True), key=lambda found: (found[1].chance, -found[1].elo))


@dataclass(frozen=True, eq=False)
class Company:
    """All pairs that can be judged; arrays are by pair, ascending by the players' names, shifts joint, one, other."""

    players: tuple[str, ...]
    one: Ints  # index into `players`
    other: Ints
    blocks: Ints
    elo: Floats  # pair x 3
    half_width: Floats
    chance: Floats
    too_few: int
    """Pairs that met with others at the table, but too seldom, or hardly ever apart, to be judged."""

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All of them, those first that chance explains least."""
        order = np.lexsort((-self.elo.max(axis=1, initial=-np.inf), self.chance.min(axis=1, initial=1.0)))
        return tuple(map(self._pair, order.tolist()))

    @property
    def standing_out(self) -> tuple[Pair, ...]:
        """Those that did better in company than chance explains, the least likely first."""
        found = np.flatnonzero((self.chance <= WRONG).any(axis=1)).tolist()
        return tuple(sorted(map(self._pair, found), key=lambda pair: pair.most[1].chance))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What there is to say of those that stand out: what was seen, and no more."""
        return tuple(_sentence(pair, len(self.one)) for pair in self.standing_out)

    def _pair(self, number: int) -> Pair:
        shifts = (Shift(*map(float, numbers)) for numbers in self._numbers(number))
        return Pair(self.players[self.one[number]], self.players[self.other[number]], int(self.blocks[number]), *shifts)

    def _numbers(self, number: int) -> Iterator[tuple[Floats, ...]]:
        return zip(self.elo[number], self.half_width[number], self.chance[number], strict=True)


def shift_text(shift: Shift) -> str:
    """For people: `+142 ± 57`."""
    return f"{shift.elo:+.0f} ± {shift.half_width:.0f}"


def _sentence(pair: Pair, pair_count: int) -> str:
    whose, shift = pair.most
    size = f"by {shift.elo:.0f} ± {shift.half_width:.0f} Elo against the others there"
    one, other = (pair.other, pair.one) if whose == "other" else (pair.one, pair.other)
    seen = (
        f"{one} and {other} did better at one table than apart: each {size}"
        if whose == "joint"
        else f"{one} did better where {other} sat than elsewhere: {size}"
    )
    return f"{seen}. Among {plural(pair_count, 'pair')} chance does so {_rarely(shift.chance)}."


def _rarely(chance: float) -> str:
    """`once in 340 ladders`."""
    if chance < _RAREST:
        return f"in fewer than one of {1 / _RAREST:,.0f} ladders"
    return f"once in {float(f'{1 / chance:.2g}'):,.0f} ladders"


class _Sums(NamedTuple):
    """What the blocks of some pairs add up to. By pair; all but the number of blocks for joint, one, other."""

    blocks: Floats  # whole numbers
    score: Floats
    squares: Floats  # of the blocks' deviations from their mean
    information: Floats  # of the shifts, by the model, if all strengths were known
    apart: Floats  # what is left of it, as they are not
    rarer: Floats  # points of the rarer kind that the model expects


_NO_SUMS = _Sums(np.zeros(0), *(np.zeros((0, len(_WHOSE))) for _ in range(5)))


def measure_company(columns: Columns, fit: Fit) -> Company:
    """The company of every pair in `columns`, of which `fit` was made. Tables of two tell nothing."""
    field = field_of(columns, fit.without)
    count = len(field.players)
    meetings = [_meetings(table, count) for table in field.tables if table.player.shape[1] > 2]
    met = sum((np.bincount(each.pair, minlength=count * count) for each in meetings), np.zeros(count * count, np.int64))
    pairs = np.flatnonzero(met >= FEW_BLOCKS)
    strength, inverse = fit.elo / ELO_PER_UNIT, fit.model_covariance / ELO_PER_UNIT**2
    parts = [_sums(meetings, part, strength, inverse) for part in _parts(pairs, met, count)]
    sums = _Sums(*map(np.concatenate, zip(*parts, strict=True))) if parts else _NO_SUMS
    judged = _can_be_judged(sums)
    pairs, sums = pairs[judged], _Sums(*(values[judged] for values in sums))
    elo, half_width, chance = _shifts(sums)
    return Company(
        players=field.players,
        one=pairs // max(count, 1),
        other=pairs % max(count, 1),
        blocks=sums.blocks.astype(np.int64),
        elo=elo,
        half_width=half_width,
        chance=chance,
        too_few=int(np.count_nonzero(met)) - len(pairs),
    )


class _Meetings(NamedTuple):
    """Two players at one table, for all matches of one size, ascending by pair."""

    tables: Tables
    pair: NDArray[np.int32]  # number of the one times the count of players, plus that of the other
    match: NDArray[np.int32]
    seats: NDArray[np.int8]  # meeting x seat: that of the one, that of the other, the rest


def _meetings(tables: Tables, count: int) -> _Meetings:
    size = tables.player.shape[1]
    pairs, matches, seats = [], [], []
    for a, b in seat_pairs(tables):
        one, other = tables.player[:, a], tables.player[:, b]
        rest = [seat for seat in range(size) if seat not in (a, b)]
        for first, second in ((a, b), (b, a)):
            match = np.flatnonzero(tables.player[:, first] < tables.player[:, second]).astype(np.int32)
            pairs.append(np.minimum(one, other)[match] * np.int32(count) + np.maximum(one, other)[match])
            matches.append(match)
            seats.append(np.broadcast_to(np.array([first, second, *rest], np.int8), (len(match), size)))
    pair, match = np.concatenate(pairs), np.concatenate(matches)
    order = np.argsort(pair, kind="stable")
    return _Meetings(tables, pair[order], match[order], np.concatenate(seats)[order])


def _parts(pairs: Ints, counts: Ints, count: int) -> Iterator[Ints]:
    """`pairs`, as many at a time as memory is to hold."""
    rows = np.cumsum(counts[pairs])
    most = max(1, _CELLS_AT_ONCE // max(count, 1))
    low = 0
    while low < len(pairs):
        before = int(rows[low - 1]) if low else 0
        high = max(low + 1, min(low + most, int(np.searchsorted(rows, before + _ROWS_AT_ONCE))))
        yield pairs[low:high]
        low = high


def _sums(meetings: list[_Meetings], pairs: Ints, strength: Floats, inverse: Floats) -> _Sums:
    count = len(strength)
    # By pair, for the one and the other: how far their scores against the rest hang on the strength of whom.
    pull = np.zeros((2, len(pairs), count))
    rarer = np.zeros((2, len(pairs)))
    found = []
    for met in meetings:
        part = slice(*np.searchsorted(met.pair, (pairs[0], pairs[-1] + 1)))
        number = np.minimum(np.searchsorted(pairs, met.pair[part]), len(pairs) - 1)
        here = pairs[number] == met.pair[part]
        number, match, seats = number[here], met.match[part][here, None], met.seats[part][here]
        player, place = met.tables.player[match, seats], met.tables.place[match, seats]
        whom = player[:, 2:]
        # A bot that sits at the table twice is no third.
        counts = (whom != player[:, :1]) & (whom != player[:, 1:2])
        weight = np.where(counts, met.tables.weight, 0.0)
        score = np.zeros((2, len(number)))
        for side in (0, 1):
            ahead = expit(strength[player[:, side, None]] - strength[whom])
            won = (np.sign(place[:, 2:] - place[:, side, None]) + 1) / 2
            score[side] = (weight * (won - ahead)).sum(axis=1)
            curvature = weight * ahead * (1 - ahead)
            cells = (number[:, None] * count + whom).ravel()
            pull[side] -= np.bincount(cells, curvature.ravel(), len(pairs) * count).reshape(-1, count)
            rarer[side] += np.bincount(number, (counts * np.minimum(ahead, 1 - ahead)).sum(axis=1), len(pairs))
        found.append(_Scores(number, met.tables.block[match[:, 0]], score))
    own = -pull.sum(axis=2)
    rows = np.arange(len(pairs))
    pull[0][rows, pairs // count] += own[0]
    pull[1][rows, pairs % count] += own[1]
    worth = pull @ inverse
    known = np.einsum("spi,spi->sp", worth, pull)
    shared = 2 * np.einsum("pi,pi->p", worth[0], pull[1])
    information = _three(own, 0.0)
    blocks, score, squares = _by_block(
        _Scores(*(np.concatenate(part, axis=-1) for part in zip(*found, strict=True))), len(pairs)
    )
    return _Sums(blocks, score, squares, information, information - _three(known, shared), _three(rarer, 0.0))


class _Scores(NamedTuple):
    """By how much the two did better than their strengths say against the rest, by meeting."""

    number: Ints  # of the pair
    block: Ints
    score: Floats  # 2 x meeting: of the one, of the other


def _three(values: Floats, shared: Floats | float) -> Floats:
    """What holds for joint, one and other, by pair, of what holds for the one and the other."""
    return np.stack([values[0] + values[1] + shared, values[0], values[1]], axis=1)


def _by_block(scores: _Scores, pair_count: int) -> tuple[Floats, Floats, Floats]:
    """Blocks of each pair, their scores added up, and the squares of their deviations."""
    block_count = 1 + int(scores.block.max(initial=0))
    keys, slot = np.unique(scores.number * block_count + scores.block, return_inverse=True)
    number = keys // block_count
    one, other = (np.bincount(slot, score, len(keys)) for score in scores.score)
    of_block = np.stack([one + other, one, other], axis=1)
    blocks = np.bincount(number, minlength=pair_count).astype(np.float64)
    score = _added(number, of_block, pair_count)
    away = of_block - (score / np.maximum(blocks, 1)[:, None])[number]
    return blocks, score, _added(number, away**2, pair_count)


def _added(number: Ints, values: Floats, pair_count: int) -> Floats:
    return np.stack([np.bincount(number, column, pair_count) for column in values.T], axis=1)


def _can_be_judged(sums: _Sums) -> Bools:
    """Pairs with enough blocks, enough points on either side, and enough matches apart."""
    apart = (sums.apart > _LEAST_APART * sums.information).all(axis=1)
    judged: Bools = (sums.blocks >= FEW_BLOCKS) & (sums.rarer[:, 1:] >= FEW_POINTS).all(axis=1) & apart
    return judged


def _shifts(sums: _Sums) -> tuple[Floats, Floats, Floats]:
    """Shift, half width and chance, pair x 3."""
    if not len(sums.blocks):
        return sums.score, sums.score, sums.score
    blocks = sums.blocks[:, None]
    # How much blocks scatter, in what the model expects: of the pair's own, and of all pairs.
    own = sums.squares / sums.information * blocks / (blocks - 1)
    all_own = sums.squares.sum(axis=0) / (sums.information * (blocks - 1) / blocks).sum(axis=0)
    freedom = blocks - 1 + FIELD_BLOCKS
    factor = np.maximum(((blocks - 1) * own + FIELD_BLOCKS * all_own) / freedom, _LEAST_SCATTER)
    shift = sums.score / sums.apart
    se = np.sqrt(factor / sums.apart)
    se = se * np.sqrt(_widening(shift / se, freedom))
    chance: Floats = stdtr(freedom, -shift / se)
    half_width: Floats = stdtrit(freedom, 0.975) * se
    return ELO_PER_UNIT * shift, ELO_PER_UNIT * half_width, _holm(chance)


def _widening(t: Floats, freedom: Floats) -> Floats:
    """By how much the variances are wider than chance: as one for the joint shifts, as another for the single ones."""
    squares = ndtri(stdtr(freedom, -np.abs(t))) ** 2
    joint, single = np.median(squares[:, 0]), np.median(squares[:, 1:])
    return np.maximum(np.array([joint, single, single]) / _MEDIAN_SQUARE, 1.0)


def _holm(chance: Floats) -> Floats:
    """Chances, each of one test, as chances of any of them all."""
    order = np.argsort(chance, axis=None, kind="stable")
    left = np.arange(chance.size, 0, -1)
    adjusted = np.minimum(np.maximum.accumulate(chance.ravel()[order] * left), 1.0)
    found = np.empty(chance.size)
    found[order] = adjusted
    return found.reshape(chance.shape)
