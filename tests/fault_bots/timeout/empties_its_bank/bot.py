"""Thinks so long about each choice that none is too long, and all together are."""

import time

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        time.sleep(0.3)
        return view.actions[0]


run(FaultBot)
