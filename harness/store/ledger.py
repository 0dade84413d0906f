"""The ledger: everything that was played, in one SQLite file. What is in it is never changed, only added to.

A finished match is one transaction: its record, its times and notes, and the small rows that ladders
read. Standings, ratings and pages are functions of it. One process plays a cup at a time (`run_lock`);
any number may read meanwhile.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from harness.errors import HarnessError
from harness.match import TimeControl
from harness.printable import printable
from harness.record import MatchRecord, RecordError
from harness.store.database import Database, Row
from harness.store.rows import (
    CupRow,
    Entry,
    FinishedNumbers,
    Note,
    Result,
    Role,
    Round,
    Withdrawal,
    match_id,
    parse_match_id,
)
from harness.store.run_lock import RunLock
from harness.store.schema import MATCHES_PER_ROUND
from harness.store.times import DecisionTime, pack_times, unpack_times
from harness.store.versions import Versions

_ROUND_COLUMNS = (
    "cup, round, settings, schedule_sha256, commitment, started_unix_ns, ended_unix_ns, revealed_unix_ns, secret"
)


class NotInLedger(HarnessError):
    """A cup, round or match that the ledger does not hold."""


class _EntryKey(NamedTuple):
    entry_key: int
    version: str
    sha256: str


class _Round(NamedTuple):
    """What every match of a round needs again and again."""

    round_key: int
    entries: dict[str, _EntryKey]

    @property
    def keys(self) -> tuple[int, int]:
        """First and last match key that the round can have."""
        return self.round_key * MATCHES_PER_ROUND, (self.round_key + 1) * MATCHES_PER_ROUND - 1


class Ledger:
    """An open ledger. `with Ledger(path) as ledger: ...` closes it."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Opens the file; HarnessError where there is none (unless `create`), or it cannot be read as a ledger."""
        self.path = path
        self._database = Database(path, create=create)
        self._rounds: dict[tuple[str, int], _Round] = {}
        self.versions = Versions(self._database)

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection."""
        self._database.close()

    def run_lock(self, cup: str) -> RunLock:
        """To be held by whoever plays `cup`: entering it is a HarnessError with the process id while another does."""
        return RunLock(self.path, cup)

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read in the block is of one moment, whoever writes meanwhile."""
        return self._database.snapshot()

    # Cups and rounds

    def cups(self) -> tuple[CupRow, ...]:
        """Every cup, oldest first."""
        sql = """
            SELECT cup, created_unix_ns, count(round) FROM cups LEFT JOIN rounds USING (cup)
            GROUP BY cup ORDER BY created_unix_ns, cup
        """
        return tuple(CupRow(*row) for row in self._database.rows(sql))

    def start_round(
        self,
        cup: str,
        round: int,
        *,
        settings: str,
        schedule_sha256: str,
        commitment: str,
        secret: bytes | None,
        entries: Sequence[Entry],
        started_unix_ns: int,
    ) -> None:
        """Writes a round down, entries in the order of the schedule's indices, and its cup if it is the first.

        On disk for good when this returns: the commitment stands before the first match. ValueError unless
        every earlier round has ended and this is the next. `secret` is None where it is not known here.
        """
        last = self._database.row(
            "SELECT max(round), count(*) - count(ended_unix_ns) FROM rounds WHERE cup = ?", (cup,)
        )
        assert last is not None
        if round != (last[0] or 0) + 1 or last[1]:
            raise ValueError(f"round {round} of {cup} cannot start after round {last[0]}, {last[1]} of them under way")
        with self._database.transaction(durable=True):
            self._database.execute("INSERT OR IGNORE INTO cups VALUES (?, ?)", (cup, started_unix_ns))
            cursor = self._database.execute(
                "INSERT INTO rounds (cup, round, settings, schedule_sha256, commitment, secret, started_unix_ns) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (cup, round, settings, schedule_sha256, commitment, secret, started_unix_ns),
            )
            round_key = cursor.lastrowid
            self._database.execute_many(
                "INSERT INTO entries (round_key, position, label, name, version, sha256, team, rated, role, "
                "bank_ns, increment_ns, decision_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        round_key,
                        position,
                        entry.label,
                        entry.name,
                        entry.version,
                        entry.sha256,
                        entry.team,
                        int(entry.rated),
                        str(entry.role),
                        *(entry.time or (None, None, None)),
                    )
                    for position, entry in enumerate(entries)
                ],
            )

    def end_round(self, cup: str, round: int, *, at_unix_ns: int) -> None:
        """Writes down that the last match of a round is played. ValueError where it has ended before."""
        self._mark_round(cup, round, "ended_unix_ns", "ended_unix_ns IS NULL", at_unix_ns)

    def reveal(self, cup: str, round: int, *, at_unix_ns: int) -> None:
        """Lets the secret of an ended round be read. ValueError where it has not ended, or was revealed before."""
        self._mark_round(
            cup, round, "revealed_unix_ns", "ended_unix_ns IS NOT NULL AND revealed_unix_ns IS NULL", at_unix_ns
        )

    def _mark_round(self, cup: str, round: int, column: str, condition: str, at_unix_ns: int) -> None:
        round_key = self._round(cup, round).round_key
        with self._database.transaction(durable=True):
            cursor = self._database.execute(
                f"UPDATE rounds SET {column} = ? WHERE round_key = ? AND {condition}", (at_unix_ns, round_key)
            )
            if cursor.rowcount != 1:
                raise ValueError(f"{cup}/{round}: {column} cannot be set now")

    def round(self, cup: str, round: int) -> Round:
        """One round. NotInLedger where there is none."""
        found = [row for row in self.rounds(cup) if row.round == round]
        if not found:
            raise self._absent(cup, round)
        return found[0]

    def rounds(self, cup: str) -> tuple[Round, ...]:
        """The rounds of a cup, in order; none for a cup that the ledger does not know."""
        rows = self._database.rows(f"SELECT {_ROUND_COLUMNS} FROM rounds WHERE cup = ? ORDER BY round", (cup,))
        found = (Round(*row) for row in rows)
        return tuple(round if round.revealed_unix_ns is not None else replace(round, secret=None) for round in found)

    def round_secret(self, cup: str, round: int) -> bytes | None:
        """The secret of a round, revealed or not: for whoever deals. None where it is not known here."""
        row = self._database.row("SELECT secret FROM rounds WHERE cup = ? AND round = ?", (cup, round))
        if row is None:
            raise self._absent(cup, round)
        return None if row[0] is None else bytes(row[0])

    def entries(self, cup: str, round: int) -> tuple[Entry, ...]:
        """The entries of a round, in the order of the schedule's indices."""
        return tuple(self._entries(self._round(cup, round).round_key).values())

    def _entries(self, round_key: int) -> dict[int, Entry]:
        sql = """
            SELECT entry_key, label, name, version, sha256, team, rated, role, bank_ns, increment_ns, decision_ns
            FROM entries WHERE round_key = ? ORDER BY position
        """
        return {row[0]: _entry(row[1:]) for row in self._database.rows(sql, (round_key,))}

    def withdraw(self, cup: str, round: int, label: str, *, kind: str, detail: str, at_unix_ns: int) -> bool:
        """Writes down that an entry plays no more in this round; False where it was withdrawn before."""
        entry = self._round(cup, round).entries[label]
        cursor = self._database.execute(
            "INSERT OR IGNORE INTO withdrawals (entry_key, kind, detail, at_unix_ns) VALUES (?, ?, ?, ?)",
            (entry.entry_key, kind, detail, at_unix_ns),
        )
        return cursor.rowcount == 1

    def withdrawals(self, cup: str, round: int) -> tuple[Withdrawal, ...]:
        """The withdrawals of a round, in the order in which they happened."""
        sql = """
            SELECT label, kind, detail, at_unix_ns FROM withdrawals JOIN entries USING (entry_key)
            WHERE round_key = ? ORDER BY withdrawal_key
        """
        return tuple(Withdrawal(*row) for row in self._database.rows(sql, (self._round(cup, round).round_key,)))

    # Matches

    def add_match(
        self,
        record: MatchRecord,
        *,
        times: Sequence[DecisionTime | tuple[int, int, int]] = (),
        notes: Sequence[Note | tuple[int, int, int, str]] = (),
    ) -> bool:
        """Keeps a finished match of a round that has started: all of it in one transaction.

        False, and nothing changed, where a match with its id is kept already. ValueError where its
        members and its round do not agree.
        """
        match_key, round = self._match_key(record)
        if record.block is None or not record.block.isdecimal() or record.rotation is None:
            raise ValueError(f"{record.match}: block {record.block!r} and rotation {record.rotation!r} are not numbers")
        faults = {fault.seat: str(fault.kind) for fault in record.faults}
        seats = [
            (match_key, seat, self._seated(record, round, seat), place, points, faults.get(seat))
            for seat, (place, points) in enumerate(zip(record.places, record.points, strict=True))
        ]
        packed = zlib.compress(record.to_json().encode())
        packed_times = pack_times(times)
        packed_notes = zlib.compress(json.dumps([tuple(note) for note in notes]).encode()) if notes else None
        with self._database.transaction():
            cursor = self._database.execute(
                "INSERT OR IGNORE INTO matches VALUES (?, ?, ?)", (match_key, int(record.block), record.rotation)
            )
            if cursor.rowcount != 1:
                return False
            self._database.execute_many("INSERT INTO match_seats VALUES (?, ?, ?, ?, ?, ?)", seats)
            self._database.execute(
                "INSERT INTO records VALUES (?, ?, ?, ?)", (match_key, packed, packed_times, packed_notes)
            )
        return True

    def _match_key(self, record: MatchRecord) -> tuple[int, _Round]:
        cup, round, number = parse_match_id(record.match)
        if (record.cup, record.round) != (cup, round) or not 1 <= number < MATCHES_PER_ROUND:
            raise ValueError(f"{record.match}: not a match of round {record.round} of {record.cup}")
        keys = self._round(cup, round)
        return keys.round_key * MATCHES_PER_ROUND + number, keys

    @staticmethod
    def _seated(record: MatchRecord, round: _Round, seat: int) -> int:
        seated = record.seats[seat]
        entry = round.entries.get(seated.bot)
        if entry is None or (entry.version, entry.sha256) != (seated.version, seated.sha256):
            raise ValueError(f"{record.match}: seat {seat}, {seated.bot} {seated.version}, is no entry of its round")
        return entry.entry_key

    def match_count(self, cup: str, round: int | None = None) -> int:
        """How many matches are kept, of one round or all."""
        return sum(
            row[0]
            for keys in self._round_keys(cup, round)
            for row in self._database.rows("SELECT count(*) FROM matches WHERE match_key BETWEEN ? AND ?", keys.keys)
        )

    def finished_numbers(self, cup: str, round: int) -> FinishedNumbers:
        """Numbers of the matches of a round that are kept."""
        first, last = self._round(cup, round).keys
        rows = self._database.rows("SELECT match_key FROM matches WHERE match_key BETWEEN ? AND ?", (first, last))
        return FinishedNumbers(row[0] - first for row in rows)

    def entry_match_counts(self, cup: str, round: int) -> dict[str, int]:
        """How many matches of a round each label has played; a label that sits twice in one counts once a seat."""
        keys = self._round(cup, round)
        sql = """
            SELECT label, count(match_key) FROM entries LEFT JOIN (
                SELECT entry_key, match_key FROM match_seats WHERE match_key BETWEEN ? AND ?
            ) USING (entry_key) WHERE round_key = ? GROUP BY entry_key ORDER BY position
        """
        return dict(self._database.rows(sql, (*keys.keys, keys.round_key)))

    def results(self, cup: str, round: int | None = None) -> Iterator[Result]:
        """What the ladder needs of each match, by id, without opening its record."""
        sql = """
            SELECT match_key, block, entry_key, place, points, fault FROM match_seats JOIN matches USING (match_key)
            WHERE match_key BETWEEN ? AND ? ORDER BY match_key, seat
        """
        for number, keys in self._numbered_rounds(cup, round):
            entries = self._entries(keys.round_key)
            seats: list[Row] = []
            for row in self._database.rows(sql, keys.keys):
                if seats and seats[0][0] != row[0]:
                    yield _result(cup, number, keys, entries, seats)
                    seats = []
                seats.append(row)
            if seats:
                yield _result(cup, number, keys, entries, seats)

    def record(self, match: str) -> MatchRecord:
        """The record of one match. NotInLedger where it is not kept."""
        return self._parsed(self._unpacked(match, self._columns(match)[0]), match)

    def times(self, match: str) -> tuple[DecisionTime, ...]:
        """The thinking times of one match."""
        try:
            return unpack_times(self._columns(match)[1])
        except ValueError as error:
            raise self._damaged(match, error) from None

    def notes(self, match: str) -> tuple[Note, ...]:
        """What the bots of one match wrote beside their decisions."""
        packed = self._columns(match)[2]
        if packed is None:
            return ()
        try:
            return tuple(Note(*note) for note in json.loads(self._unpacked(match, packed)))
        except (TypeError, ValueError) as error:
            raise self._damaged(match, error) from None

    def records(self, cup: str, round: int | None = None) -> Iterator[MatchRecord]:
        """The records, by id."""
        for match, line in self._record_lines(cup, round):
            yield self._parsed(line, match)

    def record_lines(self, cup: str, round: int | None = None) -> Iterator[str]:
        """The same as the JSON lines that they were kept as."""
        for _, line in self._record_lines(cup, round):
            yield line

    def _record_lines(self, cup: str, round: int | None) -> Iterator[tuple[str, str]]:
        sql = "SELECT match_key, record FROM records WHERE match_key BETWEEN ? AND ? ORDER BY match_key"
        for round_number, keys in self._numbered_rounds(cup, round):
            for match_key, packed in self._database.rows(sql, keys.keys):
                match = match_id(cup, round_number, match_key - keys.keys[0])
                yield match, self._unpacked(match, packed)

    def _columns(self, match: str) -> Row:
        try:
            cup, round, number = parse_match_id(match)
        except ValueError as error:
            raise NotInLedger(printable(str(error))) from None
        row = self._database.row(
            "SELECT record, times, notes FROM records WHERE match_key = ?",
            (self._round(cup, round).keys[0] + number,) if number < MATCHES_PER_ROUND else (-1,),
        )
        if row is None:
            raise NotInLedger(
                f"{self._database.name}: match {match} is not in this ledger; `cardarena replay --all` lists all"
            )
        return row

    def _unpacked(self, match: str, packed: bytes) -> str:
        try:
            return zlib.decompress(packed).decode()
        except (zlib.error, ValueError) as error:
            raise self._damaged(match, error) from None

    def _parsed(self, line: str, match: str) -> MatchRecord:
        try:
            return MatchRecord.from_json(line)
        except RecordError as error:
            raise self._damaged(match, error) from None

    def _damaged(self, match: str, error: Exception) -> HarnessError:
        return HarnessError(
            f"{self._database.name}: match {match} is damaged ({printable(str(error))}); take the ledger from a copy"
        )

    # Keys

    def _round(self, cup: str, round: int) -> _Round:
        known = self._rounds.get((cup, round))
        if known is None:
            row = self._database.row("SELECT round_key FROM rounds WHERE cup = ? AND round = ?", (cup, round))
            if row is None:
                raise self._absent(cup, round)
            sql = "SELECT label, entry_key, version, sha256 FROM entries WHERE round_key = ?"
            entries = {label: _EntryKey(*rest) for label, *rest in self._database.rows(sql, row)}
            known = self._rounds[cup, round] = _Round(row[0], entries)
        return known

    def _numbered_rounds(self, cup: str, round: int | None) -> list[tuple[int, _Round]]:
        if round is not None:
            return [(round, self._round(cup, round))]
        numbers = [
            row[0] for row in self._database.rows("SELECT round FROM rounds WHERE cup = ? ORDER BY round", (cup,))
        ]
        return [(number, self._round(cup, number)) for number in numbers]

    def _round_keys(self, cup: str, round: int | None) -> list[_Round]:
        return [keys for _, keys in self._numbered_rounds(cup, round)]

    def _absent(self, cup: str, round: int) -> NotInLedger:
        known = ", ".join(row.cup for row in self.cups()) or "none"
        return NotInLedger(
            f"{self._database.name}: round {round} of {printable(cup)} is not in this ledger; its cups: {known}"
        )


def _entry(row: Row) -> Entry:
    label, name, version, sha256, team, rated, role, *clock = row
    time = None if clock[0] is None else TimeControl(*clock)
    return Entry(label, name, version, sha256, team, bool(rated), Role(role), time)


def _result(cup: str, round: int, keys: _Round, entries: dict[int, Entry], seats: list[Row]) -> Result:
    match_keys, blocks, entry_keys, places, points, faults = zip(*seats, strict=True)
    return Result(
        match_id(cup, round, match_keys[0] - keys.keys[0]),
        f"{cup}/{round}/{blocks[0]:06d}",
        tuple([entries[key] for key in entry_keys]),
        places,
        points,
        tuple([seat for seat, fault in enumerate(faults) if fault is not None]),
    )
