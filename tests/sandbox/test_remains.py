"""What a bot leaves on disk goes, however it is built, and nothing else does."""

import os
from pathlib import Path

import pytest

from harness.sandbox.remains import remove_tree
from harness.sandbox.users import runs_as_root


def dig(folder: Path, depth: int, name: str) -> None:
    """Makes folders in folders, deeper than a path may be long."""
    place = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=place)
        inner = os.open(name, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(os.open("bottom", os.O_CREAT, dir_fd=place))
    os.close(place)


def test_folders_deeper_than_recursion_and_paths_may_go(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    dig(folder, 2000, "deeper")

    remove_tree(folder)

    assert list(tmp_path.iterdir()) == []


def test_closed_folders_links_and_pipes_go_and_what_links_lead_to_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("mine")
    folder = tmp_path / "bot"
    (folder / "closed" / "inner").mkdir(parents=True)
    (folder / "closed" / "inner" / "file").touch()
    (folder / "out").symlink_to(kept)
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    (folder / "closed" / "inner").chmod(0)
    (folder / "closed").chmod(0)

    remove_tree(folder)

    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "kept"]


def test_a_folder_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    remove_tree(tmp_path / "none")
    (tmp_path / "file").touch()
    remove_tree(tmp_path / "file")

    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not runs_as_root(), reason="who is no root owns all that it may make")
def test_what_another_user_left_goes(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    (folder / "closed").mkdir(parents=True)
    (folder / "closed" / "file").touch()
    for path in (folder / "closed" / "file", folder / "closed", folder):
        os.chown(path, 61000, 61000)
        path.chmod(0)

    remove_tree(folder)

    assert list(tmp_path.iterdir()) == []
