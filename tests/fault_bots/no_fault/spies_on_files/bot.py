"""Reads what it finds of other people's files."""

import json
import os
from pathlib import Path

from harness.bot import Action, Bot, View, run

BAIT = json.loads(os.environ["CARDARENA_TRIAL"])
"""What the harness has laid out to be found."""
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not tried:
            tried.append(True)
            look_around()
        return view.actions[0]


def read_file() -> None:
    Path(BAIT["folder"], "secret.txt").read_bytes()


def list_folder() -> None:
    os.listdir(BAIT["folder"])


def read_users() -> None:
    Path("/etc/passwd").read_bytes()


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("a file of somebody else", read_file),
        ("a folder of somebody else", list_folder),
        ("the users of this machine", read_users),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
