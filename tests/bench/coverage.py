"""How often the ladder's 95 % intervals hold the truth, in simulated cups.

    python tests/bench/coverage.py [--cups 300] [--only TEXT]

Strengths are drawn, tables played, the cup rated, and intervals compared with the strengths that the pairwise
model has in that field (for Plackett-Luce the drawn ones; for Gaussian scores the fit to exact probabilities). Printed
for each design: coverage of ratings; of those not marked provisional; of differences between neighbours in strength; of
the rating of the weakest bot, and of the bots placed last and first (which luck helped to choose); of the noisy bots,
where there are such; of rank intervals; the share of provisional bots; the median half width, and the forecast of
`ladder.forecast`, which knows nothing of spread, ties and duplicates.

The standard error of a coverage of 95 % is 1.3 points for one bot a cup (weakest, last, first) in 300 cups, and about
0.4 for all twelve; `--cups 2000` makes that 0.5 and 0.15.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from ladder.columns import Floats
from ladder.draws import rank_intervals
from ladder.fit import ELO_PER_UNIT, Fit, fit
from ladder.forecast import forecast_half_width
from ladder.newton import maximise, with_centre
from ladder.pairs import pair_weight
from ladder.results import Result

Chance = np.random.Generator

_LUCK = 2.0  # SD of the luck of the deal in units of the bots' own noise, Gaussian scores


class Design(NamedTuple):
    """A kind of cup. `blocks` is by bot; 0: a round-robin, in which every group of each size meets once."""

    name: str
    bots: int
    seats: tuple[int, ...]
    blocks: int
    rotations: int = 1
    gaussian: bool = False
    spread_elo: float = 150.0
    house: int = 0  # gauntlet: everybody else at the table is one of so many house bots
    noisy: int = 0  # so many bots with three times the noise of the others, Gaussian scores


_ALL = (2, 3, 4, 5, 6)
DESIGNS = (
    *(Design(f"k=4, {blocks} blocks", 12, (4,), blocks) for blocks in (3, 5, 10, 15, 20, 30, 60)),
    *(Design(f"k=2-6, {blocks} blocks", 12, _ALL, blocks) for blocks in (10, 15, 20, 30, 60)),
    *(
        Design(f"k=4, {blocks} x 4 rotations", 12, (4,), blocks, rotations=4, gaussian=True)
        for blocks in (3, 5, 10, 15, 20, 30, 60)
    ),
    *(
        Design(f"k=2-6, {blocks} x k rotations", 12, _ALL, blocks, rotations=6, gaussian=True)
        for blocks in (10, 20, 30)
    ),
    Design("round-robin of 6, k=4 (10 blocks)", 6, (4,), 0),
    Design("round-robin of 7, k=4 (20 blocks)", 7, (4,), 0),
    Design("round-robin of 6, k=2-6 (31 blocks)", 6, _ALL, 0),
    Design("round-robin of 6, k=4, 10 x 4 rot.", 6, (4,), 0, rotations=4, gaussian=True),
    Design("round-robin of 7, k=4, 20 x 4 rot.", 7, (4,), 0, rotations=4, gaussian=True),
    *(Design(f"gauntlet k=4, {blocks} blocks", 12, (4,), blocks, house=3) for blocks in (10, 15, 20, 30, 60)),
    Design("gauntlet k=2-6, 10 blocks", 14, _ALL, 10, house=5),
    *(
        Design(f"gauntlet k=4, {blocks} x 4 rotations", 12, (4,), blocks, rotations=4, gaussian=True, house=3)
        for blocks in (10, 20, 30)
    ),
    Design("k=2, 10 blocks", 12, (2,), 10),
    Design("k=2, 100 blocks", 8, (2,), 100),
    Design("k=4, 100 blocks", 8, (4,), 100),
    Design("4 bots, k=4, 10 blocks", 4, (4,), 10),
    Design("k=4, 10 blocks, Gaussian", 12, (4,), 10, gaussian=True),
    Design("wide field k=4, 10 blocks", 12, (4,), 10, spread_elo=400.0),
    Design("wide field k=4, 40 blocks", 12, (4,), 40, spread_elo=400.0),
    Design("2 of 12 noisy, k=4, 10 blocks", 12, (4,), 10, gaussian=True, noisy=2),
    Design("2 of 12 noisy, k=4, 30 blocks", 12, (4,), 30, gaussian=True, noisy=2),
    Design("2 of 12 noisy, k=4, 10 x 4 rot.", 12, (4,), 10, rotations=4, gaussian=True, noisy=2),
    Design("2 of 12 noisy, k=4, 30 x 4 rot.", 12, (4,), 30, rotations=4, gaussian=True, noisy=2),
)


class Tally(NamedTuple):
    """Hits and trials."""

    hits: int = 0
    trials: int = 0

    def __add__(self, other: object) -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(self.hits + other.hits, self.trials + other.trials)

    def __str__(self) -> str:
        return f"{self.hits / self.trials:.3f}" if self.trials else "  -  "


def tables(design: Design, chance: Chance) -> Iterator[list[int]]:
    """Seats of each block: appearances differ by one at most, opponents are drawn."""
    contestants = range(design.house, design.bots)
    if not design.blocks:
        yield from (list(group) for size in design.seats for group in combinations(contestants, size))
        return
    if design.house:
        for block in range(design.blocks):
            for bot in contestants:
                size = design.seats[(block + bot) % len(design.seats)]
                yield [bot, *chance.permutation(design.house)[: size - 1].tolist()]
        return
    queue: list[int] = []
    needed = design.bots * design.blocks
    for block in range(10**9):
        size = design.seats[block % len(design.seats)]
        if needed < size:
            return
        table: list[int] = []
        while len(table) < size:
            if not any(bot not in table for bot in queue):
                queue.extend(chance.permutation(design.bots).tolist())
            index = next(i for i, bot in enumerate(queue) if bot not in table)
            table.append(queue.pop(index))
        needed -= size
        yield table


def play(design: Design, strength: Floats, chance: Chance) -> list[Result]:
    """One cup. Plackett-Luce finishing orders, or Gaussian scores with the luck of the deal shared by a block."""
    results: list[Result] = []
    for block, table in enumerate(tables(design, chance)):
        size = len(table)
        luck = chance.normal(size=size) * _LUCK
        for rotation in range(min(design.rotations, size)):
            seated = np.roll(table, rotation)
            if design.gaussian:
                noise = luck + chance.normal(size=size) * _own_noise(design)[seated]
                scores = np.round(20 * (_gaussian_skill(strength)[seated] + noise / np.sqrt(1 + _LUCK**2)))
            else:
                scores = strength[seated] + chance.gumbel(size=size)
            points = [float(score) for score in scores]
            places = tuple(1 + sum(other > score for other in points) for score in points)
            names = tuple(f"b{bot:03d}" for bot in seated)
            results.append(Result(f"{len(results):06d}", f"{block:06d}", names, places, tuple(points)))
    return results


def _gaussian_skill(strength: Floats) -> Floats:
    # The logistic curve is close to a normal one, 1.7 times as steep; two noises add up.
    skill: Floats = strength * np.sqrt(2) / 1.7
    return skill


def _own_noise(design: Design) -> Floats:
    """SD of each bot's own noise."""
    noise: Floats = np.where(np.arange(design.bots) < design.noisy, 3.0 * _LUCK, 1.0)
    return noise


def truth(design: Design, strength: Floats, results: Sequence[Result]) -> Floats:
    """Strengths to which the fit of ever more such cups tends, pool mean 0, Elo."""
    true = strength
    if design.gaussian:
        skill = _gaussian_skill(strength)
        variance = (_LUCK**2 + _own_noise(design) ** 2) / (1 + _LUCK**2)
        ahead = ndtr((skill[:, None] - skill[None, :]) / np.sqrt(variance[:, None] + variance[None, :]))
        games = np.zeros((design.bots, design.bots))
        for result in results:
            at = [int(bot[1:]) for bot in result.bots]
            games[np.ix_(at, at)] += pair_weight(len(at))
        np.fill_diagonal(games, 0.0)
        expected = with_centre(games * ahead, 1e-3)
        true = maximise(expected, np.zeros(design.bots + 1), np.arange(design.bots)).strength[:-1]
    elo: Floats = ELO_PER_UNIT * (true - true.mean())
    return elo


class Coverage(NamedTuple):
    """How often intervals held the truth in cups of one design."""

    rating: Tally
    unmarked: Tally
    difference: Tally
    weakest: Tally
    last: Tally
    first: Tally
    noisy: Tally
    rank: Tally
    provisional: float  # share of bots
    half_width: float  # Elo, median


def measure(design: Design, cups: int, seed: int) -> Coverage:
    """Play and rate `cups` cups."""
    rating = unmarked = difference = weakest = last = first = noisy = rank = Tally()
    provisional: list[bool] = []
    halves: list[float] = []
    for cup in range(cups):
        chance = np.random.default_rng((seed, cup))
        strength = chance.normal(size=design.bots) * design.spread_elo / ELO_PER_UNIT
        results = play(design, strength, chance)
        rated = fit(results, pool_mean=0)
        true = truth(design, strength, results)
        held, half = _ratings_held(rated, true)
        rating += Tally(sum(held), len(held))
        unmarked += Tally(sum(np.array(held)[~rated.provisional]), int((~rated.provisional).sum()))
        noisy += Tally(sum(held[: design.noisy]), design.noisy)
        first += Tally(held[int(np.argmax(rated.elo))], 1)
        weakest += Tally(held[rated.players.index(f"b{int(np.argmin(true)):03d}")], 1)
        last += Tally(held[int(np.argmin(rated.elo))], 1)
        halves.extend(half)
        difference += _differences_held(rated, true)
        rank += _ranks_held(rated, true)
        provisional.extend(rated.provisional)
    return Coverage(
        rating,
        unmarked,
        difference,
        weakest,
        last,
        first,
        noisy,
        rank,
        float(np.mean(provisional)),
        float(np.median(halves)),
    )


def show(design: Design, found: Coverage) -> str:
    """One line of the table."""
    size = float(np.mean(design.seats))
    matches = round(size) if design.rotations > 1 else 1
    blocks = design.blocks or sum(math.comb(design.bots - 1, size - 1) for size in design.seats)
    plan = forecast_half_width(bots=design.bots, seats=size, blocks=blocks, matches_per_block=matches)
    forecast = f"{plan.rating:7.1f}" if plan else "      -"
    return (
        f"{design.name:36} {found.rating}  {found.unmarked}   {found.difference}  {found.weakest}   {found.last}"
        f" {found.first}  {found.noisy}  {found.rank}"
        f"   {found.provisional:6.0%}   {found.half_width:7.1f}  {forecast}"
    )


def _ratings_held(rated: Fit, true: Floats) -> tuple[list[bool], list[float]]:
    held: list[bool] = []
    halves: list[float] = []
    for i, player in enumerate(rated.players):
        value = true[int(player[1:])]
        half = rated.half_width(i)
        if rated.bound[i]:
            at_least = rated.bound[i] == "at least"
            held.append(bool(value >= rated.limit[i] if at_least else value <= rated.limit[i]))
        else:
            held.append(half is None or bool(abs(rated.elo[i] - value) <= half))
            halves.append(half or 0.0)
    return held, halves


def _differences_held(rated: Fit, true: Floats) -> Tally:
    order = np.argsort(true)
    tally = Tally()
    for one, other in pairwise(order):
        lead = rated.difference(f"b{one:03d}", f"b{other:03d}")
        if lead and lead.low is not None and lead.high is not None:
            tally += Tally(int(lead.low <= true[one] - true[other] <= lead.high), 1)
    return tally


def _ranks_held(rated: Fit, true: Floats) -> Tally:
    low, high = rank_intervals(rated.elo, rated.covariance)
    at = true[[int(player[1:]) for player in rated.players]]
    rank = 1 + (at[None, :] > at[:, None]).sum(axis=1)
    return Tally(int(((low <= rank) & (rank <= high)).sum()), len(rank))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cups", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="designs whose name holds this text")
    options = parser.parse_args()
    print(f"{options.cups} cups a design, seed {options.seed}")
    print(f"{'design':36} rating unmarked differ weakest last  first  noisy  ranks  provis.   half width  forecast")
    for design in DESIGNS:
        if options.only in design.name:
            print(show(design, measure(design, options.cups, options.seed)), flush=True)


if __name__ == "__main__":
    main()
