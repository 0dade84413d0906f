"""Makes empty files, which no size counts."""

import tempfile
import time
from pathlib import Path

from harness.bot import Action, Bot, View, run

made: list[Path] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1 and not made:
            for number in range(10_100):
                made.append(Path(tempfile.gettempdir(), str(number)))
                made[-1].touch()
            time.sleep(3)
        return view.actions[0]


run(FaultBot)
