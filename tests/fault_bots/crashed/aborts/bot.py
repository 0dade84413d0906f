"""Aborts, as a failed assertion in C does."""

import os

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            os.abort()
        return view.actions[0]


run(FaultBot)
