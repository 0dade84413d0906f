"""How often the ladder's 95 % intervals hold the truth, in simulated cups.

    python tests/bench/coverage.py [--cups 300] [--only TEXT]

Strengths are drawn, balanced tables played, the cup rated, and intervals compared with the strengths that the pairwise
model has in that field (for Plackett-Luce the drawn ones; for Gaussian scores the fit to exact probabilities). Printed
for each design: coverage of ratings; of differences between neighbours in strength; of the weakest bot's rating, and
of that of the bot placed last (which luck helped to choose); of rank intervals; the share of provisional bots; the
median half width, and the forecast of `ladder.forecast`, which knows nothing of spread, ties and duplicates.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from ladder.columns import Floats
from ladder.draws import rank_intervals
from ladder.fit import ELO_PER_UNIT, Fit, fit, half_width
from ladder.forecast import forecast_half_width
from ladder.newton import maximise, with_centre
from ladder.pairs import pair_weight
from ladder.results import Result

Chance = np.random.Generator

_LUCK = 2.0  # SD of the luck of the deal in units of the bots' own noise, Gaussian scores


class Design(NamedTuple):
    """A kind of cup. `blocks` is by bot."""

    name: str
    bots: int
    seats: tuple[int, ...]
    blocks: int
    rotations: int = 1
    gaussian: bool = False
    spread_elo: float = 150.0
    house: int = 0  # gauntlet: everybody else at the table is one of so many house bots


DESIGNS = (
    Design("k=4, 30 blocks", 8, (4,), 30),
    Design("k=4, 10 blocks", 12, (4,), 10),
    Design("k=4, 15 blocks", 12, (4,), 15),
    Design("k=4, 20 blocks", 20, (4,), 20),
    Design("k=4, 100 blocks", 8, (4,), 100),
    Design("k=2, 100 blocks", 8, (2,), 100),
    Design("k=6, 60 blocks", 8, (6,), 60),
    Design("k=2-6, 40 blocks", 12, (2, 3, 4, 5, 6), 40),
    Design("k=4, 30 blocks, Gaussian", 8, (4,), 30, gaussian=True),
    Design("k=4, 15 x 4 rotations, Gaussian", 8, (4,), 15, rotations=4, gaussian=True),
    Design("k=4, 40 x 4 rotations, Gaussian", 8, (4,), 40, rotations=4, gaussian=True),
    Design("k=2-6, 30 x k rotations, Gaussian", 12, (2, 3, 4, 5, 6), 30, rotations=6, gaussian=True),
    Design("gauntlet k=4, 30 blocks", 9, (4,), 30, house=3),
    Design("wide field k=4, 40 blocks", 10, (4,), 40, spread_elo=400.0),
    Design("few: k=4, 3 blocks", 12, (4,), 3),
    Design("few: k=4, 5 blocks", 12, (4,), 5),
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
    if design.house:
        for _ in range(design.blocks):
            for bot in contestants:
                yield [bot, *chance.permutation(design.house)[: design.seats[0] - 1].tolist()]
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
                noise = (luck + chance.normal(size=size)) / np.sqrt(1 + _LUCK**2)
                scores = np.round(20 * (_gaussian_skill(strength)[seated] + noise))
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


def truth(design: Design, strength: Floats, results: Sequence[Result]) -> Floats:
    """Strengths to which the fit of ever more such cups tends, pool mean 0, Elo."""
    true = strength
    if design.gaussian:
        skill = _gaussian_skill(strength)
        ahead = ndtr((skill[:, None] - skill[None, :]) / np.sqrt(2))
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
    difference: Tally
    weakest: Tally
    last: Tally
    rank: Tally
    provisional: float  # share of bots
    half_width: float  # Elo, median


def measure(design: Design, cups: int, seed: int) -> Coverage:
    """Play and rate `cups` cups."""
    rating = difference = weakest = last = rank = Tally()
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
        weakest += Tally(held[rated.players.index(f"b{int(np.argmin(true)):03d}")], 1)
        last += Tally(held[int(np.argmin(rated.elo))], 1)
        halves.extend(half)
        difference += _differences_held(rated, true)
        rank += _ranks_held(rated, true)
        provisional.extend(rated.provisional)
    return Coverage(rating, difference, weakest, last, rank, float(np.mean(provisional)), float(np.median(halves)))


def show(design: Design, found: Coverage) -> str:
    """One line of the table."""
    size = float(np.mean(design.seats))
    matches = round(size) if design.rotations > 1 else 1
    plan = forecast_half_width(bots=design.bots, seats=size, blocks=design.blocks, matches_per_block=matches)
    forecast = f"{plan.rating:7.1f}" if plan else "      -"
    return (
        f"{design.name:36} {found.rating}  {found.difference}  {found.weakest}   {found.last}  {found.rank}"
        f"   {found.provisional:6.0%}   {found.half_width:7.1f}  {forecast}"
    )


def _ratings_held(rated: Fit, true: Floats) -> tuple[list[bool], list[float]]:
    held: list[bool] = []
    halves: list[float] = []
    for i, player in enumerate(rated.players):
        value = true[int(player[1:])]
        half = half_width(float(rated.se[i]), int(rated.blocks[i]))
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
    everybody = np.arange(len(rated.players))
    low, high = rank_intervals(rated.elo, rated.draw_covariance(everybody))
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
    print(f"{'design':36} rating differ weakest last   ranks  provis.   half width  forecast")
    for design in DESIGNS:
        if options.only in design.name:
            print(show(design, measure(design, options.cups, options.seed)), flush=True)


if __name__ == "__main__":
    main()
