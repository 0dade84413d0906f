"""The command as a user meets it: run in this process or in one of its own, and homes to try it on."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from harness.cup import read_cup
from harness.roster import HomeRoster
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.tournament import play_cup
from tests.in_process import InProcess, Notes

ROOT = Path(__file__).parents[2]
COMMAND_TIMEOUT_S = 600


class Outcome(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Cardarena = Callable[..., Outcome]
"""Runs one command line."""

SPRING = """\
schema = 1
[cup]
name = "spring"
title = "Spring Cup"
game = "zhiletka"
seats = 3
matches = 12
duplicate = true
seed = 7
ranked_after = 0
bots = ["sample:random", "sample:stateless", "sample:raw-stub", "sample:random"]
"""


def write_cup(folder: Path, text: str = SPRING, **keys: str) -> Path:
    """`folder/cup.toml` with `keys` of `[cup]` set to TOML values; an empty one is left out."""
    lines = [line for line in text.splitlines() if line.partition(" ")[0] not in keys]
    at = lines.index("[cup]") + 1
    lines[at:at] = [f"{key} = {value}" for key, value in keys.items() if value]
    folder.mkdir(exist_ok=True)
    path = folder / "cup.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def play_without_processes(cup: Path, executor: InProcess | None = None) -> Path:
    """Plays the cup of a file as its bots would not: at random, at once, into the home beside it, which comes back."""
    home = make_home(Home(cup.parent / ".cardarena", "a test's own"))
    settings = read_cup(cup)
    with Ledger(home.ledger, create=True) as ledger:
        roster = HomeRoster(home, ledger.versions, cup.parent)
        asyncio.run(play_cup(settings, ledger, roster, Notes(), (executor or InProcess()).opener()))
    return home.path


def run_apart(*words: str | Path, folder: Path, **env: str) -> Outcome:
    """Runs the command in a process of its own, from `folder`."""
    done = subprocess.run(
        [sys.executable, "-m", "harness.cli", *map(str, words)],
        cwd=folder,
        env=environment(**env),
        capture_output=True,
        text=True,
        check=False,
        timeout=COMMAND_TIMEOUT_S,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def environment(**env: str) -> dict[str, str]:
    """Variables of a command in a process of its own: ours, without a home."""
    ours = {name: value for name, value in os.environ.items() if name not in ("CARDARENA_HOME", "COLUMNS")}
    return {**ours, "PYTHONPATH": str(ROOT), **env}
