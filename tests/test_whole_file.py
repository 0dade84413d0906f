"""What is written takes its place whole, and what was there before stays where it does not come about."""

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.whole_file import SETTLED_S, whole_file

ROOT = Path(__file__).parent.parent


def test_it_takes_its_place_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    path.write_text("before")
    with whole_file(path) as unfinished:
        unfinished.write_text("after")
        meanwhile = path.read_text()

    assert (meanwhile, path.read_text()) == ("before", "after")
    assert list(tmp_path.iterdir()) == [path]


def begin_and_fail(path: Path) -> None:
    with whole_file(path) as unfinished:
        unfinished.write_text("half")
        raise OSError("the disk is full")


def test_what_raises_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    path.write_text("before")
    with pytest.raises(OSError, match="full"):
        begin_and_fail(path)

    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "report.zip", tmp_path / "latest.zip"
    link.symlink_to(target)
    with whole_file(link) as unfinished:
        unfinished.write_text("whole")

    assert link.is_symlink()
    assert target.read_text() == "whole"


def test_a_pipe_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with whole_file(pipe) as unfinished:
        assert unfinished == pipe

    assert stat.S_ISFIFO(pipe.stat().st_mode)


def age(path: Path) -> None:
    """Makes a file look as if it had been written long ago."""
    then = time.time() - 2 * SETTLED_S
    os.utime(path, (then, then), follow_symlinks=False)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@contextmanager
def writer(path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A process that has half written what takes the place of `path`, and where."""
    code = (
        "import sys, time; from pathlib import Path; from harness.whole_file import whole_file\n"
        "with whole_file(Path(sys.argv[1])) as unfinished:\n"
        "    unfinished.write_text('half'); print(unfinished, flush=True); time.sleep(3600)"
    )
    command = [sys.executable, "-c", code, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    try:
        half = Path(process.stdout.readline().strip())
        age(half)
        yield half, process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_what_a_killed_process_left_goes_with_the_next_file_and_what_is_being_written_stays(tmp_path: Path) -> None:
    with writer(tmp_path / "report.zip") as (_, killed), writer(tmp_path / "report.zip") as (half, _):
        killed.kill()
        killed.wait()
        with whole_file(tmp_path / "other.zip") as unfinished:
            unfinished.touch()

        assert names(tmp_path) == {"other.zip", half.name}


def test_only_what_was_left_long_ago_and_is_a_file_of_ours_goes(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    (tmp_path / ".unfinished-link").symlink_to("kept")
    (tmp_path / ".unfinished-folder").mkdir()
    os.mkfifo(tmp_path / ".unfinished-pipe")
    (tmp_path / ".unfinished-1234.zip").touch()
    for path in tmp_path.iterdir():
        age(path)
    (tmp_path / ".unfinished-new.zip").touch()
    strangers = names(tmp_path) - {".unfinished-1234.zip"}
    with whole_file(tmp_path / "report.zip") as unfinished:
        unfinished.touch()

    assert names(tmp_path) == strangers | {"report.zip"}


def test_nothing_is_written_through_a_link_that_lies_where_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.urandom", bytes)
    (tmp_path / "kept").write_text("kept")
    (tmp_path / f".unfinished-{bytes(8).hex()}.zip").symlink_to("kept")
    with pytest.raises(FileExistsError):
        begin_and_fail(tmp_path / "report.zip")

    assert (tmp_path / "kept").read_text() == "kept"
