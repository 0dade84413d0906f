"""Lets a child burn while others think."""

import os
import sys

from harness.bot import Action, Bot, View, run

BURN = "import time; until = time.process_time() + 1.5\nwhile time.process_time() < until: pass"
children: list[int] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index == 0 and not children:
            children.append(os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", BURN], {}))
        return view.actions[0]


run(FaultBot)
