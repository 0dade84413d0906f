"""A cup that is killed again and again: nothing is lost, nothing is there twice, records and ladder are the same.

    python -m tests.bench.kills --kills 200
    python -m tests.bench.kills --kills 200 --in FOLDER --pause-after 200

Plays a cup undisturbed, and the same cup with `kill -9` at seeded random moments: some while it starts, the others some
matches after it has begun to play, each with all its bots looked for afterwards. Prints a line every ten kills and
what was compared at the end; exits with 1 where anything differs.

With `--in`, the cups stay in a folder and the same command goes on there: after `--pause-after` seconds it ends with 2,
which means that there is more to do.
"""

import argparse
import contextlib
import json
import math
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.store.ledger import Ledger
from tests.cli.command import environment, write_cup
from tests.cli.processes import all_gone, descendants, match_count, running

BOTS = '["sample:random", "sample:stateless", "sample:random"]'
POLL_S = 0.01
EARLY_SHARE = 0.2
"""Of the kills: while the run starts, before it has played anything."""
EARLY_S = 2.0
MOST_MATCHES = 6
"""Played by a run before it is killed, at most."""
PATIENCE_S = 240.0
MATCHES_PER_KILL = 25
"""Of the cup: more are played between two looks than are waited for."""
PAUSED = 2


class Kills:
    """One cup that is killed."""

    def __init__(self, cup: Path, seed: int) -> None:
        self.cup = cup
        self.seed = seed
        self.ledger = cup.parent / ".cardarena" / "arena.db"
        self.held: list[int] = []
        """Matches that the ledger held after each kill."""
        self.left_count = 0
        """Kills after which a process of the cup was alive for too long."""
        self._notes = cup.parent / "kills.json"
        if self._notes.is_file():
            self.held, self.left_count = json.loads(self._notes.read_text())

    def kill_once(self) -> bool:
        """Starts the run and kills it; False where it came to its end before."""
        chance = random.Random(f"{self.seed}-{len(self.held)}")
        with running(self.cup) as process:
            if chance.random() < EARLY_SHARE:
                self._wait(process, chance.uniform(0.0, EARLY_S))
            else:
                self._wait_for(process, (self.held[-1] if self.held else 0) + chance.randint(1, MOST_MATCHES))
                self._wait(process, chance.uniform(0.0, 0.05))
            if process.poll() is not None:
                return False
            bots = descendants(process.pid)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.held.append(match_count(self.ledger, "spring") if self.ledger.is_file() else 0)
        self.left_count += not all_gone(self.cup.parent, bots)
        self._notes.write_text(json.dumps([self.held, self.left_count]))
        return True

    def _wait_for(self, process: "subprocess.Popen[str]", count: int) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < deadline:
            if self.ledger.is_file() and match_count(self.ledger, "spring") >= count:
                return
            self._wait(process, POLL_S)

    @staticmethod
    def _wait(process: "subprocess.Popen[str]", seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)


def written(folder: Path, matches: int) -> Path:
    """The file of the cup in `folder`, the same whenever it is written."""
    cup = folder / "cup.toml"
    if not cup.is_file():
        folder.parent.mkdir(parents=True, exist_ok=True)
        write_cup(folder, bots=BOTS, matches=str(matches), seats="2")
        cup.write_text(cup.read_text() + "[rules]\nhands_per_seat = 2\n")
    return cup


def command(cup: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Runs the command to its end, however long that takes, from the folder of a cup."""
    return subprocess.run(
        [sys.executable, "-m", "harness.cli", *words],
        cwd=cup.parent,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def state(cup: Path) -> tuple[list[str], str, int]:
    """What a cup has come to: the records' digests and ids in order, its ladder, and how many seats were at fault."""
    with Ledger(cup.parent / ".cardarena" / "arena.db") as ledger:
        records = list(ledger.records("spring"))
    found = [f"{record.match} {record.digest()}" for record in records]
    ladder = command(cup, "ladder", "--json").stdout
    return found, ladder, sum(len(record.faults) for record in records)


def main() -> int:
    """Kills, compares, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=20260501)
    parser.add_argument("--matches", type=int, help="of the cup; absent: enough for the kills")
    parser.add_argument("--in", dest="folder", type=Path, help="where the cups stay, to go on there")
    parser.add_argument("--pause-after", type=float, default=math.inf, metavar="S")
    arguments = parser.parse_args()
    matches = arguments.matches or 20 + arguments.kills * MATCHES_PER_KILL
    began_s = time.monotonic()
    with contextlib.ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kills-")))
        cups = {name: written(folder / name, matches - matches % 2) for name in ("whole", "killed")}
        whole = command(cups["whole"], "run", "cup.toml", "--quiet")
        kills = Kills(cups["killed"], arguments.seed)
        while len(kills.held) < arguments.kills and kills.kill_once():
            if len(kills.held) % 10 == 0:
                print(f"{len(kills.held)} kills, {kills.held[-1]} matches held", file=sys.stderr, flush=True)
            if time.monotonic() - began_s > arguments.pause_after:
                return PAUSED
        last = command(cups["killed"], "run", "cup.toml", "--quiet")
        verified = command(cups["killed"], "verify")
        there, here = state(cups["whole"]), state(cups["killed"])
    outcome = {
        "kills": len(kills.held),
        "matches": len(here[0]),
        "codes": [whole.returncode, last.returncode, verified.returncode],
        "lost": len(set(there[0]) - set(here[0])),
        "more": len(here[0]) - len(there[0]),
        "twice": len(here[0]) - len(set(here[0])),
        "went_back": sum(later < earlier for earlier, later in zip(kills.held, kills.held[1:], strict=False)),
        "same_records": there[0] == here[0],
        "same_ladder": there[1] == here[1],
        "faults": here[2],
        "left_processes": kills.left_count,
    }
    print(json.dumps(outcome))
    bad = ("lost", "more", "twice", "went_back", "faults", "left_processes")
    return int(
        any(outcome[name] for name in bad)
        or not (outcome["same_records"] and outcome["same_ladder"])
        or outcome["codes"] != [0, 0, 0]
    )


if __name__ == "__main__":
    sys.exit(main())
