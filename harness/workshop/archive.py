"""Archives of bots: written so that the same folder gives the same bytes, read as if a stranger had made them.

Reading refuses, before anything is written, whatever is no plain file or folder, leads out of the folder, or
says that it is more than a bot may be; and stops where the contents turn out to be more than was said.
"""

import hashlib
import re
import shutil
import stat
import struct
import tarfile
import weakref
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal, NamedTuple, Protocol, Self

from harness.errors import HarnessError
from harness.printable import printable
from harness.sandbox.scratch import Scratch
from harness.whole_file import whole_file
from harness.workshop.manifest import FILE_NAME, read_manifest
from harness.workshop.tree import IGNORED, MAX_FILE_COUNT, MAX_PATH_BYTES, MAX_TREE_BYTES, tree_files

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz")
MAX_ARCHIVE_BYTES = 256 << 20
MAX_RATIO = 100
"""An archive that unpacks to over `BOMB_BYTES` must not be smaller than this part of them."""
BOMB_BYTES = 64 << 20
MAX_HEADER_BYTES = 1 << 20
"""Longest header of a tar that is read."""

MAX_DIRECTORY_BYTES = MAX_FILE_COUNT * (MAX_PATH_BYTES + 128)

_CHUNK_BYTES = 1 << 20
_END, _END_BYTES = b"PK\5\6", 22
_END_64, _END_64_BYTES = b"PK\6\7", 20
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DRIVE = re.compile(r"[A-Za-z]:")
_LEFT_OUT = IGNORED | {"__MACOSX", ".DS_Store"}


class Packed(NamedTuple):
    """An archive that was written."""

    path: Path
    size_bytes: int
    sha256: str
    """Of the archive's bytes; a version is the hash of the folder's tree."""


def pack(folder: Path, target_folder: Path) -> Packed:
    """Writes NAME-VERSION.zip of the bot in `folder` into `target_folder`, in the place of an earlier one.

    HarnessError where the folder is no bot, the archive would lie within it, or is one that would be refused.
    """
    manifest = read_manifest(folder)
    if target_folder.resolve().is_relative_to(folder.resolve()):
        raise HarnessError(f"{_shown(target_folder)}: lies in the bot's own folder; go elsewhere, or give --out DIR")
    path = target_folder / f"{manifest.name}-{manifest.version}.zip"
    try:
        with whole_file(path) as unfinished:
            with zipfile.ZipFile(unfinished, "w") as archive:
                for file in tree_files(folder):
                    member = zipfile.ZipInfo(file.path, _EPOCH)
                    member.create_system = 3  # Unix: the modes count
                    member.external_attr = (stat.S_IFREG | (0o755 if file.is_executable else 0o644)) << 16
                    member.compress_type = zipfile.ZIP_DEFLATED
                    with (folder / file.path).open("rb") as source, archive.open(member, "w") as sink:
                        shutil.copyfileobj(source, sink, _CHUNK_BYTES)
            with _reader(unfinished) as reader:
                # What could not be read is not written.
                tuple(_checked(path, reader.members(), unfinished.stat().st_size))
    except OSError as error:
        raise HarnessError(f"{_shown(path)}: cannot be written: {error.strerror}") from None
    with path.open("rb") as written:
        return Packed(path, path.stat().st_size, hashlib.file_digest(written, "sha256").hexdigest())


def is_archive(name: str) -> bool:
    """Whether a file of that name is taken for an archive."""
    return name.lower().endswith(SUFFIXES)


def unpack(path: Path, target: Path) -> Path:
    """Unpacks the bot in the archive at `path` into `target`, which must not be there; returns the bot's folder.

    That is `target`, or the only folder in it where the bot was wrapped in one. HarnessError, and nothing is left,
    where the archive cannot be read, is refused, or holds no bot.
    """
    try:
        _unpack(path, target)
        return _bot_folder(path, target)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise


class Unpacked:
    """An archive unpacked into a temporary folder, which is there as long as this object."""

    def __init__(self, path: Path) -> None:
        scratch = Scratch("unpacked-")
        weakref.finalize(self, scratch.remove)
        self.folder = unpack(path, scratch.path / "bot")


class _Member(NamedTuple):
    path: str
    is_folder: bool
    is_executable: bool
    size_bytes: int
    handle: zipfile.ZipInfo | tarfile.TarInfo


class _Reader(Protocol):
    def members(self) -> Iterator[_Member]: ...

    def open(self, member: _Member) -> IO[bytes]: ...


def _unpack(path: Path, target: Path) -> None:
    try:
        archive_bytes = path.stat().st_size
    except OSError as error:
        raise HarnessError(f"{_shown(path)}: cannot be read: {error.strerror}") from None
    if archive_bytes > MAX_ARCHIVE_BYTES:
        raise HarnessError(f"{_shown(path)}: larger than {MAX_ARCHIVE_BYTES >> 20} MB; leave out what it does not need")
    try:
        with _reader(path) as reader:
            members = tuple(_checked(path, reader.members(), archive_bytes))
            target.mkdir(parents=True)
            for member in members:
                _write(path, reader, member, target)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, struct.error, ValueError) as error:
        raise HarnessError(f"{_shown(path)}: damaged, or no archive: {printable(str(error))}") from None
    except RecursionError:
        raise HarnessError(f"{_shown(path)}: damaged: its headers never end") from None
    except (NotImplementedError, RuntimeError) as error:  # a method of compression that Python does not know
        raise HarnessError(f"{_shown(path)}: {printable(str(error))}; pack it with `cardarena pack`") from None
    except OSError as error:
        raise HarnessError(f"{_shown(path)}: cannot be unpacked: {error.strerror or printable(str(error))}") from None


def _checked(path: Path, members: Iterable[_Member], archive_bytes: int) -> Iterator[_Member]:
    """Those of `members` that are to be unpacked. HarnessError for what no bot may hold."""
    seen: set[str] = set()
    total_bytes = file_count = 0
    for member in members:
        name = member.path.rstrip("/") if member.is_folder else member.path
        _check_name(path, name)
        file_count += 1
        total_bytes += member.size_bytes
        if file_count > MAX_FILE_COUNT:
            raise HarnessError(f"{_shown(path)}: more than {MAX_FILE_COUNT:,} files; leave out what it does not need")
        if total_bytes > MAX_TREE_BYTES:
            raise HarnessError(f"{_shown(path)}: unpacks to more than {MAX_TREE_BYTES >> 20:,} MB")
        if total_bytes > BOMB_BYTES and total_bytes > MAX_RATIO * archive_bytes:
            raise HarnessError(
                f"{_shown(path)}: a bomb: its {archive_bytes:,} bytes unpack to more than {total_bytes:,}"
            )
        if member.is_folder or not _LEFT_OUT.isdisjoint(name.split("/")):
            continue
        if name in seen:
            raise HarnessError(f"{_shown(path)}: holds {printable(name)} twice")
        seen.add(name)
        yield member


def _check_name(path: Path, name: str) -> None:
    parts = name.split("/")
    shown = printable(name[:80])
    if name.startswith("/") or _DRIVE.match(name):
        raise HarnessError(f"{_shown(path)}: {shown}: an absolute path, which leads out of the folder")
    if ".." in parts:
        raise HarnessError(f"{_shown(path)}: {shown}: leads out of the folder")
    if "\\" in name:
        raise HarnessError(
            f"{_shown(path)}: {shown}: written with \\ for /; make it with `cardarena pack`, or another program"
        )
    if not name.isprintable() or (name and ("" in parts or "." in parts)):
        raise HarnessError(f"{_shown(path)}: {shown}: no name for a file of a bot; rename it")
    if len(name.encode()) > MAX_PATH_BYTES:
        raise HarnessError(f"{_shown(path)}: {shown}...: a path of more than {MAX_PATH_BYTES} bytes; shorten it")


def _write(path: Path, reader: _Reader, member: _Member, target: Path) -> None:
    file = target / member.path
    file.parent.mkdir(parents=True, exist_ok=True)
    left = member.size_bytes
    with reader.open(member) as source, file.open("xb") as sink:
        while chunk := source.read(_CHUNK_BYTES):
            left -= len(chunk)
            if left < 0:
                raise HarnessError(f"{_shown(path)}: {printable(member.path)}: larger than the archive says")
            sink.write(chunk)
    if left:
        raise HarnessError(f"{_shown(path)}: {printable(member.path)}: smaller than the archive says")
    file.chmod(0o755 if member.is_executable else 0o644)


def _bot_folder(path: Path, target: Path) -> Path:
    if (target / FILE_NAME).is_file():
        return target
    entries = list(target.iterdir())
    if len(entries) == 1 and (entries[0] / FILE_NAME).is_file():
        return entries[0]
    raise HarnessError(f"{_shown(path)}: holds no {FILE_NAME}, neither at its top nor in its only folder")


@contextmanager
def _reader(path: Path) -> Iterator[_Reader]:
    if path.name.lower().endswith(".zip"):
        _check_directory(path)
        with zipfile.ZipFile(path) as archive:
            yield _Zip(path, archive)
    else:
        mode: Literal["r:", "r:gz"] = "r:" if path.name.lower().endswith(".tar") else "r:gz"
        with tarfile.open(path, mode, tarinfo=_LimitedTarInfo) as tar:
            yield _Tar(path, tar)


def _check_directory(path: Path) -> None:
    """HarnessError where the directory of a zip is larger than any may be: zipfile reads the whole of it."""
    with path.open("rb") as file:
        size_bytes = file.seek(0, 2)
        file.seek(max(0, size_bytes - _END_BYTES - 0xFFFF))
        tail = file.read()
    begin = (
        len(tail) - _END_BYTES if tail[-_END_BYTES:].startswith(_END) and tail.endswith(b"\0\0") else tail.rfind(_END)
    )
    if begin < 0 or len(tail) - begin < _END_BYTES:
        return  # zipfile says better what is wrong
    (directory_bytes,) = struct.unpack_from("<I", tail, begin + 12)
    if directory_bytes > MAX_DIRECTORY_BYTES or tail[max(0, begin - _END_64_BYTES) : begin].startswith(_END_64):
        raise HarnessError(f"{_shown(path)}: a bomb: its directory is larger than {MAX_FILE_COUNT:,} files need")


class _Zip:
    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self.path = path
        self.archive = archive

    def members(self) -> Iterator[_Member]:
        archive_bytes = self.path.stat().st_size
        infos = self.archive.infolist()
        if sum(info.compress_size for info in infos) > archive_bytes:
            raise HarnessError(f"{_shown(self.path)}: a bomb: its files overlap")
        for info in infos:
            mode = info.external_attr >> 16 if info.create_system == 3 else 0
            kind = stat.S_IFMT(mode)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _not_plain(self.path, info.filename, _KINDS.get(kind, "no plain file"))
            if info.flag_bits & 1:
                raise HarnessError(f"{_shown(self.path)}: {printable(info.filename)}: encrypted; pack it without")
            is_folder = info.is_dir() or kind == stat.S_IFDIR
            yield _Member(info.filename, is_folder, bool(mode & stat.S_IXUSR), info.file_size, info)

    def open(self, member: _Member) -> IO[bytes]:
        assert isinstance(member.handle, zipfile.ZipInfo)
        return self.archive.open(member.handle)


class _Tar:
    def __init__(self, path: Path, archive: tarfile.TarFile) -> None:
        self.path = path
        self.archive = archive

    def members(self) -> Iterator[_Member]:
        for info in self.archive:
            if info.issparse() or not (info.isreg() or info.isdir()):
                kind = "a link" if info.issym() or info.islnk() else "no plain file"
                raise _not_plain(self.path, info.name, kind)
            # "./bot.py" is how tar writes a folder that was named "."
            name = info.name.removeprefix("./") if info.name != "." else ""
            yield _Member(name, info.isdir(), bool(info.mode & stat.S_IXUSR), info.size, info)

    def open(self, member: _Member) -> IO[bytes]:
        assert isinstance(member.handle, tarfile.TarInfo)
        file = self.archive.extractfile(member.handle)
        assert file is not None  # `members` lets plain files through alone
        return file


class _LimitedTarInfo(tarfile.TarInfo):
    """Refuses extended headers that would fill the memory: tarfile reads each whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        header = super().frombuf(buf, encoding, errors)
        if header.size < 0 or (header.type in _EXTENDED and header.size > MAX_HEADER_BYTES):
            raise tarfile.ReadError("a header with an impossible size")
        return header


_EXTENDED = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)
_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _not_plain(path: Path, name: str, kind: str) -> HarnessError:
    return HarnessError(f"{_shown(path)}: {printable(name[:80])}: {kind}; a bot holds files and folders only")


def _shown(path: Path) -> str:
    return printable(str(path))
