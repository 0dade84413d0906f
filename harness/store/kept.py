"""A match as the ledger keeps it: its record, times and notes, packed."""

import json
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from harness.outline import Outline, outline
from harness.record import MatchRecord
from harness.store.rows import Note
from harness.store.times import DecisionTime, TimeColumns, TimeRow, pack_times, unpack_columns, unpack_times
from harness.store.unpacking import MOST_BYTES, WINDOW_BITS, unpacked

RECORD_LEVEL = 4
"""Of zlib: more takes half as long again for two percent."""
_PLAYED, _PLAYED_SHORT = b'", "play:', b"\x01"
"""What stands between two cards played is most of a record. It is kept as a byte that no JSON holds unescaped: zlib
takes half as long for the rest, and packs it tighter."""


class KeptMatch(NamedTuple):
    """One row of `records`. What reads it raises ValueError where the bytes are damaged."""

    match_key: int
    record: bytes
    sha256: bytes
    times: bytes
    notes: bytes | None

    def line(self) -> str:
        """The record as the JSON line that was kept."""
        line = unpacked(self.record)
        if len(line) + line.count(_PLAYED_SHORT) * len(_PLAYED) > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES:,} bytes")
        return line.replace(_PLAYED_SHORT, _PLAYED).decode()

    def match_record(self) -> MatchRecord:
        """The record."""
        return MatchRecord.from_json(self.line())

    def outline(self) -> "Outlined":
        """What is counted of it."""
        return Outlined(self.match_key, outline(self.line()), self.time_columns())

    def digest(self) -> str:
        """SHA-256 in hex of the record's identity, as it was when the match was kept."""
        if not isinstance(self.sha256, bytes):
            raise ValueError("its hash is no hash")
        return self.sha256.hex()

    def decision_times(self) -> tuple[DecisionTime, ...]:
        """The thinking times, decision by decision."""
        return unpack_times(self.times)

    def time_columns(self) -> TimeColumns:
        """The same as columns."""
        return unpack_columns(self.times)

    def decision_notes(self) -> tuple[Note, ...]:
        """What the bots wrote beside their decisions."""
        if self.notes is None:
            return ()
        try:
            return tuple(Note(*note) for note in json.loads(unpacked(self.notes)))
        except (TypeError, RecursionError) as error:
            raise ValueError(str(error)) from None


class Outlined(NamedTuple):
    """What is counted of a match beyond its result."""

    match_key: int
    record: Outline
    times: TimeColumns


def kept_match(
    match_key: int,
    record: MatchRecord,
    times: Sequence[TimeRow],
    notes: Sequence[Note | tuple[int, int, int, str]],
) -> KeptMatch:
    """The row that keeps a match."""
    packed_notes = zlib.compress(json.dumps([tuple(note) for note in notes]).encode()) if notes else None
    line, digest = record.to_json_and_digest()
    packed_line = zlib.compress(line.encode().replace(_PLAYED, _PLAYED_SHORT), RECORD_LEVEL, WINDOW_BITS)
    return KeptMatch(match_key, packed_line, bytes.fromhex(digest), pack_times(times), packed_notes)
