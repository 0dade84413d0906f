"""Keeps its hands for the next time, wherever it may, and dies to get a next time."""

import json
import os
import tempfile
from pathlib import Path

from harness.bot import Action, Bot, View, run

BAIT = json.loads(os.environ["CARDARENA_TRIAL"])
NAME = f".cardarena-{BAIT['secret']}"
PLACES = {"/tmp", "/var/tmp", "/dev/shm", "/run", os.getcwd(), str(Path.home()), tempfile.gettempdir(), BAIT["folder"]}
for place in sorted(PLACES):
    if Path(place, NAME).exists():
        print(f"reached: what it kept in {place}", flush=True)


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            keep(str(view.hand))
            os._exit(1)
        return view.actions[0]


def keep(hand: str) -> None:
    """Writes it down everywhere."""
    for place in PLACES:
        try:
            Path(place, NAME).write_text(hand)
        except OSError as error:
            print(f"kept from {place}: {error}", flush=True)


run(FaultBot)
