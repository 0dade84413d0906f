"""Thinking times of a match, packed into a few hundred bytes.

The format: one byte of format, then zlib over the count (4 bytes), the seats (a byte each), and four columns: the
microseconds, the answers owed, processor time (one more than what it is, 0 where it is not known) and lag, both in
hundredths of a millisecond. A column is one byte that says how many bytes its largest number takes, then the lowest
bytes of all its numbers, then their second bytes, and so on. All numbers are little-endian. The older formats are
still read: their columns take 8, 4, 4 and 4 bytes whatever is in them, and format 1 has but the first two.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from harness.store.unpacking import WINDOW_BITS, unpacked

FORMAT = 3
_OLD_WIDTHS = {1: (8, 4), 2: (8, 4, 4, 4)}
_COLUMNS = 4
NS_PER_US = 1_000
NS_PER_TICK = 10_000


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
    columns = [struct.pack("<I", len(times)), bytes(seats)]
    columns += _planes([ns // NS_PER_US for ns in spent_ns])
    columns += _planes(owed)
    columns += _planes([(ns + NS_PER_TICK) // NS_PER_TICK for ns in cpu_ns])  # -1, not known, becomes 0
    columns += _planes([ns // NS_PER_TICK for ns in lag_ns] if any(lag_ns) else ())
    # Runs of zeros and single bytes are all that there is to find.
    packing = zlib.compressobj(wbits=WINDOW_BITS, strategy=zlib.Z_RLE)
    return bytes([FORMAT]) + packing.compress(b"".join(columns)) + packing.flush()


def _columns(times: Sequence[TimeRow]) -> tuple[list[int], ...]:
    rows = [DecisionTime(*time) for time in times]
    known = [(seat, spent, owed, -1 if cpu is None else cpu, lag) for seat, spent, owed, cpu, lag in rows]
    return tuple(map(list, zip(*known, strict=True)))


def _planes(numbers: Sequence[int]) -> list[bytes]:
    """A column; of no numbers, as of zeros alone, what says that there is nothing in it."""
    width = -(-max(numbers, default=0).bit_length() // 8)
    packed = struct.pack(f"<{len(numbers)}Q", *numbers) if width else b""
    return [bytes([width]), *(packed[plane::8] for plane in range(width))]


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
    if not isinstance(data, bytes) or not data or data[0] not in (*_OLD_WIDTHS, FORMAT):
        raise ValueError("not packed times")
    if len(data) == 1:
        return TimeColumns(b"", (), (), (), ())
    try:
        columns = unpacked(data[1:])
        count = int.from_bytes(columns[:4], "little")
        seats, rest = columns[4 : 4 + count], columns[4 + count :]
        spent_us, owed, *costs = _unpacked_columns(rest, count, _OLD_WIDTHS.get(data[0]))
    except ValueError:
        raise ValueError("packed times are damaged") from None
    cpu_ticks, lag_ticks = costs or ((0,) * count, (0,) * count)
    return TimeColumns(seats, spent_us, owed, cpu_ticks, lag_ticks)


def _unpacked_columns(data: bytes, count: int, widths: Sequence[int] | None) -> Iterator[tuple[int, ...]]:
    """The columns that `data` holds and nothing else; each says its own width where `widths` does not."""
    at = 0
    for column in range(_COLUMNS if widths is None else len(widths)):
        if widths is None:
            width = int.from_bytes(data[at : at + 1], "little")
            at += 1
        else:
            width = widths[column]
        planes = data[at : at + width * count]
        at += width * count
        if width > 8 or at > len(data):
            raise ValueError("a column is cut off")
        woven = bytearray(8 * count)
        for plane in range(width):
            woven[plane::8] = planes[plane * count : (plane + 1) * count]
        yield struct.unpack(f"<{count}Q", woven)
    if at != len(data):
        raise ValueError("there is more than the columns")


def unpack_times(data: bytes) -> tuple[DecisionTime, ...]:
    """The same, a value a decision."""
    seats, spent_us, owed, cpu_ticks, lag_ticks = unpack_columns(data)
    spent = [us * NS_PER_US for us in spent_us]
    cpu = [(ticks - 1) * NS_PER_TICK if ticks else None for ticks in cpu_ticks]
    return tuple(map(DecisionTime, seats, spent, owed, cpu, [ticks * NS_PER_TICK for ticks in lag_ticks]))
