"""Whether a bot thinks at a pace that uses up its time: told long before, so that a check need not wait for it.

A bot whose time runs out at its pace may still look at its clock, and hurry when little is left. So it is not refused
for its pace: it is told that little is left, in a match of its own, and refused for running out of that.
"""

from statistics import median_low
from typing import NamedTuple

from harness.match import TimeControl

NS_PER_S = 1_000_000_000
BANK_SHARE = 0.15
"""Nothing is said before so much of the bank is used ..."""
LEAST_DEALS, LEAST_THOUGHTS = 1, 10
"""... so many deals are over and so many thoughts measured ..."""
QUICKER = 0.95
"""... nor of a bot whose thoughts get shorter by more than this: its caches fill, or its compiler warms up."""
HURRY_NS = 2 * NS_PER_S
"""What a bot that is to hurry has for its match, beyond the time of its longest thought."""


class Haste(NamedTuple):
    """A pace that does not last, and the clock under which the bot is to hurry."""

    says: str
    time: TimeControl


class Pace:
    """How the thinking time of one match is used up, from request to request."""

    def __init__(self, deal_count: int, time: TimeControl) -> None:
        """`deal_count`: deals of the match; `time`: its clock."""
        self._deal_count = deal_count
        self._time = time
        self._left_ns = time.bank_ns
        self._was_asked = False
        self._thoughts_ns: list[int] = []

    def asked(self, deal_index: int, left_ns: int) -> Haste | None:
        """The bot is asked in such a deal with `left_ns` of its time left: what there is to say of its pace, if any."""
        if self._was_asked:
            self._thoughts_ns.append(self._left_ns + self._time.increment_ns - left_ns)
        self._was_asked, self._left_ns = True, left_ns
        bank_ns, increment_ns, _ = self._time
        if deal_index < LEAST_DEALS or len(self._thoughts_ns) < LEAST_THOUGHTS:
            return None
        if left_ns > bank_ns * (1 - BANK_SHARE) or not self._is_too_slow(deal_index):
            return None
        hurried_ns = HURRY_NS + max(self._thoughts_ns)
        if hurried_ns >= left_ns:
            return None  # soon over in any case
        says = (
            f"{(bank_ns - left_ns) / NS_PER_S:.1f} s of {bank_ns / NS_PER_S:g} s were gone with {deal_index} of "
            f"{self._deal_count} deals over; told in a new match that {hurried_ns / NS_PER_S:.1f} s are left, it did "
            "not hurry"
        )
        return Haste(says, TimeControl(hurried_ns, increment_ns, self._time.decision_ns))

    def _is_too_slow(self, deal_index: int) -> bool:
        """Whether thoughts like those so far, in deals like those so far, take more than is left.

        The deal under way counts as over: that it brings no more thoughts is the least that may be.
        """
        thoughts_ns = self._thoughts_ns
        half = len(thoughts_ns) // 2
        early_ns, late_ns = median_low(thoughts_ns[:half]), median_low(thoughts_ns[half:])
        if late_ns < QUICKER * early_ns:
            return False
        begun = deal_index + 1
        to_come = len(thoughts_ns) * (self._deal_count - begun) // begun
        return to_come * (min(early_ns, late_ns) - self._time.increment_ns) > self._left_ns
