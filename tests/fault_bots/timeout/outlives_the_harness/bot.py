"""Leaves processes that hold on to life, and keeps the match waiting until somebody ends the harness."""

import subprocess
import sys
import time
from pathlib import Path

from harness.bot import Action, Bot, View, run

LINGER = str(Path(__file__).with_name("linger.py"))


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        subprocess.Popen([sys.executable, LINGER], start_new_session=True).wait()
        time.sleep(3600)
        return view.actions[0]


run(FaultBot)
