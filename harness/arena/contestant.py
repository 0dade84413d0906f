"""One bot of a phase: its lives, one after the other, until there is nothing more to play or it is withdrawn."""

import asyncio
import time
from collections.abc import Callable

from harness.arena.attendance import Attendance
from harness.arena.life import Life
from harness.arena.specs import BotSpec, ProcessEnd, Unprepared, Withdrawal
from harness.errors import HarnessError
from harness.faults import Fault, FaultKind
from harness.sandbox.cell import Sandbox

FAILED_STARTS = 3
"""So many starts in a row that came to nothing: the bot is withdrawn."""
FAILURES = 3
"""So many lives in a row that ended because something of ours failed: it is hopeless, and the phase ends."""
RETRY_S = 0.2
"""After a failure of ours: what the machine lacked may be there again."""
LAST_LINES = 10


class Contestant:
    """A bot that plays in a phase. It is started when a table needs it, and again after a death."""

    def __init__(self, spec: BotSpec, sandbox: Sandbox, be_born: Callable[[BotSpec, int], Life]) -> None:
        """`be_born(spec, number)` makes its next life, which is not begun yet; `sandbox` is where it will live."""
        self.spec = spec
        self.life: Life | None = None
        """The life under way."""
        self.attendance = Attendance()
        self.withdrawal: Withdrawal | None = None
        """Set when it is given up: the house plays for it."""
        self.start_count = 0
        self._sandbox = sandbox
        self._be_born = be_born
        self._needed = asyncio.Event()
        self._closing = False
        self._last_lines: tuple[str, ...] = ()  # of the last life that has ended

    @property
    def free_seats(self) -> int:
        """Matches more that it may be seated in now."""
        return 0 if self.life is None else self.life.free_seats - self.attendance.away_count

    def sit_down(self, now_ns: int) -> None:
        """Comes back to tables that it is away from, as many as it may have."""
        if self.life is not None and self.attendance.away_count:
            self.attendance.come(self.life, self.life.free_seats, now_ns)

    def void(self, match_id: int) -> None:
        """A match in which it sits counts for nothing."""
        self.attendance.void(match_id, time.monotonic_ns())
        if self.life is not None:
            self.life.session.one_at_a_time = self.attendance.is_under_inquest

    def need(self) -> None:
        """A table waits for it."""
        self._needed.set()

    def close(self, detail: str) -> None:
        """The phase is over: it is told goodbye and not started again."""
        self._closing = True
        self._needed.set()
        if self.life is not None:
            self.life.end_in_order(detail)

    async def run(
        self, changed: Callable[[], None], on_process_end: Callable[[ProcessEnd], None] | None = None
    ) -> None:
        """Lives until the phase is over or the bot is withdrawn. `changed` is called when it can be needed again."""
        while not self._closing:
            await self._needed.wait()
            if self._closing:
                return
            if self.start_count == 0 and (problem := await self._unprepared()) is not None:
                self._last_lines = problem.last_lines
                self._give_up(problem.detail)
                if on_process_end is not None and self.withdrawal is not None:
                    output = "\n".join(problem.last_lines).encode()
                    on_process_end(ProcessEnd(self.spec.label, 0, problem.detail, self.withdrawal.fault, output))
                changed()
                return
            self.start_count += 1
            life = self.life = self._be_born(self.spec, self.start_count)
            await life.run()
            self.life = None
            if not self.attendance.away_count:
                self._needed.clear()
            if on_process_end is not None and life.process is not None:
                how, output = str(life.process.exit), bytes(life.process.output)
                on_process_end(ProcessEnd(self.spec.label, life.number, how, life.fault, output))
            self._last_lines = _last_lines(life)
            if life.fault is not None and self.attendance.failed_starts >= FAILED_STARTS and self.withdrawal is None:
                starts = f"{FAILED_STARTS} starts in a row that came to nothing"
                self._give_up(f"withdrawn after {starts}; the last one: {life.fault.detail}")
            if life.failure is not None:
                if self.attendance.failures >= FAILURES:
                    raise HarnessError(f"{life.failure} ({FAILURES} times in a row)") from life.failure
                await asyncio.sleep(RETRY_S)
            changed()

    def withdraw(self, fault: Fault) -> None:
        """Gives the bot up for `fault`: it is not started again, and what lives of it is told goodbye."""
        lines = self._last_lines if self.life is None else _last_lines(self.life)
        self.withdrawal = Withdrawal(self.spec.label, fault, lines)
        self.close(fault.detail)

    async def _unprepared(self) -> Unprepared | None:
        return None if self.spec.prepare is None else await self.spec.prepare(self._sandbox)

    def _give_up(self, detail: str) -> None:
        fault = Fault(FaultKind.START, detail)
        self.withdraw(fault)
        self.attendance.withdraw(fault, time.monotonic_ns())


def _last_lines(life: Life) -> tuple[str, ...]:
    return tuple(life.process.last_lines(LAST_LINES)) if life.process is not None else ()
