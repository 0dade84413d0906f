"""Asks the kernel for what no card player needs: other processes' memory, keys, name spaces, rings of calls."""

import ctypes
import errno
import os
import platform

from harness.bot import Action, Bot, View, run

libc = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == "aarch64"
REFUSED = (errno.EPERM, errno.ENOSYS, errno.EACCES)
"""Any other error shows that the kernel has looked at what was asked for."""
USER_KEYRING = -4
NEW_USER, NEW_NET = 0x10000000, 0x40000000
CALLS: dict[str, tuple[int, int, tuple[int, ...]]] = {
    # Numbers on x86_64 and aarch64, and arguments that do nothing where the call is let through.
    "a ring of calls": (425, 425, (0, 0)),
    "clone3": (435, 435, (0, 0)),
    "faults of memory": (323, 282, (-1,)),
    "memory of another process": (310, 270, (os.getppid(), 0, 0, 0, 0, 1)),
    "files of another process": (438, 438, (-1, 0, 0)),
    "a trace": (101, 117, (16, os.getppid(), 0, 0)),
    "a keyring": (250, 219, (0, USER_KEYRING, 0)),
    "a key": (248, 217, (0, 0, 0, 0, USER_KEYRING)),
    "a program in the kernel": (321, 280, (0, 0, 0)),
    "counters of the processor": (298, 241, (0, 0, -1, -1, 0)),
    "a user name space": (272, 97, (NEW_USER,)),
    "a network of its own": (272, 97, (NEW_NET,)),
    "another's name space": (308, 268, (-1, 0)),
    "a mount": (165, 40, (0, 0, 0, 0, 0)),
    "a tree of mounts": (428, 428, (-1, 0, 0)),
    "another root": (161, 51, (0,)),
    "a handle of a file": (304, 265, (-1, 0, 0)),
    "the log of the kernel": (103, 116, (10, 0, 0)),
    "a module": (313, 273, (-1, 0, 0)),
    "another kernel": (246, 104, (0, 0, 0, 0)),
    "an accountant": (163, 89, (0,)),
    "a swap file": (167, 224, (0, 0)),
    "a queue by name": (240, 180, (0, 0, 0, 0)),
    "semaphores": (64, 190, (0, 0, 0)),
    "who opens which file": (300, 262, (0, 0)),
}
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not tried:
            tried.append(True)
            for what, (number, arm_number, arguments) in CALLS.items():
                knock(what, arm_number if ARM else number, arguments)
        return view.actions[0]


def knock(what: str, number: int, arguments: tuple[int, ...]) -> None:
    """Says what came of it. In a process of its own, which a name space may keep."""
    child = os.fork()
    if child == 0:
        failed = libc.syscall(number, *map(ctypes.c_long, arguments)) == -1
        os._exit(ctypes.get_errno() if failed else 0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code in REFUSED:
        print(f"kept from {what}: {os.strerror(code)}", flush=True)
    else:
        print(f"reached: {what}", flush=True)


run(FaultBot)
