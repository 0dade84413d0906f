"""kill -9 at any moment: what was committed is there, the lock is free, the file is whole, readers read on."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.ledger import Ledger
from tests.store.made_up import begun, record

ROOT = Path(__file__).parent.parent.parent

WRITER = """
import sys
from pathlib import Path
from harness.store.ledger import Ledger
from tests.store.made_up import record

with Ledger(Path(sys.argv[1])) as ledger, ledger.run_lock("cup"):
    first = max(ledger.finished_numbers("cup", 1), default=0) + 1
    for number in range(first, first + int(sys.argv[2])):
        ledger.add_match(record(number), times=[(0, 1000, 1)] * 500, notes=[(0, 0, 0, "x" * 200)])
        print(number, flush=True)
    if sys.argv[3] == "wait":
        sys.stdin.readline()
"""


@contextmanager
def writer(path: Path, match_count: int, then: str) -> Iterator[subprocess.Popen[str]]:
    """A process that plays the cup: it prints the number of each match that it has kept."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(match_count), then],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def kept_numbers(process: subprocess.Popen[str], count: int) -> list[int]:
    """The next `count` numbers that it prints."""
    assert process.stdout is not None
    return [int(process.stdout.readline()) for _ in range(count)]


@pytest.mark.slow
def test_kill_9_loses_no_match_that_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    begun(path).close()
    kept: list[int] = []
    for kill_after in (1, 7, 40):
        with writer(path, 100_000, "go on") as process:
            kept += kept_numbers(process, kill_after)
            process.send_signal(signal.SIGKILL)
            assert process.stdout is not None
            kept += [int(line) for line in process.stdout if line.endswith("\n")]
        with Ledger(path) as ledger:
            finished = list(ledger.finished_numbers("cup", 1))

            assert finished in (kept, [*kept, kept[-1] + 1])
            assert [len(ledger.times(match.match)) for match in ledger.records("cup")] == [500] * len(finished)
            assert [result.match for result in ledger.results("cup")] == [
                match.match for match in ledger.records("cup")
            ]
        kept = finished
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


@pytest.mark.slow
def test_a_second_run_is_told_the_process_and_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    begun(path).close()
    with writer(path, 1, "wait") as process, Ledger(path) as ledger:
        kept_numbers(process, 1)
        with pytest.raises(HarnessError, match=f"cup is being run by process {process.pid}; wait for it, or stop it"):
            ledger.run_lock("cup").__enter__()
        with ledger.run_lock("zoo"):
            assert ledger.match_count("cup") == 1
        process.send_signal(signal.SIGKILL)
        process.wait()
        with ledger.run_lock("cup"):
            assert ledger.add_match(record(2))


@pytest.mark.slow
def test_a_reader_sees_whole_matches_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    begun(path).close()
    with writer(path, 300, "wait") as process, Ledger(path) as reader:
        counts = []
        for _ in range(30):
            kept_numbers(process, 10)
            with reader.snapshot():
                counts.append(reader.match_count("cup"))
                assert len(list(reader.records("cup"))) == counts[-1]
                assert len(list(reader.results("cup"))) == counts[-1]

    assert counts == sorted(counts)
    assert counts[-1] == 300


@pytest.mark.slow
def test_two_processes_may_keep_matches_in_one_ledger(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with begun(path) as ledger, writer(path, 200, "wait") as process:
        kept_numbers(process, 1)  # it has looked for the last number before there are others
        for number in range(1_001, 1_201):
            assert ledger.add_match(record(number))
        kept_numbers(process, 199)
        finished = list(ledger.finished_numbers("cup", 1))

    assert len(finished) == 400


def test_the_lock_of_a_run_is_free_after_its_end_and_after_an_error(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        with (
            ledger.run_lock("cup"),
            pytest.raises(HarnessError, match=f"process {os.getpid()}"),
            ledger.run_lock("cup"),
        ):
            pass
        with pytest.raises(ZeroDivisionError), ledger.run_lock("cup"):
            _ = 1 // 0
        with ledger.run_lock("cup") as lock:
            assert lock.path.stat().st_mode & 0o777 == 0o600


def test_a_bot_started_during_a_run_does_not_hold_its_lock(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        with ledger.run_lock("cup"):
            bot = subprocess.Popen(["sleep", "60"], close_fds=False)
        try:
            with ledger.run_lock("cup"):
                pass
        finally:
            bot.kill()
            bot.wait()
