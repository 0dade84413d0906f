"""Thinking times of a match, packed into a few hundred bytes.

The format: one byte of format, then zlib over columns: the count (4 bytes), the seats (a byte each),
the microseconds (8 bytes each, all lowest bytes first, then all second bytes, and so on: the high
ones are nearly all zero and cost nothing), the answers owed (4 bytes each, in the same manner). Format 2
adds processor time (one more than what it is, 0 where it is not known) and lag, 4 bytes each, both in
hundredths of a millisecond. All numbers are little-endian. Format 1 is still read.
"""

import struct
import zlib
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from harness.store.unpacking import WINDOW_BITS, unpacked

FORMAT = 2
OLD_FORMAT = 1
NS_PER_US = 1_000
NS_PER_TICK = 10_000
_MOST_TICKS = 2**32 - 1
_ROW_BYTES = {OLD_FORMAT: 13, FORMAT: 21}


class DecisionTime(NamedTuple):
    """One asked decision, in the order of the match: who, for how long, and how many answers it then owed."""

    seat: int
    spent_ns: int
    """Kept to the microsecond."""
    owed: int
    cpu_ns: int | None = None
    """Processor time that the bot used since its last message: this answer's share, kept to a hundredth of a
    millisecond. None: not known."""
    lag_ns: int = 0
    """Lag of the harness in that time, which was not charged: the same share, kept as well."""


@runtime_checkable
class InColumns(Protocol):
    """Times that are kept as this file packs them: rows of hundreds of times cost more to turn than to pack."""

    def columns(self) -> tuple[list[int], ...]:
        """The fields of `DecisionTime`, -1 for processor time that is not known."""


TimeRow = DecisionTime | tuple[int, int, int] | tuple[int, int, int, int, int]
"""The fields of `DecisionTime`, -1 for processor time that is not known."""


def pack_times(times: Sequence[TimeRow]) -> bytes:
    """`times` as bytes."""
    if not times:
        return bytes([FORMAT])
    seats, spent_ns, owed, cpu_ns, lag_ns = times.columns() if isinstance(times, InColumns) else _columns(times)
    count = len(times)
    columns = [struct.pack("<I", count), bytes(seats)]
    columns += _planes(struct.pack(f"<{count}Q", *[ns // NS_PER_US for ns in spent_ns]), 8)
    columns += _planes(struct.pack(f"<{count}I", *owed), 4)
    columns += _planes(struct.pack(f"<{count}I", *_ticks(cpu_ns, NS_PER_TICK)), 4)  # -1, not known, becomes 0
    columns += _planes(struct.pack(f"<{count}I", *_ticks(lag_ns, 0)), 4)
    # Runs of zeros and single bytes are all that there is to find.
    packing = zlib.compressobj(wbits=WINDOW_BITS, strategy=zlib.Z_RLE)
    return bytes([FORMAT]) + packing.compress(b"".join(columns)) + packing.flush()


def _columns(times: Sequence[TimeRow]) -> tuple[list[int], ...]:
    rows = [DecisionTime(*time) for time in times]
    known = [(seat, spent, owed, -1 if cpu is None else cpu, lag) for seat, spent, owed, cpu, lag in rows]
    return tuple(map(list, zip(*known, strict=True)))


def _ticks(spans_ns: Sequence[int], more_ns: int) -> list[int]:
    """Spans, each `more_ns` longer, in hundredths of a millisecond, as many as fit."""
    if not any(spans_ns):  # As lag is nearly always.
        return [more_ns // NS_PER_TICK] * len(spans_ns)
    ticks = [(ns + more_ns) // NS_PER_TICK for ns in spans_ns]
    return ticks if max(ticks) <= _MOST_TICKS else [min(tick, _MOST_TICKS) for tick in ticks]


def _planes(numbers: bytes, width: int) -> list[bytes]:
    return [numbers[plane::width] for plane in range(width)]


class TimeColumns(NamedTuple):
    """The same as they are packed, a number a decision: what counts a million matches makes no value for each."""

    seats: Sequence[int]
    spent_us: Sequence[int]
    owed: Sequence[int]
    cpu_ticks: Sequence[int]
    """In hundredths of a millisecond, and one more than it is; 0 where it is not known."""
    lag_ticks: Sequence[int]
    """In hundredths of a millisecond."""


def unpack_columns(data: bytes) -> TimeColumns:
    """The times that `data` holds. ValueError where it holds none."""
    if not isinstance(data, bytes) or not data or data[0] not in _ROW_BYTES:
        raise ValueError("not packed times")
    if len(data) == 1:
        return TimeColumns(b"", (), (), (), ())
    try:
        columns = unpacked(data[1:])
    except ValueError:
        raise ValueError("packed times are damaged") from None
    count = int.from_bytes(columns[:4], "little")
    if len(columns) != 4 + _ROW_BYTES[data[0]] * count:
        raise ValueError("packed times are damaged")
    seats, rest = columns[4 : 4 + count], columns[4 + count :]
    spent_us = struct.unpack(f"<{count}Q", _woven(rest[: 8 * count], count, 8))
    owed, *costs = (
        struct.unpack(f"<{count}I", _woven(rest[start * count : (start + 4) * count], count, 4))
        for start in range(8, _ROW_BYTES[data[0]] - 1, 4)
    )
    cpu_ticks, lag_ticks = costs or ((0,) * count, (0,) * count)
    return TimeColumns(seats, spent_us, owed, cpu_ticks, lag_ticks)


def unpack_times(data: bytes) -> tuple[DecisionTime, ...]:
    """The same, a value a decision."""
    seats, spent_us, owed, cpu_ticks, lag_ticks = unpack_columns(data)
    spent = [us * NS_PER_US for us in spent_us]
    cpu = [(ticks - 1) * NS_PER_TICK if ticks else None for ticks in cpu_ticks]
    return tuple(map(DecisionTime, seats, spent, owed, cpu, [ticks * NS_PER_TICK for ticks in lag_ticks]))


def _woven(planes: bytes, count: int, width: int) -> bytes:
    woven = bytearray(count * width)
    for plane in range(width):
        woven[plane::width] = planes[plane * count : (plane + 1) * count]
    return bytes(woven)
