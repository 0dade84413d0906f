"""Who is withdrawn for faults: by the schedule's order alone, whatever is played at once and ends first."""

import random

from hypothesis import given
from hypothesis import strategies as st

from harness.conduct import LEAST_MATCHES, Conduct
from harness.faults import FaultKind

CRASHED = FaultKind.CRASHED
WITHDRAWN = "withdrawn after faults in {} of its first {} matches, the last one crashed"


def conduct_of(count: int) -> Conduct:
    conduct = Conduct()
    for number in range(count):
        conduct.expect(str(number), ["bot"])
    return conduct


def first_too_many(faults: list[bool]) -> int | None:
    """The rule, told plainly: after how many matches."""
    counts = range(LEAST_MATCHES, len(faults) + 1)
    return next((count for count in counts if sum(faults[:count]) > count / 2), None)


def test_eleven_faults_in_twenty_matches_are_too_many_and_ten_are_not() -> None:
    verdicts = {}
    for fault_count in (10, 11):
        conduct = conduct_of(LEAST_MATCHES)
        for number in range(LEAST_MATCHES):
            verdicts[fault_count] = conduct.ended(
                str(number), ["bot"], {"bot": CRASHED} if number < fault_count else {}
            )

    assert verdicts[10] == {}
    assert verdicts[11] == {"bot": (CRASHED, WITHDRAWN.format(11, 20))}


def test_nobody_is_withdrawn_before_twenty_matches() -> None:
    conduct = conduct_of(LEAST_MATCHES)

    verdicts = [conduct.ended(str(number), ["bot"], {"bot": CRASHED}) for number in range(LEAST_MATCHES - 1)]

    assert not any(verdicts)


def test_who_behaves_is_soon_held_up_by_nothing() -> None:
    conduct = conduct_of(200)
    allowed = []
    for number in range(60):
        allowed.append(sum(conduct.may_start(str(other), ["bot"]) for other in range(number, 200)))
        conduct.ended(str(number), ["bot"], {})

    assert allowed[0] == 20
    assert allowed[20] == 21
    assert allowed[59] == 60


def test_a_bot_that_left_holds_up_nobody() -> None:
    conduct = conduct_of(30)
    assert not conduct.may_start("29", ["bot"])

    conduct.leave("bot")

    assert conduct.may_start("29", ["bot"])
    assert conduct.ended("29", ["bot"], {"bot": FaultKind.START}) == {}


@given(
    st.lists(st.booleans(), min_size=1, max_size=120),
    st.integers(1, 64),
    st.randoms(use_true_random=False),
    st.floats(0, 1),
)
def test_the_verdict_is_the_same_at_any_concurrency_and_order(
    coins: list[bool], at_once: int, chance: random.Random, share: float
) -> None:
    faults = [coin or chance.random() < share for coin in coins]
    conduct = conduct_of(len(faults))
    waiting = list(range(len(faults)))
    running: list[int] = []
    ended = 0
    verdict = None
    while (waiting or running) and verdict is None:
        ready = [number for number in waiting if conduct.may_start(str(number), ["bot"])][: at_once - len(running)]
        waiting = [number for number in waiting if number not in ready]
        running += ready
        assert running  # nobody waits for ever
        number = running.pop(chance.randrange(len(running)))
        ended += 1
        verdict = conduct.ended(str(number), ["bot"], {"bot": CRASHED} if faults[number] else {}).get("bot")

    expected = first_too_many(faults)
    if expected is None:
        assert verdict is None
    else:
        assert verdict == (CRASHED, WITHDRAWN.format(sum(faults[:expected]), expected))
        assert (ended, running) == (expected, [])
