"""Tables played without a process or a socket: the arena's own sessions and tables, the SDK's own streams."""

from collections.abc import Iterator, Sequence

from harness.arena.attendance import Attendance
from harness.arena.contestant import FAILED_STARTS
from harness.arena.life import Life
from harness.arena.server import Server
from harness.arena.specs import BotSpec, Played, TableSpec
from harness.arena.table import Table
from harness.bot import Bot
from harness.bot.stream import BotRaised, BotStream
from harness.faults import Fault, FaultKind
from harness.match import TimeControl
from harness.reports import Answer, Hello, MatchFault, Report, StreamFault
from harness.session import Session, State
from harness.wire import arena_pb2 as pb
from tests.arena.tables import bot_in


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


class Death(BaseException):
    """A bot that raises it is dead at once: what it has not sent is lost."""

    struck = False

    def __init__(self) -> None:
        Death.struck = True


class MemoryArena:
    """Plays tables with bots of this process, one turn after the other. A bot that dies is started again."""

    def __init__(
        self,
        bot_classes: dict[str, type[Bot]],
        ids: Iterator[int],
        time_control: TimeControl | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.time_control = time_control
        self.clock = clock or Clock()
        self.played: list[Played] = []
        self.running: list[Table] = []
        self.sent: dict[str, list[bytes]] = {label: [] for label in bot_classes}
        """All that each bot was told, byte for byte."""
        self.keep_sent = True
        self.most_owed = dict.fromkeys(bot_classes, 0)
        self.start_counts = dict.fromkeys(bot_classes, 0)
        self.attendances = {label: Attendance() for label in bot_classes}
        self.lives: dict[str, Life] = {}
        self.streams: dict[str, BotStream] = {}
        self._bot_classes = bot_classes
        self._ids = ids
        for label in bot_classes:
            self.be_born(label)

    def be_born(self, label: str, room: int = 1 << 20) -> None:
        """Starts a life of a bot, hears its Hello, and lets it sit down at up to `room` tables that wait for it."""
        attendance = self.attendances[label]
        decision_ns = self.time_control.decision_ns if self.time_control else None
        session = Session(self._ids, decision_ns, attendance.next_match_id)
        session.one_at_a_time = attendance.is_under_inquest
        self.start_counts[label] += 1
        life = self.lives[label] = Life(
            spec_of(label), self.start_counts[label], session, Server(), NoListener(), witness=None
        )
        self.streams[label] = BotStream(self._bot_classes[label], self.clock)
        self.hear(label, self.streams[label].hello().SerializeToString())
        attendance.come(life, room, self.clock())

    def die(self, label: str, fault: Fault, *, stays_away: bool = False) -> None:
        """Ends a bot's life, and starts the next."""
        life, attendance = self.lives[label], self.attendances[label]
        life.session.close(fault)
        attendance.died(life, fault, self.clock())
        if attendance.failed_starts >= FAILED_STARTS:
            attendance.withdraw(Fault(FaultKind.START, "withdrawn"), self.clock())
        elif not stays_away:
            self.be_born(label)

    def start(self, spec: TableSpec) -> None:
        """Starts a table."""
        table = Table(spec, self, [self.time_control] * len(spec.seats))
        self.running.append(table)
        table.start([self.lives[label] for label in spec.seats], self.clock())

    def table_void(self, table: Table, reason: str) -> None:
        """A match was given up."""
        self.running.remove(table)
        for seat, label in enumerate(table.spec.seats):
            match_id = table.id_of(seat)
            assert match_id is not None
            self.attendances[label].void(match_id, self.clock())
            self.lives[label].session.one_at_a_time = self.attendances[label].is_under_inquest

    def table_ended(self, table: Table, played: Played) -> None:
        self.running.remove(table)
        self.played.append(played)

    def hear(self, label: str, raw: bytes) -> list[Report]:
        """Hands in a message of a bot and carries out what comes of it."""
        reports = self.lives[label].session.receive(raw, self.clock())
        self._carry_out(label, reports)
        return reports

    def _carry_out(self, label: str, reports: Sequence[Report]) -> None:
        life, attendance, now_ns = self.lives[label], self.attendances[label], self.clock()
        for report in reports:
            if isinstance(report, Hello):
                life.hello = report
                life.session.welcome(label, label)
            elif isinstance(report, Answer):
                table, seat = life.seats[report.match_id]
                table.answer(seat, report, now_ns)
                attendance.settle(life, report.match_id, now_ns)
            elif isinstance(report, MatchFault):
                table, seat = life.seats[report.match_id]
                table.fault(seat, report.fault, now_ns)
                attendance.settle(life, report.match_id, now_ns)
            elif isinstance(report, StreamFault):
                self.die(label, report.fault)

    def turn(self) -> bool:
        """Tells every bot all there is to tell, and hears its answers. False: there was nothing to tell."""
        told = [self._tell(label) for label in self.lives]
        return any(told)

    def _tell(self, label: str) -> bool:
        told = False
        if self.lives[label].session.state is State.CLOSED:
            return False
        while (raw := self.lives[label].session.to_send(self.clock())) is not None:
            told = True
            if self.keep_sent:
                self.sent[label].append(raw)
            self.most_owed[label] = max(self.most_owed[label], self.lives[label].owed_count)
            self._hear_answers(label, pb.PlayResponse.FromString(raw))
        return told

    def _hear_answers(self, label: str, message: pb.PlayResponse) -> None:
        try:
            for answers in self.streams[label].answers_to(message):
                if not Death.struck:
                    self.hear(label, answers.SerializeToString())
        except BotRaised as raised:
            if not isinstance(raised.__cause__, Death):
                raise
            Death.struck = False
            self.die(label, Fault(FaultKind.CRASHED, "was killed by signal 9 (SIGKILL)"))

    def fall_silent(self, label: str) -> None:
        """Lets a bot hang until it is found silent."""
        assert self.time_control is not None
        self.clock.now_ns += self.time_control.decision_ns + 1
        self._carry_out(label, self.lives[label].session.expire(self.clock()))

    def play(self, specs: Sequence[TableSpec]) -> list[Played]:
        """Plays these tables, all at once, to their ends."""
        for spec in specs:
            self.start(spec)
        while self.turn():
            pass
        return self.played


class NoListener:
    """Nobody hears what a life reports."""

    def received(self, life: Life, raw: bytes, now_ns: int) -> None:
        raise AssertionError("there is no stream")

    def may_ask(self, life: Life) -> bool:
        return True

    def wrote(self, life: Life, *, has_room: bool) -> None:
        pass

    def ended(self, life: Life) -> None:
        pass

    def failed(self, error: BaseException) -> None:
        raise error


def spec_of(label: str) -> BotSpec:
    """A bot that is never started."""
    return bot_in(".", label, max_matches=1 << 20)
