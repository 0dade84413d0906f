"""The stream of one bot, told as stories: messages and times in, reports and messages out."""

import itertools
from collections.abc import Iterator

import pytest

from harness.faults import Fault, FaultKind
from harness.session import (
    MESSAGE_BYTES,
    NOTE_BYTES,
    USELESS_COUNT,
    Answer,
    Hello,
    Left,
    MatchFault,
    Report,
    Session,
    State,
    StreamFault,
)
from harness.wire import arena_pb2 as pb
from harness.wire.codec import started_fragment

MS = 1_000_000
S = 1_000_000_000
DECISION_NS = 1 * S
SEEN = b"\x12\x04\x12\x02\x08\x01"  # an Update with one event: seat 1 acted


def hello_message(**fields: object) -> bytes:
    return pb.PlayRequest(hello=pb.Hello(games=["guillotine"], max_match_count=64, **fields)).SerializeToString()  # type: ignore[arg-type]


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


def start(session: Session) -> int:
    match_id = session.next_match_id
    session.start(
        match_id, started_fragment(match_id, game="guillotine", rules_version="1", seat=0, seat_count=4, bot_seed=1)
    )
    return match_id


def ready_session(decision_ns: int | None = DECISION_NS) -> tuple[Session, Bot]:
    session = Session(itertools.count(1000), decision_ns)
    session.receive(hello_message(), 0)
    session.welcome("fox", "s1")
    bot = Bot(session)
    bot.read()
    return session, bot


def warmed_up(match_count: int, now_ns: int) -> tuple[Session, Bot]:
    """A session whose window lets `match_count` matches ask at once; they are started and have not asked."""
    session, bot = ready_session()
    for _ in range(match_count):
        start(session)
    answered = 0
    while answered < match_count:
        session.ask(1, (7, 8), None, now_ns)
        bot.read(now_ns)
        bot.answer(now_ns, 1)
        answered += 1
    return session, bot


def only_fault(reports: list[Report]) -> Fault:
    (report,) = reports
    assert isinstance(report, StreamFault | MatchFault)
    return report.fault


# Hello ----------------------------------------------------------------------------------------------


def test_hello_is_reported_and_welcomed() -> None:
    session = Session(itertools.count(1), DECISION_NS)
    raw = hello_message(bot_version="1.2", observation_mode=pb.OBSERVATION_MODE_SNAPSHOT)

    assert session.receive(raw, 0) == [Hello("1.2", ("guillotine",), 64, snapshots=True)]
    session.welcome("fox", "s1")
    (welcome,) = Bot(session).read()
    assert (welcome.welcome.bot, welcome.welcome.session_id) == ("fox", "s1")


def test_a_hello_without_a_match_count_means_one() -> None:
    session = Session(itertools.count(1), DECISION_NS)
    (hello,) = session.receive(pb.PlayRequest(hello=pb.Hello()).SerializeToString(), 0)

    assert hello == Hello("", (), 1, snapshots=False)


@pytest.mark.parametrize(
    ("raw", "detail"),
    [
        (b"\xff\xff", "sent 2 bytes that are not a PlayRequest"),
        (b"", "sent a PlayRequest with nothing in it"),
        (b"\x00" * (MESSAGE_BYTES + 1), "sent a message of 65537 bytes (at most 65536 are allowed)"),
        (decisions_message((1, 1, 1)), "sent decisions while awaiting hello"),
        (
            pb.PlayRequest(hello=pb.Hello(max_match_count=-1)).SerializeToString(),
            "said Hello with max_match_count -1",
        ),
        (
            pb.PlayRequest(hello=pb.Hello(bot_version="x" * 65)).SerializeToString(),
            "said Hello with a bot_version of over 64 characters",
        ),
        (b"\x0a\x02\x20\x09", "said Hello with observation_mode 9, which is none"),
    ],
)
def test_what_no_hello_looks_like_ends_the_stream(raw: bytes, detail: str) -> None:
    session = Session(itertools.count(1), DECISION_NS)

    assert session.receive(raw, 0) == [StreamFault(Fault(FaultKind.PROTOCOL, detail))]
    assert session.state is State.CLOSED
    (told,) = Bot(session).read()
    assert told.fault.kind == pb.FAULT_KIND_PROTOCOL
    assert not told.fault.HasField("match_id")


def test_a_second_hello_ends_the_stream() -> None:
    session, _ = ready_session()

    assert only_fault(session.receive(hello_message(), 0)).detail == "sent hello while ready"


def test_nothing_is_heard_after_the_end() -> None:
    session, _ = ready_session()
    session.receive(b"\xff", 0)

    assert session.receive(hello_message(), 0) == []


# Batches --------------------------------------------------------------------------------------------


def test_start_events_and_first_request_ride_in_one_message() -> None:
    session, bot = ready_session()
    match = start(session)
    assert bot.read() == []

    session._running[match].unsent.append(SEEN)
    session.ask(match, (7, 8), 20 * S, 0)
    (message,) = bot.read()

    assert [started.match_id for started in message.updates.started] == [match]
    (update,) = message.updates.updates
    assert len(update.events) == 1
    assert list(update.request.legal_actions) == [7, 8]
    assert update.request.clock.seconds == 20


def test_what_happens_while_a_bot_is_busy_is_gathered_into_one_message() -> None:
    session, bot = warmed_up(4, 0)
    session.ask(1, (7, 8), None, 0)
    bot.read()
    session.ask(2, (7, 8), None, 0)
    session.over(3, pb.MATCH_END_FINISHED, (1, 2, 3, 4), (4, 3, 2, 1))
    assert bot.read() == []

    bot.answer(1 * MS, 1)
    (message,) = bot.read(1 * MS)

    assert [update.match_id for update in message.updates.updates] == [2]
    assert [over.match_id for over in message.updates.over] == [3]


def test_a_partial_answer_brings_what_was_gathered() -> None:
    session, bot = warmed_up(4, 0)
    session.ask(1, (7, 8), None, 0)
    session.ask(2, (7, 8), None, 0)
    bot.read()
    session.ask(3, (7, 8), None, 0)
    bot.answer(1 * MS, 2)
    (message,) = bot.read(1 * MS)

    assert [update.match_id for update in message.updates.updates] == [3]
    assert session.owed_count == 2


def test_a_match_that_never_asked_is_told_whole_at_its_end() -> None:
    session, bot = ready_session()
    match = start(session)
    session._running[match].unsent.append(SEEN)
    session.over(match, pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))
    (message,) = bot.read()

    assert len(message.updates.started) == len(message.updates.updates) == len(message.updates.over) == 1
    assert session.running == ()


def test_a_bot_that_may_not_ask_gets_news_with_its_next_request() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), None, 5)
    session.over(2, pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))

    assert bot.read(may_ask=False) == []
    assert session.waiting_since_ns == 5
    (message,) = bot.read()
    assert len(message.updates.over) == len(message.updates.updates) == 1
    assert session.waiting_since_ns is None


def test_a_long_batch_is_sent_in_parts() -> None:
    session, bot = warmed_up(3, 0)
    long_event = pb.Update(events=[pb.Event(shown=pb.Shown(cards=[1] * 256 * 1024))]).SerializeToString()
    for match in (1, 2, 3):
        session._running[match].unsent.append(long_event)
        session.ask(match, (7, 8), None, 0)
    assert len(bot.read()[0].updates.updates) == 2

    bot.answer(1, 1)
    assert [update.match_id for update in bot.read(1)[0].updates.updates] == [3]


# The window -----------------------------------------------------------------------------------------


def test_a_bot_is_handed_one_request_then_two_then_four() -> None:
    session, bot = ready_session()
    for _ in range(64):
        session.ask(start(session), (7, 8), None, 0)
    sizes = []
    for step in range(6):
        bot.read(step * MS)
        sizes.append(session.owed_count)
        bot.answer(step * MS, *tuple(bot.requests))

    assert sizes == [1, 2, 4, 8, 16, 32]


def test_the_window_closes_again_a_second_later() -> None:
    session, bot = warmed_up(8, 0)
    for match in range(1, 9):
        session.ask(match, (7, 8), None, 2 * S)
    bot.read(2 * S)

    assert session.owed_count == 1


# Answers --------------------------------------------------------------------------------------------


def test_answers_are_reported_with_their_time_and_note() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(match, (7, 8), 20 * S, 0)
    bot.read(100)
    note = "é" * NOTE_BYTES
    decision = pb.Decision(match_id=match, decision_id=bot.requests[match], action=8, note=note)
    raw = pb.PlayRequest(decisions=pb.DecisionBatch(decisions=[decision])).SerializeToString()

    assert session.receive(raw, 350) == [Answer(match, 8, 250, 1, "é" * (NOTE_BYTES // 2))]
    assert session.owed_count == 0


def test_many_matches_at_once_cost_what_they_would_one_after_the_other() -> None:
    session, bot = warmed_up(4, 0)
    for match in (1, 2, 3, 4):
        session.ask(match, (7, 8), None, 0)
    bot.read(0)
    reports = [*bot.answer(40 * MS, 1, 2), *bot.answer(60 * MS, 3, 4)]

    spent = [report.spent_ns for report in reports if isinstance(report, Answer)]
    assert spent == [10 * MS, 10 * MS, 20 * MS, 20 * MS]
    assert sum(spent) == 60 * MS


def test_decision_ids_come_from_the_iterator() -> None:
    ids: Iterator[int] = iter([2**63 - 1, 5])
    session = Session(ids, DECISION_NS)
    session.receive(hello_message(), 0)
    bot = Bot(session)
    session.ask(start(session), (7, 8), None, 0)
    bot.read()

    assert bot.requests == {1: 2**63 - 1}


def test_an_answer_to_an_answered_request_is_ignored_and_counted() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(match, (7, 8), None, 0)
    bot.read()
    decision_id = bot.requests[match]
    bot.answer(1, match)

    assert session.receive(decisions_message((match, decision_id, 7)), 2) == []
    assert session.useless_count == 1
    assert session.state is State.READY


def test_a_double_answer_in_one_message_counts_once() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(match, (7, 8), None, 0)
    bot.read()
    answer = (match, bot.requests[match], 7)

    assert len(session.receive(decisions_message(answer, answer), 1)) == 1
    assert session.useless_count == 1


def test_an_answer_for_a_match_that_is_over_is_ignored_and_counted() -> None:
    session, bot = ready_session()
    match = start(session)
    session.over(match, pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))
    bot.read()

    assert session.receive(decisions_message((match, 4711, 7)), 2) == []
    assert session.useless_count == 1


def test_too_many_stale_answers_are_a_fault_of_the_stream() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(match, (7, 8), None, 0)
    bot.read()
    stale = decisions_message((match, bot.requests[match], 7))
    bot.answer(1, match)
    for _ in range(USELESS_COUNT):
        assert session.receive(stale, 2) == []

    assert only_fault(session.receive(stale, 2)).detail == "sent more than 16 answers to requests no longer pending"


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (pb.PlayRequest(pong=pb.Pong(nonce=1)).SerializeToString(), "pongs nobody asked for"),
        (decisions_message(), "batches without a decision"),
    ],
)
def test_a_flood_of_empty_words_is_a_fault_of_the_stream(raw: bytes, what: str) -> None:
    session, _ = ready_session()
    for _ in range(USELESS_COUNT):
        assert session.receive(raw, 0) == []

    assert only_fault(session.receive(raw, 0)).detail == f"sent more than 16 {what}"


def test_a_guessed_answer_is_a_fault_of_its_match_alone() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), None, 0)
    session.ask(2, (7, 8), None, 0)
    bot.read()
    reports = session.receive(decisions_message((1, 99, 7), (1, 98, 7), (2, bot.requests[2], 7)), 1)

    fault = Fault(FaultKind.PROTOCOL, "answered a request that was never made")
    assert reports == [MatchFault(1, fault), Answer(2, 7, 0, 2, "")]
    assert session.owed_count == 0
    session.fault(1, fault)
    told = bot.read(1)
    assert [message.fault.match_id for message in told] == [1]


def test_the_right_answer_after_a_guess_comes_too_late() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(match, (7, 8), None, 0)
    bot.read()
    session.receive(decisions_message((match, 99, 7)), 1)

    assert bot.answer(2, match) == []


def test_an_answer_ahead_of_its_request_is_a_fault_of_the_match() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), None, 0)
    bot.read()
    session.ask(2, (7, 8), None, 0)
    reports = session.receive(decisions_message((2, 1, 7)), 1)

    assert isinstance(reports[0], MatchFault)
    assert session.waiting_since_ns is None


@pytest.mark.parametrize("match_id", [0, -1, 2, 2**62])
def test_an_answer_for_a_match_never_started_ends_the_stream(match_id: int) -> None:
    session, bot = ready_session()
    session.ask(start(session), (7, 8), None, 0)
    bot.read()
    reports = session.receive(decisions_message((match_id, 1000, 7)), 1)

    assert only_fault(reports).detail == f"answered for match {match_id}, in which it has no seat"
    assert session.state is State.CLOSED


def test_answers_before_the_mistake_count() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), None, 0)
    session.ask(2, (7, 8), None, 0)
    bot.read()
    reports = session.receive(decisions_message((1, bot.requests[1], 7), (9, 9, 9), (2, bot.requests[2], 7)), 1)

    assert [type(report) for report in reports] == [Answer, StreamFault]
    assert session.owed_longest == 2


# Faults and ends ------------------------------------------------------------------------------------


def test_an_answer_that_crosses_a_fault_is_ignored_and_not_counted() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(match, (7, 8), None, 0)
    bot.read()
    session.fault(match, Fault(FaultKind.TIMEOUT, "late"))

    assert bot.answer(5, match) == []
    assert session.useless_count == 0
    assert [message.fault.detail for message in bot.read()] == ["late"]


def test_a_fault_drops_the_request_that_waits() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(match, (7, 8), None, 0)
    session.fault(match, Fault(FaultKind.PROTOCOL, "no"))

    assert [message.WhichOneof("message") for message in bot.read()] == ["fault"]


def test_goodbye_comes_after_the_last_match_over() -> None:
    session, bot = ready_session()
    session.over(start(session), pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))
    session.goodbye("that was all")
    kinds = [message.WhichOneof("message") for message in bot.read()]

    assert kinds == ["updates", "goodbye"]
    assert session.state is State.CLOSED


def test_a_bot_may_leave() -> None:
    session, _ = ready_session()
    raw = pb.PlayRequest(goodbye=pb.Goodbye(detail="tired\x1b[0m")).SerializeToString()

    assert session.receive(raw, 0) == [Left("tired\\x1b[0m")]
    assert session.state is State.CLOSED


def test_closing_drops_what_was_not_sent_and_tells_why() -> None:
    session, bot = ready_session()
    session.ask(start(session), (7, 8), None, 0)
    session.close(Fault(FaultKind.START, "plays no such game"))

    assert [message.fault.detail for message in bot.read()] == ["plays no such game"]
    assert bot.read() == []


def test_matches_start_in_order_and_only_after_hello() -> None:
    session = Session(itertools.count(1), DECISION_NS)
    with pytest.raises(ValueError, match="cannot start"):
        session.start(1, b"")
    session.receive(hello_message(), 0)
    with pytest.raises(ValueError, match="cannot start"):
        session.start(2, b"")


# Time -----------------------------------------------------------------------------------------------


def test_a_bot_that_owes_and_answers_nothing_is_silent() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), None, 0)
    session.ask(2, (7, 8), None, 0)
    bot.read(0)
    assert session.expire(DECISION_NS) == []

    fault = only_fault(session.expire(DECISION_NS + 10 * MS))
    assert fault == Fault(FaultKind.TIMEOUT, "gave no answer for 1 s")
    assert session.owed_longest == 1


def test_silence_is_counted_from_the_last_answer() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), None, 0)
    session.ask(2, (7, 8), None, 0)
    bot.read(0)
    bot.answer(DECISION_NS - 1, 1)

    assert session.expire(2 * DECISION_NS - 1) == []
    assert only_fault(session.expire(2 * DECISION_NS)).kind is FaultKind.TIMEOUT


def test_no_traffic_extends_a_deadline() -> None:
    session, bot = ready_session()
    session.ask(start(session), (7, 8), None, 0)
    bot.read(0)
    for step in range(10):
        session.receive(pb.PlayRequest(pong=pb.Pong()).SerializeToString(), step * DECISION_NS // 10)

    assert only_fault(session.expire(DECISION_NS + 1)).kind is FaultKind.TIMEOUT


def test_an_idle_bot_is_never_silent() -> None:
    session, _ = ready_session()
    start(session)

    assert session.expire(100 * DECISION_NS) == []


def test_the_hard_deadline_is_decision_time_for_each_answer_owed_at_sending() -> None:
    session, bot = warmed_up(3, 0)
    for match in (1, 2, 3):
        session.ask(match, (7, 8), None, 0)
    bot.read(0)
    for now_ns in (500 * MS, 1400 * MS, 2300 * MS):
        bot.answer(now_ns, 2)
        session.ask(2, (7, 8), None, now_ns)
        bot.read(now_ns)
    assert session.expire(3 * DECISION_NS) == []

    detail = "its answer came later than the hard deadline of its request"
    fault = Fault(FaultKind.TIMEOUT, detail)
    assert session.expire(3 * DECISION_NS + 1) == [MatchFault(1, fault), MatchFault(3, fault)]
    assert session.state is State.READY


def test_an_answer_after_the_hard_deadline_is_late_even_before_a_sweep() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), None, 0)
    session.ask(2, (7, 8), None, 0)
    bot.read(0)

    assert only_fault(bot.answer(2 * DECISION_NS + 1, 1)).kind is FaultKind.TIMEOUT
    assert session.owed_count == 1


def test_a_bank_runs_out_in_the_bots_own_time() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), 100 * MS, 0)
    session.ask(2, (7, 8), 10 * S, 0)
    bot.read(0)
    assert session.expire(200 * MS) == []

    reports = session.expire(202 * MS)
    assert reports == [MatchFault(1, Fault(FaultKind.TIMEOUT, "its thinking time for the match ran out"))]
    assert session.owed_count == 1


def test_lag_of_the_harness_moves_every_deadline() -> None:
    session, bot = ready_session()
    session.ask(start(session), (7, 8), 500 * MS, 0)
    bot.read(0)
    session.credit(800 * MS, 1200 * MS)

    assert session.expire(1200 * MS) == []
    (report,) = bot.answer(1250 * MS, 1)
    assert isinstance(report, Answer)
    assert report.spent_ns == 450 * MS


def test_a_bot_without_a_clock_may_think_for_ever() -> None:
    session, bot = ready_session(decision_ns=None)
    session.ask(start(session), (7, 8), None, 0)
    bot.read(0)

    assert session.expire(10**15) == []
    assert [type(report) for report in bot.answer(10**15, 1)] == [Answer]


def test_the_window_opens_again_when_a_request_is_withdrawn() -> None:
    session, bot = ready_session()
    for _ in range(2):
        session.ask(start(session), (7, 8), None, 0)
    bot.read(0)
    assert session.owed_longest == 1
    session.fault(1, Fault(FaultKind.TIMEOUT, "late"))
    bot.read(1)

    assert session.owed_longest == 2
