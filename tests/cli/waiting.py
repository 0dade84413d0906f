"""Commands that wait for a bot, and bots that come, each in a process of its own."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from tests.cli.command import COMMAND_TIMEOUT_S, ROOT, environment


class Invitation(NamedTuple):
    """What is printed for a bot that is waited for."""

    label: str
    env: dict[str, str]
    command: str
    tcp: str
    """The address for a gRPC that knows no unix sockets."""


def invitation(lines: IO[str]) -> Invitation:
    """Reads the command's stderr up to its next invitation."""
    label = ""
    for line in lines:
        if line.startswith("waiting for "):
            label = line.split()[2].rstrip(",")
        if line.startswith("  export "):
            env = dict(re.findall(r"(CARDARENA_\w+)=(\S+)", line))
            return Invitation(label, env, next(lines).strip(), next(lines).strip().rpartition("=")[2])
    raise AssertionError("nobody is waited for")


@contextmanager
def waiting(*words: str | int | Path, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Runs the command in a process of its own; it is ended with the block."""
    command = [sys.executable, "-m", "harness.cli", *map(str, words)]
    with subprocess.Popen(
        command, cwd=folder, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def come(asked: Invitation, sample: str, *, to_goodbye: bool = True) -> None:
    """Runs a sample bot as an author would from a terminal. `to_goodbye`: it must be told goodbye."""
    program = ROOT / "sample_bots" / sample / "bot.py"
    subprocess.run([sys.executable, program], env=environment(**asked.env), check=to_goodbye, timeout=COMMAND_TIMEOUT_S)
