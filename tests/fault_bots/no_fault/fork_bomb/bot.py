"""Starts as many processes as it can, up to a number that hurts nobody."""

import os

from harness.bot import Action, Bot, View, run

ALLOWED = 48
TRIED = 96
children: list[int] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not children:
            explode()
        return view.actions[0]


def explode() -> None:
    """Starts them, and says so where it got more than it may have."""
    try:
        while len(children) < TRIED:
            children.append(os.posix_spawn("/bin/sleep", ["sleep", "3600"], {}))
    except OSError as error:
        print(f"{len(children)} processes: {error}", flush=True)
    if len(children) > ALLOWED:
        print("reached: more processes than it may have", flush=True)


run(FaultBot)
