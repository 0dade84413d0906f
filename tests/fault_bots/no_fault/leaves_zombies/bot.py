"""Starts processes and never asks how they ended."""

import os

from harness.bot import Action, Bot, View, run

children: list[int] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not children:
            children.extend(os.posix_spawn("/bin/true", ["true"], {}) for _ in range(20))
        return view.actions[0]


run(FaultBot)
