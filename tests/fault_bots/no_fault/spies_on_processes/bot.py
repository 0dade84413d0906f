"""Looks into the memory and the environment of other processes."""

import ctypes
import json
import os
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


PTRACE_SEIZE = 0x4206


def see_process() -> None:
    if b"sleep" not in Path(f"/proc/{BAIT['pid']}/cmdline").read_bytes():
        raise ProcessLookupError("another process has that number here")


def read_environment() -> None:
    see_process()
    Path(f"/proc/{BAIT['pid']}/environ").read_bytes()


def read_memory() -> None:
    see_process()
    with open(f"/proc/{BAIT['pid']}/mem", "rb"):
        pass


def trace() -> None:
    see_process()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(PTRACE_SEIZE, BAIT["pid"], None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def find_secret() -> None:
    mark = BAIT["secret"].encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().partition(b"CARDARENA_SECRET=")[2]:
                return
        except OSError:
            continue
    raise FileNotFoundError("nobody who has it lets us look")


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("the command line of another process", see_process),
        ("the environment of another process", read_environment),
        ("the memory of another process", read_memory),
        ("another process, by tracing it", trace),
        ("a secret in an environment", find_secret),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
