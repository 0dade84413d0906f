"""A bot's time on its stream, in monotonic nanoseconds that are handed in.

A bot pays for its own thinking, once: the **virtual clock** runs at 1/n of real time while n answers
are owed and stands while none is, so that 64 matches at once cost what they would cost one after the
other. The **window** hands it no more at once than it can take: 1 request, then 2, 4, and so on.
"""

from collections import deque

NS_PER_S = 1_000_000_000
WINDOW_NS = NS_PER_S
"""A bot owes at most one answer more than it gave in the last so many nanoseconds."""


class StreamClock:
    """The clock of one stream. Whoever owns it says how many answers are owed."""

    __slots__ = ("_answered", "_answered_count", "_at_ns", "quiet_since_ns", "virtual_ns")

    def __init__(self) -> None:
        self.virtual_ns = 0
        """The virtual clock, as of the last `advance`."""
        self.quiet_since_ns = 0
        """When the bot last answered, or last began to owe."""
        self._at_ns = 0
        self._answered: deque[tuple[int, int]] = deque()  # (when, how many)
        self._answered_count = 0

    def advance(self, now_ns: int, owed_count: int) -> int:
        """Sets the virtual clock to now and returns it. `owed_count`: answers owed since the last call."""
        if owed_count:
            self.virtual_ns += max(0, now_ns - self._at_ns) // owed_count
        self._at_ns = now_ns
        return self.virtual_ns

    def credit(self, lag_ns: int, now_ns: int) -> None:
        """Takes `lag_ns` of the time until now off what is charged: the harness was not listening."""
        self._at_ns = min(now_ns, self._at_ns + lag_ns)
        self.quiet_since_ns = min(now_ns, self.quiet_since_ns + lag_ns)

    def heard(self, now_ns: int, answer_count: int) -> None:
        """Notes answers, at least one."""
        self.quiet_since_ns = now_ns
        self._answered.append((now_ns, answer_count))
        self._answered_count += answer_count

    def window(self, now_ns: int) -> int:
        """Answers that may be owed at the same time, at least 1."""
        answered = self._answered
        while answered and now_ns - answered[0][0] >= WINDOW_NS:
            self._answered_count -= answered.popleft()[1]
        return 1 + self._answered_count
