"""What is written takes its place whole, and what was there before stays where it does not come about."""

import os
import stat
from pathlib import Path

import pytest

from harness.whole_file import whole_file


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
