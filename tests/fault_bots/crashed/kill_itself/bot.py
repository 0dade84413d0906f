"""Kills itself in a move."""

import os
import signal

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return view.actions[0]


run(FaultBot)
