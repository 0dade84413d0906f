"""How often `[stop] separated` ends a cup with its first places in a wrong order, looking after every heat.

    python tests/bench/stopping.py [--cups 200] [--only TEXT]

Strengths are given, tables are drawn block by block, and after every heat (`harness.schedule.schedule.growing_heats`)
the cup is rated and the first places are looked at. Printed for each design: how often the rule stopped; how often the
order it stopped with was wrong (bots of equal strength have no right order); how often a 95 % rule meant for one look
would have been wrong by then; the median number of blocks a bot had played; how often the 95 % interval of the leader
held its true rating in the cups that were stopped.
"""

import argparse
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from harness.schedule.schedule import growing_heats
from ladder.columns import Floats
from ladder.fit import ELO_PER_UNIT, Fit, fit
from ladder.settled import settled_places
from tests.bench.coverage import Design, play


class Cup(NamedTuple):
    """A kind of cup: true strengths in Elo, best first, and how many first places are to be settled."""

    name: str
    elo: tuple[float, ...]
    separated: int
    blocks: int = 400
    """At most, by bot."""
    rotations: int = 1


CUPS = (
    Cup("8 equal bots, 1 place", (0,) * 8, 1),
    Cup("8 equal bots, 3 places", (0,) * 8, 3),
    Cup("8 equal bots, rotations", (0,) * 8, 1, blocks=200, rotations=4),
    Cup("two leaders 200 ahead of 8", (200, 200, *(0,) * 8), 1),
    Cup("third and fourth equal, 3 places", (400, 200, 0, 0, -200, -200), 3),
    Cup("one leader 100 ahead of 7", (100, *(0,) * 7), 1, blocks=1000),
    Cup("one leader 200 ahead of 7", (200, *(0,) * 7), 1),
    Cup("3 leaders 150 apart", (450, 300, 150, *(0,) * 7), 3),
)


class Stopped(NamedTuple):
    """What the rule did in cups of one kind."""

    stopped: float
    wrong: float
    wrong_at_one_look: float
    blocks: float | None
    """Of a bot, median over the cups that stopped."""
    held: float | None
    """Of the stopped cups, in which the leader's interval held the truth."""


def measure(cup: Cup, cups: int, seed: int, look_blocks: int = 32) -> Stopped:
    """Plays `cups` cups."""
    ends = [run(cup, np.random.default_rng((seed, number)), look_blocks) for number in range(cups)]
    stops = [end.blocks for end in ends if end.blocks is not None]
    return Stopped(
        len(stops) / cups,
        sum(end.wrong for end in ends) / cups,
        sum(end.wrong_at_one_look for end in ends) / cups,
        float(np.median(stops)) if stops else None,
        float(np.mean([end.held for end in ends if end.blocks is not None])) if stops else None,
    )


class End(NamedTuple):
    """How one cup ended."""

    blocks: int | None
    wrong: bool
    wrong_at_one_look: bool
    held: bool


def run(cup: Cup, chance: np.random.Generator, look_blocks: int) -> End:
    """One cup, looked at after every heat until the rule stops it."""
    strength = np.array(cup.elo) / ELO_PER_UNIT
    design = Design("", len(cup.elo), (4,), cup.blocks, cup.rotations, gaussian=cup.rotations > 1)
    results = play(design, strength, chance)
    blocks = [list(block) for _, block in groupby(results, key=lambda result: result.block)]
    wrong_at_one_look = False
    for end in growing_heats(len(blocks), look_blocks):
        rated = fit([result for block in blocks[:end] for result in block])
        wrong_at_one_look |= _leads_alone(rated, cup.separated) and not _is_right(rated, strength, cup.separated)
        if settled_places(rated, rated.players, cup.separated) >= cup.separated:
            wrong = not _is_right(rated, strength, cup.separated)
            return End(int(np.median(rated.blocks)), wrong, wrong_at_one_look, _holds(rated, strength))
    return End(None, wrong=False, wrong_at_one_look=wrong_at_one_look, held=False)


def _holds(rated: Fit, strength: Floats) -> bool:
    leader = int(np.argmax(rated.elo))
    true = ELO_PER_UNIT * (strength[int(rated.players[leader][1:])] - strength.mean()) + float(rated.elo.mean())
    half = rated.half_width(leader)
    return half is not None and abs(float(rated.elo[leader]) - true) <= half


def _is_right(rated: Fit, strength: Floats, places: int) -> bool:
    order = [int(rated.players[index][1:]) for index in np.argsort(-rated.elo)]
    return all(strength[bot] > max(strength[order[place + 1 :]]) for place, bot in enumerate(order[:places]))


def _leads_alone(rated: Fit, places: int) -> bool:
    """Whether each of the first places is better than the next with 97.5 %, which is right for one look at one pair."""
    order = np.argsort(-rated.elo)
    better = rated.better(order)
    return bool(rated.blocks.min() >= 10 and all(better[place, place + 1] > 0.975 for place in range(places)))


def show(cups: Sequence[Cup], count: int, seed: int) -> None:
    """A line for each of `cups`."""
    print(f"{count} cups a kind, seed {seed}")
    print(f"{'cup':36} stopped  wrong  wrong at one look  blocks a bot   held")
    for cup in cups:
        found = measure(cup, count, seed)
        blocks = "-" if found.blocks is None else f"{found.blocks:.0f}"
        held = "-" if found.held is None else f"{found.held:.1%}"
        shares = f"{found.stopped:6.1%} {found.wrong:6.1%} {found.wrong_at_one_look:12.1%}"
        print(f"{cup.name:36} {shares} {blocks:>16} {held:>9}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cups", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cups whose name holds this text")
    options = parser.parse_args()
    show([cup for cup in CUPS if options.only in cup.name], options.cups, options.seed)


if __name__ == "__main__":
    main()
