"""Reads where there is no memory."""

import ctypes

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        ctypes.string_at(0)
        return view.actions[0]


run(FaultBot)
