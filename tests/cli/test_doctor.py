"""`cardarena doctor`: what works here, and the table of the fault bots."""

import json
import shutil
from pathlib import Path

import pytest

from harness.cli import doctor as verb
from harness.doctor.fault_bot import fault_bots_folder, find_fault_bots
from harness.errors import HarnessError
from harness.sandbox.cell import LEVELS, Sandbox
from harness.sandbox.levels import Trial
from tests.cli.command import Cardarena


def test_every_level_is_told_with_the_reason_and_the_mend(
    cardarena: Cardarena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tried(level: str) -> Trial:
        broken = ("bubblewrap is not installed", "apt install bubblewrap") if level == "bwrap" else ("", "")
        return Trial(Sandbox(level, landlock_abi=6), *broken)

    monkeypatch.setattr("harness.doctor.machine.try_level", tried)
    monkeypatch.setattr("harness.sandbox.levels.try_level", tried)
    told = cardarena("doctor")
    found = json.loads(cardarena("doctor", "--json").out)

    lines = {line.split()[0]: line for line in told.out.splitlines()}
    assert told.code == 0
    assert lines["bwrap"] == "bwrap     no   bubblewrap is not installed. Mend: apt install bubblewrap"
    assert lines["landlock"].startswith("landlock  ok   works (Landlock 6): ")
    assert lines["auto"].startswith("auto      ok   sandbox landlock (bwrap does not work here: ")
    assert found["sandbox"] == "landlock"
    assert [finding["what"] for finding in found["findings"]][1:6] == [*LEVELS, "auto"]
    assert set(found["findings"][0]) == {"what", "works", "says", "mend"}


@pytest.mark.slow
def test_the_table_says_what_was_expected_and_seen(cardarena: Cardarena) -> None:
    words = ["doctor", "--bots", "--sandbox", "none", "crash_in_move", "illegal", "--quiet"]
    unknown = cardarena(*words)
    words.remove("illegal")
    told = cardarena(*words, "--json")

    assert unknown.code == 2
    assert unknown.err.startswith("cardarena: no fault bot is called illegal; ")
    assert told.code == 0
    assert json.loads(told.out)["bots"] == [
        {"bot": name, "level": "none", "expected": what, "seen": what, "ok": True}
        for name, what in (
            ("crash_in_move", "crashed: exited with code 1"),
            ("(the others)", "no_fault"),
            ("(the harness)", "as before"),
        )
    ]


@pytest.mark.slow
def test_a_verdict_that_is_not_as_expected_is_seen_and_exits_with_3(
    cardarena: Cardarena, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(fault_bots_folder() / "crashed" / "crash_in_move", tmp_path / "bots" / "timeout" / "crash_in_move")
    monkeypatch.setattr(verb, "fault_bots_folder", lambda: tmp_path / "bots")
    told = cardarena("doctor", "--bots", "--sandbox", "none", "--quiet")

    assert told.code == 3
    assert told.out.splitlines()[-2].split() == ["crash_in_move", "none", "timeout", "crashed", "NOT", "OK"]
    assert told.out.splitlines()[-1] == "1 of 3 is not as it must be"


def test_names_and_a_level_go_with_bots(cardarena: Cardarena) -> None:
    told = cardarena("doctor", "crash_in_move")

    assert (told.code, told.out) == (2, "")
    assert "go with --bots" in told.err


def test_a_fault_bot_that_expects_what_there_is_not_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "crashed" / "one"
    shutil.copytree(fault_bots_folder() / "crashed" / "crash_in_move", folder)
    (folder / "expected.toml").write_text('[verdict]\ndocker = "no_fault"\n')

    with pytest.raises(HarnessError, match="docker: no verdict and no level is called so"):
        find_fault_bots(tmp_path)


@pytest.mark.slow
def test_the_sheet_says_what_bots_run_on(cardarena: Cardarena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.doctor.sheet.PROGRAMS", ())
    told = cardarena("doctor", "--sheet")
    facts = json.loads(cardarena("doctor", "--sheet", "--json").out)
    both = cardarena("doctor", "--sheet", "--bots")

    assert told.code == 0
    assert [line.split()[0] for line in told.out.splitlines()[:6]] == [
        "machine",
        "clock",
        "sandbox",
        "limits",
        "time",
        "python",
    ]
    assert facts["limits"]["memory_mb"] == 512
    assert facts["time"]["decision_s"] == 5.0
    assert facts["runtimes"][0]["name"] == "python"
    assert "grpcio" in {package["name"] for package in facts["runtimes"][0]["packages"]}
    assert both.code == 2
