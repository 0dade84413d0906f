"""One phase: a list of tables, played by bots whose processes are started afresh and end with it."""

import asyncio
import os
import struct
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat

from harness.arena.attendance import Attendance
from harness.arena.contestant import Contestant
from harness.arena.jobs import Jobs
from harness.arena.life import WRITE_NS, Life
from harness.arena.server import Server
from harness.arena.specs import BotSpec, MatchEnd, OnVoid, PhaseReport, Played, ProcessEnd, TableSpec, Void, Witness
from harness.arena.table import Table
from harness.conduct import Conduct
from harness.errors import HarnessError
from harness.faults import Fault, FaultKind
from harness.match import TimeControl
from harness.reports import Answer, Hello, Left, MatchFault, Report, StreamFault
from harness.session import Session

SWEEP_NS = 20_000_000
"""Deadlines are checked exactly when something comes, and so often when nothing does."""
LAG_NS = 5_000_000
"""The harness listens later than it should by more than this: the time is charged to nobody."""
LOOKAHEAD = 128
"""Tables that are looked at for one that can start, in the order given."""
STARTS_A_TURN = 16
"""Tables started before what has come in is listened to again."""
MATCHES_AT_ONCE = 512
"""Matches under way, however many bots there are. Each takes some 100 kB."""

_Waiting = tuple[TableSpec, tuple["Contestant | Fault", ...]]


class Phase:
    """Plays tables as bots become free, and carries out what the bots' streams report."""

    def __init__(
        self,
        server: Server,
        bots: Sequence[BotSpec],
        tables: Iterable[TableSpec | None],
        on_played: Callable[[Played], None],
        *,
        time_control: TimeControl | None,
        jobs: int,
        withdrawn: Mapping[str, Fault],
        conduct: Conduct | None,
        on_void: OnVoid | None,
        on_process_end: Callable[[ProcessEnd], None] | None,
        witness: Witness | None,
    ) -> None:
        self._server = server
        self._tables = iter(tables)
        self._on_played = on_played
        self._time = time_control
        self._jobs = Jobs(jobs)
        self._withdrawn = dict(withdrawn)
        self._conduct = conduct
        self._on_void = on_void
        self._on_process_end = on_process_end
        self._witness = witness
        self._contestants = {
            bot.label: Contestant(bot, server.sandbox, self._be_born) for bot in bots if bot.label not in withdrawn
        }
        self._lives: set[Life] = set()
        """Lives that take part."""
        self._waiting: list[_Waiting] = []
        """Tables that have not started, in order."""
        self._running: set[Table] = set()
        self._more = True  # `_tables` may hold more
        self._fill_due = asyncio.Event()
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ids = unpredictable_ids()
        self._listen_due_ns = 0  # when the next sweep should begin
        self._lag_ns = 0

    async def run(self) -> PhaseReport:
        """Plays everything. Raises what `on_played`, a deck or a game raises; no process is left in any case."""
        self._listen_due_ns = time.monotonic_ns() + SWEEP_NS
        contestants = [
            self._spawn(contestant.run(self._fill_due.set, self._on_process_end))
            for contestant in self._contestants.values()
        ]
        tasks = [*contestants, self._spawn(self._fill_when_due()), self._spawn(self._sweep())]
        self._fill_due.set()
        try:
            await self._done
            for contestant in self._contestants.values():
                contestant.close("all matches are played")
            await asyncio.gather(*contestants)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        withdrawals = (contestant.withdrawal for contestant in self._contestants.values())
        start_count = sum(contestant.start_count for contestant in self._contestants.values())
        return PhaseReport(tuple(gone for gone in withdrawals if gone is not None), start_count, self._lag_ns)

    def _spawn(self, coroutine: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(coroutine)
        task.add_done_callback(self._note_end)
        return task

    def _note_end(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failed(error)

    def _be_born(self, spec: BotSpec, number: int) -> Life:
        clock = self._clock_of(spec)
        attendance = self._contestants[spec.label].attendance
        session = Session(self._ids, clock.decision_ns if clock is not None else None, attendance.next_match_id)
        session.one_at_a_time = attendance.is_under_inquest
        life = Life(spec, number, session, self._server, self, self._witness)
        self._lives.add(life)
        return life

    def _clock_of(self, spec: BotSpec) -> TimeControl | None:
        """The bot's own clock or everybody's; None where nobody has one, and for one that is not started by us."""
        return None if spec.invite is not None or self._time is None else spec.time or self._time

    def _clocks_of(self, table: TableSpec) -> list[TimeControl | None]:
        found = (self._contestants.get(label) for label in table.seats)
        return [self._time if bot is None else self._clock_of(bot.spec) for bot in found]

    # Tables -------------------------------------------------------------------------------------

    async def _fill_when_due(self) -> None:
        while True:
            await self._fill_due.wait()
            self._fill_due.clear()
            self._fill()

    def _fill(self) -> None:
        """Starts the tables that can start; asks for the bots that the others need."""
        self._look_ahead()
        now_ns = time.monotonic_ns()
        for contestant in self._contestants.values():
            contestant.sit_down(now_ns)
            if contestant.withdrawal is not None and self._conduct is not None:
                self._conduct.leave(contestant.spec.label)
        full: set[Contestant | Fault] = {seat for seat in self._contestants.values() if not _is_free(seat)}
        absent = {contestant for contestant in self._contestants.values() if contestant.life is None}
        started = 0
        still: list[_Waiting] = []
        most = min(STARTS_A_TURN, MATCHES_AT_ONCE - len(self._running))
        for place, waiting in enumerate(self._waiting):
            if not absent and (started >= most or len(full) == len(self._contestants) > 0):
                still += self._waiting[place:]
                break
            spec, seats = waiting
            if started < most and full.isdisjoint(seats) and self._may_start(spec):
                started += 1
                self._start(spec, seats)
                full.update(seat for seat in seats if not _is_free(seat))
                continue
            still.append(waiting)
            if not absent.isdisjoint(seats):
                for contestant in absent.intersection(seats):
                    contestant.need()
        self._waiting = still
        if started:
            self._fill_due.set()
        elif not (self._more or self._waiting or self._running or self._done.done()):
            self._done.set_result(None)

    def _may_start(self, spec: TableSpec) -> bool:
        return self._conduct is None or self._conduct.may_start(spec.match_id, spec.seats)

    def _look_ahead(self) -> None:
        if not self._more or len(self._waiting) >= LOOKAHEAD:
            return
        for spec in self._tables:
            if spec is None:
                return  # The others come later.
            seats = tuple(self._withdrawn.get(label) or self._contestants[label] for label in spec.seats)
            if len(set(spec.seats)) < len(spec.seats):
                raise ValueError(f"match {spec.match_id}: a bot sits at a table twice: {', '.join(spec.seats)}")
            self._waiting.append((spec, seats))
            if len(self._waiting) >= LOOKAHEAD:
                return
        self._more = False

    def look_again(self) -> None:
        """There are tables where there were none for the moment."""
        self._fill_due.set()

    def _start(self, spec: TableSpec, seats: Sequence[Contestant | Fault]) -> None:
        table = Table(spec, self, self._clocks_of(spec))
        self._running.add(table)
        table.start([_occupant(seat, spec) for seat in seats], time.monotonic_ns())

    def table_ended(self, table: Table, played: Played) -> None:
        """A match has ended."""
        self._running.discard(table)
        self._fill_due.set()
        for seat, label in enumerate(table.spec.seats):
            if label in self._contestants and not table.match.is_faulted(seat):
                self._contestants[label].attendance.played()
        self._on_played(played)
        self._judge(played.end)

    def table_void(self, table: Table, reason: str) -> None:
        """A match counts for nothing, because something of ours failed."""
        self._running.discard(table)
        self._fill_due.set()
        for seat, label in enumerate(table.spec.seats):
            contestant, match_id = self._contestants.get(label), table.id_of(seat)
            if contestant is not None and match_id is not None:
                contestant.void(match_id)
        if self._on_void is None:
            self.failed(HarnessError(reason))
            return
        void = Void(table.spec.match_id, table.spec.seats, reason)
        self._on_void(void)
        self._judge(void.end)

    def ended_elsewhere(self, end: MatchEnd) -> None:
        """A match that `conduct` expects has ended in another arena."""
        self._judge(end)
        self._fill_due.set()

    def _judge(self, end: MatchEnd) -> None:
        """Gives up those whose fault in this match was one too many."""
        if self._conduct is None:
            return
        for label, fault in self._conduct.ended(end.match_id, end.seats, end.faults).items():
            contestant = self._contestants.get(label)
            if contestant is not None and contestant.withdrawal is None:
                contestant.withdraw(fault)

    # What lives report --------------------------------------------------------------------------

    def received(self, life: Life, raw: bytes, now_ns: int) -> None:
        """A bot's message has come."""
        self._note_lag(now_ns)
        reports = life.session.receive(raw, now_ns)
        self._carry_out(life, reports, now_ns, *life.take_cost(len(reports), now_ns))

    def may_ask(self, life: Life) -> bool:
        """Whether a bot may be handed requests now."""
        return self._jobs.may_ask(life)

    def wrote(self, life: Life, *, has_room: bool) -> None:
        """A bot was told something."""
        self._jobs.settle(life)
        if has_room:
            self._fill_due.set()

    def ended(self, life: Life) -> None:
        """A life takes part in nothing any more."""
        self._lives.discard(life)
        self._jobs.leave(life)
        if life.fault is not None:  # Goodbye is said only to who plays no more.
            self._attendance(life).died(life, life.fault, time.monotonic_ns())
        elif life.failure is not None:
            self._attendance(life).failed(life, str(life.failure))
        self._fill_due.set()

    def failed(self, error: BaseException) -> None:
        """A mistake of ours, or of the operator: the phase ends with it."""
        if not self._done.done():
            self._done.set_exception(error)

    def _carry_out(self, life: Life, reports: Sequence[Report], now_ns: int, cpu_ns: int = -1, lag_ns: int = 0) -> None:
        attendance = self._attendance(life)
        under_inquest = attendance.is_under_inquest
        seats = life.seats
        for report in reports:
            if type(report) is Answer:
                table, seat = seats[report.match_id]
                table.answer(seat, report, now_ns, cpu_ns, lag_ns)
                if under_inquest:
                    attendance.settle(life, report.match_id, now_ns)
            elif isinstance(report, MatchFault):
                if report.match_id in life.seats:  # An answer in the same message may have ended the match.
                    table, seat = life.seats[report.match_id]
                    table.fault(seat, report.fault, now_ns)
                    attendance.settle(life, report.match_id, now_ns)
            elif isinstance(report, StreamFault):
                life.end(report.fault)
            elif isinstance(report, Left):
                life.end(Fault(FaultKind.DISCONNECTED, f"said goodbye: {report.detail}".removesuffix(": ")))
            elif isinstance(report, Hello):
                self._welcome(life, report)
        self._jobs.settle(life)
        life.wake()

    def _attendance(self, life: Life) -> Attendance:
        return self._contestants[life.spec.label].attendance

    def _welcome(self, life: Life, hello: Hello) -> None:
        wanted = {spec.game.name for spec, seats in self._waiting if life.spec.label in spec.seats}
        begun = self._attendance(life).games
        if (wanted and not wanted.intersection(hello.games)) or not begun.issubset(hello.games):
            named = ", ".join(sorted(begun or wanted))
            life.end(Fault(FaultKind.START, f"does not play {named}: its Hello does not name it"))
            return
        life.hello = hello
        life.session.welcome(life.spec.label, f"{life.spec.label}/{life.number}")
        self._fill_due.set()

    # Time ---------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(max(0, self._listen_due_ns - time.monotonic_ns()) / 1e9)
            now_ns = time.monotonic_ns()
            if now_ns < self._listen_due_ns:
                continue
            self._note_lag(now_ns)
            self._listen_due_ns = now_ns + SWEEP_NS
            for life in tuple(self._lives):
                if life.is_over:
                    continue
                if life.session.owed_count:
                    self._carry_out(life, life.session.expire(now_ns), now_ns)
                if life.spec.invite is None and life.writing_since_ns and now_ns - life.writing_since_ns > WRITE_NS:
                    life.end(Fault(FaultKind.TIMEOUT, f"did not take a message within {WRITE_NS / 1e9:g} s"))

    def _note_lag(self, now_ns: int) -> None:
        """Takes the time since the sweep was due off everybody's clock."""
        lag_ns = now_ns - self._listen_due_ns
        if lag_ns > LAG_NS:
            self._lag_ns += lag_ns
            self._listen_due_ns = now_ns
            for life in self._lives:
                life.credit(lag_ns, now_ns)
                if life.writing_since_ns:
                    life.writing_since_ns += lag_ns


def _is_free(seat: Contestant | Fault) -> bool:
    return isinstance(seat, Fault) or seat.free_seats > 0 or seat.withdrawal is not None


def _occupant(seat: Contestant | Fault, spec: TableSpec) -> Life | Fault:
    if isinstance(seat, Fault):
        return seat
    if seat.withdrawal is not None:
        return seat.withdrawal.absence
    life = seat.life
    assert life is not None
    if life.hello is None or spec.game.name not in life.hello.games:
        return Fault(FaultKind.START, f"does not play {spec.game.name}: its Hello does not name it")
    return life


def unpredictable_ids() -> Iterator[int]:
    """Random whole numbers from 2**62 to 2**63 - 1, for ever."""
    return chain.from_iterable(map(_ids, repeat(512)))


def _ids(count: int) -> tuple[int, ...]:
    random = bytearray(os.urandom(8 * count))
    random[7::8] = random[7::8].translate(_TOP_BYTES)
    return struct.unpack(f"<{count}Q", random)


_TOP_BYTES = bytes(byte & 0x3F | 0x40 for byte in range(256))
