"""What ends a run from outside: a person at the keys, a terminal that goes, a disk that is full, a clock that jumps."""

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from harness.cli import main
from harness.store.ledger import Ledger
from tests.cli.command import ROOT, environment, play_without_processes, run_apart, write_cup
from tests.cli.processes import (
    PATIENCE_S,
    all_gone,
    descendants,
    hold_ctrl_c,
    match_count,
    running,
    wait_for_bots,
    wait_for_matches,
)

LINE = "cardarena: interrupted; what was finished is kept, the same command goes on"


def stubborn_cup(folder: Path) -> Path:
    """A cup for two at a table, with a bot that hangs in its first move and one that ignores every signal it can."""
    folder.mkdir()
    for kind, name in (("timeout", "hang_in_move"), ("no_fault", "ignores_sigterm")):
        shutil.copytree(ROOT / "tests" / "fault_bots" / kind / name, folder / name)
    bots = '["./hang_in_move", "./ignores_sigterm", "sample:random", "sample:stateless"]'
    cup = write_cup(folder, seats="2", matches="120", bots=bots)
    # The one that hangs is still at it when the run is interrupted, and holds up nobody.
    cup.write_text(cup.read_text() + "[time]\nbank_s = 600.0\ndecision_s = 300.0\n[limits]\njobs = 4\n")
    return cup


@pytest.mark.slow
@pytest.mark.parametrize("presses", [1, 20])
def test_ctrl_c_ends_a_run_with_bots_that_hang_and_ignore_signals(tmp_path: Path, presses: int) -> None:
    cup = stubborn_cup(tmp_path / "cup")
    ledger = cup.parent / ".cardarena" / "arena.db"
    with running(cup) as process:
        wait_for_matches(process, ledger, "spring", 1)
        bots = descendants(process.pid)
        for _ in range(presses):
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == LINE
    assert "Traceback" not in err
    assert all_gone(cup.parent, bots)
    assert match_count(ledger, "spring") >= 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("verb", ["check", "match", "compare"])
def test_a_signal_ends_any_verb_with_130_a_line_and_no_process(
    tmp_path: Path, verb: str, number: signal.Signals
) -> None:
    folder = tmp_path / "bots"
    shutil.copytree(ROOT / "tests" / "fault_bots" / "timeout" / "hang_in_move", folder / "hang")
    words = {
        "check": ("check", "hang"),
        "match": ("match", "zhiletka", "hang", "sample:random", "--no-clock"),
        "compare": ("compare", "hang", "sample:random", "--game", "zhiletka"),
    }[verb]
    command = [sys.executable, "-m", "harness.cli", *words]
    with subprocess.Popen(command, cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        bots = wait_for_bots(process)
        process.send_signal(number)
        err = process.communicate(timeout=PATIENCE_S)[1]

    assert process.returncode == 130
    assert err.splitlines()[-1] == "cardarena: interrupted"
    assert "Traceback" not in err
    assert all_gone(folder, bots)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["run", "run --workers", "check", "match", "compare", "demo"])
def test_ctrl_c_that_is_held_down_ends_any_verb_with_130_a_line_and_no_process(tmp_path: Path, verb: str) -> None:
    cup = stubborn_cup(tmp_path / "cup")
    words = {
        "run": ("run", cup.name, "--no-progress"),
        "run --workers": ("run", cup.name, "--no-progress", "--workers", "2"),
        "check": ("check", "hang_in_move"),
        "match": ("match", "zhiletka", "hang_in_move", "sample:random", "--no-clock"),
        "compare": ("compare", "hang_in_move", "sample:random", "--game", "zhiletka"),
        "demo": ("demo", "--no-progress"),
    }[verb]
    command = [sys.executable, "-m", "harness.cli", *words]
    # A session of its own: what a terminal sends goes to all of its foreground.
    with subprocess.Popen(
        command,
        cwd=cup.parent,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        bots = wait_for_bots(process)
        hold_ctrl_c(process)
        _, err = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 130
    assert err.splitlines()[-1].startswith("cardarena: interrupted")
    assert "Traceback" not in err
    assert "Exception" not in err
    assert all_gone(cup.parent, bots)


@pytest.mark.slow
def test_a_run_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    cup = write_cup(tmp_path / "cup", matches="60")
    ledger = cup.parent / ".cardarena" / "arena.db"
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does, for what it starts
    try:
        with running(cup) as process:
            wait_for_matches(process, ledger, "spring", 1)
            process.send_signal(signal.SIGHUP)
            process.communicate(timeout=PATIENCE_S)
    finally:
        signal.signal(signal.SIGHUP, before)

    assert process.returncode == 0
    assert match_count(ledger, "spring") == 60


@pytest.mark.slow
def test_a_terminal_that_goes_ends_a_run_and_keeps_what_was_finished(tmp_path: Path) -> None:
    cup = write_cup(tmp_path / "cup", matches="150")
    ledger = cup.parent / ".cardarena" / "arena.db"
    terminal, end = pty.openpty()
    # A session of its own, whose terminal this is.
    command = ["setsid", "--ctty", "--wait", sys.executable, "-m", "harness.cli", "run", cup.name]
    process = subprocess.Popen(
        command, cwd=cup.parent, env=environment(), stdin=end, stdout=end, stderr=end, text=True, start_new_session=True
    )
    os.close(end)
    try:
        _read_until(terminal, ledger)
        started = descendants(process.pid)
    finally:
        os.close(terminal)
    process.wait(PATIENCE_S)
    held = match_count(ledger, "spring")
    again = run_apart("run", cup, "--no-progress", folder=cup.parent)

    assert len(started) >= 5
    assert all_gone(cup.parent, started)
    assert 1 <= held < 150
    assert again.code == 0
    assert match_count(ledger, "spring") == 150


def _read_until(terminal: int, ledger: Path) -> None:
    """Reads what is written to the terminal, as a terminal does, until there is a match."""
    deadline = time.monotonic() + PATIENCE_S
    os.set_blocking(terminal, False)
    while time.monotonic() < deadline:
        try:
            os.read(terminal, 65536)
        except BlockingIOError:
            signal.sigtimedwait([], 0.01)
        if ledger.is_file() and match_count(ledger, "spring") >= 1:
            return
    raise AssertionError("no match was played")


@pytest.mark.slow
def test_a_disk_that_is_full_ends_a_run_in_a_line_and_the_next_one_goes_on(tmp_path: Path) -> None:
    cup = write_cup(tmp_path / "cup", matches="60")
    ledger = cup.parent / ".cardarena" / "arena.db"
    command = ["prlimit", "--fsize=150000", sys.executable, "-m", "harness.cli", "run", cup.name, "--no-progress"]
    full = subprocess.run(
        command, cwd=cup.parent, env=environment(), capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    held = match_count(ledger, "spring")
    again = run_apart("run", cup, "--no-progress", folder=cup.parent)
    verified = run_apart("verify", folder=cup.parent)

    assert full.returncode == 2
    assert full.stdout == ""
    assert "no room left on the disk" in full.stderr or "the disk failed" in full.stderr
    assert "Traceback" not in full.stderr
    assert all_gone(cup.parent)
    assert 0 < held < 60
    assert again.code == 0
    assert verified.out == "spring: 60 matches as they must be\n"


def test_a_clock_that_jumps_changes_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady = play_without_processes(write_cup(tmp_path / "steady"))
    jumps = _jumping(time.time_ns())
    monkeypatch.setattr(time, "time_ns", lambda: next(jumps))
    monkeypatch.setattr(time, "time", lambda: next(jumps) / 1e9)
    jumping = play_without_processes(write_cup(tmp_path / "jumping"))

    digests = []
    for home in (steady, jumping):
        with Ledger(home / "arena.db") as ledger:
            digests.append([record.digest() for record in ledger.records("spring")])
    assert len(digests[0]) == 12
    assert digests[0] == digests[1]


def _jumping(now_ns: int) -> Iterator[int]:
    """Time of day that goes forward by a day and back by two, again and again."""
    day_ns = 24 * 3600 * 1_000_000_000
    for step in cycle((day_ns, -2 * day_ns, 0)):
        now_ns = max(1, now_ns + step + 1)
        yield now_ns


def test_ctrl_c_while_the_command_is_being_loaded_ends_with_130_and_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_module: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("harness.cli.import_module", interrupt)

    assert main(["ladder"]) == 130
    assert capsys.readouterr() == ("", "cardarena: interrupted\n")
