"""Uses what two bots could talk through although they may not: locks, shared memory, keys."""

import ctypes
import fcntl
import json
import os

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


IPC_PRIVATE, IPC_CREAT, IPC_RMID = 0, 0o1000, 0
KEYCTL, KEYCTL_GET_KEYRING_ID, USER_KEYRING = 250, 0, -4
libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def lock_program() -> None:
    with open("/usr/bin/env", "rb") as program:
        fcntl.flock(program, fcntl.LOCK_SH | fcntl.LOCK_NB)


def lock_range() -> None:
    with open("/usr/bin/env", "rb") as program:
        fcntl.lockf(program, fcntl.LOCK_SH | fcntl.LOCK_NB)


def share_memory() -> None:
    number = checked(libc.shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0o600))
    libc.shmctl(number, IPC_RMID, None)


def queue_messages() -> None:
    number = checked(libc.msgget(IPC_PRIVATE, IPC_CREAT | 0o600))
    libc.msgctl(number, IPC_RMID, None)


def watch_file() -> None:
    os.close(checked(libc.inotify_init1(0)))


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("a lock on a program", lock_program),
        ("a lock on a part of it", lock_range),
        ("shared memory", share_memory),
        ("a queue of messages", queue_messages),
        ("who opens a file", watch_file),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
