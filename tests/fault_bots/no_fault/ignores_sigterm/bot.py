"""Ignores every signal that it can and does not end when all is over."""

import signal
import time

from harness.bot import Action, Bot, View, run

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


try:
    run(FaultBot)
finally:
    while True:
        time.sleep(60)
