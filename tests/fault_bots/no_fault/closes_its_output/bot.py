"""Closes stdout and stderr."""

import os

from harness.bot import Action, Bot, View, run

os.close(1)
os.close(2)


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


run(FaultBot)
