"""Deadlines of one bot's stream: silence, hard deadline, bank, and whose time is charged."""

import pytest

from harness.faults import Fault, FaultKind
from harness.reports import Answer, MatchFault
from harness.session import BATCH_BYTES, State
from harness.wire import arena_pb2 as pb
from tests.session_bot import DECISION_NS, MS, S, only_fault, ready_session, start, start_seat, warmed_up


def test_a_bot_that_owes_and_answers_nothing_is_silent() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(session.seats[1], (7, 8), None, 0)
    session.ask(session.seats[2], (7, 8), None, 0)
    bot.read(0)
    assert session.expire(DECISION_NS) == []

    fault = only_fault(session.expire(DECISION_NS + 10 * MS))
    assert fault == Fault(FaultKind.TIMEOUT, "gave no answer for 1 s")
    assert session.owed == (1, 2)


def test_silence_is_counted_from_the_last_answer() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(session.seats[1], (7, 8), None, 0)
    session.ask(session.seats[2], (7, 8), None, 0)
    bot.read(0)
    bot.answer(DECISION_NS - 1, 1)

    assert session.expire(2 * DECISION_NS - 1) == []
    assert only_fault(session.expire(2 * DECISION_NS)).kind is FaultKind.TIMEOUT


def test_no_traffic_extends_a_deadline() -> None:
    session, bot = ready_session()
    session.ask(start_seat(session), (7, 8), None, 0)
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
        session.ask(session.seats[match], (7, 8), None, 0)
    bot.read(0)
    for now_ns in (500 * MS, 1400 * MS, 2300 * MS):
        bot.answer(now_ns, 2)
        session.ask(session.seats[2], (7, 8), None, now_ns)
        bot.read(now_ns)
    assert session.expire(3 * DECISION_NS) == []

    detail = "its answer came later than the hard deadline of its request"
    fault = Fault(FaultKind.TIMEOUT, detail)
    assert session.expire(3 * DECISION_NS + 1) == [MatchFault(1, fault), MatchFault(3, fault)]
    assert session.state is State.READY


def test_what_a_message_has_no_room_for_gives_its_requests_no_time() -> None:
    session, bot = warmed_up(3, 0)
    half = pb.Update(observation=pb.Observation(hand=[1] * (BATCH_BYTES // 2))).SerializeToString()
    for match in (1, 2, 3):
        session.ask(session.seats[match], (7, 8), None, 0, half)
    bot.read(0)
    bot.answer(DECISION_NS, 1)

    assert session.owed == (2,)
    assert session.expire(2 * DECISION_NS) == []
    assert session.expire(2 * DECISION_NS + 1) != []


def test_an_answer_after_the_hard_deadline_is_late_even_before_a_sweep() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(session.seats[1], (7, 8), None, 0)
    session.ask(session.seats[2], (7, 8), None, 0)
    bot.read(0)

    assert only_fault(bot.answer(2 * DECISION_NS + 1, 1)).kind is FaultKind.TIMEOUT
    assert session.owed_count == 1


def test_a_bank_runs_out_in_the_bots_own_time() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(session.seats[1], (7, 8), 100 * MS, 0)
    session.ask(session.seats[2], (7, 8), 10 * S, 0)
    bot.read(0)
    assert session.expire(200 * MS) == []

    reports = session.expire(202 * MS)
    assert reports == [MatchFault(1, Fault(FaultKind.TIMEOUT, "its thinking time for the match ran out"))]
    assert session.owed_count == 1


def test_lag_of_the_harness_moves_every_deadline() -> None:
    session, bot = ready_session()
    session.ask(start_seat(session), (7, 8), 500 * MS, 0)
    bot.read(0)
    session.credit(800 * MS, 1200 * MS)

    assert session.expire(1200 * MS) == []
    (report,) = bot.answer(1250 * MS, 1)
    assert isinstance(report, Answer)
    assert report.spent_ns == 450 * MS


def test_a_bot_without_a_clock_may_think_for_ever() -> None:
    session, bot = ready_session(decision_ns=None)
    session.ask(start_seat(session), (7, 8), None, 0)
    bot.read(0)

    assert session.expire(10**15) == []
    assert [type(report) for report in bot.answer(10**15, 1)] == [Answer]


def test_the_window_opens_again_when_a_request_is_withdrawn() -> None:
    session, bot = ready_session()
    for _ in range(2):
        session.ask(start_seat(session), (7, 8), None, 0)
    bot.read(0)
    assert session.owed == (1,)
    session.fault(session.seats[1], Fault(FaultKind.TIMEOUT, "late"))
    bot.read(1)

    assert session.owed == (2,)


def charged_ns(match_count: int, think_ns: int, others_ns: int, decisions_a_match: int = 40) -> int:
    """What a bot is charged that takes `think_ns` for each answer, one after the other, in so many matches at once.

    Between an answer and the next request of its match the others take `others_ns`. Time is a number here. No deadline
    may pass.
    """
    session, bot = ready_session(decision_ns=S)
    left = {start(session): decisions_a_match for _ in range(match_count)}
    due_ns = dict.fromkeys(left, 0)  # when each match asks next
    now_ns = spent_ns = 0
    while due_ns or bot.requests:
        for match_id in [match for match, at_ns in due_ns.items() if at_ns <= now_ns]:
            del due_ns[match_id]
            session.ask(session.seats[match_id], (7, 8), None, now_ns)
        bot.read(now_ns)
        if not bot.requests:
            now_ns = min(due_ns.values())
            continue
        match_id = next(iter(bot.requests))
        now_ns += think_ns
        assert session.expire(now_ns) == []
        (answer,) = bot.answer(now_ns, match_id)
        assert isinstance(answer, Answer)
        spent_ns += answer.spent_ns
        left[match_id] -= 1
        if left[match_id]:
            due_ns[match_id] = now_ns + others_ns
    return spent_ns


@pytest.mark.parametrize("others_ns", [0, 20 * MS, 200 * MS])
@pytest.mark.parametrize("match_count", [1, 8, 64])
def test_a_bot_is_charged_the_same_however_many_matches_it_plays_at_once(match_count: int, others_ns: int) -> None:
    thought_ns = match_count * 40 * 50 * MS

    assert charged_ns(match_count, 50 * MS, others_ns) == pytest.approx(thought_ns, rel=0.1)
