"""Verbs that read, in a home on a file system that nobody can write to, or whose ledger may not be read."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.sandbox.levels import try_level
from tests.cli.command import COMMAND_TIMEOUT_S, environment

MACHINE = ("--dev", "/dev", "--proc", "/proc")
READ_ONLY = ("bwrap", "--ro-bind", "/", "/", *MACHINE)
WITHOUT_RIGHTS_OF_ROOT = ("bwrap", "--bind", "/", "/", *MACHINE, "--cap-drop", "ALL")

needs_bubblewrap = pytest.mark.skipif(
    bool(try_level("bwrap").problem), reason="needs bubblewrap to make a file system read-only, and root nobody special"
)


@pytest.mark.slow
@needs_bubblewrap
def test_ladder_replay_and_verify_need_no_room_to_write(home: Path) -> None:
    said = ""
    for words in (["ladder", "--csv"], ["replay", "spring/1/000001"], ["verify"]):
        command = [*READ_ONLY, sys.executable, "-m", "harness.cli", *words, "--home", str(home)]
        said += subprocess.run(
            command, env=environment(), capture_output=True, text=True, check=True, timeout=COMMAND_TIMEOUT_S
        ).stdout

    assert "rank,rank_low,rank_high,bot" in said
    assert "spring/1/000001: zhiletka" in said
    assert "spring: 12 matches as they must be" in said


@pytest.mark.slow
@needs_bubblewrap
def test_a_ledger_that_may_not_be_read_is_said_to_be_such(home: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(home / "arena.db", tmp_path))
    path.chmod(0)
    command = [*WITHOUT_RIGHTS_OF_ROOT, sys.executable, "-m", "harness.cli", "ladder", "--home", str(tmp_path)]
    told = subprocess.run(
        command, env=environment(), capture_output=True, text=True, check=False, timeout=COMMAND_TIMEOUT_S
    )

    assert told.returncode == 2
    says = "you may not read it; `chmod u+rw` it where it is yours, else ask its owner"
    assert told.stderr == f"cardarena: {path}: {says}\n"
