"""A tree's hash: what it covers and what not; the read-only copy; what no bot's folder may hold."""

import hashlib
import os
import socket
import stat
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.workshop import tree
from harness.workshop.tree import TreeFile, copy_tree, tree_files, tree_sha256


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "fox"
    (root / "data").mkdir(parents=True)
    (root / "bot.toml").write_text("x")
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    (root / "data" / "книга.bin").write_bytes(bytes(range(256)) * 20)
    (root / "data.txt").touch()
    return root


def test_files_stand_by_the_bytes_of_their_paths(folder: Path) -> None:
    assert tree_files(folder) == (
        TreeFile("bot.toml", is_executable=False),
        TreeFile("data.txt", is_executable=False),
        TreeFile("data/книга.bin", is_executable=False),
        TreeFile("run.sh", is_executable=True),
    )


def test_the_hash_is_the_documented_one(folder: Path) -> None:
    text = b"cardarena-tree-v1\0"
    for path, flag in (("bot.toml", b"-"), ("data.txt", b"-"), ("data/книга.bin", b"-"), ("run.sh", b"x")):
        name = path.encode()
        text += len(name).to_bytes(4, "big") + name + flag + hashlib.sha256((folder / path).read_bytes()).digest()

    assert tree_sha256(folder) == hashlib.sha256(text).hexdigest()


def test_times_empty_folders_caches_and_history_do_not_count(folder: Path) -> None:
    before = tree_sha256(folder)
    os.utime(folder / "bot.toml", (1, 1))
    (folder / "bot.toml").chmod(0o600)
    (folder / "empty").mkdir()
    for ignored in ("__pycache__", ".git", "data/__pycache__"):
        (folder / ignored).mkdir()
        (folder / ignored / "x.pyc").write_text("x")

    assert tree_sha256(folder) == before


def test_a_submodule_s_git_file_does_not_count(folder: Path) -> None:
    before = tree_sha256(folder)
    (folder / ".git").write_text("gitdir: ../.git/modules/fox")

    assert tree_sha256(folder) == before


def test_contents_names_and_the_executable_bit_count(folder: Path) -> None:
    hashes = {tree_sha256(folder)}
    (folder / "bot.toml").write_text("y")
    hashes.add(tree_sha256(folder))
    (folder / "run.sh").chmod(0o644)
    hashes.add(tree_sha256(folder))
    (folder / "data.txt").rename(folder / "data2.txt")
    hashes.add(tree_sha256(folder))
    (folder / "more").touch()
    hashes.add(tree_sha256(folder))

    assert len(hashes) == 5


def test_contents_cannot_pass_for_a_name(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "x").write_text("yz")
    (tmp_path / "b" / "xy").write_text("z")

    assert tree_sha256(tmp_path / "a") != tree_sha256(tmp_path / "b")


def test_a_copy_has_the_same_hash_and_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    (folder / "__pycache__").mkdir()
    sha256 = copy_tree(folder, tmp_path / "copy")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "copy").rglob("*") if path.is_file()}

    assert sha256 == tree_sha256(folder) == tree_sha256(tmp_path / "copy")
    assert modes == {"bot.toml": 0o444, "data.txt": 0o444, "книга.bin": 0o444, "run.sh": 0o555}
    assert not (tmp_path / "copy" / "__pycache__").exists()


def complaint_of(folder: Path) -> str:
    with pytest.raises(HarnessError) as caught:
        tree_sha256(folder)
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize("target", ["bot.toml", "/etc/passwd", "..", "nowhere", "data"])
def test_a_link_is_refused_wherever_it_leads(folder: Path, target: str) -> None:
    (folder / "link").symlink_to(target)

    assert "fox/link: a symbolic link; a bot's folder holds files and folders only" in complaint_of(folder)


def test_a_link_that_looks_like_a_cache_is_not_followed(folder: Path) -> None:
    before = tree_sha256(folder)
    (folder / "__pycache__").symlink_to("/")

    assert tree_sha256(folder) == before


def test_pipes_sockets_and_devices_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(folder / "pipe")
    pipe = complaint_of(folder)
    (folder / "pipe").unlink()
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        sock = complaint_of(folder)

    assert "fox/pipe: a named pipe" in pipe
    assert "fox/sock: a socket" in sock


def test_a_file_that_becomes_a_pipe_while_it_is_read_does_not_hang(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tree_files(folder)
    (folder / "data.txt").unlink()
    os.mkfifo(folder / "data.txt")
    monkeypatch.setattr(tree, "tree_files", lambda _: files)

    assert "data.txt: no longer a plain file" in complaint_of(folder)


def test_a_file_that_becomes_a_link_while_it_is_read_is_not_followed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tree_files(folder)
    (folder / "data.txt").unlink()
    (folder / "data.txt").symlink_to("/etc/passwd")
    monkeypatch.setattr(tree, "tree_files", lambda _: files)

    assert "data.txt: cannot be read" in complaint_of(folder)


@pytest.mark.parametrize("name", [b"a\nb", b"a\x1b[2J", "a\u202eb".encode(), b"a\xff", b"a\\b"])
def test_names_that_could_forge_a_page_are_refused(folder: Path, name: bytes) -> None:
    (folder / os.fsdecode(name)).touch()

    assert "rename it" in complaint_of(folder)


def test_too_many_files_and_too_many_bytes_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_FILE_COUNT", 3)
    many = complaint_of(folder)
    monkeypatch.setattr(tree, "MAX_FILE_COUNT", 4)
    monkeypatch.setattr(tree, "MAX_TREE_BYTES", 4_000)
    big = complaint_of(folder)

    assert "more than 3 files" in many
    assert "more than 0 MB" in big


def test_a_hole_of_a_terabyte_is_refused_unread(folder: Path) -> None:
    with (folder / "hole").open("wb") as file:
        file.truncate(1 << 40)

    assert "more than 1,024 MB" in complaint_of(folder)


def test_a_path_too_long_to_be_sensible_is_refused(folder: Path) -> None:
    deep = folder.joinpath(*["d" * 60] * 9)
    deep.mkdir(parents=True)
    (deep / "x").touch()

    assert "a path of more than 512 bytes" in complaint_of(folder)


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    assert "cannot be listed" in complaint_of(tmp_path / "none")
