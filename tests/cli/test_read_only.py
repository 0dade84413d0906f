"""Verbs that read, in a home on a file system that nobody can write to."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness.sandbox.levels import try_level
from tests.cli.command import environment

READ_ONLY = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")


@pytest.mark.slow
@pytest.mark.skipif(bool(try_level("bwrap").problem), reason="needs bubblewrap to make a file system read-only")
def test_ladder_replay_and_verify_need_no_room_to_write(home: Path) -> None:
    said = ""
    for words in (["ladder", "--csv"], ["replay", "spring/1/000001"], ["verify"]):
        command = [*READ_ONLY, sys.executable, "-m", "harness.cli", *words, "--home", str(home)]
        said += subprocess.run(
            command, env=environment(), capture_output=True, text=True, check=True, timeout=60
        ).stdout

    assert "rank,rank_low,rank_high,bot" in said
    assert "spring/1/000001: zhiletka" in said
    assert "spring: 12 matches as they must be" in said
