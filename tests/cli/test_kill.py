"""A run that is killed or interrupted: no match is lost or played twice, no process is left, the ladder is the same."""

import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from harness.record import MatchRecord
from harness.store.ledger import Ledger
from tests.cli.command import run_apart, write_cup
from tests.cli.processes import (
    PATIENCE_S,
    all_gone,
    descendants,
    match_count,
    processes_below,
    running,
    wait_for_matches,
    workers,
)

FIVE = '["sample:random", "sample:stateless", "sample:raw-stub", "sample:random", "sample:stateless"]'
MATCHES = 300


def records(cup: Path) -> list[MatchRecord]:
    with Ledger(cup.parent / ".cardarena" / "arena.db") as ledger:
        return list(ledger.records("spring"))


@pytest.mark.wide
@pytest.mark.timeout(600)
def test_a_run_killed_ten_times_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole = write_cup(tmp_path / "whole", bots=FIVE, matches=str(MATCHES))
    killed = write_cup(tmp_path / "killed", bots=FIVE, matches=str(MATCHES))
    ledger = killed.parent / ".cardarena" / "arena.db"
    assert run_apart("run", whole, "--json", folder=whole.parent).code == 0
    moments = sorted(random.Random(20260501).sample(range(1, MATCHES // 2), 10))
    held: list[int] = []
    for moment in moments:
        with running(killed) as process:
            wait_for_matches(process, ledger, "spring", max(moment, held[-1] + 1 if held else 0))
            bots = descendants(process.pid)
            process.send_signal(signal.SIGKILL)
            process.wait()
            held.append(match_count(ledger, "spring"))
            assert len(bots) >= 5
            assert all_gone(killed.parent, bots), processes_below(killed.parent)
    last = run_apart("run", killed, "--json", folder=killed.parent)
    verified = run_apart("verify", folder=killed.parent)

    assert held == sorted(set(held))
    assert held[-1] < MATCHES
    assert last.code == 0
    assert [record.match for record in records(killed)] == [f"spring/1/{n:06d}" for n in range(1, MATCHES + 1)]
    assert [record.digest() for record in records(killed)] == [record.digest() for record in records(whole)]
    assert not any(record.faults for record in records(killed))
    assert last.out == run_apart("ladder", "--json", folder=whole.parent).out
    assert verified.out == f"spring: {MATCHES} matches as they must be\n"
    assert processes_below(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_run_with_130_a_line_and_no_process(tmp_path: Path, number: signal.Signals) -> None:
    cup = write_cup(tmp_path / "cup", matches="300")
    ledger = cup.parent / ".cardarena" / "arena.db"
    with running(cup) as process:
        wait_for_matches(process, ledger, "spring", 1)
        bots = descendants(process.pid)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
    held = match_count(ledger, "spring")

    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "cardarena: interrupted; what was finished is kept, the same command goes on"
    assert "Traceback" not in err
    assert len(bots) >= 4
    assert all_gone(cup.parent, bots)  # what a runtime was asked for its sheet may end a moment later
    assert 1 <= held < 300


@pytest.mark.slow
def test_a_second_run_while_one_runs_names_its_process(tmp_path: Path) -> None:
    cup = write_cup(tmp_path / "cup", matches="300")
    with running(cup) as process:
        wait_for_matches(process, cup.parent / ".cardarena" / "arena.db", "spring", 1)
        second = run_apart("run", cup, folder=cup.parent)

        assert second.code == 2
        assert second.out == ""
        assert second.err == f"cardarena: spring is being run by process {process.pid}; wait for it, or stop it\n"
    assert all_gone(cup.parent)


@pytest.mark.slow
def test_with_workers_whoever_is_killed_leaves_nothing_alive_and_the_next_run_ends_the_cup(tmp_path: Path) -> None:
    cup = write_cup(tmp_path / "cup", matches="210")
    cup.write_text(cup.read_text() + "[limits]\njobs = 2\n")
    ledger = cup.parent / ".cardarena" / "arena.db"
    with running(cup, "--workers", "2") as process:
        wait_for_matches(process, ledger, "spring", 1)
        killed = workers(process.pid)
        bots = descendants(process.pid)
        os.kill(killed[0], signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert all_gone(cup.parent, bots)
    after_worker = process.returncode, out, len(killed)
    with running(cup, "--workers", "2") as process:
        wait_for_matches(process, ledger, "spring", match_count(ledger, "spring") + 1)
        bots = descendants(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert all_gone(cup.parent, bots)
    with running(cup, "--workers", "2") as process:
        wait_for_matches(process, ledger, "spring", match_count(ledger, "spring") + 1)
        bots = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        _, interrupted = process.communicate(timeout=PATIENCE_S)
        assert all_gone(cup.parent, bots)
    last = run_apart("run", cup, "--workers", "2", folder=cup.parent)

    assert after_worker == (2, "", 2)
    assert err.splitlines()[-1] == (
        f"cardarena: a worker, process {killed[0]}, was killed by SIGKILL; what was finished is kept, the same command "
        "goes on"
    )
    assert process.returncode == 130
    assert interrupted.splitlines()[-1].startswith("cardarena: interrupted")
    assert last.code == 0
    assert [record.match for record in records(cup)] == [f"spring/1/{n:06d}" for n in range(1, 211)]
    assert not any(record.faults for record in records(cup))
    assert run_apart("verify", folder=cup.parent).out == "spring: 210 matches as they must be\n"


@pytest.mark.slow
def test_a_worker_that_hears_nothing_ends_with_a_run_that_is_killed(tmp_path: Path) -> None:
    cup = write_cup(tmp_path / "cup", matches="210")
    with running(cup) as process:
        wait_for_matches(process, cup.parent / ".cardarena" / "arena.db", "spring", 1)
        bots = descendants(process.pid)
        (worker,) = workers(process.pid)
        os.kill(worker, signal.SIGSTOP)
        process.send_signal(signal.SIGKILL)
        process.wait()
        try:
            assert all_gone(cup.parent, bots)
        finally:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
