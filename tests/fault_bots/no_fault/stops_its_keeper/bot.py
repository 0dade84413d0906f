"""Stops the process that watches over it."""

import os
import signal

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            try:
                os.kill(os.getppid(), signal.SIGSTOP)
            except OSError as error:
                print(error, flush=True)
        return view.actions[0]


run(FaultBot)
