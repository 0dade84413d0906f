"""A run in a process of its own that a test may kill, and the processes that it leaves."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from harness.store.ledger import Ledger, NotInLedger
from tests.cli.command import environment

POLL_S = 0.01
PATIENCE_S = 90
WORKER = b"harness.workers.worker"


@contextmanager
def running(cup: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`cardarena run` of a cup file, from its folder."""
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli", "run", cup.name, *options],
        cwd=cup.parent,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_matches(process: subprocess.Popen[str], ledger: Path, cup: str, count: int) -> int:
    """Waits until round 1 of `cup` holds `count` matches; how many it holds then. The run must not end before."""
    for _ in range(round(PATIENCE_S / POLL_S)):
        if ledger.is_file() and (found := match_count(ledger, cup)) >= count:
            return found
        assert not ends(process), f"the run ended before match {count}: {process.communicate()[1]}"
    raise AssertionError(f"no match {count} within {PATIENCE_S} s")


def wait_for_bots(process: subprocess.Popen[str]) -> "set[Process]":
    """Waits until `process` has started others; all of them. It must not end before."""
    for _ in range(round(PATIENCE_S / POLL_S)):
        if bots := descendants(process.pid):
            return bots
        assert not ends(process), f"it ended before it started any bot: {process.communicate()[1]}"
    raise AssertionError(f"no bot within {PATIENCE_S} s")


def hold_ctrl_c(process: subprocess.Popen[str]) -> None:
    """Has the group of `process` hear Ctrl-C again and again until it has ended."""
    for _ in range(round(PATIENCE_S / POLL_S)):
        os.killpg(process.pid, signal.SIGINT)
        if ends(process):
            return
    raise AssertionError(f"it goes on for {PATIENCE_S} s")


def ends(process: subprocess.Popen[str]) -> bool:
    """Whether `process` has ended, POLL_S from now at the latest."""
    try:
        process.wait(POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def match_count(ledger: Path, cup: str) -> int:
    """Matches that the first round of a cup holds; none where it has not begun."""
    with Ledger(ledger) as opened:
        try:
            return opened.match_count(cup, 1)
        except NotInLedger:
            return 0


def processes_below(folder: Path) -> list[str]:
    """Command lines of the processes that work in `folder` or name it."""
    found = []
    for pid in os.listdir("/proc"):
        if pid.isdecimal() and int(pid) != os.getpid():
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                place = os.readlink(f"/proc/{pid}/cwd")
            except OSError:  # it has just ended
                continue
            if f"{folder}/" in command or f"{place}/".startswith(f"{folder}/"):
                found.append(f"{pid} {command}")
    return found


class Process(NamedTuple):
    """A process, told from a later one with the same number by when it started."""

    pid: int
    started: str


def descendants(of_pid: int) -> set[Process]:
    """Processes whose chain of parents leads to `of_pid`, wherever they hide from everybody else."""
    parents: dict[Process, int] = {}
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        stat = _stat(int(pid))
        if stat is not None:
            parents[Process(int(pid), stat[19])] = int(stat[1])
    found: set[Process] = set()
    generation = {of_pid}
    while generation:
        children = {process for process, parent in parents.items() if parent in generation}
        found |= children
        generation = {process.pid for process in children}
    return found


def alive(processes: set[Process]) -> set[Process]:
    """Those of `processes` that still run."""
    stats = {process: _stat(process.pid) for process in processes}
    return {
        process
        for process, stat in stats.items()
        if stat is not None and stat[19] == process.started and stat[0] not in "ZX"
    }


def workers(of_pid: int) -> list[int]:
    """Process ids of the workers of a run."""
    return sorted(child.pid for child in descendants(of_pid) if WORKER in _command(child.pid))


def _command(pid: int) -> bytes:
    """The command line of a process; nothing where it has just ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _stat(pid: int) -> list[str] | None:
    """/proc/PID/stat from its state on; None where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def all_gone(folder: Path, known: set[Process] | None = None) -> bool:
    """Whether no process of `folder`, nor of those `known`, is left, now or before long."""
    deadline = time.monotonic() + PATIENCE_S
    while processes_below(folder) or alive(known or set()):
        if time.monotonic() > deadline:
            return False
        signal.sigtimedwait([], POLL_S)
    return True
