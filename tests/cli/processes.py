"""A run in a process of its own that a test may kill, and the processes that it leaves."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.store.ledger import Ledger, NotInLedger
from tests.cli.command import environment

POLL_S = 0.01
PATIENCE_S = 60


@contextmanager
def running(cup: Path, *, jobs: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """`cardarena run` of a cup file, from its folder."""
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli", "run", cup.name],
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
        try:
            process.wait(POLL_S)
        except subprocess.TimeoutExpired:
            continue
        raise AssertionError(f"the run ended before match {count}: {process.communicate()[1]}")
    raise AssertionError(f"no match {count} within {PATIENCE_S} s")


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


def all_gone(folder: Path, within_s: float) -> bool:
    """Whether no process of `folder` is left, now or `within_s` from now at the latest."""
    deadline = time.monotonic() + within_s
    while processes_below(folder):
        if time.monotonic() > deadline:
            return False
        signal.sigtimedwait([], POLL_S)
    return True
