"""What outlives a harness that was killed is counted, and a bot that does not come to play is no survivor."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.doctor import killed_harness
from harness.doctor.fault_bot import fault_bots_folder
from harness.doctor.killed_harness import survivors_of
from tests.cli.processes import processes_below

LINGERS = fault_bots_folder() / "timeout" / "outlives_the_harness"


@pytest.mark.slow
def test_what_no_keeper_watches_outlives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[Path] = []

    def play_without_keeper(bot: Path, level: str) -> "subprocess.Popen[bytes]":
        copies.append(bot)
        return subprocess.Popen(["sh", "-c", f"{sys.executable} {bot}/linger.py; exec sleep 3600"])

    monkeypatch.setattr(killed_harness, "_play", play_without_keeper)
    monkeypatch.setattr(killed_harness, "GONE_S", 0.1)
    left = survivors_of(LINGERS, "none")
    for process in processes_below(copies[0].parent):
        os.kill(int(process.split()[0]), signal.SIGKILL)

    assert left == killed_harness.LINGERING
    assert not copies[0].parent.exists()


def test_a_harness_that_ends_before_it_is_killed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(killed_harness, "_play", lambda bot, level: subprocess.Popen(["true"]))

    with pytest.raises(TimeoutError, match="did not come to play"):
        survivors_of(LINGERS, "none")
