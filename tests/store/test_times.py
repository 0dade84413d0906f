"""Packed thinking times come back as they were, to the microsecond."""

import random
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.arena.specs import Thoughts, thought_bytes
from harness.store.times import NS_PER_TICK, DecisionTime, pack_times, unpack_times

TIMES = st.lists(
    st.builds(
        DecisionTime,
        st.integers(0, 5),
        st.integers(0, 9 * 10**15).map(lambda us: us * 1_000),
        st.integers(0, 2**32 - 1),
        st.none() | st.integers(0, 10**9).map(lambda ticks: ticks * NS_PER_TICK),
        st.integers(0, 10**9).map(lambda ticks: ticks * NS_PER_TICK),
    )
)


@given(TIMES)
def test_times_come_back(times: list[DecisionTime]) -> None:
    assert unpack_times(pack_times(times)) == tuple(times)


@given(TIMES)
def test_times_as_the_arena_keeps_them_come_back(times: list[DecisionTime]) -> None:
    rows = [
        thought_bytes(time.seat, time.spent_ns, time.owed, -1 if time.cpu_ns is None else time.cpu_ns, time.lag_ns)
        for time in times
    ]
    kept = Thoughts(b"".join(rows))

    assert unpack_times(pack_times(kept)) == tuple(times)


def test_times_of_format_1_are_still_read() -> None:
    columns = struct.pack("<I", 2) + bytes([1, 0]) + bytes([7, 9]) + bytes(14) + bytes([1, 64]) + bytes(6)

    assert unpack_times(b"\x01" + zlib.compress(columns)) == (DecisionTime(1, 7_000, 1), DecisionTime(0, 9_000, 64))
    assert unpack_times(b"\x01") == ()


def test_times_of_format_2_are_still_read() -> None:
    spent, owed = bytes([7, 9]) + bytes(14), bytes([1, 64]) + bytes(6)
    columns = struct.pack("<I", 2) + bytes([1, 0]) + spent + owed + bytes([3, 0]) + bytes(6) + bytes([0, 2]) + bytes(6)

    assert unpack_times(b"\x02" + zlib.compress(columns)) == (
        DecisionTime(1, 7_000, 1, 2 * NS_PER_TICK),
        DecisionTime(0, 9_000, 64, None, 2 * NS_PER_TICK),
    )


def test_processor_time_and_lag_are_kept_to_a_hundredth_of_a_millisecond() -> None:
    kept = pack_times([(0, 1_000, 1, 123_456_789, 45_678), (1, 1_000, 1, -1, 0), (1, 1_000, 1)])

    assert unpack_times(kept) == (
        DecisionTime(0, 1_000, 1, 123_450_000, 40_000),
        DecisionTime(1, 1_000, 1),
        DecisionTime(1, 1_000, 1),
    )


def test_nanoseconds_are_kept_to_the_microsecond() -> None:
    assert unpack_times(pack_times([(1, 123_456_789, 2)])) == (DecisionTime(1, 123_456_000, 2),)


def test_the_times_of_a_guillotine_match_take_less_than_two_kilobytes() -> None:
    chance = random.Random(1)
    times = [(chance.randrange(4), int(chance.lognormvariate(13, 1)), chance.randint(1, 64)) for _ in range(520)]

    assert len(pack_times(times)) < 2_000


def of_columns(columns: bytes) -> bytes:
    return pack_times([(0, 1_000, 1)])[:1] + zlib.compress(columns)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x04abc",
        b"\x01garbage",
        pack_times([(0, 1_000, 1)])[:-6],
        of_columns(bytes([1, 0, 0, 0, 2])),
        of_columns(bytes([1, 0, 0, 0, 2, 1, 5, 1, 1, 1, 0])),
        of_columns(bytes([1, 0, 0, 0, 2, 1, 5, 1, 1, 1, 0, 0, 0])),
        of_columns(bytes([1, 0, 0, 0, 2, 9, *range(9), 1, 1, 1, 0, 0])),
        of_columns(bytes([255, 255, 255, 255, 2, 0, 0, 0, 0])),
    ],
)
def test_damaged_times_are_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="packed times"):
        unpack_times(data)
