"""Temporary folders: found by nobody else, left by nobody."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.sandbox import remains
from harness.sandbox.scratch import LOCK, SETTLED_S, Scratch, is_held, remove_abandoned
from tests.sandbox.test_process import ROOT


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def age(folder: Path) -> None:
    """Makes a folder look as if it had been made long ago."""
    then = time.time() - 2 * SETTLED_S
    os.utime(folder / LOCK, (then, then))


def test_only_its_owner_may_look_into_it(root: Path) -> None:
    with Scratch() as folder:
        assert folder.parent == root
        assert folder.stat().st_mode & 0o777 == 0o700

    assert list(root.iterdir()) == []


@pytest.mark.parametrize("purpose", ["", "check-", "trial-"])
def test_what_a_killed_process_left_is_removed(root: Path, purpose: str) -> None:
    code = (
        f"import sys, time; sys.path.append({str(ROOT)!r})\n"
        "from harness.sandbox.scratch import Scratch\n"
        f"print(Scratch({purpose!r}).path, flush=True); time.sleep(3600)"
    )
    environment = {**os.environ, "TMPDIR": str(root)}
    maker = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
    assert maker.stdout is not None
    left = Path(maker.stdout.readline().strip())
    age(left)
    remove_abandoned(root)
    assert left.parent == root
    assert left.is_dir()  # its maker lives
    maker.send_signal(signal.SIGKILL)
    maker.communicate()
    remove_abandoned(root)

    assert list(root.iterdir()) == []


def test_what_could_not_be_removed_is_removed_by_the_next(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    scratch = Scratch()
    (scratch.path / "bot").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(remains, "_dissolve", fail)
        scratch.remove()
    age(scratch.path)
    remove_abandoned(root)

    assert list(root.iterdir()) == []


def test_what_is_in_use_or_new_or_not_ours_stays(root: Path) -> None:
    used = Scratch()
    age(used.path)
    new = root / "cardarena-new"
    new.mkdir()
    (new / LOCK).touch()
    other = root / "cardarena-notes"
    other.mkdir()
    remove_abandoned(root)

    assert sorted(root.iterdir()) == sorted([used.path, new, other])
    used.remove()


def test_a_lock_is_held_while_its_holder_lives_and_one_that_is_not_there_by_nobody(root: Path) -> None:
    scratch = Scratch()
    lock = root / "free"
    lock.touch()

    assert is_held(scratch.path / LOCK)
    assert not is_held(lock)
    assert not is_held(root / "none")
    scratch.remove()


def test_of_a_lock_that_cannot_be_opened_nobody_says_that_it_is_free(root: Path) -> None:
    lock = root / "folder"
    lock.mkdir()

    with pytest.raises(IsADirectoryError):
        is_held(lock)


def test_what_a_killed_process_left_stays_where_its_lock_cannot_be_opened(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = root / "cardarena-left"
    left.mkdir()
    (left / LOCK).touch()
    age(left)

    def refused(path: Path, flags: int) -> int:
        raise OSError(errno.EMFILE, "Too many open files", str(path))

    with monkeypatch.context() as patched:
        patched.setattr("harness.sandbox.scratch.os.open", refused)
        remove_abandoned(root)
    assert left.is_dir()
    remove_abandoned(root)

    assert not left.exists()


def test_no_link_leads_to_what_is_removed(root: Path) -> None:
    """Where everybody may write, anybody can put one."""
    kept = root / "kept"
    kept.mkdir()
    (kept / LOCK).touch()
    age(kept)
    (root / "cardarena-folder").symlink_to(kept)
    (root / "cardarena-lock").mkdir()
    (root / "cardarena-lock" / LOCK).symlink_to(kept / LOCK)
    remove_abandoned(root)

    assert {path.name for path in root.iterdir()} == {"kept", "cardarena-folder", "cardarena-lock"}
    assert (kept / LOCK).is_file()
