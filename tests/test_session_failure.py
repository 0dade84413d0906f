"""An answer that says why there is none, as the adapter for lines sends it."""

from harness.faults import FaultKind
from harness.reports import Answer, MatchFault
from harness.session import NOTE_BYTES
from harness.wire import arena_pb2 as pb
from tests.session_bot import warmed_up


def test_an_answer_that_says_why_there_is_none_is_a_fault_of_its_match_alone() -> None:
    session, bot = warmed_up(2, 0)
    for match_id in (1, 2):
        session.ask(session.seats[match_id], (7, 8), None, 0)
    bot.read()
    failed = pb.Decision(match_id=1, decision_id=bot.requests[1], failure="wrote \x1b[2J" + "x" * NOTE_BYTES)
    played = pb.Decision(match_id=2, decision_id=bot.requests[2], action=8)
    batch = pb.PlayRequest(decisions=pb.DecisionBatch(decisions=[failed, played]))
    fault, answer = session.receive(batch.SerializeToString(), 0)

    assert isinstance(fault, MatchFault)
    assert isinstance(answer, Answer)
    assert (fault.match_id, fault.fault.kind) == (1, FaultKind.PROTOCOL)
    assert fault.fault.detail == "wrote \\x1b[2J" + "x" * (NOTE_BYTES - 10)
    assert (answer.match_id, answer.action, session.owed_count) == (2, 8, 0)
