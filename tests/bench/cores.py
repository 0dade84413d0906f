"""Speed of the games' cores: whole matches of random choices through the public interface, on one core.

    python tests/bench/cores.py [--runs 9] [--run-s 0.5] [--json]

Where OpenSpiel can be imported (the package `open_spiel`), its hearts, written in C++ and driven from
Python in the same way, runs beside the games: machines differ, the ratio much less. Times are those of the
processor. Runs alternate and medians are printed; a ratio is the median of the ratios within a round. An
action is anything that a seat does, a decision one with a choice of two or more. Shuffling is never timed.
"""

import argparse
import json
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from time import process_time_ns
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness.games import Game, game

HEARTS = "openspiel hearts"


class Run(NamedTuple):
    """What one run of one core did."""

    actions: int
    decisions: int
    whole_ns: int
    """With dealing."""
    play_ns: int
    """Without."""

    def per_s(self, count: int, *, dealing: bool) -> float:
        """`count` for each second."""
        return count * 1e9 / (self.whole_ns if dealing else self.play_ns)


def play_match(core: Game, seat_count: int, random: Random) -> Run:
    """One match."""
    chance = random.random
    actions = decisions = whole_ns = play_ns = 0
    state = core.start(seat_count, 0)
    while not state.actions and hasattr(state.pending, "cards"):
        deck = tuple(random.sample(core.pack, len(core.pack)))
        begun_ns = process_time_ns()
        state, _ = state.deal(deck)
        dealt_ns = process_time_ns()
        while choices := state.actions:
            actions += 1
            decisions += len(choices) > 1
            state, _ = state.act(choices[int(chance() * len(choices))])
        ended_ns = process_time_ns()
        whole_ns += ended_ns - begun_ns
        play_ns += ended_ns - dealt_ns
    return Run(actions, decisions, whole_ns, play_ns)


def play_hearts(hearts: Any, random: Random) -> Run:
    """One deal of OpenSpiel's hearts, whose deck is drawn card by card."""
    chance = random.random
    actions = decisions = 0
    begun_ns = process_time_ns()
    state = hearts.new_initial_state()
    dealing_ns = 0
    while not state.is_terminal():
        if state.is_chance_node():
            dealing_begun_ns = process_time_ns()
            while state.is_chance_node():
                choices = state.legal_actions()
                state.apply_action(choices[int(chance() * len(choices))])
            dealing_ns += process_time_ns() - dealing_begun_ns
        while not state.is_chance_node() and (choices := state.legal_actions()):
            actions += 1
            decisions += len(choices) > 1
            state.apply_action(choices[int(chance() * len(choices))])
    whole_ns = process_time_ns() - begun_ns
    return Run(actions, decisions, whole_ns, whole_ns - dealing_ns)


def run(play: Callable[[Random], Run], seed: int, run_s: float) -> Run:
    """Matches for about `run_s` seconds, as one."""
    random = Random(seed)
    played = []
    until_ns = process_time_ns() + int(run_s * 1e9)
    while process_time_ns() < until_ns:
        played.append(play(random))
    return Run(*map(sum, zip(*played, strict=True)))


def cores() -> dict[str, Callable[[Random], Run]]:
    """How to play one match, by the core's name."""
    guillotine, zhiletka = game("guillotine"), game("zhiletka")
    found: dict[str, Callable[[Random], Run]] = {
        "guillotine": lambda random: play_match(guillotine, 4, random),
        "zhiletka": lambda random: play_match(zhiletka, 4, random),
    }
    if find_spec("pyspiel"):
        hearts = import_module("pyspiel").load_game("hearts")
        found[HEARTS] = lambda random: play_hearts(hearts, random)
    return found


def measure(run_count: int, run_s: float) -> dict[str, dict[str, float]]:
    """Medians by core, of runs that alternate."""
    found = cores()
    runs: dict[str, list[Run]] = {name: [] for name in found}
    for seed in range(run_count):
        for name, play in found.items():
            runs[name].append(run(play, seed, run_s))
    return {name: _medians(each, runs.get(HEARTS)) for name, each in runs.items()}


def _medians(runs: list[Run], beside: list[Run] | None) -> dict[str, float]:
    figures = {
        "actions_per_s": median(each.per_s(each.actions, dealing=True) for each in runs),
        "decisions_per_s": median(each.per_s(each.decisions, dealing=True) for each in runs),
        "actions_per_s_dealing_aside": median(each.per_s(each.actions, dealing=False) for each in runs),
    }
    rounded: dict[str, float] = {name: round(value) for name, value in figures.items()}
    if beside:
        pairs = list(zip(runs, beside, strict=True))
        for dealing, name in ((True, "times_hearts"), (False, "times_hearts_dealing_aside")):
            ratios = [
                one.per_s(one.actions, dealing=dealing) / two.per_s(two.actions, dealing=dealing) for one, two in pairs
            ]
            rounded[name] = round(median(ratios), 3)
    return rounded


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9, help="runs of each core")
    parser.add_argument("--run-s", type=float, default=0.5, help="seconds a run, about")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    figures = measure(options.runs, options.run_s)
    if options.json:
        print(json.dumps(figures))
        return
    for name, each in figures.items():
        print(name, *(f"{figure}={value:,}" for figure, value in each.items()), sep="  ")


if __name__ == "__main__":
    main()
