"""Forks twice and plays from a session of its own; its first process ends as soon as it is at a table."""

import os
import time

from harness.bot import Action, Bot, View, run

seated, tell_seated = os.pipe()


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        os.write(tell_seated, b".")
        time.sleep(1)
        return view.actions[0]


if os.fork():
    os.read(seated, 1)
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
run(FaultBot)
