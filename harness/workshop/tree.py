"""A bot's folder as a value: its files, its hash, a read-only copy.

The hash says what a version is. It covers paths, contents and whether the owner may execute a file;
times, other permissions and empty folders do not count, nor do `__pycache__` and `.git`:

    SHA-256 over "cardarena-tree-v1" and a zero byte, then for each file, by the bytes of its path:
    length of the path (4 bytes, big-endian), path (UTF-8, "/" between), "x" or "-", SHA-256 of the contents (32 bytes)
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from harness.errors import HarnessError
from harness.printable import printable

IGNORED = frozenset({"__pycache__", ".git"})
MAX_FILE_COUNT = 20_000
MAX_TREE_BYTES = 1 << 30
MAX_PATH_BYTES = 512

_LABEL = b"cardarena-tree-v1\0"
_CHUNK_BYTES = 1 << 20


class TreeFile(NamedTuple):
    """One file: its path below the folder, with `/` between, and whether its owner may execute it."""

    path: str
    is_executable: bool


def tree_files(folder: Path) -> tuple[TreeFile, ...]:
    """The files of the bot in `folder`, by the bytes of their paths.

    HarnessError for anything but plain files and folders, for names that cannot be shown, and for too many or too much.
    """
    files: list[TreeFile] = []
    tree_bytes = 0
    pending = [""]
    while pending:
        prefix = pending.pop()
        for entry in _scan(folder, prefix):
            path = prefix + entry.name
            if entry.name in IGNORED:
                continue
            _check_path(folder, path)
            if entry.is_dir(follow_symlinks=False):
                pending.append(path + "/")
                continue
            status = entry.stat(follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):
                raise _refused(folder, path, f"{_kind(status.st_mode)}; a bot's folder holds files and folders only")
            files.append(TreeFile(path, bool(status.st_mode & stat.S_IXUSR)))
            tree_bytes += status.st_size
            if len(files) > MAX_FILE_COUNT:
                raise HarnessError(
                    f"{_shown(folder)}: more than {MAX_FILE_COUNT:,} files; leave out what the bot does not need"
                )
            if tree_bytes > MAX_TREE_BYTES:
                raise HarnessError(
                    f"{_shown(folder)}: more than {MAX_TREE_BYTES >> 20:,} MB; leave out what the bot does not need"
                )
    return tuple(sorted(files, key=lambda file: file.path.encode()))


def tree_sha256(folder: Path) -> str:
    """Hash of the bot in `folder`, in hex."""
    return _hashed(folder, None)


def copy_tree(folder: Path, target: Path) -> str:
    """Copies the bot in `folder` to `target`, which must not be there, read-only, and returns the copy's hash."""
    target.mkdir(parents=True)
    return _hashed(folder, target)


def _hashed(folder: Path, target: Path | None) -> str:
    digest = hashlib.sha256(_LABEL)
    for file in tree_files(folder):
        path = file.path.encode()
        digest.update(len(path).to_bytes(4, "big") + path + (b"x" if file.is_executable else b"-"))
        digest.update(_contents(folder, file, target))
    return digest.digest().hex()


def _contents(folder: Path, file: TreeFile, target: Path | None) -> bytes:
    """Hash of the contents of `file`, which are copied on the way where there is a `target`."""
    digest = hashlib.sha256()
    with _opened(folder, file.path) as source:
        if target is None:
            while chunk := os.read(source, _CHUNK_BYTES):
                digest.update(chunk)
            return digest.digest()
        copy_path = target / file.path
        copy_path.parent.mkdir(parents=True, exist_ok=True)
        copy = os.open(copy_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            while chunk := os.read(source, _CHUNK_BYTES):
                digest.update(chunk)
                _write(copy, chunk)
            os.fchmod(copy, 0o555 if file.is_executable else 0o444)
        finally:
            os.close(copy)
    return digest.digest()


def _write(descriptor: int, chunk: bytes) -> None:
    view = memoryview(chunk)
    while view:
        view = view[os.write(descriptor, view) :]


@contextmanager
def _opened(folder: Path, path: str) -> Iterator[int]:
    # Neither following a link nor waiting for a pipe's writer: the folder may have changed since it was listed.
    try:
        descriptor = os.open(folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise _refused(folder, path, f"cannot be read: {error.strerror}") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _refused(folder, path, "no longer a plain file; try again")
        yield descriptor
    finally:
        os.close(descriptor)


def _scan(folder: Path, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder / prefix) as entries:
            return list(entries)
    except OSError as error:
        raise _refused(folder, prefix, f"cannot be listed: {error.strerror}") from None


def _check_path(folder: Path, path: str) -> None:
    if not path.isprintable():  # undecodable bytes are surrogates here, and not printable either
        raise _refused(folder, path, "a name that cannot be shown; rename it")
    if "\\" in path:
        raise _refused(folder, path, "a name with a backslash; rename it")
    if len(path.encode()) > MAX_PATH_BYTES:
        raise _refused(folder, path[:80] + "...", f"a path of more than {MAX_PATH_BYTES} bytes; shorten it")


def _kind(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _refused(folder: Path, path: str, why: str) -> HarnessError:
    return HarnessError(f"{_shown(folder / path)}: {why}")


def _shown(path: Path) -> str:
    return printable(str(path))
