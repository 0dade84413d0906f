"""What went over a bot's stream is told apart: matches, answers, batches, snapshots."""

from harness.games import game
from harness.games.view import HandDealt, SeatView
from harness.wire import arena_pb2 as pb
from harness.wire.codec import (
    batch_message,
    match_id_bytes,
    observation_bytes,
    request_bytes,
    seen_bytes,
    started_fragment,
    update_fragment,
)
from harness.workshop.check.traffic import Traffic, shown_request

GAME = game("guillotine")
HAND = HandDealt(0, 0, 0b11 << 5, 0)
MS = 1_000_000


def asked(match_id: int, decision_id: int, hand: HandDealt = HAND, observation: bytes = b"") -> bytes:
    started = started_fragment(
        match_id, game="guillotine", rules_version="1", seat=1, seat_count=4, bot_seed=1000 + match_id
    )
    body = seen_bytes(hand) + request_bytes(decision_id, (5, 6), None) + observation
    return started + update_fragment(match_id_bytes(match_id) + body)


def answer(*pairs: tuple[int, int], action: int = 5) -> bytes:
    decisions = [pb.Decision(match_id=match, decision_id=decision, action=action) for match, decision in pairs]
    return pb.PlayRequest(decisions=pb.DecisionBatch(decisions=decisions)).SerializeToString()


def test_a_request_and_its_answer_are_kept_for_each_match_by_its_seed() -> None:
    traffic = Traffic()
    traffic.sent(batch_message([asked(1, 77), asked(2, 78)]), 0)
    traffic.received(answer((2, 78), action=0), 5)

    assert traffic.talks[1001].came_back() == "nothing"
    assert "legal_actions: [5, 6]" in traffic.talks[1001].sent()
    assert traffic.talks[1002].came_back() == "match_id: 2 decision_id: 78 action: 0"


def test_a_batch_knows_in_how_many_messages_it_was_answered_and_when() -> None:
    traffic = Traffic()
    traffic.sent(batch_message([asked(1, 77), asked(2, 78), asked(3, 79)]), 10 * MS)
    traffic.received(answer((1, 77)), 20 * MS)
    traffic.received(answer((2, 78), (3, 79)), 40 * MS)
    (batch,) = traffic.batches

    assert (batch.size, batch.left, batch.answers_messages, batch.span_ns) == (3, 0, 2, 30 * MS)


def test_answers_given_again_are_counted_and_unknown_ones_are_not() -> None:
    traffic = Traffic()
    traffic.sent(batch_message([asked(1, 77)]), 0)
    for _ in range(3):
        traffic.received(answer((1, 77)), 1)
    traffic.received(answer((1, 4711)), 2)

    assert traffic.late_count == 2


def test_a_snapshot_is_held_against_the_events() -> None:
    view = SeatView(1, 4, len(GAME.pack))
    view.see(HAND)
    traffic = Traffic()
    traffic.sent(batch_message([asked(1, 77, observation=observation_bytes(view))]), 0)
    agrees = traffic.snapshot_difference
    view.points[0] = 30
    traffic.sent(batch_message([asked(2, 78, observation=observation_bytes(view))]), 0)

    assert traffic.snapshot_count == 2
    assert agrees == ""
    assert "points: [30, 0, 0, 0]" in traffic.snapshot_difference


def test_what_came_before_a_restart_stays_with_its_match() -> None:
    traffic = Traffic()
    traffic.sent(batch_message([asked(1, 77)]), 0)
    traffic.received(b"\xff\xff", 1)
    traffic.begin()
    traffic.received(pb.PlayRequest(hello=pb.Hello()).SerializeToString(), 2)

    assert shown_request(traffic.talks[1001].last) == "2 bytes that are no PlayRequest: ff ff"
    assert traffic.first == b"\xff\xff"


def test_long_and_strange_messages_are_shown_in_one_printable_line() -> None:
    goodbye = pb.PlayRequest(goodbye=pb.Goodbye(detail="\x1b[31m" + "x" * 5000)).SerializeToString()

    assert shown_request(b"") == "nothing"
    assert shown_request(goodbye).isprintable()
    assert len(shown_request(goodbye)) < 700
    assert shown_request(pb.PlayRequest(pong=pb.Pong()).SerializeToString()) == "pong { }"
