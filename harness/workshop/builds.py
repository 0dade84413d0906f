"""The folder of built trees, which several processes share: who may change what in it, and what goes.

    BUILDS/.lock           held by whoever changes which trees there are
    BUILDS/.building-*     where one tree is made; its own lock is held as long as its maker lives
    BUILDS/NAME, NAME.sha256

A place whose maker was killed, and a tree that nobody has looked at for `UNUSED_DAYS`, go when the next tree is made.
Where a tree is missed, it is made again.
"""

import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from harness.sandbox.remains import remove_tree
from harness.sandbox.scratch import is_held

SEAL_SUFFIX = ".sha256"
UNUSED_DAYS = 30
"""A tree is looked at, and its seal touched, whenever its bot is about to play."""
_PLACE = ".building-"
_LOCK = ".lock"
_S_PER_DAY = 86_400


@contextlib.contextmanager
def locked(builds: Path) -> Iterator[None]:
    """Nobody else makes, replaces or removes trees in `builds` meanwhile. OSError where it cannot be locked."""
    lock_fd = os.open(builds / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock_fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock_fd)


def make_place(builds: Path) -> tuple[Path, int]:
    """A folder to make a tree in, and the descriptor of its lock, to be closed when it is removed. Tidies up first."""
    builds.mkdir(parents=True, exist_ok=True)
    with locked(builds):
        _tidy(builds)
        place = Path(tempfile.mkdtemp(prefix=_PLACE, dir=builds))
        lock_fd = os.open(place / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock_fd, fcntl.LOCK_EX)
    return place, lock_fd


def _tidy(builds: Path) -> None:
    for place in builds.glob(f"{_PLACE}*"):
        with contextlib.suppress(OSError):
            if not is_held(place / _LOCK):
                remove_tree(place)
    unused_s = time.time() - UNUSED_DAYS * _S_PER_DAY
    for tree in builds.iterdir():
        if tree.is_dir() and not tree.name.startswith("."):
            seal = tree.with_name(tree.name + SEAL_SUFFIX)
            with contextlib.suppress(OSError):
                touched = seal if seal.exists() else tree  # without one: its maker was killed between the two
                if touched.stat().st_mtime < unused_s:
                    seal.unlink(missing_ok=True)
                    remove_tree(tree)
