"""Takes back what was taken from it: limits, priority, privileges."""

import ctypes
import json
import os
import resource

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


CLONE_NEWUSER = 0x10000000


def become_root() -> None:
    os.setuid(0)


def raise_limit() -> None:
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY:
        return
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (hard + 1, hard + 1))
    except ValueError as error:
        raise PermissionError(str(error)) from None


def be_nicer_to_itself() -> None:
    os.setpriority(os.PRIO_PROCESS, 0, -10)


def be_real_time() -> None:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def take_all_cores() -> None:
    os.sched_setaffinity(0, range(os.cpu_count() or 1))


def make_name_space() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    pid = os.fork()  # a name space of users may not be made by a process with threads
    if pid == 0:
        os._exit(libc.unshare(CLONE_NEWUSER) != 0)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        raise PermissionError("unshare")


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("the rights of root", become_root),
        ("higher limits", raise_limit),
        ("a higher priority", be_nicer_to_itself),
        ("real time", be_real_time),
        ("all cores", take_all_cores),
        ("a name space of its own", make_name_space),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
