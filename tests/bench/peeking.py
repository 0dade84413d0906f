"""How often `compare` finds a difference where there is none, looking after every block.

    python tests/bench/peeking.py [--trials 2000] [--blocks 400]

Two bots of equal strength: `random` twice, on the same deals in the same seat among the house bots, with other seeds of
their own. Its margins are played once and drawn from again in each trial, with either sign, so that the truth is 0.
Printed for each game: how often the verdict was "shown" (at most 2.5 % are allowed) or any (5 %), and how often a lead
would have left a 95 % interval that is meant for one look.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness import games, local
from ladder.columns import Floats
from ladder.paired import BETTER, Tally
from tests.sample_bots.programs import bot_class

FIELD = ("sharp", "steady", "novice")


class Alarms(NamedTuple):
    """Shares of the trials."""

    shown: float
    either: float
    one_look: float


def margins(game: str, blocks: int) -> Floats:
    """Margins of a bot over another that plays as well, a block each."""
    found = []
    for block in range(blocks):
        seats = [bot_class(name) for name in FIELD]
        seats.insert(block % 4, bot_class("random"))
        one, other = (local.play(game, seats, seed=block, match_id=name) for name in ("one", "other"))
        found.append(one.points[block % 4] - other.points[block % 4])
    return np.array(found, dtype=float)


def alarms(pool: Floats, trials: int, blocks: int, seed: int = 1) -> Alarms:
    """Draws `trials` comparisons of so many blocks from `pool`, and looks after each block."""
    shown = either = one_look = 0
    for trial in range(trials):
        chance = np.random.default_rng((seed, trial))
        drawn = chance.choice(pool, blocks) * chance.choice([-1.0, 1.0], blocks)
        found = verdict(drawn)
        shown += found == "shown"
        either += found is not None
        counts = np.arange(1, blocks + 1)
        mean = np.cumsum(drawn) / counts
        deviation = np.sqrt(np.maximum(np.cumsum(drawn**2) / counts - mean**2, 1e-12))
        one_look += bool((mean > 1.96 * deviation / np.sqrt(counts))[9:].any())
    return Alarms(shown / trials, either / trials, one_look / trials)


def verdict(drawn: Sequence[float] | Floats) -> str | None:
    """The first verdict on these margins, looking after each."""
    tally = Tally()
    for margin in map(float, drawn):
        tally.add(margin, 0.5 if margin == 0 else 0.5 + math.copysign(0.5, margin))
        if (found := tally.verdict(BETTER)) is not None:
            return found
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--blocks", type=int, default=400)
    words = parser.parse_args()
    for game in games.GAME_NAMES:
        found = alarms(margins(game, 400), words.trials, words.blocks)
        print(f"{game}: shown {found.shown:.2%}, either way {found.either:.2%}; one look's rule {found.one_look:.2%}")


if __name__ == "__main__":
    main()
