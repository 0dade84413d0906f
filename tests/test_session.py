"""The stream of one bot, told as stories: messages and times in, reports and messages out."""

import itertools
from collections.abc import Iterator

import pytest

from harness.faults import Fault, FaultKind
from harness.reports import Answer, Hello, Left, MatchFault, StreamFault
from harness.session import MESSAGE_BYTES, NOTE_BYTES, USELESS_COUNT, Session, State
from harness.wire import arena_pb2 as pb
from tests.session_bot import (
    DECISION_NS,
    MS,
    Bot,
    S,
    decisions_message,
    hello_message,
    only_fault,
    ready_session,
    start,
    start_seat,
    warmed_up,
)

SEEN = b"\x12\x04\x12\x02\x08\x01"  # an Update with one event: seat 1 acted


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
    seat = start_seat(session)
    assert bot.read() == []

    seat.unsent.append(SEEN)
    session.ask(seat, (7, 8), 20 * S, 0)
    (message,) = bot.read()

    assert [started.match_id for started in message.updates.started] == [seat.match_id]
    (update,) = message.updates.updates
    assert len(update.events) == 1
    assert list(update.request.legal_actions) == [7, 8]
    assert update.request.clock.seconds == 20


def test_what_happens_while_a_bot_is_busy_is_gathered_into_one_message() -> None:
    session, bot = warmed_up(4, 0)
    session.ask(session.seats[1], (7, 8), None, 0)
    bot.read()
    session.ask(session.seats[2], (7, 8), None, 0)
    session.over(session.seats[3], pb.MATCH_END_FINISHED, (1, 2, 3, 4), (4, 3, 2, 1))
    assert bot.read() == []

    bot.answer(1 * MS, 1)
    (message,) = bot.read(1 * MS)

    assert [update.match_id for update in message.updates.updates] == [2]
    assert [over.match_id for over in message.updates.over] == [3]


def test_who_writes_hears_of_the_first_request_that_waits_alone() -> None:
    session, bot = ready_session()
    for _ in range(3):
        start(session)

    assert [session.ask(session.seats[match], (7, 8), None, 0) for match in (1, 2)] == [True, False]
    bot.read()  # one of them: it has shown no more
    assert not session.ask(session.seats[3], (7, 8), None, 0)


def test_a_partial_answer_brings_what_was_gathered() -> None:
    session, bot = warmed_up(4, 0)
    session.ask(session.seats[1], (7, 8), None, 0)
    session.ask(session.seats[2], (7, 8), None, 0)
    bot.read()
    session.ask(session.seats[3], (7, 8), None, 0)
    bot.answer(1 * MS, 2)
    (message,) = bot.read(1 * MS)

    assert [update.match_id for update in message.updates.updates] == [3]
    assert session.owed_count == 2


def test_a_match_that_never_asked_is_told_whole_at_its_end() -> None:
    session, bot = ready_session()
    seat = start_seat(session)
    seat.unsent.append(SEEN)
    session.over(seat, pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))
    (message,) = bot.read()

    assert len(message.updates.started) == len(message.updates.updates) == len(message.updates.over) == 1
    assert session.seat_count == 0


def test_a_match_is_the_bots_until_its_end_is_told() -> None:
    session, bot = ready_session()
    match = start(session)
    session.over(session.seats[match], pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))
    assert session.seat_count == 1

    bot.read()

    assert session.seat_count == 0


def test_a_bot_that_may_not_ask_gets_news_with_its_next_request() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(session.seats[1], (7, 8), None, 5)
    session.over(session.seats[2], pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))

    assert bot.read(may_ask=False) == []
    assert session.waiting_since_ns == 5
    (message,) = bot.read()
    assert len(message.updates.over) == len(message.updates.updates) == 1
    assert session.waiting_since_ns is None


def test_a_long_batch_is_sent_in_parts() -> None:
    session, bot = warmed_up(3, 0)
    long_event = pb.Update(events=[pb.Event(shown=pb.Shown(cards=[1] * 256 * 1024))]).SerializeToString()
    seats = [start_seat(session) for _ in range(3)]
    for seat in seats:
        seat.unsent.append(long_event)
        session.ask(seat, (7, 8), None, 0)
    assert len(bot.read()[0].updates.updates) == 2

    bot.answer(1, seats[0].match_id)
    assert [update.match_id for update in bot.read(1)[0].updates.updates] == [seats[2].match_id]


# The window -----------------------------------------------------------------------------------------


def test_a_bot_is_handed_one_request_then_two_then_four() -> None:
    session, bot = ready_session()
    for _ in range(64):
        session.ask(start_seat(session), (7, 8), None, 0)
    sizes = []
    for step in range(6):
        bot.read(step * MS)
        sizes.append(session.owed_count)
        bot.answer(step * MS, *tuple(bot.requests))

    assert sizes == [1, 2, 4, 8, 16, 32]


def test_the_window_closes_again_a_second_later() -> None:
    session, bot = warmed_up(8, 0)
    for match in range(1, 9):
        session.ask(session.seats[match], (7, 8), None, 2 * S)
    bot.read(2 * S)

    assert session.owed_count == 1


# Answers --------------------------------------------------------------------------------------------


def test_answers_are_reported_with_their_time_and_note() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(session.seats[match], (7, 8), 20 * S, 0)
    bot.read(100)
    note = "é" * NOTE_BYTES
    decision = pb.Decision(match_id=match, decision_id=bot.requests[match], action=8, note=note)
    raw = pb.PlayRequest(decisions=pb.DecisionBatch(decisions=[decision])).SerializeToString()

    assert session.receive(raw, 350) == [Answer(match, 8, 250, 1, "é" * (NOTE_BYTES // 2))]
    assert session.owed_count == 0


def test_many_matches_at_once_cost_what_they_would_one_after_the_other() -> None:
    session, bot = warmed_up(4, 0)
    for match in (1, 2, 3, 4):
        session.ask(session.seats[match], (7, 8), None, 0)
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
    session.ask(start_seat(session), (7, 8), None, 0)
    bot.read()

    assert bot.requests == {1: 2**63 - 1}


def test_an_answer_to_an_answered_request_is_ignored_and_counted() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(session.seats[match], (7, 8), None, 0)
    bot.read()
    decision_id = bot.requests[match]
    bot.answer(1, match)

    assert session.receive(decisions_message((match, decision_id, 7)), 2) == []
    assert session.useless_count == 1
    assert session.state is State.READY


def test_a_double_answer_in_one_message_counts_once() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(session.seats[match], (7, 8), None, 0)
    bot.read()
    answer = (match, bot.requests[match], 7)

    assert len(session.receive(decisions_message(answer, answer), 1)) == 1
    assert session.useless_count == 1


def test_an_answer_for_a_match_that_is_over_is_ignored_and_counted() -> None:
    session, bot = ready_session()
    match = start(session)
    session.over(session.seats[match], pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))
    bot.read()

    assert session.receive(decisions_message((match, 4711, 7)), 2) == []
    assert session.useless_count == 1


def test_too_many_stale_answers_are_a_fault_of_the_stream() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(session.seats[match], (7, 8), None, 0)
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
    session.ask(session.seats[1], (7, 8), None, 0)
    session.ask(session.seats[2], (7, 8), None, 0)
    bot.read()
    reports = session.receive(decisions_message((1, 99, 7), (1, 98, 7), (2, bot.requests[2], 7)), 1)

    fault = Fault(FaultKind.PROTOCOL, "answered a request that was never made")
    assert reports == [MatchFault(1, fault), Answer(2, 7, 0, 2, "")]
    assert session.owed_count == 0
    session.fault(session.seats[1], fault)
    told = bot.read(1)
    assert [message.fault.match_id for message in told] == [1]


def test_the_right_answer_after_a_guess_comes_too_late() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(session.seats[match], (7, 8), None, 0)
    bot.read()
    session.receive(decisions_message((match, 99, 7)), 1)

    assert bot.answer(2, match) == []


def test_an_answer_ahead_of_its_request_is_a_fault_of_the_match() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(session.seats[1], (7, 8), None, 0)
    bot.read()
    session.ask(session.seats[2], (7, 8), None, 0)
    reports = session.receive(decisions_message((2, 1, 7)), 1)

    assert isinstance(reports[0], MatchFault)
    assert session.waiting_since_ns is None


@pytest.mark.parametrize("match_id", [0, -1, 2, 2**62])
def test_an_answer_for_a_match_never_started_ends_the_stream(match_id: int) -> None:
    session, bot = ready_session()
    session.ask(start_seat(session), (7, 8), None, 0)
    bot.read()
    reports = session.receive(decisions_message((match_id, 1000, 7)), 1)

    assert only_fault(reports).detail == f"answered for match {match_id}, in which it has no seat"
    assert session.state is State.CLOSED


def test_answers_before_the_mistake_count() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(session.seats[1], (7, 8), None, 0)
    session.ask(session.seats[2], (7, 8), None, 0)
    bot.read()
    reports = session.receive(decisions_message((1, bot.requests[1], 7), (9, 9, 9), (2, bot.requests[2], 7)), 1)

    assert [type(report) for report in reports] == [Answer, StreamFault]
    assert session.owed == (2,)


# Faults and ends ------------------------------------------------------------------------------------


def test_an_answer_that_crosses_a_fault_is_ignored_and_not_counted() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(session.seats[match], (7, 8), None, 0)
    bot.read()
    session.fault(session.seats[match], Fault(FaultKind.TIMEOUT, "late"))

    assert bot.answer(5, match) == []
    assert session.useless_count == 0
    assert [message.fault.detail for message in bot.read()] == ["late"]


def test_a_fault_drops_the_request_that_waits() -> None:
    session, bot = ready_session()
    match = start(session)
    session.ask(session.seats[match], (7, 8), None, 0)
    session.fault(session.seats[match], Fault(FaultKind.PROTOCOL, "no"))

    assert [message.WhichOneof("message") for message in bot.read()] == ["fault"]


def test_goodbye_comes_after_the_last_match_over() -> None:
    session, bot = ready_session()
    session.over(start_seat(session), pb.MATCH_END_FINISHED, (1, 2, 3, 4), (1, 2, 3, 4))
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
    session.ask(start_seat(session), (7, 8), None, 0)
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
