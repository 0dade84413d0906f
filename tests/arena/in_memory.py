"""Tables played without a process or a socket: the arena's own sessions and tables, the SDK's own streams."""

from collections.abc import Callable, Iterator, Sequence

from harness.arena.life import Life
from harness.arena.server import Server
from harness.arena.specs import BotSpec, Played, TableSpec
from harness.arena.table import Table
from harness.bot import Bot
from harness.bot.stream import BotStream
from harness.match import TimeControl
from harness.session import Answer, Hello, MatchFault, Report, Session
from harness.wire import arena_pb2 as pb
from tests.arena.tables import bot_in


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


class MemoryArena:
    """Plays tables with bots of this process, one turn after the other."""

    def __init__(
        self,
        bot_classes: dict[str, type[Bot]],
        ids: Iterator[int],
        time_control: TimeControl | None = None,
        clock: Callable[[], int] | None = None,
    ) -> None:
        self.time_control = time_control
        self.clock = clock or Clock()
        self.played: list[Played] = []
        self.running: list[Table] = []
        self.sent: dict[str, list[bytes]] = {label: [] for label in bot_classes}
        """All that each bot was told, byte for byte."""
        self.keep_sent = True
        decision_ns = time_control.decision_ns if time_control else None
        self.lives: dict[str, Life] = {}
        self.streams: dict[str, BotStream] = {}
        for label, bot_class in bot_classes.items():
            life = Life(spec_of(label), 1, Session(ids, decision_ns), Server(), NoListener())
            self.lives[label] = life
            self.streams[label] = BotStream(bot_class)
            self.hear(label, self.streams[label].hello().SerializeToString())

    def start(self, spec: TableSpec) -> None:
        """Starts a table."""
        table = Table(spec, self, [self.time_control] * len(spec.seats) if self.time_control else None)
        self.running.append(table)
        table.start([self.lives[label] for label in spec.seats], self.clock())

    def table_ended(self, table: Table, played: Played) -> None:
        self.running.remove(table)
        self.played.append(played)

    def hear(self, label: str, raw: bytes) -> list[Report]:
        """Hands in a message of a bot and carries out what comes of it."""
        life = self.lives[label]
        now_ns = self.clock()
        reports = life.session.receive(raw, now_ns)
        for report in reports:
            if isinstance(report, Hello):
                life.hello = report
                life.session.welcome(label, label)
            elif isinstance(report, Answer):
                table, seat = life.seats[report.match_id]
                table.answer(seat, report, now_ns)
            elif isinstance(report, MatchFault):
                table, seat = life.seats[report.match_id]
                table.fault(seat, report.fault, now_ns)
        return reports

    def turn(self) -> bool:
        """Tells every bot all there is to tell, and hears its answers. False: there was nothing to tell."""
        told = False
        for label, life in self.lives.items():
            while (raw := life.session.to_send(self.clock())) is not None:
                told = True
                if self.keep_sent:
                    self.sent[label].append(raw)
                for answers in self.streams[label].answers_to(pb.PlayResponse.FromString(raw)):
                    self.hear(label, answers.SerializeToString())
        return told

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
