"""The other end of a session, for tests that tell a story: messages and times in, reports and messages out."""

import itertools
from collections.abc import Iterator

from harness.faults import Fault
from harness.reports import MatchFault, Report, StreamFault
from harness.seating import Seating
from harness.session import Session
from harness.wire import arena_pb2 as pb
from harness.wire.codec import started_fragment

MS = 1_000_000
S = 1_000_000_000
DECISION_NS = 1 * S


def hello_message(
    bot_version: str = "", observation_mode: pb.ObservationMode.ValueType = pb.OBSERVATION_MODE_UNSPECIFIED
) -> bytes:
    hello = pb.Hello(
        bot_version=bot_version, games=["guillotine"], max_match_count=64, observation_mode=observation_mode
    )
    return pb.PlayRequest(hello=hello).SerializeToString()


def decisions_message(*decisions: tuple[int, int, int]) -> bytes:
    """Answers as (match_id, decision_id, action)."""
    batch = pb.DecisionBatch(
        decisions=[
            pb.Decision(match_id=match, decision_id=decision, action=action) for match, decision, action in decisions
        ]
    )
    return pb.PlayRequest(decisions=batch).SerializeToString()


class Bot:
    """The other end of a session: what it was sent, and its answers, at times that the test names."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.requests: dict[int, int] = {}
        """Decision ids pending, by match id, in the order asked."""
        self.received: list[pb.PlayResponse] = []

    def read(self, now_ns: int = 0, *, may_ask: bool = True) -> list[pb.PlayResponse]:
        """All that the session has to say now."""
        messages = []
        while (raw := self.session.to_send(now_ns, may_ask=may_ask)) is not None:
            messages.append(pb.PlayResponse.FromString(raw))
            for update in messages[-1].updates.updates:
                if update.HasField("request"):
                    self.requests[update.match_id] = update.request.decision_id
        self.received += messages
        return messages

    def answer(self, now_ns: int, *match_ids: int, action: int = 7) -> list[Report]:
        """Answers the requests of these matches."""
        return self.session.receive(
            decisions_message(*((match, self.requests.pop(match), action) for match in match_ids)), now_ns
        )


class NumberedSession(Session):
    """A session that remembers its seats, for tests that name them by their match."""

    def __init__(self, decision_ids: Iterator[int], decision_ns: int | None) -> None:
        super().__init__(decision_ids, decision_ns)
        self.seats: dict[int, Seating] = {}

    def start(self, match_id: int, started: bytes, earlier: Seating | None = None) -> Seating:
        seating = self.seats[match_id] = super().start(match_id, started, earlier)
        return seating


def start(session: Session) -> int:
    """Starts the next match and returns its id."""
    return start_seat(session).match_id


def start_seat(session: Session) -> Seating:
    """The same, for those who tell it something."""
    match_id = session.next_match_id
    return session.start(
        match_id, started_fragment(match_id, game="guillotine", rules_version="1", seat=0, seat_count=4, bot_seed=1)
    )


def ready_session(decision_ns: int | None = DECISION_NS) -> tuple[NumberedSession, Bot]:
    session = NumberedSession(itertools.count(1000), decision_ns)
    session.receive(hello_message(), 0)
    session.welcome("fox", "s1")
    bot = Bot(session)
    bot.read()
    return session, bot


def warmed_up(match_count: int, now_ns: int) -> tuple[NumberedSession, Bot]:
    """A session whose window lets `match_count` matches ask at once; they are started and have not asked."""
    session, bot = ready_session()
    for _ in range(match_count):
        start(session)
    answered = 0
    while answered < match_count:
        session.ask(session.seats[1], (7, 8), None, now_ns)
        bot.read(now_ns)
        bot.answer(now_ns, 1)
        answered += 1
    return session, bot


def only_fault(reports: list[Report]) -> Fault:
    (report,) = reports
    assert isinstance(report, StreamFault | MatchFault)
    return report.fault
