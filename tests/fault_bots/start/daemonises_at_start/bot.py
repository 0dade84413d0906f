"""Forks twice before it dials; its first process ends at once."""

import os

if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)

from harness.bot import Action, Bot, View, run  # noqa: E402 - what is forked should not have started a thread


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


run(FaultBot)
