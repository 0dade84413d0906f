"""A harness that is killed while a fault bot plays: what of the bot outlives it."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import harness
from harness.sandbox.scratch import Scratch

LINGER = b"linger.py"
"""The program of what a bot leaves behind on purpose."""
LINGERING = 2
"""So many processes of it there are before the harness is killed."""
PATIENCE_S = 60.0
GONE_S = 20.0
POLL_S = 0.02


def survivors_of(bot: Path, level: str) -> int:
    """Plays the bot in the folder `bot` in a match of its own process, kills that process with SIGKILL, and counts.

    A bot knows no other moment of its harness's death, so that it must have begun. TimeoutError where it does not.
    """
    with Scratch("killed-") as folder:  # its name is the mark of all that works in it
        folder.chmod(0o755)
        shutil.copytree(bot, folder / bot.name)
        playing = _play(folder / bot.name, level)
        try:
            _wait_for_lingering(folder, playing)
        finally:
            playing.kill()
            playing.wait()
        return _survivors(folder)


def _play(bot: Path, level: str) -> "subprocess.Popen[bytes]":
    words = ("match", "zhiletka", str(bot), "sample:random", "--sandbox", level, "--no-clock")
    return subprocess.Popen(
        [sys.executable, "-m", "harness.cli", *words],
        cwd=bot.parent,
        env={**os.environ, "PYTHONPATH": str(Path(harness.__file__).parent.parent)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _wait_for_lingering(folder: Path, playing: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE_S
    while sum(LINGER in command for command in _commands(folder)) < LINGERING:
        if playing.poll() is not None or time.monotonic() > deadline:
            raise TimeoutError("it did not come to play")
        time.sleep(POLL_S)


def _survivors(folder: Path) -> int:
    """How many processes are left in the end: what is killed may take a moment to go."""
    deadline = time.monotonic() + GONE_S
    while (left := len(_commands(folder))) and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return left


def _commands(folder: Path) -> list[bytes]:
    """Command lines that name the folder: the bot's, its keeper's, its sandbox's."""
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            command = Path("/proc", pid, "cmdline").read_bytes()
        except OSError:
            continue  # It has just ended.
        if bytes(folder) in command:
            found.append(command)
    return found
