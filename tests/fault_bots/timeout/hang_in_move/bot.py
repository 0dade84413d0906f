"""Thinks for ever."""

import time

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        time.sleep(3600)
        return view.actions[0]


run(FaultBot)
