"""`wait:NAME`: a bot that the command does not start dials in with the address and the token that are printed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from harness import local
from harness.record import MatchRecord
from tests.cli.command import COMMAND_TIMEOUT_S, ROOT, Cardarena, environment, write_cup
from tests.sample_bots.programs import bot_class


class Invitation(NamedTuple):
    """What is printed for a bot that is waited for."""

    label: str
    env: dict[str, str]
    command: str


def invitation(lines: IO[str]) -> Invitation:
    """Reads the command's stderr up to its next invitation."""
    label = ""
    for line in lines:
        if line.startswith("waiting for "):
            label = line.split()[2].rstrip(",")
        if line.startswith("  export "):
            return Invitation(label, dict(re.findall(r"(CARDARENA_\w+)=(\S+)", line)), next(lines).strip())
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


def come(asked: Invitation, sample: str) -> None:
    """Runs a sample bot as an author would from a terminal."""
    program = ROOT / "sample_bots" / sample / "bot.py"
    subprocess.run([sys.executable, program], env=environment(**asked.env), check=True, timeout=COMMAND_TIMEOUT_S)


@pytest.mark.slow
def test_whoever_dials_in_plays_the_match_of_a_bot_that_was_started(tmp_path: Path) -> None:
    with waiting("match", "zhiletka", "wait:fox", "sample:random", "--seed", 5, "--json", folder=tmp_path) as running:
        assert running.stdout
        assert running.stderr
        asked = invitation(running.stderr)
        come(asked, "stateless")
        record = MatchRecord.from_json(running.stdout.read())

    assert (asked.label, asked.command) == ("fox", "python bot.py")
    assert running.returncode == 0
    assert record.deals == local.play("zhiletka", [bot_class("stateless"), bot_class("random")], seed=5).deals
    assert record.faults == ()
    assert record.seats[0] == ("fox", "awaited", "")
    assert not os.path.exists(asked.env["CARDARENA_ADDRESS"].removeprefix("unix:"))


def test_a_cup_refuses_it_with_the_mend(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path, bots='["wait:fox", "sample:random", "sample:stateless"]')
    told = cardarena("run", cup)

    assert told.code == 2
    assert "wait:fox: a bot that is waited for plays practice matches only; name its folder" in told.err


@pytest.mark.parametrize("words", [("check", "wait:fox"), ("submit", "wait:fox")])
def test_what_is_checked_or_stored_must_be_there(cardarena: Cardarena, words: tuple[str, ...]) -> None:
    told = cardarena(*words)

    assert told.code in (2, 3)
    assert "a bot that is waited for plays practice matches only" in told.err + told.out
