"""Calls of the Linux kernel that Python has no function for. Only the levels of the sandbox make them.

Each raises OSError where the kernel refuses.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

CLONE_NEWNS = 0x00020000

MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18

LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
"""System calls; the same numbers on every machine."""

_libc = ctypes.CDLL(None, use_errno=True)


class _Filter(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def is_linux() -> bool:
    """Whether the calls of this file are there."""
    return sys.platform == "linux"


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def prctl(option: int, value: int) -> None:
    """Sets something of this process."""
    _checked(_libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)))


def set_filter(code: bytes) -> None:
    """Filters all further system calls, for good. This process must not be able to gain privileges any more."""
    program = _Filter(len(code) // 8, code)
    _checked(_libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(SECCOMP_MODE_FILTER), ctypes.byref(program), 0, 0))


def unshare(flags: int) -> None:
    """Gives this process name spaces of its own."""
    _checked(_libc.unshare(flags))


def enter(name_space_fd: int) -> None:
    """Moves this process into a name space."""
    _checked(_libc.setns(name_space_fd, 0))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mounts, or changes what is mounted."""
    _checked(_libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()))


def landlock(number: int, *arguments: int | bytes | None) -> int:
    """One of the three calls of Landlock."""
    words = [ctypes.c_char_p(word) if isinstance(word, bytes) else ctypes.c_long(word or 0) for word in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *words))
