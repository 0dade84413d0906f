"""Raises when it has played a while."""

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if len(view.history) > 10:
            raise ZeroDivisionError("one bug too many")
        return view.actions[0]


run(FaultBot)
