"""Whether clocks are fair under load, and what the sandbox costs at a start.

    python tests/bench/clocks.py [load] [think] [start] [decide] [--json]

* **load**: 64 matches at once on each of four bots that answer at once, 100 ms for a decision, 20,000 decisions: how
  many timeouts there were (each would be a false one), and how much the harness was late;
* **think**: a bot that sleeps 50 ms over each choice, at 1, 8 and 64 matches at once: what it was charged, as a ratio
  to what it slept;
* **start**: a process from its start to its Hello at each level of the sandbox that works here, levels in turn; the
  median of the differences to `none` of the same turn, in time and in processor time, which suffers less from others;
* **decide**: what a decision takes at each of these levels, one match at a time, as a ratio to `none` of the same turn;
  `none again` is that ratio where nothing differs.
"""

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness import games
from harness.arena import Arena, Played
from harness.arena.server import Context, Server
from harness.faults import FaultKind
from harness.sandbox.cell import LEVELS, Cell, Sandbox
from harness.sandbox.levels import choose, try_level
from harness.sandbox.process import start_process
from tests.arena.tables import bot_in, sample_bot, table, tables, time_control

AT_ONCE = 64
DECISIONS = 20_000
DECISIONS_A_MATCH = 420
"""A little fewer than a match of Guillotine asks for."""
THINK_S = 0.05
STARTS = 40
TURNS = 16
SLEEPER = f"""
import time
from harness.bot import Action, Bot, View, run

class Sleeper(Bot):
    def choose(self, view: View) -> Action:
        time.sleep({THINK_S})
        return view.actions[0]

run(Sleeper)
"""

Row = dict[str, object]


async def load(sandbox: Sandbox) -> list[Row]:
    """Instant bots under a tight clock."""
    labels = ("a", "b", "c", "d")
    bots = [sample_bot("random", label, AT_ONCE, start_s=60.0) for label in labels]
    played: list[Played] = []
    matches = -(-DECISIONS // DECISIONS_A_MATCH) + AT_ONCE
    async with Arena(time_control=time_control(decision_s=0.1), sandbox=sandbox) as arena:
        report = await arena.play(bots, tables(matches, labels), played.append)
    faults = [at.fault for match in played for at in match.match.faults]
    return [
        {
            "what": "load",
            "decisions": sum(len(match.times) for match in played),
            "timeouts": sum(fault.kind is FaultKind.TIMEOUT for fault in faults),
            "other_faults": sum(fault.kind is not FaultKind.TIMEOUT for fault in faults),
            "lag_ms": round(report.lag_ns / 1e6),
        }
    ]


async def think(sandbox: Sandbox) -> list[Row]:
    """A bot that sleeps over each choice, at several numbers of matches at once."""
    rows: list[Row] = []
    game = games.game("zhiletka", {"hands_per_seat": 1})
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bot.py").write_text(SLEEPER)
        Path(folder).chmod(0o755)
        for at_once in (1, 8, 64):
            bots = [bot_in(folder, "sleeper", at_once), sample_bot("random", "other", at_once)]
            played: list[Played] = []
            specs = [table(number, ("sleeper", "other"), game) for number in range(1, max(16, 2 * at_once) + 1)]
            async with Arena(time_control=time_control(decision_s=5.0, bank_s=600.0), sandbox=sandbox) as arena:
                await arena.play(bots, specs, played.append)
            times = [t for match in played for t in match.times if match.table.seats[t.seat] == "sleeper"]
            charged_s = sum(t.spent_ns for t in times) / 1e9
            rows.append(
                {
                    "what": "think",
                    "at_once": at_once,
                    "decisions": len(times),
                    "charged_to_slept": round(charged_s / (len(times) * THINK_S), 3),
                    "timeouts": sum(len(match.match.faults) for match in played),
                    "owed_most": max(t.owed for t in times),
                }
            )
    return rows


async def start() -> list[Row]:
    """What a start costs at each level: one process at a time, every level in turn, each beside `none` of its turn."""
    boxes = _working()
    took: dict[str, list[_Cost]] = {level: [] for level in boxes}
    for turn in range(STARTS + 1):
        for level, sandbox in boxes.items():
            cost = await _one_start(sandbox)
            if turn:  # the first fills caches
                took[level].append(cost)
    return [
        {
            "what": "start",
            "level": level,
            "starts": len(costs),
            "to_hello_ms": round(median(cost.wall_ms for cost in costs), 1),
            "cpu_ms": round(median(cost.cpu_ms for cost in costs), 1),
            "more_than_none_ms": round(median(_more(costs, took["none"], "wall_ms")), 1),
            "more_cpu_ms": round(median(_more(costs, took["none"], "cpu_ms")), 1),
        }
        for level, costs in took.items()
    ]


class _Cost(NamedTuple):
    """Of one start, or of one decision."""

    wall_ms: float
    cpu_ms: float
    """Of this process, and of all that it started."""


def _more(costs: list[_Cost], plain: list[_Cost], what: str) -> list[float]:
    return [getattr(cost, what) - getattr(other, what) for cost, other in zip(costs, plain, strict=True)]


def _working() -> dict[str, Sandbox]:
    """The levels that this machine offers, from the least to the best."""
    return {level: try_level(level).sandbox for level in reversed(LEVELS) if not try_level(level).problem}


async def _one_start(sandbox: Sandbox) -> _Cost:
    """A process of the SDK, from before it is made to its Hello; its processor time until nothing of it is left."""
    said_hello = asyncio.get_running_loop().create_future()

    async def serve(context: Context) -> None:
        await context.read()
        said_hello.set_result(time.perf_counter())

    server = Server(sandbox=sandbox)
    await server.start()
    spec = sample_bot("random", "a")
    directory = Path(tempfile.mkdtemp(dir=server.directory))
    env = {
        "PATH": os.environ["PATH"],
        "CARDARENA_ADDRESS": server.unix_address,
        "CARDARENA_TOKEN": server.expect(serve),
    }
    began_s, began_cpu_s = time.perf_counter(), _cpu_s()
    cell = Cell(sandbox, directory, server.socket, spec.runtime)
    process = start_process(spec.argv, spec.cwd, env, spec.limits, cell)
    wall_s = await said_hello - began_s
    await process.exited.wait()  # by itself: nobody counts the time of what is killed in a name space
    await process.gone()
    cpu_s = _cpu_s() - began_cpu_s
    await server.stop()
    return _Cost(wall_s * 1000, cpu_s * 1000)


def _cpu_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


async def decide() -> list[Row]:
    """What a decision costs at each level, one match at a time: levels in turn, as ratios to `none` of the turn.

    `none` is played twice a turn, which shows how far the ratio of two that are alike goes. Every other turn goes
    backwards, so that no level always follows the same one.
    """
    boxes = _working()
    boxes["none again"] = boxes["none"]
    took: dict[str, list[_Cost]] = {level: [] for level in boxes}
    game = games.game("zhiletka")
    bots = [sample_bot("random", label, 1, start_s=60.0) for label in ("a", "b")]
    for turn in range(TURNS):
        for level, box in sorted(boxes.items(), reverse=turn % 2 == 1):
            played: list[Played] = []
            async with Arena(time_control=time_control(), sandbox=box) as arena:
                await arena.play(bots, [table(number, ("a", "b"), game) for number in range(1, 41)], played.append)
            times = [at for match in played for at in match.times]
            cpus = [at.cpu_ns for at in times if at.cpu_ns >= 0]
            took[level].append(_Cost(median(at.spent_ns for at in times) / 1e6, mean(cpus) / 1e6))
    return [
        {
            "what": "decide",
            "level": level,
            "turns": len(costs),
            "p50_ms": round(median(cost.wall_ms for cost in costs), 3),
            "cpu_ms": round(median(cost.cpu_ms for cost in costs), 3),
            "to_none": round(median(_ratios(costs, took["none"], "wall_ms")), 2),
            "cpu_to_none": round(median(_ratios(costs, took["none"], "cpu_ms")), 2),
        }
        for level, costs in took.items()
    ]


def _ratios(costs: list[_Cost], plain: list[_Cost], what: str) -> list[float]:
    return [getattr(cost, what) / getattr(other, what) for cost, other in zip(costs, plain, strict=True)]


def main() -> None:
    """Prints rows of what is asked for, else of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=[[], "load", "think", "start", "decide"])
    parser.add_argument("--json", action="store_true", help="a row a line")
    arguments = parser.parse_args()
    sandbox = choose()
    parts = {"load": lambda: load(sandbox), "think": lambda: think(sandbox), "start": start, "decide": decide}
    for what in arguments.what or parts:
        rows = asyncio.run(parts[what]())
        for row in rows:
            print(json.dumps(row) if arguments.json else "  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
