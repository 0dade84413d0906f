"""Starts processes that are to outlive it, and plays well."""

import os
import subprocess
import sys

from harness.bot import Action, Bot, View, run

LINGER = "import os, signal, time; os.setsid(); signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(3600)"


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


for _ in range(2):
    subprocess.Popen([sys.executable, "-c", LINGER])
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "3600"])
    os._exit(0)
run(FaultBot)
