"""Starts as many threads as it can, up to a number that hurts nobody."""

import threading

from harness.bot import Action, Bot, View, run

ALLOWED = 48
TRIED = 96
threads: list[threading.Thread] = []
enough = threading.Event()


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not threads:
            explode()
        return view.actions[0]


def explode() -> None:
    """Starts them, says so where it got more than it may have, and lets them end."""
    threading.stack_size(64 * 1024)
    try:
        for _ in range(TRIED):
            threads.append(threading.Thread(target=enough.wait, daemon=True))
            threads[-1].start()
    except RuntimeError as error:
        print(f"{len(threads)} threads: {error}", flush=True)
    else:
        print("reached: more threads than it may have", flush=True)
    enough.set()
    threading.stack_size(0)


run(FaultBot)
