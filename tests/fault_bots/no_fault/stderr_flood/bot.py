"""Writes 40 MB while it plays."""

import os

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index == 0:
            os.write(2, b"x" * 1024 * 1024)
        return view.actions[0]


run(FaultBot)
