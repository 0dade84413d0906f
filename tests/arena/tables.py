"""Tables and bots for tests of the arena; as a script, N Guillotine matches of four random bots.

python -m tests.arena.tables --matches 200 --at-once 64
"""

import argparse
import asyncio
import json
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness import deals, games
from harness.arena import Arena, BotSpec, PhaseReport, Played, TableSpec
from harness.games.game import Game
from harness.match import TimeControl

ROOT = Path(__file__).parent.parent.parent
SECRET = bytes(range(32))
NS_PER_S = 1_000_000_000


def sample_bot(name: str, label: str, max_matches: int = 64, start_s: float = 20.0) -> BotSpec:
    """One of sample_bots/, which are Python programs called bot.py."""
    return bot_in(ROOT / "sample_bots" / name, label, max_matches, start_s)


def bot_in(folder: Path | str, label: str, max_matches: int = 64, start_s: float = 20.0) -> BotSpec:
    """The Python bot in `folder`."""
    env = {"PYTHONPATH": str(ROOT)}
    return BotSpec(label, (sys.executable, "bot.py"), Path(folder), env, max_matches=max_matches, start_s=start_s)


def table(number: int, seats: Sequence[str], game: Game) -> TableSpec:
    """Match `number`: its deals depend on nothing else."""
    block = f"{number:06d}"
    return TableSpec(
        match_id=f"test/1/{block}",
        game=game,
        seats=tuple(seats),
        first_dealer=deals.first_dealer(SECRET, block, len(seats)),
        deck=lambda deal_index: deals.deck(SECRET, block, deal_index, game.pack),
        bot_seeds=tuple(deals.bot_seed(SECRET, block, seat) for seat in range(len(seats))),
    )


def tables(count: int, labels: Sequence[str], game_name: str = "guillotine") -> Iterator[TableSpec]:
    """`count` matches of these bots, each seat turned by one from match to match."""
    game = games.game(game_name)
    for number in range(1, count + 1):
        turn = number % len(labels)
        yield table(number, [*labels[turn:], *labels[:turn]], game)


def time_control(decision_s: float = 5.0, bank_s: float = 20.0) -> TimeControl:
    """Thinking time as cup.toml writes it."""
    return TimeControl(round(bank_s * NS_PER_S), 50_000_000, round(decision_s * NS_PER_S))


async def play_random(
    match_count: int, at_once: int, jobs: int | None = None, *, announce: bool = False
) -> tuple[list[Played], PhaseReport, float]:
    """Matches of four random bots; returns the seconds from the first match to the last, too."""
    labels = ("random", "random#2", "random#3", "random#4")
    bots = [sample_bot("random", label, at_once) for label in labels]
    played: list[Played] = []
    async with Arena(time_control=time_control(), jobs=jobs) as arena:
        if announce:
            print(arena.unix_address, flush=True)
        report = await arena.play(bots, tables(match_count, labels), played.append)
    began_ns = min(match.started_unix_ns for match in played)
    ended_ns = max(match.started_unix_ns + match.wall_ns for match in played)
    return played, report, (ended_ns - began_ns) / NS_PER_S


def bots_cpu_s() -> float:
    """Processor time of all bots that have ended, and of their keepers."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Prints what a run of random bots costs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--announce", action="store_true", help="print the address first")
    parser.add_argument("--profile", help="file for cProfile's figures")
    arguments = parser.parse_args()
    profiler = None
    if arguments.profile:
        import cProfile

        profiler = cProfile.Profile(time.process_time)
        profiler.enable()
    before_s = time.process_time()
    played, report, wall_s = asyncio.run(
        play_random(arguments.matches, arguments.at_once, arguments.jobs, announce=arguments.announce)
    )
    cpu_s = time.process_time() - before_s
    if profiler is not None:
        profiler.disable()
        profiler.dump_stats(arguments.profile)
    decisions = sum(len(match.times) for match in played)
    print(
        json.dumps(
            {
                "matches": len(played),
                "decisions": decisions,
                "wall_s": round(wall_s, 2),
                "decisions_per_s": round(decisions / wall_s),
                "matches_per_s": round(len(played) / wall_s, 1),
                "harness_cpu_us_per_decision": round(cpu_s / decisions * 1e6, 1),
                "bots_cpu_us_per_decision": round(bots_cpu_s() / decisions * 1e6, 1),
                "owed_mean": round(sum(t.owed for match in played for t in match.times) / decisions, 1),
                "faults": sum(len(match.match.faults) for match in played),
                "lag_ms": report.lag_ns // 1_000_000,
                "starts": report.start_count,
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
        )
    )


if __name__ == "__main__":
    main()
