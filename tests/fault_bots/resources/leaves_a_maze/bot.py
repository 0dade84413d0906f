"""Leaves folders that are deeper than a path may be long, some closed, with links that lead out."""

import os
import tempfile
import time

from harness.bot import Action, Bot, View, run

built: list[int] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not built:
            build()
            time.sleep(3)
        return view.actions[0]


def build() -> None:
    """Digs down, a folder in a folder, and closes some behind it."""
    home = os.getcwd()
    os.chdir(tempfile.gettempdir())
    os.symlink("/", "out")
    os.symlink("loop", "loop")
    os.mkfifo("pipe")
    for depth in range(1_500):
        os.mkdir("deeper")
        os.chdir("deeper")
        built.append(depth)
    os.chdir(tempfile.gettempdir())
    os.makedirs("closed/inner")
    os.chmod("closed/inner", 0)
    os.chmod("closed", 0)
    os.chdir(home)


run(FaultBot)
