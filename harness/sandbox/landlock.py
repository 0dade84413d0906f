"""The level `landlock`: a process gives up, for itself and all that it starts, what it may open, dial and signal.

No name spaces and no privileges are needed. What it does not rule (connecting to unix sockets by path,
seeing which processes there are, memory, survivors) the levels above and below it do or do not.
"""

import os
import struct

from harness.sandbox import kernel

LEAST_ABI = 4
"""From this version of Landlock on TCP is ruled, too."""
SCOPES_ABI = 6
"""From this one on signals to others and abstract unix sockets."""
ANY_PORT = -1
KNOWN_ABI = 7
"""What newer ones rule besides is not known here, and not asked for."""

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_ALL_OF_FILES = (1 << 13) - 1  # to MAKE_SYM
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ALL_OF_TCP = 0b11  # bind, connect
_CONNECT_TCP = 0b10
_SCOPES = 0b11  # abstract unix sockets, signals
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_RULE_PATH, _RULE_PORT = 1, 2
_VERSION_FLAG = 1


def landlock_abi() -> int:
    """The version that this kernel has; 0: none."""
    try:
        return kernel.landlock(kernel.LANDLOCK_CREATE_RULESET, None, 0, _VERSION_FLAG) if kernel.is_linux() else 0
    except OSError:
        return 0


def restrict(abi: int, readable: tuple[str, ...], writable: tuple[str, ...], port: int) -> None:
    """Restricts this process for good. `port`: the one that it may dial; 0: none; ANY_PORT: all, and listen, too.

    Paths that are not there are left out. This process must not be able to gain privileges any more.
    """
    files = _ALL_OF_FILES | _REFER | (_TRUNCATE if abi >= 3 else 0) | (_IOCTL_DEV if abi >= 5 else 0)
    ruled = struct.pack("=QQQ", files, 0 if port == ANY_PORT else _ALL_OF_TCP, _SCOPES if abi >= SCOPES_ABI else 0)
    size = len(ruled) if abi >= SCOPES_ABI else 16
    rules_fd = kernel.landlock(kernel.LANDLOCK_CREATE_RULESET, ruled, size, 0)
    for path in readable:
        _allow(rules_fd, path, _READ & files)
    for path in _DEVICES:
        _allow(rules_fd, path, (_READ_FILE | _WRITE_FILE | _IOCTL_DEV) & files)
    for path in writable:
        _allow(rules_fd, path, files)
    if port > 0:
        rule = struct.pack("=QQ", _CONNECT_TCP, port)
        kernel.landlock(kernel.LANDLOCK_ADD_RULE, rules_fd, _RULE_PORT, rule, 0)
    kernel.landlock(kernel.LANDLOCK_RESTRICT_SELF, rules_fd, 0)
    os.close(rules_fd)


def _allow(rules_fd: int, path: str, access: int) -> None:
    try:
        path_fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        access &= _OF_A_FILE
    rule = struct.pack("=Qi", access, path_fd)
    kernel.landlock(kernel.LANDLOCK_ADD_RULE, rules_fd, _RULE_PATH, rule, 0)
    os.close(path_fd)
