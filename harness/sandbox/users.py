"""Users for the bots of root, who must not run them as himself: a user of its own for each process.

They need no entry anywhere. The numbers are those that systemd leaves free between its own ranges.
A number in use is marked by an abstract unix socket, which the kernel forgets with whoever holds it, so that two
harnesses on a machine do not take the same.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress

from harness.errors import HarnessError

FIRST, LAST = 61000, 61183


class BotUser:
    """A user that no other bot is at this moment."""

    def __init__(self, uid: int, mark: socket.socket) -> None:
        """Use `take_user`."""
        self.uid = uid
        self._mark = mark

    def give_back(self) -> None:
        """Another bot may have it."""
        self._mark.close()


def runs_as_root() -> bool:
    """Whether this process is root, whose bots need users of their own."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def take_user() -> BotUser:
    """A free user. HarnessError where there is none."""
    for uid in _numbers():
        mark = socket.socket(socket.AF_UNIX)
        with suppress(OSError):
            mark.bind(f"\0cardarena-uid-{uid}")
            return BotUser(uid, mark)
        mark.close()
    raise HarnessError(f"all users from {FIRST} to {LAST} are taken by bots; fewer [limits] bots_alive may help")


_next = FIRST


def _numbers() -> Iterator[int]:
    """Every number once, beginning after the last that was taken: what a bot has left is not the next one's at once."""
    global _next
    for _ in range(FIRST, LAST + 1):
        uid = _next
        _next = FIRST if _next == LAST else _next + 1
        yield uid
