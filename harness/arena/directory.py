"""The private directory of an arena: its socket and its bots' temporary files.

What an arena that was killed has left is removed by the next.
"""

import contextlib
import fcntl
import os
import tempfile
import time
from pathlib import Path

from harness.sandbox.remains import remove_tree

PREFIX = "cardarena-"
LOCK = "lock"
SETTLED_S = 60.0
"""A directory younger than this may be one that is being made."""
MAX_PATH_BYTES = 80
"""Leaves room for a socket's name: its whole path has at most 107 bytes."""


class PrivateDirectory:
    """Only its owner may look into it. It is locked while its arena lives, so that others know it is in use."""

    def __init__(self) -> None:
        root = Path(tempfile.gettempdir())
        if len(bytes(root)) > MAX_PATH_BYTES:
            root = Path("/tmp")
        remove_abandoned(root)
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=root))
        self._lock_fd = os.open(self.path / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock_fd, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Removes it and all that is in it."""
        remove_tree(self.path)
        os.close(self._lock_fd)


def remove_abandoned(root: Path) -> None:
    """Removes what arenas that were killed have left in `root`."""
    for path in root.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = (path / LOCK).stat()
            if status.st_uid == os.getuid() and time.time() - status.st_mtime > SETTLED_S and _is_free(path / LOCK):
                remove_tree(path)


def _is_free(lock: Path) -> bool:
    lock_fd = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock_fd)
    return True
