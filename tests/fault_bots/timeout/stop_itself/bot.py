"""Stops itself in a move."""

import os
import signal

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        os.kill(os.getpid(), signal.SIGSTOP)
        return view.actions[0]


run(FaultBot)
