"""Takes more memory than it may have, in one process."""

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            self.hoard = bytearray(400 << 20)
        return view.actions[0]


run(FaultBot)
