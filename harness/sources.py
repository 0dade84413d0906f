"""Rounds and matches as they lie in files: ledgers, published sites, files of records (`harness.intake.Source`)."""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, cast

from harness.errors import HarnessError
from harness.intake import Incoming, Source
from harness.printable import printable
from harness.record import MatchRecord, RecordError
from harness.store.home import FOLDER_NAME
from harness.store.ledger import Ledger
from harness.store.pinned import PinnedCup, PinnedRound, checked, checked_version, pinned_round, read_rounds
from harness.store.rows import Round, Version
from harness.store.sheets import SHEET_NAME, KeptSheet, Sheets, read_sheet

LEDGER_NAME = "arena.db"
ROUNDS_NAME = "rounds.json"
RECORD_NAMES = ("*.jsonl", "*.jsonl.gz")
MAX_LINE_BYTES = 8 << 20
MAX_ROUNDS_BYTES = 256 << 20


def sources_at(path: Path) -> tuple[Source, ...]:
    """What lies at `path`: a ledger, a home or a folder that has one, a published site, or records.

    HarnessError where it is none of these.
    """
    if path.is_dir():
        # Before a site, which may lie beside it and hold less.
        for ledger in (path / LEDGER_NAME, path / FOLDER_NAME / LEDGER_NAME):
            if ledger.is_file():
                return (LedgerSource(ledger),)
        rounds = sorted(path.rglob(ROUNDS_NAME))
        if rounds:
            return tuple(SiteSource(found) for found in rounds)
        records = sorted({found for pattern in RECORD_NAMES for found in path.glob(pattern)})
        if records:
            return tuple(RecordsSource(found) for found in records)
        raise HarnessError(
            f"{_text(path)}: no ledger ({LEDGER_NAME}), no published site ({ROUNDS_NAME}) and no *.jsonl here"
        )
    if not path.exists():
        raise HarnessError(f"{_text(path)}: there is no such file or folder")
    if path.name == ROUNDS_NAME:
        return (SiteSource(path),)
    if path.suffix == ".db":
        return (LedgerSource(path),)
    return (RecordsSource(path),)


class LedgerSource:
    """A ledger, with think times and notes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = _text(path)

    def rounds(self) -> Iterator[PinnedRound]:
        """Its rounds, with secrets that are not revealed yet."""
        with Ledger(self.path) as ledger:
            for cup in ledger.cups():
                for row in ledger.rounds(cup.cup):
                    pinned = checked(cup.cup, pinned_round(ledger, row), source=self.name)
                    yield replace(pinned, row=replace(row, secret=ledger.round_secret(row.cup, row.round)))

    def versions(self) -> Iterator[Version]:
        """Its bots."""
        with Ledger(self.path) as ledger:
            for row in ledger.versions.rows():
                yield replace(checked_version(row.version, source=self.name), tree="")

    def matches(self) -> Iterator[Incoming]:
        """Its matches."""
        with Ledger(self.path) as ledger:
            for cup in ledger.cups():
                for record in ledger.records(cup.cup):
                    yield Incoming(self.name, record, ledger.times(record.match), ledger.notes(record.match))

    def match_count(self) -> int:
        """How many it has."""
        with Ledger(self.path) as ledger:
            return sum(ledger.match_count(cup.cup) for cup in ledger.cups())

    def sheet(self, row: Round) -> KeptSheet | None:
        """On what a round was played, where its home knows."""
        return Sheets(self.path.parent / "sheets").read(row)


class RecordsSource:
    """A file of records, a line each, packed by gzip or not."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = _text(path)

    def rounds(self) -> Sequence[PinnedRound]:
        """None: records do not say what their round pinned."""
        return ()

    def versions(self) -> Sequence[Version]:
        """None."""
        return ()

    def matches(self) -> Iterator[Incoming]:
        """Its matches. HarnessError with the line where one is no record."""
        for number, line in enumerate(self._lines(), start=1):
            where = f"{self.name}: line {number}"
            if not line.strip():
                continue
            try:
                yield Incoming(where, MatchRecord.from_json(line.decode()))
            except (RecordError, UnicodeDecodeError) as error:
                raise HarnessError(f"{where}: not the record of a match ({printable(str(error))[:200]})") from None

    def match_count(self) -> int:
        """How many lines hold something, up to the first that cannot be read."""
        count = 0
        with suppress(HarnessError):  # told by `matches`, after what is wrong with an earlier line
            for line in self._lines():
                count += bool(line.strip())
        return count

    def sheet(self, row: Round) -> KeptSheet | None:
        """None."""
        return None

    def _lines(self) -> Iterator[bytes]:
        try:
            with self._open() as file:
                while line := file.readline(MAX_LINE_BYTES):
                    yield line
        except (OSError, EOFError, zlib.error) as error:
            why = getattr(error, "strerror", None) or printable(str(error))
            raise HarnessError(f"{self.name}: cannot be read: {why}") from None

    def _open(self) -> AbstractContextManager[BinaryIO]:
        if not self.path.is_file():  # a pipe would keep us waiting for ever
            raise HarnessError(f"{self.name}: no plain file")
        with self.path.open("rb") as file:
            is_packed = file.read(2) == b"\x1f\x8b"
        return cast(BinaryIO, gzip.open(self.path, "rb")) if is_packed else self.path.open("rb")


class SiteSource:
    """A cup of a published site: its rounds, and the records beside them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = _text(path.parent)

    def rounds(self) -> Sequence[PinnedRound]:
        """Its rounds."""
        return self._cup().rounds

    def versions(self) -> Sequence[Version]:
        """What it tells of its bots."""
        return self._cup().versions

    def _cup(self) -> PinnedCup:
        where = _text(self.path)
        if not self.path.is_file():  # a pipe would keep us waiting for ever
            raise HarnessError(f"{where}: no plain file")
        try:
            with self.path.open("rb") as file:
                content = file.read(MAX_ROUNDS_BYTES)
            return read_rounds(content.decode(), source=where)
        except OSError as error:
            raise HarnessError(f"{where}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise HarnessError(f"{where}: not UTF-8; take the file from the site again") from None

    def matches(self) -> Iterator[Incoming]:
        """The matches that may be seen."""
        for feed in self._feeds():
            yield from feed.matches()

    def match_count(self) -> int:
        """How many of them there are, as of a file of records."""
        return sum(feed.match_count() for feed in self._feeds())

    def _feeds(self) -> Sequence[RecordsSource]:
        return [RecordsSource(path) for path in sorted(self.path.parent.glob("matches*.jsonl.gz"))]

    def sheet(self, row: Round) -> KeptSheet | None:
        """On what a round was played, where the site tells: it does of the newest."""
        return read_sheet(self.path.parent / SHEET_NAME, row)


def _text(path: Path) -> str:
    return printable(str(path))
