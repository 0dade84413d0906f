"""Archives are written the same way every time, and read as if their author meant harm."""

import gzip
import hashlib
import io
import os
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.workshop import archive
from harness.workshop.archive import Unpacked, pack, unpack
from harness.workshop.entry import BotFinder, Origin
from harness.workshop.tree import tree_sha256
from tests.workshop.folders import MANIFEST, bot_folder

BOT_TOML = MANIFEST.format(name="fox", version="1.0", games='["guillotine"]')


def fox(tmp_path: Path) -> Path:
    folder = bot_folder(tmp_path, "fox")
    (folder / "lib").mkdir(exist_ok=True)
    (folder / "lib" / "tables.bin").write_bytes(bytes(range(256)) * 10)
    (folder / "start.sh").write_text("#!/bin/sh\n")
    (folder / "start.sh").chmod(0o755)
    return folder


def zip_of(tmp_path: Path, *members: tuple[str | zipfile.ZipInfo, bytes], toml: str | None = "bot.toml") -> Path:
    path = tmp_path / "made.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        if toml:
            made.writestr(toml, BOT_TOML)
        for name, contents in members:
            made.writestr(name, contents)
    return path


def moded(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def tar_of(tmp_path: Path, *members: tarfile.TarInfo, name: str = "made.tar.gz", toml: str = "bot.toml") -> Path:
    path = tmp_path / name
    with tarfile.open(path, "w:gz" if name.endswith("gz") else "w") as made:
        info = tarfile.TarInfo(toml)
        info.size = len(BOT_TOML)
        made.addfile(info, io.BytesIO(BOT_TOML.encode()))
        for member in members:
            made.addfile(member, io.BytesIO(bytes(member.size)) if member.isreg() else None)
    return path


def tar_info(name: str, kind: bytes = tarfile.REGTYPE, *, size: int = 0, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, size, link
    return info


def refusal(path: Path, tmp_path: Path) -> str:
    target = tmp_path / "unpacked"
    with pytest.raises(HarnessError) as caught:
        unpack(path, target)
    assert not target.exists()
    assert str(caught.value).isprintable()
    return str(caught.value)


# Written --------------------------------------------------------------------------------------------


def test_the_same_folder_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = fox(tmp_path / "a")
    first = pack(folder, tmp_path)
    again = fox(tmp_path / "b")
    os.utime(again / "bot.py", (1, 1))
    (again / "__pycache__").mkdir()
    (again / "__pycache__" / "bot.pyc").touch()
    (again / "lib" / "tables.bin").chmod(0o600)
    (tmp_path / "out").mkdir()
    second = pack(again, tmp_path / "out")

    assert first.path == tmp_path / "fox-1.0.zip"
    assert first.path.read_bytes() == second.path.read_bytes()
    assert first.sha256 == hashlib.sha256(first.path.read_bytes()).hexdigest()
    assert first.size_bytes == first.path.stat().st_size


def test_packed_and_unpacked_it_is_the_same_version(tmp_path: Path) -> None:
    folder = fox(tmp_path)
    unpacked = unpack(pack(folder, tmp_path).path, tmp_path / "unpacked")

    assert tree_sha256(unpacked) == tree_sha256(folder)
    assert (unpacked / "start.sh").stat().st_mode & stat.S_IXUSR
    assert not (unpacked / "bot.py").stat().st_mode & stat.S_IXUSR


def test_it_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    folder = fox(tmp_path)
    first = pack(folder, tmp_path)
    (folder / "bot.py").write_text("changed\n")

    assert pack(folder, tmp_path).sha256 != first.sha256
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["fox-1.0.zip"]


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "BOMB_BYTES", 1 << 20)
    folder = fox(tmp_path)
    (folder / "zeros.bin").write_bytes(bytes(4 << 20))

    with pytest.raises(HarnessError, match="a bomb"):
        pack(folder, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["fox"]


@pytest.mark.parametrize("target", [".", "lib"])
def test_an_archive_does_not_go_into_the_folder_itself(tmp_path: Path, target: str) -> None:
    folder = fox(tmp_path)

    with pytest.raises(HarnessError, match="lies in the bot's own folder; go elsewhere, or give --out DIR"):
        pack(folder, folder / target)


def test_a_link_is_not_packed(tmp_path: Path) -> None:
    folder = fox(tmp_path)
    (folder / "secrets").symlink_to("/etc/passwd")

    with pytest.raises(HarnessError, match="secrets: a symbolic link; a bot's folder holds files and folders only"):
        pack(folder, tmp_path)
    assert not (tmp_path / "fox-1.0.zip").exists()


# Read -----------------------------------------------------------------------------------------------


def test_a_folder_that_wraps_the_bot_is_taken_off(tmp_path: Path) -> None:
    path = zip_of(
        tmp_path, ("fox-main/bot.py", b"pass"), ("__MACOSX/fox-main/._bot.py", b"x"), toml="fox-main/bot.toml"
    )
    unpacked = unpack(path, tmp_path / "unpacked")

    assert unpacked == tmp_path / "unpacked" / "fox-main"
    assert sorted(file.name for file in unpacked.iterdir()) == ["bot.py", "bot.toml"]


@pytest.mark.parametrize("name", ["made.tar", "made.tar.gz", "made.tgz"])
@pytest.mark.parametrize("prefix", ["", "./"])
def test_a_tar_is_read_too(tmp_path: Path, name: str, prefix: str) -> None:
    script = tar_info(f"{prefix}run.sh", size=10)
    script.mode = 0o755
    members = [tar_info(".", tarfile.DIRTYPE), script] if prefix else [script]
    unpacked = unpack(tar_of(tmp_path, *members, name=name, toml=f"{prefix}bot.toml"), tmp_path / "unpacked")

    assert sorted(file.name for file in unpacked.iterdir()) == ["bot.toml", "run.sh"]
    assert (unpacked / "run.sh").stat().st_mode & stat.S_IXUSR


def test_a_zip_from_windows_has_no_modes_and_is_taken(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("bot.py")
    info.create_system = 0
    info.external_attr = 0x20

    assert (unpack(zip_of(tmp_path, (info, b"pass")), tmp_path / "unpacked") / "bot.py").read_text() == "pass"


def duplicate(tmp_path: Path) -> Path:
    with pytest.warns(UserWarning, match="Duplicate name"):
        return zip_of(tmp_path, ("a.py", b"1"), ("a.py", b"2"))


def patched(tmp_path: Path, change: Callable[[bytearray, int], None]) -> Path:
    """A zip whose directory entry of its last file was changed."""
    path = zip_of(tmp_path, ("big.bin", bytes(1000)))
    data = bytearray(path.read_bytes())
    change(data, data.rfind(b"PK\1\2"))
    path.write_bytes(data)
    return path


def declared(size: int) -> Callable[[Path], Path]:
    return lambda tmp_path: patched(tmp_path, lambda data, at: struct.pack_into("<I", data, at + 24, size))


def overlapping(tmp_path: Path) -> Path:
    return patched(tmp_path, lambda data, at: struct.pack_into("<I", data, at + 20, 1 << 20))


def encrypted(tmp_path: Path) -> Path:
    return patched(tmp_path, lambda data, at: struct.pack_into("<H", data, at + 8, 1))


def strange_method(tmp_path: Path) -> Path:
    def change(data: bytearray, at: int) -> None:
        struct.pack_into("<H", data, at + 10, 99)
        struct.pack_into("<H", data, data.rfind(b"PK\3\4") + 8, 99)

    return patched(tmp_path, change)


def huge_directory(tmp_path: Path) -> Path:
    path = zip_of(tmp_path)
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, data.rfind(b"PK\5\6") + 12, 1 << 30)
    path.write_bytes(data)
    return path


def directory_of_64_bits(tmp_path: Path) -> Path:
    path = zip_of(tmp_path)
    data = path.read_bytes()
    end = data.rfind(b"PK\5\6")
    path.write_bytes(data[:end] + b"PK\6\7" + bytes(16) + data[end:])
    return path


def endless_headers(tmp_path: Path) -> Path:
    header = tarfile.TarInfo("x").create_pax_global_header({"comment": "x"})
    path = tmp_path / "made.tar"
    path.write_bytes(header * 3000)
    return path


def huge_header(tmp_path: Path) -> Path:
    info = tar_info("././@LongLink", tarfile.GNUTYPE_LONGNAME, size=1 << 30)
    path = tmp_path / "made.tar"
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    return path


def sparse(tmp_path: Path) -> Path:
    return tar_of(tmp_path, tar_info("holes", tarfile.GNUTYPE_SPARSE), name="made.tar")


def text(name: str, contents: bytes) -> Callable[[Path], Path]:
    def make(tmp_path: Path) -> Path:
        path = tmp_path / name
        path.write_bytes(contents)
        return path

    return make


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda at: zip_of(at, (moded("link", 0o120777), b"/etc/passwd")), "link: a symbolic link; a bot holds"),
        (lambda at: zip_of(at, (moded("tty", 0o020666), b"")), "tty: a device"),
        (lambda at: zip_of(at, (moded("pipe", 0o010666), b"")), "pipe: a named pipe"),
        (lambda at: zip_of(at, ("../up.py", b"")), "../up.py: leads out of the folder"),
        (lambda at: zip_of(at, ("a/../../up.py", b"")), "leads out of the folder"),
        (lambda at: zip_of(at, ("/etc/cron.d/x", b"")), "/etc/cron.d/x: an absolute path"),
        (lambda at: zip_of(at, ("C:/x.py", b"")), "C:/x.py: an absolute path"),
        (lambda at: zip_of(at, ("a\\b.py", b"")), "a\\b.py: written with \\ for /; make it with"),
        (lambda at: zip_of(at, ("a//b.py", b"")), "no name for a file of a bot"),
        (lambda at: zip_of(at, ("\x1b]0;pwned", b"")), "\\x1b]0;pwned: no name for a file of a bot"),
        (lambda at: zip_of(at, ("x" * 600, b"")), "a path of more than 512 bytes"),
        (lambda at: zip_of(at, ("a", b""), ("a/b", b"")), "cannot be unpacked: "),
        (lambda at: zip_of(at, ("bot.py", b""), toml=None), "holds no bot.toml, neither at its top nor"),
        (lambda at: zip_of(at, ("a/bot.toml", b""), ("b/bot.toml", b""), toml=None), "holds no bot.toml"),
        (duplicate, "holds a.py twice"),
        (declared(2 << 30), "unpacks to more than 1,024 MB"),
        (declared(100 << 20), "a bomb: its "),
        (declared(999), "damaged, or no archive: Bad CRC-32"),
        (declared(1001), "big.bin: smaller than the archive says"),
        (overlapping, "a bomb: its files overlap"),
        (encrypted, "big.bin: encrypted"),
        (strange_method, "pack it with `cardarena pack`"),
        (huge_directory, "a bomb: its directory is larger than"),
        (directory_of_64_bits, "a bomb: its directory is larger than"),
        (lambda at: tar_of(at, tar_info("l", tarfile.SYMTYPE, link="/etc/passwd")), "l: a link"),
        (lambda at: tar_of(at, tar_info("l", tarfile.LNKTYPE, link="bot.toml")), "l: a link"),
        (lambda at: tar_of(at, tar_info("d", tarfile.CHRTYPE)), "d: no plain file"),
        (lambda at: tar_of(at, tar_info("../up.py")), "../up.py: leads out of the folder"),
        (lambda at: tar_of(at, tar_info("/up.py")), "/up.py: an absolute path"),
        (sparse, "holes: no plain file"),
        (endless_headers, "damaged"),
        (huge_header, "damaged, or no archive: a header with an impossible size"),
        (text("made.zip", b"not a zip"), "damaged, or no archive"),
        (text("made.tar.gz", b"not a tar"), "damaged, or no archive"),
        (text("made.tgz", gzip.compress(b"not a tar")), "damaged, or no archive"),
        (text("made.zip", b""), "damaged, or no archive"),
        (lambda at: at / "nothing.zip", "nothing.zip: cannot be read: No such file or directory"),
    ],
)
def test_what_no_bot_holds_is_refused_with_the_reason(tmp_path: Path, make: Callable[[Path], Path], why: str) -> None:
    assert why in refusal(make(tmp_path), tmp_path)


def test_a_tar_that_unpacks_to_far_more_than_it_is_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "bomb.tar.gz"
    with gzip.open(path, "wb", 1) as packed:
        packed.write(tar_info("zeros", size=900 << 20).tobuf())
        packed.write(bytes(1 << 20))

    assert "a bomb: its " in refusal(path, tmp_path)


def test_more_files_than_a_bot_may_have_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_FILE_COUNT", 10)
    path = zip_of(tmp_path, *((f"f{number}", b"") for number in range(10)))

    assert "more than 10 files" in refusal(path, tmp_path)


def test_a_large_archive_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_ARCHIVE_BYTES", 10)

    assert "larger than 0 MB" in refusal(zip_of(tmp_path), tmp_path)


# Found ----------------------------------------------------------------------------------------------


def test_an_archive_is_a_bot_wherever_one_is_named(tmp_path: Path) -> None:
    folder = fox(tmp_path / "src")
    pack(folder, tmp_path)
    finder = BotFinder(tmp_path)
    bot = finder.one("fox-1.0.zip")

    assert (bot.name, bot.origin, bot.sha256) == ("fox", Origin.ARCHIVE, tree_sha256(folder))
    assert [found.name for found in finder.all("*.zip")] == ["fox"]


def test_an_unpacked_archive_is_there_as_long_as_the_value(tmp_path: Path) -> None:
    unpacked = Unpacked(pack(fox(tmp_path), tmp_path).path)
    folder = unpacked.folder
    was_there = (folder / "bot.toml").is_file()
    del unpacked

    assert was_there
    assert not folder.parent.exists()
