"""Temporary folders that go with the process that made them, or with the next one where that was killed."""

import contextlib
import fcntl
import os
import stat
import tempfile
import time
from pathlib import Path
from types import TracebackType

from harness.sandbox.remains import remove_tree

PREFIX = "cardarena-"
LOCK = "lock"
SETTLED_S = 60.0
"""A folder younger than this may be one that is being made."""


class Scratch:
    """A new folder that only its owner may look into. It is locked while its maker lives, so that others let it be."""

    def __init__(self, purpose: str = "", root: Path | None = None) -> None:
        """`purpose` stands in the folder's name; `root`: where to make it, absent: where temporary files are."""
        root = Path(tempfile.gettempdir()) if root is None else root
        remove_abandoned(root)
        self.path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{purpose}", dir=root))
        self._lock_fd = os.open(self.path / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock_fd, fcntl.LOCK_EX)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Removes it and all that is in it. Once."""
        _remove(self.path)
        os.close(self._lock_fd)


def remove_abandoned(root: Path) -> None:
    """Removes what processes of this user that were killed have left in `root`."""
    for path in root.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = path / LOCK
            ours = _is_own(path, stat.S_IFDIR) and _is_own(lock, stat.S_IFREG)
            if ours and _is_settled(lock) and not is_held(lock):
                _remove(path)


def _remove(folder: Path) -> None:
    """Its lock goes last: what is left where this is cut short, somebody else finds and removes."""
    remove_tree(folder, last=LOCK)


def _is_own(path: Path, kind: int) -> bool:
    """Not a link: where everybody may write, somebody else could have it lead to a folder of ours."""
    status = path.lstat()
    return stat.S_IFMT(status.st_mode) == kind and status.st_uid == os.getuid()


def _is_settled(lock: Path) -> bool:
    return time.time() - lock.stat().st_mtime > SETTLED_S


def is_held(lock: Path) -> bool:
    """Whether somebody lives who has locked this file. Where there is none, nobody; OSError where it cannot be told."""
    try:
        lock_fd = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock_fd)
    return False
