"""Whether a long cup goes on as quickly as it began, and how much memory its harness takes.

    python tests/bench/long_run.py [--bots 20] [--json]                  # plays a round robin, with `cardarena run`
    python tests/bench/long_run.py --bots 4 --matches 100000 [--json]    # as many matches, spread evenly
    python tests/bench/long_run.py --ledger FILE [--json]                # looks at a ledger that is there

A round robin of 20 bots has 4,845 groups: with every rotation of each, 19,380 matches. The rate of a tenth is that of
the tenth of the matches that ended after those before it, of the first from the start of the first match on: it has the
time in which ever more matches are under way, as the last has that in which they are ever fewer. A match ended `wall_s`
after it `started`, by its record. `started` is in whole seconds, so that tenths of less than a minute say little.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from math import comb
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness.store.ledger import Ledger

TENTHS = 10
SAMPLE_S = 0.5


def times_s(ledger: Path) -> list[float]:
    """When the first match of the ledger started, then when each ended, ascending, in seconds since the epoch."""
    with Ledger(ledger) as kept:
        metas = [json.loads(line)["meta"] for row in kept.cups() for line in kept.record_lines(row.cup)]
    starts = [datetime.fromisoformat(meta["started"]).timestamp() for meta in metas]
    ends = [start + meta["wall_s"] for start, meta in zip(starts, metas, strict=True)]
    return [min(starts), *sorted(ends)]


def rates(times: Sequence[float]) -> list[float]:
    """Matches a second in each tenth of the matches, given `times_s`."""
    edges = [round(tenth * (len(times) - 1) / TENTHS) for tenth in range(TENTHS + 1)]
    return [round((last - first) / (times[last] - times[first]), 1) for first, last in pairwise(edges)]


def play(home: Path, bots: int, matches: int | None) -> dict[str, object]:
    """Plays a round robin, or so many matches.

    Says how long it took, and how much memory the run and its worker held together as it went on.
    """
    cup = home / "cup.toml"
    named = json.dumps(["sample:random"] * bots)
    extent = 'format = "round-robin"\nduplicate = true' if matches is None else f"matches = {matches}"
    cup.write_text(f'[cup]\nname = "long"\ngame = "guillotine"\n{extent}\nbots = {named}\n')
    command = [sys.executable, "-m", "harness.cli", "run", str(cup), "--yes", "--quiet", "--home", str(home)]
    begin_s = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    held_mb = list(_held_mb(process))
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    tenth = max(1, len(held_mb) // TENTHS)
    return {
        "s": round(time.perf_counter() - begin_s, 1),
        "memory_mb_first_tenth": max(held_mb[:tenth]),
        "memory_mb_last_tenth": max(held_mb[-tenth:]),
        # The run has its own peak when it makes the standings, after its worker has ended.
        "peak_memory_mb": max(*held_mb, usage.ru_maxrss // 1024),
    }


def _held_mb(process: "subprocess.Popen[bytes]") -> Iterator[int]:
    """What the run and its worker hold together, now and then while there are both. The run is left for `wait4`."""
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        children = _read(process.pid, f"task/{process.pid}/children").split()
        workers = [pid for pid in map(int, children) if b"harness.workers" in _read(pid, "cmdline")]
        if workers:
            yield sum(map(_resident_mb, (process.pid, *workers)))
        time.sleep(SAMPLE_S)


def _resident_mb(pid: int) -> int:
    """0 for a process that has ended."""
    status = _read(pid, "status")
    return int(status.partition(b"VmRSS:")[2].split()[0]) // 1024 if b"VmRSS:" in status else 0


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:  # it has ended
        return b""


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=20)
    parser.add_argument("--matches", type=int, help="so many, in place of a round robin")
    parser.add_argument("--ledger", type=Path, metavar="FILE", help="the arena.db of a cup that was played")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        found: dict[str, object] = {}
        if options.ledger is None:
            found |= {"groups": comb(options.bots, 4)} | play(Path(folder), options.bots, options.matches)
        times = times_s(options.ledger or Path(folder) / "arena.db")
    tenths = rates(times)
    found |= {
        "matches": len(times) - 1,
        "matches_per_s_by_tenth": tenths,
        "last_tenth_of_first": round(tenths[-1] / tenths[0], 3),
    }
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:24} {value}")


if __name__ == "__main__":
    main()
