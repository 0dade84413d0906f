"""Asks for a path on which its own folder stands for the system's, and for a loader that loads what it brings."""

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


run(FaultBot)
