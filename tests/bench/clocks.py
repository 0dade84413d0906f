"""Whether clocks are fair under load, and what the sandbox costs at a start.

    python tests/bench/clocks.py [load] [think] [start] [--json]

* **load**: 64 matches at once on each of four bots that answer at once, 100 ms for a decision, 20,000 decisions: how
  many timeouts there were (each would be a false one), and how much the harness was late;
* **think**: a bot that sleeps 50 ms over each choice, at 1, 8 and 64 matches at once: what it was charged, as a ratio
  to what it slept;
* **start**: from the start of a process to its Hello at each level of the sandbox that works here, levels in turn; the
  difference to `none` in milliseconds, and the ratio.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness import games
from harness.arena import Arena, Played
from harness.faults import FaultKind
from harness.sandbox.cell import LEVELS, Sandbox
from harness.sandbox.levels import choose, try_level
from harness.sandbox.process import BotProcess
from tests.arena.tables import bot_in, sample_bot, table, tables, time_control

AT_ONCE = 64
DECISIONS = 20_000
DECISIONS_A_MATCH = 420
"""A little fewer than a match of Guillotine asks for."""
THINK_S = 0.05
STARTS = 12
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


class _Stopwatch:
    """From the start of a process to its first message."""

    def __init__(self) -> None:
        self.began_ns = 0
        self.took_ns = 0

    def started(self, label: str, process: BotProcess, now_ns: int) -> None:
        """Nothing to note: the time before the process was made counts, too."""

    def sent(self, label: str, message: bytes, now_ns: int) -> None:
        """Nothing to note."""

    def received(self, label: str, message: bytes, now_ns: int) -> None:
        """The first is Hello."""
        self.took_ns = self.took_ns or now_ns - self.began_ns


async def start() -> list[Row]:
    """What a start costs at each level."""
    working = [level for level in LEVELS if not try_level(level).problem]
    took_ms: dict[str, list[float]] = {level: [] for level in working}
    game = games.game("zhiletka", {"hands_per_seat": 1})
    for _ in range(STARTS):
        for level in working:
            watch = _Stopwatch()
            arena = Arena(time_control=time_control(), sandbox=try_level(level).sandbox, witness=watch)
            async with arena:
                watch.began_ns = time.monotonic_ns()
                bots = [sample_bot("random", "a"), sample_bot("random", "b")]
                await arena.play(bots, [table(1, ("a", "b"), game)], lambda match: None)
            took_ms[level].append(watch.took_ns / 1e6)
    plain_ms = median(took_ms["none"])
    return [
        {
            "what": "start",
            "level": level,
            "to_hello_ms": round(median(took), 1),
            "more_than_none_ms": round(median(b - a for a, b in zip(took_ms["none"], took, strict=True)), 1),
            "ratio": round(median(took) / plain_ms, 3),
        }
        for level, took in took_ms.items()
    ]


def main() -> None:
    """Prints rows of what is asked for, else of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=[[], "load", "think", "start"])
    parser.add_argument("--json", action="store_true", help="a row a line")
    arguments = parser.parse_args()
    sandbox = choose()
    for what in arguments.what or ("load", "think", "start"):
        rows = asyncio.run({"load": lambda: load(sandbox), "think": lambda: think(sandbox), "start": start}[what]())
        for row in rows:
            print(json.dumps(row) if arguments.json else "  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
