"""Results made up for tests."""

from collections.abc import Iterable, Sequence

import numpy as np

from ladder.results import Result

ONE, OTHER = 2, 5
"""Numbers of the bots that may gain by each other in `played_cup`."""


def result(match: str, ranking: str, *, block: str | None = None) -> Result:
    """A match from its ranking, best first, ties in brackets: "a(bc)d". Bots have one letter each."""
    bots: list[str] = []
    places: list[int] = []
    group = 0
    for letter in ranking:
        if letter == "(":
            group = len(bots) + 1
        elif letter == ")":
            group = 0
        else:
            bots.append(letter)
            places.append(group or len(bots))
    return Result(match, block, tuple(bots), tuple(places))


def series(*rankings: str, prefix: str = "m") -> list[Result]:
    """One match for each ranking."""
    return [result(f"{prefix}{number:04d}", ranking) for number, ranking in enumerate(rankings)]


def scored(match: str, block: str | None, bots: Sequence[str], scores: Iterable[float]) -> Result:
    """A match from its scores, high is good; they are its points too."""
    points = tuple(float(score) for score in scores)
    places = tuple(1 + sum(other > score for other in points) for score in points)
    return Result(match, block, tuple(bots), places, points)


def played_cup(
    *,
    bots: int = 8,
    seats: Sequence[int] = (4,),
    blocks: int = 60,
    rotations: int = 1,
    seed: int = 1,
    gains: tuple[float, float] = (0.0, 0.0),
) -> list[Result]:
    """A cup among bots of various strengths, table sizes in turn, `rotations` matches with the same luck a block.

    `gains`: what `ONE` and `OTHER` gain where both sit.
    """
    chance = np.random.default_rng(seed)
    skill = np.linspace(-1.0, 1.0, bots)
    results: list[Result] = []
    for block in range(blocks):
        size = seats[block % len(seats)]
        table = chance.permutation(bots)[:size]
        luck = chance.normal(size=size)
        for rotation in range(rotations):
            seated = np.roll(table, rotation)
            scores = skill[seated] + luck + chance.normal(size=size)
            if {ONE, OTHER} <= set(table.tolist()):
                scores += gains[0] * (seated == ONE) + gains[1] * (seated == OTHER)
            names = [f"bot{bot}" for bot in seated]
            results.append(scored(f"c/1/{len(results):06d}", f"{block:06d}", names, np.round(3 * scores)))
    return results
