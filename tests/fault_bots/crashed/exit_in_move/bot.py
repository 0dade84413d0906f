"""Ends in the middle of a match, as if all were well."""

import os

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            os._exit(0)
        return view.actions[0]


run(FaultBot)
