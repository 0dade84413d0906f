"""Keeps a folder up to date with the files of a site, and touches nothing else in it.

A list of the files, `site.json`, says that the folder is a site of ours, and what the bytes of each were. What has not
changed is not written again, what is no longer made is removed, and what somebody else put there is left alone. A file
is put into its place whole: whoever reads meanwhile, or kills us, meets the file of before or the new one. One process
writes a folder at a time.
"""

import fcntl
import hashlib
import json
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from ladder.errors import LadderError
from ladder.site.pages import File

LIST_NAME = "site.json"
MOST_BYTES = 50_000_000
"""Of one file: hosts refuse larger ones."""
_MOST_LIST_BYTES = 256 << 20
_PART = re.compile(r"(?!\.+$)[A-Za-z0-9._~-]{1,255}")
"""Of the name of a file: nothing in it means anything to a terminal or a file system."""
_MOST_PARTS = 8


class Written(NamedTuple):
    """What `write_site` did."""

    file_count: int
    byte_count: int
    changed_count: int
    removed_count: int


class _Kept(NamedTuple):
    """What the list says of a file."""

    size: int
    digest: str | None
    """None: make it again to know whether it changed."""
    sha256: str = ""
    """Of its bytes, in hex; empty in a list of an older program."""


_UNKNOWN = _Kept(-1, None)
"""A file that may be there or not, and be anything."""


def published_files(folder: Path) -> tuple[str, ...]:
    """The names of the files of the site in `folder`, ascending. LadderError where it is no site of ours."""
    if not (folder / LIST_NAME).is_file():
        raise LadderError(f"{folder}: no published site, for there is no {LIST_NAME} in it")
    return tuple(sorted(_known_files(folder)))


def changed_files(folder: Path) -> Iterator[str]:
    """What is no longer as it was published, a line a file, by name. LadderError where `folder` is no site of ours."""
    for name, kept in sorted(_known_files(folder).items()):
        if not _lies_in(folder, name):
            yield f"{name}: it is missing"
        elif kept.sha256 and _sha256(folder / name) != kept.sha256:
            yield f"{name}: its bytes are not those that were published"


def refuse_strange(folder: Path) -> None:
    """LadderError where `folder` holds things and is no site of ours: `write_site` would refuse it."""
    _known_files(folder)


def write_site(folder: Path, files: Iterable[File]) -> Written:
    """Makes `folder` hold `files`, which are asked for once nobody else can write there.

    LadderError where it holds things and is no site of ours, another process is writing it, or it cannot be written.
    """
    refuse_strange(folder)
    try:
        with _locked(folder):
            return _write(folder, _known_files(folder), deque(files))
    except OSError as error:
        raise LadderError(f"{error.filename or folder}: cannot be written ({error.strerror})") from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps other processes from writing a site into `folder`, which is made if it must be, and then not left empty."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)  # the folder itself: no file of ours is to be published
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise LadderError(
            f"{folder}: is being written by another process; wait for it, or name another folder"
        ) from None
    except OSError:
        pass  # a file system without locks
    try:
        yield
    finally:
        os.close(descriptor)
        if is_new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()


def _known_files(folder: Path) -> Mapping[str, _Kept]:
    path = folder / LIST_NAME
    try:
        if not path.exists():
            # A fresh clone holds .git and nothing else; whoever was cut off in the first step, the half of the list.
            names = {entry.name for entry in folder.iterdir()} - {_half(path).name}
            strangers = sorted(name for name in names if not name.startswith("."))
            if strangers:
                raise LadderError(
                    f"{folder}: holds {strangers[0]} and is no site of cardarena; name an empty folder or a new one"
                )
            return {}
        if not path.is_file():  # a pipe would keep us waiting for ever
            raise ValueError(path)
        with path.open("rb") as file:
            members = json.loads(file.read(_MOST_LIST_BYTES))
        return {_checked_name(name): _kept(kept) for name, kept in members["files"].items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise LadderError(f"{folder}: cannot be used as a site ({error.strerror}); name a folder") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise LadderError(f"{path}: is no list of files of cardarena; name an empty folder or a new one") from None


def _checked_name(name: str) -> str:
    """`name` itself. ValueError where no site of ours has a file that is called so: the list may be a stranger's."""
    parts = name.split("/")
    if len(parts) > _MOST_PARTS or not all(_PART.fullmatch(part) for part in parts):
        raise ValueError(name)
    return name


def _kept(members: object) -> _Kept:
    """What a list says of a file: size, digest, SHA-256; in lists of older programs there may be less of it."""
    size, digest, sha256 = members if isinstance(members, list) and len(members) == 3 else _of_old(members)
    if isinstance(size, int) and isinstance(digest, str | None) and isinstance(sha256, str):
        return _Kept(size, digest, sha256)
    raise TypeError(members)


def _of_old(members: object) -> tuple[object, object, object]:
    if isinstance(members, list):
        size, digest = members
        return size, digest, ""
    return members, None, ""


def _lies_in(folder: Path, name: str) -> bool:
    """Whether there is such a file, in the folder and not through a link that leads out of it."""
    path = folder / name
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links in a circle
        return False


def _sha256(path: Path) -> str | None:
    """Of the bytes of a file, in hex; None where it cannot be read, or is larger than any of ours."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _write(folder: Path, known: Mapping[str, _Kept], files: deque[File]) -> Written:
    kept: dict[str, _Kept] = {}
    changed_count = 0
    folder.mkdir(parents=True, exist_ok=True)
    # First, so that who goes on after an interruption knows all that may lie here.
    _replace(folder / LIST_NAME, _list_text({file.path: _UNKNOWN for file in files} | dict(known)).encode())
    while files:
        file = files.popleft()  # what was made for it goes with it
        if file.path in kept:
            raise ValueError(f"two files called {file.path}")
        path = folder / file.path
        if not path.parent.resolve().is_relative_to(folder.resolve()):
            raise LadderError(f"{path.parent}: leads out of the site; remove that link, or name another folder")
        before = known.get(file.path)
        if (
            before is not None
            and file.digest is not None
            and before.digest == file.digest
            and before.sha256
            and _size(path) == before.size
        ):
            kept[file.path] = before
            continue
        data = file.data()
        if len(data) > MOST_BYTES:
            raise LadderError(f"{file.path} would have {len(data) / 1e6:.0f} MB; hosts refuse files over 50 MB")
        kept[file.path] = _Kept(len(data), file.digest, hashlib.sha256(data).hexdigest())
        changed_count += _replace(path, data)
    removed_count = _remove(folder, set(known) - set(kept))
    _replace(folder / LIST_NAME, _list_text(kept).encode())
    return Written(len(kept), sum(file.size for file in kept.values()), changed_count, removed_count)


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _replace(path: Path, data: bytes) -> bool:
    """Puts `data` at `path` in one step; False, and nothing touched, where it is there already."""
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    half = _half(path)
    half.write_bytes(data)
    half.replace(path)
    return True


def _half(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def _remove(folder: Path, names: Iterable[str]) -> int:
    """Removes files that were ours, and the folders that this leaves empty."""
    count = 0
    for name in sorted(names):
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            continue
        was_there = path.is_file()
        for file in (path, _half(path)):  # somebody who was killed may have left the half of it
            if file.is_file():
                file.unlink()
        count += was_there
        for parent in path.parents:
            if parent == folder or not parent.is_dir() or any(parent.iterdir()):
                break
            parent.rmdir()
    return count


def _list_text(kept: Mapping[str, _Kept]) -> str:
    rows = [
        f"{json.dumps(name)}:{json.dumps(list(file), separators=(',', ':'))}" for name, file in sorted(kept.items())
    ]
    return '{"cardarena_site":1,"files":{\n' + ",\n".join(rows) + "\n}}\n"
