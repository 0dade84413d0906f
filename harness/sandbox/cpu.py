"""Processor time of a bot: of all its processes, as the kernel counts it, read from outside."""

import time

from harness.sandbox.descendants import family
from harness.sandbox.kernel import is_linux

LOOK_NS = 1_000_000_000
"""So often it is looked for processes that are new."""
_CPUCLOCK_SCHED = 2


class CpuMeter:
    """Reads the time of what runs under a keeper. A reading takes some microseconds."""

    def __init__(self, keeper_pid: int) -> None:
        self._keeper_pid = keeper_pid
        self._spent_ns: dict[int, int] = {}
        """By process, those that have ended included."""
        self._alive: list[int] = []
        self._look_due_ns = 0

    def read_ns(self, now_ns: int) -> int | None:
        """Processor time since the bot was started; None where the system does not tell.

        It never falls. What a process used between the last reading and its end is not in it.
        """
        if not is_linux():
            return None
        if now_ns >= self._look_due_ns:
            self._look_due_ns = now_ns + LOOK_NS
            self._alive = family(self._keeper_pid)[1:]
        for pid in tuple(self._alive):
            try:
                self._spent_ns[pid] = max(self._spent_ns.get(pid, 0), time.clock_gettime_ns(_clock_of(pid)))
            except OSError:
                self._alive.remove(pid)  # It has ended.
        return sum(self._spent_ns.values())


def _clock_of(pid: int) -> int:
    """The id of the clock of another process, as the C library's clock_getcpuclockid() makes it."""
    return (~pid << 3) | _CPUCLOCK_SCHED
