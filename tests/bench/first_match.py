"""How soon the first match of a round of a million can start, with how much memory, and how often bots are started.

    python tests/bench/first_match.py [--matches 1000000] [--alive 40] [--json]

From the settings of a round to the bots and tables of its first wave: schedule, digest, first heat, what is expected of
the bots, decks and seeds. Bots are not started: that takes as long as they do. Each number of bots in a process of its
own; `starts_per_match` is of the first phase.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness import deals
from harness.arena.specs import TableSpec
from harness.conduct import Conduct
from harness.round import Budget, RoundPlan, block_name, waves
from harness.store.rows import Entry
from tests.bench.big_ledger import SECRET, cup_in

BOT_COUNTS = (20, 200, 500)


def plan_of(bots: int, matches: int, alive: int) -> RoundPlan:
    """The plan of a balanced round."""
    with tempfile.TemporaryDirectory() as folder:
        cup = cup_in(Path(folder), matches, bots)
    cup = cup.model_copy(update={"limits": cup.limits.model_copy(update={"bots_alive": alive})})
    entries = tuple(
        Entry(f"bot{number:03d}", f"bot{number:03d}", "1.0", "0" * 64, str(number)) for number in range(bots)
    )
    return RoundPlan(cup, 1, entries, Budget(matches=matches))


def measured(bots: int, matches: int, alive: int) -> dict[str, object]:
    """What one round takes."""
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin_s, begin_cpu_s = time.perf_counter(), time.process_time()
    plan = plan_of(bots, matches, alive)
    plan.schedule.digest()
    phase = next(plan.schedule.heats()).phases[0]
    conduct = Conduct()
    tables = [plan.schedule.table(number) for number in phase]
    for table in tables:
        conduct.expect(plan.match_id(table), plan.labels(table))
    wave = next(waves(tables, alive))
    specs = [
        TableSpec(
            plan.match_id(table),
            plan.game,
            plan.labels(table),
            deals.first_dealer(SECRET, block_name(table.block), len(table.seats)),
            plan.deck_of(table, SECRET),
            tuple(deals.bot_seed(SECRET, plan.match_id(table), seat) for seat in range(len(table.seats))),
        )
        for table in wave
    ]
    took_s, took_cpu_s = time.perf_counter() - begin_s, time.process_time() - begin_cpu_s
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seated = [{bot for table in wave for bot in table.seats} for wave in waves(tables, alive)]
    return {
        "bots": bots,
        "matches": plan.schedule.match_count,
        "first_wave_s": round(took_s, 2),
        "first_wave_cpu_s": round(took_cpu_s, 2),
        "first_wave_tables": len(specs),
        "peak_mb": round(peak_kib / 1024),
        "of_that_modules_mb": round(before_kib / 1024),
        "starts_per_match": round(sum(map(len, seated)) / len(tables), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--alive", type=int, default=40)
    parser.add_argument("--bots", type=int, help="measure this number alone, in this process")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.bots is not None:
        print(json.dumps(measured(options.bots, options.matches, options.alive)))
        return
    sizes = [f"--matches={options.matches}", f"--alive={options.alive}"]
    commands = [[sys.executable, __file__, *sizes, f"--bots={bots}"] for bots in BOT_COUNTS]
    found = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for command in commands]
    print(json.dumps(found) if options.json else "\n".join(map(str, found)))


if __name__ == "__main__":
    main()
