"""Takes memory that belongs to no process: files that are nowhere but in memory."""

import os
import time

from harness.bot import Action, Bot, View, run

hoard: list[int] = []
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1 and not tried:
            tried.append(True)
            fill()
            time.sleep(3)
        return view.actions[0]


def fill() -> None:
    """Makes them, as long as there is such a system call."""
    try:
        for _ in range(10):
            hoard.append(os.memfd_create("hoard"))
            os.write(hoard[-1], bytes(20 << 20))
    except OSError as error:
        print(error, flush=True)


run(FaultBot)
