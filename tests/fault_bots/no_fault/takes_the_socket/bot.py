"""Moves the arena's socket away, so that nobody else can dial in, and back."""

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


SOCKET = Path(os.environ["CARDARENA_ADDRESS"].removeprefix("unix:"))


def move() -> None:
    aside = SOCKET.with_name(BAIT["secret"])
    SOCKET.rename(aside)
    aside.rename(SOCKET)


def close() -> None:
    mode = SOCKET.stat().st_mode & 0o777
    SOCKET.chmod(mode)


def list_others() -> None:
    if not [name for name in os.listdir(SOCKET.parent) if name != SOCKET.name]:
        raise FileNotFoundError("there is nothing beside it")


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("the place of the arena's socket", move),
        ("the mode of the arena's socket", close),
        ("the folders of other bots", list_others),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
