"""Takes more memory than it may have, in children of which each may have as much as it takes."""

import subprocess
import sys
import time

from harness.bot import Action, Bot, View, run

HOARD = "import time; hoard = b'x' * (150 << 20); time.sleep(3600)"
hoarders: list[subprocess.Popen[bytes]] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1 and not hoarders:
            hoarders.extend(subprocess.Popen([sys.executable, "-I", "-S", "-c", HOARD]) for _ in range(4))
            time.sleep(3)
        return view.actions[0]


run(FaultBot)
