"""Writes as much as it can into its own temporary folder."""

import os
import tempfile
import time
from pathlib import Path

from harness.bot import Action, Bot, View, run

filled: list[Path] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1 and not filled:
            fill()
            time.sleep(3)
        return view.actions[0]


def fill() -> None:
    """Writes 40 MB, 2 MB a file."""
    try:
        for number in range(20):
            filled.append(Path(tempfile.gettempdir(), f"filler-{number}"))
            filled[-1].write_bytes(os.urandom(1) * (2 << 20))
    except OSError as error:
        print(error, flush=True)


run(FaultBot)
