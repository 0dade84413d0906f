"""Thinks for ever, and hard."""

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        while True:
            pass


run(FaultBot)
