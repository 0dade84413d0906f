"""Makes one file longer than it may be."""

import os
import tempfile
from pathlib import Path

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            path = Path(tempfile.gettempdir(), "huge")
            path.touch()
            os.truncate(path, 1 << 40)
        return view.actions[0]


run(FaultBot)
