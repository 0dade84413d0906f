"""A bot's own chance: the numbers that every language must draw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.bot.chance import SplitMix64


@pytest.mark.parametrize(
    ("seed", "numbers"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]),
    ],
)
def test_the_stream_is_the_published_one(seed: int, numbers: list[int]) -> None:
    chance = SplitMix64(seed)

    assert [chance.next() for _ in numbers] == numbers


def test_numbers_past_the_last_multiple_are_skipped() -> None:
    bound = (1 << 63) + 1  # of two numbers almost one is skipped
    chance, numbers = SplitMix64(0), SplitMix64(0)

    drawn = [chance.below(bound) for _ in range(3)]
    below_bound = [number for number in (numbers.next() for _ in range(20)) if number < bound]
    assert drawn == below_bound[:3]


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**64))
def test_below_keeps_below(seed: int, bound: int) -> None:
    chance = SplitMix64(seed)

    assert all(0 <= chance.below(bound) < bound for _ in range(5))


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_a_bound_that_no_number_is_below_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound must be"):
        SplitMix64(0).below(bound)


def test_one_choice_draws_one_number() -> None:
    chance, plain = SplitMix64(9), SplitMix64(9)
    chance.choice("x")
    plain.next()

    assert chance.next() == plain.next()


def test_a_shuffle_permutes_and_repeats() -> None:
    once, again = list(range(36)), list(range(36))
    SplitMix64(3).shuffle(once)
    SplitMix64(3).shuffle(again)

    assert once == again != sorted(once)
    assert sorted(once) == list(range(36))


def test_the_unit_interval_is_half_open() -> None:
    chance = SplitMix64(4)

    assert all(0 <= chance.unit() < 1 for _ in range(100))
