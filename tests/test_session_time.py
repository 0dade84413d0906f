"""Deadlines of one bot's stream: silence, hard deadline, bank, and whose time is charged."""

from harness.faults import Fault, FaultKind
from harness.session import Answer, MatchFault, State
from harness.wire import arena_pb2 as pb
from tests.session_bot import DECISION_NS, MS, S, only_fault, ready_session, start, warmed_up


def test_a_bot_that_owes_and_answers_nothing_is_silent() -> None:
    session, bot = warmed_up(2, 0)
    session.ask(1, (7, 8), None, 0)
    session.ask(2, (7, 8), None, 0)
    bot.read(0)
    assert session.expire(DECISION_NS) == []

    fault = only_fault(session.expire(DECISION_NS + 10 * MS))
    assert fault == Fault(FaultKind.TIMEOUT, "gave no answer for 1 s")
    assert session.owed == (1, 2)


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
    assert session.owed == (1,)
    session.fault(1, Fault(FaultKind.TIMEOUT, "late"))
    bot.read(1)

    assert session.owed == (2,)
