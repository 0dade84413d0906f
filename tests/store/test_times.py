"""Packed thinking times come back as they were, to the microsecond."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.arena.specs import Thoughts
from harness.store.times import DecisionTime, pack_times, unpack_times

TIMES = st.lists(
    st.builds(
        DecisionTime,
        st.integers(0, 5),
        st.integers(0, 9 * 10**15).map(lambda us: us * 1_000),
        st.integers(0, 2**32 - 1),
    )
)


@given(TIMES)
def test_times_come_back(times: list[DecisionTime]) -> None:
    assert unpack_times(pack_times(times)) == tuple(times)


@given(TIMES)
def test_times_as_the_arena_keeps_them_come_back(times: list[DecisionTime]) -> None:
    kept = Thoughts()
    for time in times:
        kept.add(*time)

    assert unpack_times(pack_times(kept)) == tuple(times)


def test_nanoseconds_are_kept_to_the_microsecond() -> None:
    assert unpack_times(pack_times([(1, 123_456_789, 2)])) == (DecisionTime(1, 123_456_000, 2),)


def test_the_times_of_a_guillotine_match_take_less_than_two_kilobytes() -> None:
    chance = random.Random(1)
    times = [(chance.randrange(4), int(chance.lognormvariate(13, 1)), chance.randint(1, 64)) for _ in range(520)]

    assert len(pack_times(times)) < 2_000


@pytest.mark.parametrize("data", [b"", b"\x02abc", b"\x01garbage", pack_times([(0, 1_000, 1)])[:-6]])
def test_damaged_times_are_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="packed times"):
        unpack_times(data)
