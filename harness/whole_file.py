"""A file that is there whole, or not at all."""

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

_PREFIX = ".unfinished-"
SETTLED_S = 60.0
"""A file younger than this may be one that its writer has not locked yet."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write what takes the place of `path` once the block has ended, and is gone where it raises.

    It is locked meanwhile: what a killed process left goes with the next file of its folder. A device or a pipe is
    written to itself. OSError where nothing can be put in its place.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        yield path
        return
    _remove_abandoned(target.parent)
    unfinished = target.with_name(f"{_PREFIX}{os.urandom(8).hex()}{target.suffix}")
    # A new file: where everybody may write, somebody could have put a link there.
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    try:
        with suppress(OSError):  # a file system without locks: then nothing is removed there either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield unfinished
        unfinished.replace(target)
    finally:
        with suppress(OSError):  # it has taken its place
            unfinished.unlink()
        os.close(descriptor)


@cache  # once for each folder: some files lie beside thousands
def _remove_abandoned(folder: Path) -> None:
    """Removes what processes of this user that were killed have left in `folder`."""
    for path in folder.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = path.lstat()
            is_own = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
            if is_own and time.time() - status.st_mtime > SETTLED_S:
                _unlink_unlocked(path)


def _unlink_unlocked(path: Path) -> None:
    """OSError where somebody lives who has locked it, or it cannot be told."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    finally:
        os.close(descriptor)
