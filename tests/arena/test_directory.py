"""The private directory: found by nobody else, left by nobody."""

import os
import time
from pathlib import Path

import pytest

from harness.arena.directory import LOCK, SETTLED_S, PrivateDirectory, remove_abandoned


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("harness.arena.directory.MAX_PATH_BYTES", 4096)
    return tmp_path


def age(directory: Path) -> None:
    """Makes a directory look as if it had been made long ago."""
    then = time.time() - 2 * SETTLED_S
    os.utime(directory / LOCK, (then, then))


def test_only_its_owner_may_look_into_it(root: Path) -> None:
    directory = PrivateDirectory()

    assert directory.path.parent == root
    assert directory.path.stat().st_mode & 0o777 == 0o700
    directory.remove()
    assert list(root.iterdir()) == []


def test_what_a_killed_arena_left_is_removed(root: Path) -> None:
    left = root / "cardarena-left"
    left.mkdir()
    (left / LOCK).touch()
    age(left)
    remove_abandoned(root)

    assert list(root.iterdir()) == []


def test_what_is_in_use_or_new_or_not_ours_stays(root: Path) -> None:
    used = PrivateDirectory()
    age(used.path)
    new = root / "cardarena-new"
    new.mkdir()
    (new / LOCK).touch()
    other = root / "cardarena-notes"
    other.mkdir()
    remove_abandoned(root)

    assert sorted(root.iterdir()) == sorted([used.path, new, other])
    used.remove()


def test_a_long_temporary_path_is_not_used_for_sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long_path = tmp_path / ("x" * 90)
    long_path.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long_path))
    directory = PrivateDirectory()

    assert directory.path.parent == Path("/tmp")
    directory.remove()
