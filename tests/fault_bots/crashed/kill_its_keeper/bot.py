"""Kills the process that watches over it, and leaves another behind; where it may not, it ends."""

import os
import signal
import subprocess

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            subprocess.Popen(["sleep", "3600"], start_new_session=True)
            os.kill(os.getppid(), signal.SIGKILL)
            os._exit(1)
        return view.actions[0]


run(FaultBot)
