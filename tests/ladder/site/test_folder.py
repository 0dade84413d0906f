"""The folder of a site: what changed is written, what is gone is removed, what is not ours is left alone or refused."""

import errno
import json
from pathlib import Path

import pytest

from ladder.errors import LadderError
from ladder.site import folder as site_folder
from ladder.site.folder import LIST_NAME, Written, write_site
from ladder.site.pages import File


def _file(path: str, text: str, digest: str | None = None) -> File:
    return File(path, digest, lambda: text.encode())


def _never() -> bytes:
    raise AssertionError("made again, though nothing changed")


def _texts(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.name != LIST_NAME
    }


def test_a_new_folder_gets_every_file(tmp_path: Path) -> None:
    written = write_site(tmp_path / "site", [_file("index.html", "first"), _file("bots/fox.html", "fox")])

    assert _texts(tmp_path / "site") == {"index.html": "first", "bots/fox.html": "fox"}
    assert written == Written(file_count=2, byte_count=8, changed_count=2, removed_count=0)


def test_what_has_not_changed_is_not_touched(tmp_path: Path) -> None:
    write_site(tmp_path, [_file("a", "1"), _file("b", "1"), _file("c", "1", "d1")])
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in "abc"}

    written = write_site(tmp_path, [_file("a", "1"), _file("b", "2"), File("c", "d1", _never)])

    after = {name: (tmp_path / name).stat().st_mtime_ns for name in "abc"}
    assert written.changed_count == 1
    assert {name for name in "abc" if after[name] == before[name]} == {"a", "c"}
    assert _texts(tmp_path) == {"a": "1", "b": "2", "c": "1"}


def test_a_file_that_was_damaged_is_made_again(tmp_path: Path) -> None:
    write_site(tmp_path, [_file("a", "long", "d1"), _file("b", "long", "d1")])
    (tmp_path / "a").write_text("lo")
    (tmp_path / "b").unlink()

    write_site(tmp_path, [_file("a", "long", "d1"), _file("b", "long", "d1")])

    assert _texts(tmp_path) == {"a": "long", "b": "long"}


def test_what_is_no_longer_made_is_removed_and_strangers_stay(tmp_path: Path) -> None:
    write_site(tmp_path, [_file("index.html", "1"), _file("bots/fox.html", "1"), _file("bots/hen.html", "1")])
    (tmp_path / "CNAME").write_text("ladder.example")

    written = write_site(tmp_path, [_file("index.html", "1")])

    assert written.removed_count == 2
    assert _texts(tmp_path) == {"index.html": "1", "CNAME": "ladder.example"}
    assert not (tmp_path / "bots").exists()


def test_a_folder_that_is_not_ours_is_refused_and_unchanged(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("all of it")

    with pytest.raises(LadderError, match=r"holds thesis\.tex and is no site"):
        write_site(tmp_path, [_file("thesis.tex", "nothing")])

    assert _texts(tmp_path) == {"thesis.tex": "all of it"}


def test_a_fresh_clone_is_accepted(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref")

    write_site(tmp_path, [_file("index.html", "1")])

    assert _texts(tmp_path) == {"index.html": "1", ".git/HEAD": "ref"}


@pytest.mark.parametrize("text", ["", "[]", '{"files": 3}', '{"files": {"a": "x"}}', '{"other": 1}', "\x00"])
def test_a_list_that_is_not_ours_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / LIST_NAME).write_text(text)

    with pytest.raises(LadderError, match="no list of files of cardarena"):
        write_site(tmp_path, [])


def test_a_list_cannot_make_us_remove_what_lies_elsewhere(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("here")
    site = tmp_path / "site"
    site.mkdir()
    for name in ("../precious", str(precious), "a/../../precious", "a\0b", "\ud800"):
        (site / LIST_NAME).write_text(json.dumps({"cardarena_site": 1, "files": {name: 4}}))

        with pytest.raises(LadderError, match="is no list of files of cardarena"):
            write_site(site, [_file("index.html", "1")])

    assert precious.read_text() == "here"


def test_a_link_cannot_make_us_remove_what_lies_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "precious").write_text("here")
    site = tmp_path / "site"
    site.mkdir()
    (site / "out").symlink_to(tmp_path / "elsewhere")
    (site / LIST_NAME).write_text(json.dumps({"cardarena_site": 1, "files": {"out/precious": 4}}))

    write_site(site, [_file("index.html", "1")])

    assert (tmp_path / "elsewhere" / "precious").read_text() == "here"


def test_a_run_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    def interrupted() -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_site(tmp_path / "site", [_file("a", "1"), File("b", None, interrupted)])
    write_site(tmp_path / "site", [_file("a", "1"), _file("b", "2")])

    assert _texts(tmp_path / "site") == {"a": "1", "b": "2"}


def test_a_folder_that_another_process_is_writing_is_refused(tmp_path: Path) -> None:
    def meanwhile() -> bytes:
        with pytest.raises(LadderError, match="is being written by another process; wait for it, or name another"):
            write_site(tmp_path / "site", map(_file, "ab", "22"))
        return b"1"

    written = write_site(tmp_path / "site", [File("a", None, meanwhile)])

    assert written == Written(file_count=1, byte_count=1, changed_count=1, removed_count=0)
    assert _texts(tmp_path / "site") == {"a": "1"}
    write_site(tmp_path / "site", [_file("a", "2")])
    assert _texts(tmp_path / "site") == {"a": "2"}


def test_a_folder_that_cannot_be_locked_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refused)
    write_site(tmp_path, [_file("a", "1")])

    assert _texts(tmp_path) == {"a": "1"}


def test_a_folder_that_was_made_for_files_that_did_not_come_is_gone_again(tmp_path: Path) -> None:
    def torn(name: str) -> File:
        raise ValueError(f"{name} is torn")

    with pytest.raises(ValueError, match="torn"):
        write_site(tmp_path / "site", map(torn, "a"))

    assert not (tmp_path / "site").exists()


class Killed(BaseException):
    """What ends a run as a kill would: nothing is tidied up."""


@pytest.mark.parametrize("before", [{}, {"index.html": "old", "a": "old", "gone": "old"}])
@pytest.mark.parametrize("step", range(9))
def test_whoever_is_killed_leaves_whole_files_and_the_next_run_makes_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: dict[str, str], step: int
) -> None:
    after = {"index.html": "new!", "a": "new!", "b": "new!", "c": "new!"}
    meanwhile = {"index.html": "new!", "a": "new!", "only/then": "new!"}
    if before:
        write_site(tmp_path, [_file(*item) for item in before.items()])
    steps = iter(range(100))
    write, replace = Path.write_bytes, Path.replace

    def torn(path: Path, data: bytes) -> int:
        if next(steps) == step:
            write(path, data[: len(data) // 2])
            raise Killed
        return write(path, data)

    def cut_off(path: Path, target: Path) -> Path:
        if next(steps) == step:
            raise Killed
        return replace(path, target)

    monkeypatch.setattr(Path, "write_bytes", torn)
    monkeypatch.setattr(Path, "replace", cut_off)
    with pytest.raises(Killed):
        write_site(tmp_path, [_file(*item) for item in meanwhile.items()])
    monkeypatch.undo()
    left = {name: text for name, text in _texts(tmp_path).items() if not name.endswith(".part")}
    write_site(tmp_path, [_file(*item) for item in after.items()])

    assert all(text in (before.get(name), meanwhile.get(name)) for name, text in left.items())
    assert _texts(tmp_path) == after


def test_a_file_too_large_for_hosts_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_folder, "MOST_BYTES", 3)

    with pytest.raises(LadderError, match="hosts refuse"):
        write_site(tmp_path, [_file("a", "1234")])


def test_a_path_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("a file")

    with pytest.raises(LadderError, match="name a folder"):
        write_site(tmp_path / "site", [_file("a", "1")])


def test_two_files_of_one_name_are_a_mistake_of_ours(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="two files called a"):
        write_site(tmp_path, [_file("a", "1"), _file("a", "2")])


def test_nothing_is_written_through_a_link_that_leads_out(tmp_path: Path) -> None:
    site, outside = tmp_path / "site", tmp_path / "outside"
    write_site(site, [_file("bots/fox.html", "fox")])
    (site / "bots" / "fox.html").unlink()
    (site / "bots").rmdir()
    outside.mkdir()
    (site / "bots").symlink_to(outside)

    with pytest.raises(LadderError, match="leads out of the site"):
        write_site(site, [_file("bots/fox.html", "another fox")])

    assert not list(outside.iterdir())
