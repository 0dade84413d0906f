"""The ledger: everything that was played, in one SQLite file. What is in it is never changed, only added to.

A finished match is one transaction: its record, its times and notes, and the small rows that ladders
read. Standings, ratings and pages are functions of it. One process plays a cup at a time (`run_lock`);
any number may read meanwhile.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from harness.errors import HarnessError
from harness.faults import result_fault
from harness.printable import printable
from harness.record import MatchRecord
from harness.store.appearances import Appearances
from harness.store.columns import (
    ENTRY_COLUMNS,
    EntryKey,
    RoundKeys,
    SeatColumns,
    SeatFaultRow,
    SeatRow,
    Secret,
    entry_columns,
    keyed_entry,
    match_number,
)
from harness.store.database import Database
from harness.store.kept import KeptMatch, Outlined, kept_match
from harness.store.rows import (
    CupRow,
    Entry,
    FinishedNumbers,
    Note,
    Result,
    Round,
    Withdrawal,
    match_id,
    parse_match_id,
)
from harness.store.rulings import Rulings
from harness.store.run_lock import RunLock
from harness.store.schema import MATCHES_PER_ROUND
from harness.store.strays import strays
from harness.store.times import DecisionTime, TimeColumns, TimeRow
from harness.store.versions import Versions

T = TypeVar("T")

_ROUND_COLUMNS = (
    "cup, round, settings, schedule_sha256, commitment, started_unix_ns, ended_unix_ns, revealed_unix_ns, secret, "
    "budget"
)
_SEAT_ROWS = "SELECT match_key, block, entry_key, place, points, fault FROM match_seats JOIN matches USING (match_key)"


class NotInLedger(HarnessError):
    """A cup, round or match that the ledger does not hold."""


class Ledger:
    """An open ledger. `with Ledger(path) as ledger: ...` closes it."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Opens the file; HarnessError where there is none (unless `create`), or it cannot be read as a ledger."""
        self.path = path
        self._database = Database(path, create=create)
        self._rounds: dict[tuple[str, int], RoundKeys] = {}
        self.versions = Versions(self._database)
        self.rulings = Rulings(self._database)
        self.appearances = Appearances(self._database, self._round)

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

    def all_or_nothing(self) -> AbstractContextManager[None]:
        """Everything written in the block is there at its end, on disk for good, or nothing of it."""
        return self._database.transaction(durable=True)

    def strays(self) -> Iterator[str]:
        """What belongs to nothing here, in words: of an honest ledger nothing does."""
        return strays(self._database)

    # Cups and rounds

    def cups(self) -> tuple[CupRow, ...]:
        """Every cup, oldest first."""
        sql = """
            SELECT cup, created_unix_ns, count(round) FROM cups LEFT JOIN rounds USING (cup)
            GROUP BY cup ORDER BY created_unix_ns, cup
        """
        return tuple(self._database.rows(CupRow, sql))

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
        budget: str | None = None,
    ) -> None:
        """Writes a round down, entries in the order of the schedule's indices, and its cup if it is the first.

        On disk for good when this returns: the commitment stands before the first match. ValueError unless
        every earlier round has ended and this is the next. `secret` is None where it is not known here, `budget`
        where an older program began the round.
        """
        earlier = self.rounds(cup)
        if round != len(earlier) + 1 or any(row.ended_unix_ns is None for row in earlier):
            raise ValueError(f"round {round} of {cup} cannot start now, after {len(earlier)} rounds")
        with self._database.transaction(durable=True):
            self._database.execute("INSERT OR IGNORE INTO cups VALUES (?, ?)", (cup, started_unix_ns))
            cursor = self._database.execute(
                "INSERT INTO rounds (cup, round, settings, budget, schedule_sha256, commitment, secret, "
                "started_unix_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (cup, round, settings, budget, schedule_sha256, commitment, secret, started_unix_ns),
            )
            round_key = cursor.lastrowid
            self._database.execute_many(
                f"INSERT INTO entries (round_key, position, {ENTRY_COLUMNS}) VALUES ({', '.join('?' * 13)})",
                [(round_key, position, *entry_columns(entry)) for position, entry in enumerate(entries)],
            )

    def end_round(self, cup: str, round: int, *, at_unix_ns: int) -> None:
        """Writes down that the last match of a round is played. ValueError where it has ended before."""
        self._mark_round(cup, round, "ended_unix_ns", "ended_unix_ns IS NULL", at_unix_ns)

    def reveal(self, cup: str, round: int, *, at_unix_ns: int) -> None:
        """Lets the secret of an ended round be read. ValueError where it has not ended, or was revealed before."""
        self._mark_round(
            cup, round, "revealed_unix_ns", "ended_unix_ns IS NOT NULL AND revealed_unix_ns IS NULL", at_unix_ns
        )

    def learn_secret(self, cup: str, round: int, secret: bytes) -> None:
        """Writes down the secret of a round that began elsewhere, where it was not known before."""
        self._mark_round(cup, round, "secret", "secret IS NULL", secret)

    def _mark_round(self, cup: str, round: int, column: str, condition: str, value: int | bytes) -> None:
        round_key = self._round(cup, round).round_key
        with self._database.transaction(durable=True):
            cursor = self._database.execute(
                f"UPDATE rounds SET {column} = ? WHERE round_key = ? AND {condition}", (value, round_key)
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
        sql = f"SELECT {_ROUND_COLUMNS} FROM rounds WHERE cup = ? ORDER BY round"
        found = self._database.rows(Round, sql, (cup,))
        return tuple(round if round.revealed_unix_ns is not None else replace(round, secret=None) for round in found)

    def round_secret(self, cup: str, round: int) -> bytes | None:
        """The secret of a round, revealed or not: for whoever deals. None where it is not known here."""
        sql = "SELECT secret FROM rounds WHERE round_key = ?"
        row = self._database.row(Secret, sql, (self._round(cup, round).round_key,))
        return None if row is None else row.secret

    def entries(self, cup: str, round: int) -> tuple[Entry, ...]:
        """The entries of a round, in the order of the schedule's indices."""
        return tuple(self._entries(self._round(cup, round).round_key).values())

    def _entries(self, round_key: int) -> dict[int, Entry]:
        sql = f"SELECT entry_key, {ENTRY_COLUMNS} FROM entries WHERE round_key = ? ORDER BY position"
        return dict(self._database.rows(keyed_entry, sql, (round_key,)))

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
        return tuple(self._database.rows(Withdrawal, sql, (self._round(cup, round).round_key,)))

    # Matches

    def add_match(
        self,
        record: MatchRecord,
        *,
        times: Sequence[TimeRow] = (),
        notes: Sequence[Note | tuple[int, int, int, str]] = (),
    ) -> bool:
        """Keeps a finished match of a round that has started: all of it in one transaction.

        False, and nothing changed, where a match with its id is kept already. ValueError where its
        members and its round do not agree.
        """
        match_key, round = self._match_key(record)
        if record.block is None or not record.block.isdecimal() or record.rotation is None:
            raise ValueError(f"{record.match}: block {record.block!r} and rotation {record.rotation!r} are not numbers")
        faults = {fault.seat: result_fault(fault.kind, fault.detail) for fault in record.faults}
        seats = [
            (match_key, seat, self._seated(record, round, seat), place, points, faults.get(seat))
            for seat, (place, points) in enumerate(zip(record.places, record.points, strict=True))
        ]
        kept = kept_match(match_key, record, times, notes)
        with self._database.transaction():
            cursor = self._database.execute(
                "INSERT OR IGNORE INTO matches VALUES (?, ?, ?)", (match_key, int(record.block), record.rotation)
            )
            if cursor.rowcount != 1:
                return False
            self._database.execute_many("INSERT INTO match_seats VALUES (?, ?, ?, ?, ?, ?)", seats)
            self._database.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", kept)
        return True

    def _match_key(self, record: MatchRecord) -> tuple[int, RoundKeys]:
        cup, round, number = parse_match_id(record.match)
        if (record.cup, record.round) != (cup, round) or not 1 <= number < MATCHES_PER_ROUND:
            raise ValueError(f"{record.match}: not a match of round {record.round} of {record.cup}")
        keys = self._round(cup, round)
        return keys.round_key * MATCHES_PER_ROUND + number, keys

    @staticmethod
    def _seated(record: MatchRecord, round: RoundKeys, seat: int) -> int:
        seated = record.seats[seat]
        entry = round.entries.get(seated.bot)
        if entry is None or (entry.version, entry.sha256) != (seated.version, seated.sha256):
            raise ValueError(f"{record.match}: seat {seat}, {seated.bot} {seated.version}, is no entry of its round")
        return entry.entry_key

    def match_count(self, cup: str, round: int | None = None) -> int:
        """How many matches are kept, of one round or all."""
        sql = "SELECT count(*) FROM matches WHERE match_key BETWEEN ? AND ?"
        return sum(self._database.row(int, sql, keys.matches) or 0 for _, keys in self._numbered_rounds(cup, round))

    def finished_numbers(self, cup: str, round: int) -> FinishedNumbers:
        """Numbers of the matches of a round that are kept."""
        first, last = self._round(cup, round).matches
        sql = "SELECT match_key - ? FROM matches WHERE match_key BETWEEN ? AND ?"
        return FinishedNumbers(self._database.rows(match_number, sql, (first, first, last)))

    def results(
        self, cup: str, round: int | None = None, *, first: int = 0, last: int | None = None
    ) -> Iterator[Result]:
        """What the ladder needs of each match, by id, without opening its record; of those from `first` to `last`."""
        sql = f"{_SEAT_ROWS} WHERE match_key BETWEEN ? AND ? ORDER BY match_key, seat"
        for number, keys in self._numbered_rounds(cup, round):
            entries = self._entries(keys.round_key)
            seats: list[SeatRow] = []
            least, most = keys.matches
            between = least + first, most if last is None else least + last
            for row in self._database.rows(SeatRow, sql, between):
                if seats and seats[0].match_key != row.match_key:
                    yield self._result(cup, number, keys, entries, seats)
                    seats = []
                seats.append(row)
            if seats:
                yield self._result(cup, number, keys, entries, seats)

    def results_of(self, cup: str, round: int, numbers: Iterable[int]) -> Iterator[Result]:
        """The same of the matches of these numbers alone, in their order; those that are not kept are left out."""
        keys = self._round(cup, round)
        entries = self._entries(keys.round_key)
        sql = f"{_SEAT_ROWS} WHERE match_key = ? ORDER BY seat"
        for number in numbers:
            seats = list(self._database.rows(SeatRow, sql, (keys.matches[0] + number,)))
            if seats:
                yield self._result(cup, round, keys, entries, seats)

    def numbers_in(self, cup: str, round: int, blocks: Container[int]) -> list[int]:
        """Numbers of the matches of a round that are kept of `blocks`, ascending."""
        least, most = self._round(cup, round).matches
        sql = "SELECT match_key - ?, block FROM matches WHERE match_key BETWEEN ? AND ? ORDER BY match_key"
        numbers = zip(*self._database.columns(2, sql, (least, least, most)), strict=True)
        return [number for number, block in numbers if block in blocks]

    def seat_columns(self, cup: str, round: int) -> SeatColumns:
        """The same of a round, a number a seat: what a ladder of a million matches can read in a few seconds."""
        keys = self._round(cup, round)
        least, most = keys.matches
        sql = """
            SELECT match_key - ?, block, entry_key, place, points FROM match_seats JOIN matches USING (match_key)
            WHERE match_key BETWEEN ? AND ? ORDER BY match_key, seat
        """
        columns = self._database.columns(5, sql, (least, least, most))
        sql = """
            SELECT match_key - ?, seat, fault FROM match_seats
            WHERE match_key BETWEEN ? AND ? AND fault IS NOT NULL ORDER BY match_key, seat
        """
        faults = tuple(self._database.rows(SeatFaultRow, sql, (least, least, most)))
        entries = self._entries(keys.round_key)
        unknown = next((key for key in set(columns[2]) if key not in entries), None)
        if unknown is not None:
            raise self._damaged(f"of {cup}, round {round}", KeyError(unknown))
        number, block, entry_key, place, points = columns
        return SeatColumns(number, block, entry_key, place, points, faults, entries)

    def _result(self, cup: str, round: int, keys: RoundKeys, entries: dict[int, Entry], seats: list[SeatRow]) -> Result:
        first = seats[0]
        match = match_id(cup, round, first.match_key - keys.matches[0])
        try:
            return Result(
                match,
                f"{cup}/{round}/{first.block:06d}",
                tuple([entries[seat.entry_key] for seat in seats]),
                tuple([seat.place for seat in seats]),
                tuple([seat.points for seat in seats]),
                tuple([seat.fault for seat in seats]),
            )
        except (KeyError, TypeError) as error:
            raise self._damaged(match, error) from None

    def record(self, match: str) -> MatchRecord:
        """The record of one match. NotInLedger where it is not kept."""
        return self._read(match, self._kept(match).match_record)

    def record_line(self, match: str) -> str:
        """The same as the JSON line that it was kept as."""
        return self._read(match, self._kept(match).line)

    def record_digest(self, match: str) -> str:
        """`MatchRecord.digest()` of one match, as it was when it was kept."""
        return self._read(match, self._kept(match).digest)

    def times(self, match: str) -> tuple[DecisionTime, ...]:
        """The thinking times of one match."""
        return self._read(match, self._kept(match).decision_times)

    def time_columns(self, match: str) -> TimeColumns:
        """The same as columns."""
        return self._read(match, self._kept(match).time_columns)

    def notes(self, match: str) -> tuple[Note, ...]:
        """What the bots of one match wrote beside their decisions."""
        return self._read(match, self._kept(match).decision_notes)

    def records(self, cup: str, round: int | None = None) -> Iterator[MatchRecord]:
        """The records, by id."""
        for match, kept in self._kept_matches(cup, round):
            yield self._read(match, kept.match_record)

    def record_lines(self, cup: str, round: int | None = None) -> Iterator[str]:
        """The same as the JSON lines that they were kept as."""
        for match, kept in self._kept_matches(cup, round):
            yield self._read(match, kept.line)

    def outlines(self, cup: str, round: int, *, first: int, last: int) -> Iterator[tuple[int, Outlined]]:
        """What is counted of the matches of a round beyond their results, by number, from `first` to `last`."""
        sql = "SELECT match_key, record, sha256, times, NULL FROM records WHERE match_key BETWEEN ? AND ? ORDER BY 1"
        least, most = self._round(cup, round).matches
        for kept in self._database.rows(KeptMatch, sql, (least + first, min(least + last, most))):
            number = kept.match_key - least
            yield number, self._read(match_id(cup, round, number), kept.outline)

    def _kept_matches(self, cup: str, round: int | None) -> Iterator[tuple[str, KeptMatch]]:
        sql = """
            SELECT match_key, record, sha256, x'', NULL FROM records WHERE match_key BETWEEN ? AND ? ORDER BY match_key
        """
        for number, keys in self._numbered_rounds(cup, round):
            for kept in self._database.rows(KeptMatch, sql, keys.matches):
                yield match_id(cup, number, kept.match_key - keys.matches[0]), kept

    def _kept(self, match: str) -> KeptMatch:
        try:
            cup, round, number = parse_match_id(match)
        except ValueError as error:
            raise NotInLedger(printable(str(error))) from None
        keys = self._round(cup, round)
        sql = "SELECT match_key, record, sha256, times, notes FROM records WHERE match_key = ?"
        kept = self._database.row(KeptMatch, sql, (min(keys.matches[0] + number, keys.matches[1]),))
        if kept is None:
            raise NotInLedger(
                f"{self._database.name}: there is no match {match}; `cardarena replay --all --jsonl` lists them"
            )
        return kept

    def _read(self, match: str, what: Callable[[], T]) -> T:
        try:
            return what()
        except ValueError as error:
            raise self._damaged(match, error) from None

    def _damaged(self, match: str, error: Exception) -> HarnessError:
        why = printable(str(error))
        return HarnessError(f"{self._database.name}: match {match} is damaged ({why}); take the ledger from a copy")

    # Keys

    def _round(self, cup: str, round: int) -> RoundKeys:
        known = self._rounds.get((cup, round))
        if known is None:
            sql = "SELECT round_key FROM rounds WHERE cup = ? AND round = ?"
            round_key = self._database.row(int, sql, (cup, round))
            if round_key is None:
                raise self._absent(cup, round)
            sql = "SELECT label, entry_key, version, sha256 FROM entries WHERE round_key = ?"
            entries = {row.label: row for row in self._database.rows(EntryKey, sql, (round_key,))}
            known = self._rounds[cup, round] = RoundKeys(round_key, entries)
        return known

    def _numbered_rounds(self, cup: str, round: int | None) -> list[tuple[int, RoundKeys]]:
        if round is not None:
            return [(round, self._round(cup, round))]
        numbers = self._database.rows(int, "SELECT round FROM rounds WHERE cup = ? ORDER BY round", (cup,))
        return [(number, self._round(cup, number)) for number in numbers]

    def _absent(self, cup: str, round: int) -> NotInLedger:
        known = ", ".join(row.cup for row in self.cups()) or "none"
        return NotInLedger(
            f"{self._database.name}: round {round} of {printable(cup)} is not in this ledger; its cups: {known}"
        )
