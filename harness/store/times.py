"""Thinking times of a match, packed into a few hundred bytes.

The format: one byte of format, then zlib over columns: the count (4 bytes), the seats (a byte each),
the microseconds (8 bytes each, all lowest bytes first, then all second bytes, and so on: the high
ones are nearly all zero and cost nothing), the answers owed (4 bytes each, in the same manner).
All numbers are little-endian.
"""

import struct
import zlib
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

FORMAT = 1
NS_PER_US = 1_000


class DecisionTime(NamedTuple):
    """One asked decision, in the order of the match: who, for how long, and how many answers it then owed."""

    seat: int
    spent_ns: int
    """Kept to the microsecond."""
    owed: int


@runtime_checkable
class InColumns(Protocol):
    """Times that are kept as this file packs them: rows of hundreds of times cost more to turn than to pack."""

    def columns(self) -> tuple[list[int], list[int], list[int]]:
        """Seats, spent_ns and owed."""


def pack_times(times: Sequence[DecisionTime | tuple[int, int, int]]) -> bytes:
    """`times` as bytes."""
    if not times:
        return bytes([FORMAT])
    seats, spent_ns, owed = times.columns() if isinstance(times, InColumns) else zip(*times, strict=True)
    count = len(times)
    spent = struct.pack(f"<{count}Q", *[ns // NS_PER_US for ns in spent_ns])
    owing = struct.pack(f"<{count}I", *owed)
    columns = [struct.pack("<I", count), bytes(seats)]
    columns += [spent[plane::8] for plane in range(8)]
    columns += [owing[plane::4] for plane in range(4)]
    return bytes([FORMAT]) + zlib.compress(b"".join(columns))


def unpack_times(data: bytes) -> tuple[DecisionTime, ...]:
    """The times that `data` holds. ValueError where it holds none."""
    if not isinstance(data, bytes) or data[:1] != bytes([FORMAT]):
        raise ValueError("not packed times")
    if len(data) == 1:
        return ()
    try:
        columns = zlib.decompress(data[1:])
    except zlib.error:
        raise ValueError("packed times are damaged") from None
    count = int.from_bytes(columns[:4], "little")
    if len(columns) != 4 + 13 * count:
        raise ValueError("packed times are damaged")
    seats, rest = columns[4 : 4 + count], columns[4 + count :]
    spent = struct.unpack(f"<{count}Q", _woven(rest[: 8 * count], count, 8))
    owing = struct.unpack(f"<{count}I", _woven(rest[8 * count :], count, 4))
    return tuple(DecisionTime(seat, us * NS_PER_US, owed) for seat, us, owed in zip(seats, spent, owing, strict=True))


def _woven(planes: bytes, count: int, width: int) -> bytes:
    woven = bytearray(count * width)
    for plane in range(width):
        woven[plane::width] = planes[plane * count : (plane + 1) * count]
    return bytes(woven)
