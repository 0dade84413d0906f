"""Ends, slows and limits processes that are not its own, or could: it does no harm."""

import json
import os
import resource
from pathlib import Path

from harness.bot import Action, Bot, View, run

BAIT = json.loads(os.environ["CARDARENA_TRIAL"])
"""What the harness has laid out to be found."""
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not tried:
            tried.append(True)
            look_around()
        return view.actions[0]


def see_other() -> None:
    if b"sleep" not in Path(f"/proc/{BAIT['pid']}/cmdline").read_bytes():
        raise ProcessLookupError("another process has that number here")


def signal_other() -> None:
    see_other()
    os.kill(BAIT["pid"], 0)


def signal_harness() -> None:
    if b"python" not in Path(f"/proc/{BAIT['harness_pid']}/cmdline").read_bytes().split(b"\0")[0]:
        raise ProcessLookupError("another process has that number here")
    if BAIT["harness_pid"] == os.getpid():
        raise ProcessLookupError("that is this process")
    os.kill(BAIT["harness_pid"], 0)


def renice_other() -> None:
    see_other()
    os.setpriority(os.PRIO_PROCESS, BAIT["pid"], 1)


def limit_other() -> None:
    see_other()
    resource.prlimit(BAIT["pid"], resource.RLIMIT_CORE, (0, 0))


def pin_other() -> None:
    see_other()
    os.sched_setaffinity(BAIT["pid"], {0})


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("a process of somebody else", signal_other),
        ("the harness", signal_harness),
        ("the priority of another process", renice_other),
        ("the limits of another process", limit_other),
        ("the cores of another process", pin_other),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
