"""A pace that cannot last is known before the time is up; one that lasts, or slackens, or is over soon is let be."""

from collections.abc import Iterable

import pytest

from harness.match import TimeControl
from harness.workshop.check.pace import Haste, Pace

S = 1_000_000_000
CLOCK = TimeControl(20 * S, S // 20, 5 * S)


def told(
    thoughts_s: Iterable[float], *, a_deal: int = 5, deal_count: int = 24, clock: TimeControl = CLOCK
) -> Haste | None:
    """What is said first of a bot that thinks so long about its requests, `a_deal` of them in each deal."""
    pace, left_ns = Pace(deal_count, clock), clock.bank_ns
    for number, thought_s in enumerate(thoughts_s):
        if (haste := pace.asked(number // a_deal, left_ns)) is not None:
            return haste
        left_ns += clock.increment_ns - round(thought_s * S)
    return None


def test_what_would_empty_the_bank_in_mid_match_is_known_after_a_seventh_of_it() -> None:
    haste = told([0.3] * 120)

    assert haste is not None
    assert haste.says.startswith(
        "3.0 s of 20 s were gone with 2 of 24 deals over; told in a new match that 2.3 s are left"
    )
    assert haste.time == CLOCK._replace(bank_ns=2_300_000_000)


def test_a_slow_bot_need_not_end_a_deal_to_be_told() -> None:
    haste = told([0.9] * 120, a_deal=8)

    assert haste is not None
    assert haste.says.startswith("8.5 s of 20 s were gone with 1 of 24 deals over")


def test_a_pace_that_lasts_is_let_be() -> None:
    assert told([0.2] * 120) is None


def test_a_first_thought_that_takes_long_says_nothing_of_the_others() -> None:
    assert told([4.9] + [0.15] * 119) is None


def test_a_bot_that_gets_quicker_as_its_caches_fill_is_let_be() -> None:
    assert told([max(0.02, 0.8 * 0.93**number) for number in range(120)]) is None


@pytest.mark.parametrize("share", [15, 25, 40])
def test_a_bot_that_shares_out_what_is_left_is_let_be(share: int) -> None:
    left_s, thoughts_s = 20.0, []
    for _ in range(120):
        thoughts_s.append(left_s / share)
        left_s += 0.05 - thoughts_s[-1]

    assert told(thoughts_s) is None


def test_nothing_is_said_where_the_time_is_nearly_up() -> None:
    assert told([0.3] * 120, clock=CLOCK._replace(bank_ns=3 * S)) is None


def test_a_few_thoughts_prove_nothing() -> None:
    assert told([2.0] * 7, a_deal=1) is None
