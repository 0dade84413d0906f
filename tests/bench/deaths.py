"""What deaths cost at 1 match at once and at 64: a bot that kills itself once in 2,000 decisions.

    python -m tests.bench.deaths

Each kind of death is played at both, in memory, with the arena's own sessions, tables and inquests:

* `position`: of some positions, one in 2,000, always of the same ones;
* `count`: at every 2,000th decision that it is asked for, whatever it is about.

Prints the decisions, the deaths, the matches lost at 1 and at 64, and by how much they differ; exits with 1 over 10 %.
"""

import argparse
import json
import sys

from harness.bot import Bot
from tests.arena.test_attendance import Deadly, lost, mortal, play

AT_ONCE = (1, 64)


def deadly(one_in: int) -> type[Bot]:
    """A bot that dies of one position in so many."""
    return type("Deadly", (Deadly,), {"one_in": one_in})


def main() -> int:
    """Plays and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--one-in", type=int, default=2000)
    parser.add_argument("--matches", type=int, default=1280, help="a multiple of 64")
    arguments = parser.parse_args()
    is_well = True
    for kind, make in (("position", deadly), ("count", mortal)):
        lost_counts = {}
        for at_once in AT_ONCE:
            there = play(make(arguments.one_in), arguments.matches, at_once)
            decisions = sum(thought.seat == 0 for played in there.played for thought in played.times)
            lost_counts[at_once] = len(lost(there))
            deaths = there.start_counts["mine"] - 1
            figures = {"death": kind, "at_once": at_once, "decisions": decisions, "deaths": deaths}
            print(json.dumps({**figures, "lost": lost_counts[at_once]}), flush=True)
        difference = abs(lost_counts[64] - lost_counts[1]) / max(1, lost_counts[1])
        print(json.dumps({"death": kind, "difference_percent": round(100 * difference, 1)}), flush=True)
        is_well &= difference <= 0.1
    return int(not is_well)


if __name__ == "__main__":
    sys.exit(main())
