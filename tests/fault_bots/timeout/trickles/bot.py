"""Answers nothing and keeps its process busy with output."""

import os
import time

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        while True:
            os.write(1, b"still thinking\n")
            time.sleep(0.01)


run(FaultBot)
