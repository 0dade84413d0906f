"""Removes what bots have left on disk, whatever they made of it: `shutil.rmtree` gives up where folders are too deep.

A folder within a folder is moved up before it is emptied, so that neither the depth nor the length of a path matters.
"""

import contextlib
import os
from itertools import count
from pathlib import Path

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(path: Path, last: str | None = None) -> None:
    """Removes the folder `path` and all below it, closed folders too; links are not followed.

    What cannot be removed stays, and is no error. Nothing else may be at work in it. `last`: a file in `path` that
    stays as long as anything else does.
    """
    with contextlib.suppress(OSError):
        top = os.open(path, _OPEN)
        try:
            _empty(top, last)
        finally:
            os.close(top)
        path.rmdir()


def _empty(top: int, last: str | None) -> None:
    numbers = count()
    stuck: set[str] = set()
    while folders := [name for name in _remove_files(top, last) if name not in stuck]:
        for name in folders:
            try:
                _dissolve(top, name, numbers)
            except OSError:
                stuck.add(name)
    if last is not None and not stuck:
        with contextlib.suppress(OSError):
            os.unlink(last, dir_fd=top)


def _dissolve(top: int, name: str, numbers: "count[int]") -> None:
    """Removes a folder of `top`, and moves what folders it holds into `top`."""
    os.chmod(name, 0o700, dir_fd=top)
    folder = os.open(name, _OPEN, dir_fd=top)
    try:
        for inner in _remove_files(folder):
            # A folder that is moved is written to: its `..` changes.
            os.chmod(inner, 0o700, dir_fd=folder)
            os.rename(inner, f".moved-{next(numbers)}-{os.urandom(4).hex()}", src_dir_fd=folder, dst_dir_fd=top)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)


def _remove_files(folder: int, but: str | None = None) -> list[str]:
    """Removes all that is no folder, `but` one; returns the names of the folders."""
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        if not is_folder and name != but:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=folder)
    return [name for name, is_folder in found if is_folder]
