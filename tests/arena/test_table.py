"""A table with bots of this process: the arena's own sessions and tables, without sockets."""

import itertools
from collections.abc import Sequence

from harness import deals, games
from harness.arena.specs import Played, Thought
from harness.bot import Action, Bot, View
from harness.faults import Fault, FaultKind, SeatFaulted
from harness.games.game import Acted
from harness.games.view import HandDealt, Seen
from harness.match import TimeControl
from harness.record import SeatEntry, record_of, replay
from harness.wire import arena_pb2 as pb
from harness.wire.codec import seen_of
from tests.arena.in_memory import MemoryArena
from tests.arena.tables import table, tables

SMALL = games.game("zhiletka", {"hands_per_seat": 2})
GUILLOTINE = games.game("guillotine")
LABELS = ("a", "b", "c", "d")
CRASH = Fault(FaultKind.CRASHED, "exited with code 1")


class Lowest(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


class Chancy(Bot):
    def choose(self, view: View) -> Action:
        view.note(f"one of {len(view.actions)}") if view.deal_index == 0 else None
        return view.random.choice(view.actions)


class Forgetful(Chancy):
    snapshot = True


class Cheat(Lowest):
    def choose(self, view: View) -> Action:
        return 51 if view.deal_index == 1 and 51 not in view.actions else view.actions[0]


def arena(*classes: type[Bot], time_control: TimeControl | None = None) -> MemoryArena:
    return MemoryArena(dict(zip(LABELS, classes, strict=False)), itertools.count(1), time_control)


def messages(arena: MemoryArena, label: str) -> list[pb.PlayResponse]:
    return [pb.PlayResponse.FromString(raw) for raw in arena.sent[label]]


def updates(arena: MemoryArena, label: str) -> list[pb.Update]:
    return [update for message in messages(arena, label) for update in message.updates.updates]


def seen(arena: MemoryArena, label: str) -> list[Seen | SeatFaulted]:
    events = (seen_of(event) for update in updates(arena, label) for event in update.events)
    return [event for event in events if event is not None]


def record_text(played: Played) -> str:
    entries = [SeatEntry(label, "1", "") for label in played.table.seats]
    record = record_of(played.match, match_id=played.table.match_id, seats=entries)
    replay(record)
    return record.to_json()


def records(played: Sequence[Played]) -> list[str]:
    return sorted(map(record_text, played))


def test_a_match_is_played_to_its_end_and_replays() -> None:
    there = arena(Chancy, Chancy, Chancy, Chancy)
    (played,) = there.play([table(1, LABELS, GUILLOTINE)])

    assert record_text(played)
    assert len(played.match.deals) == 24
    assert played.match.faults == []
    assert [life.seats for life in there.lives.values()] == [{}, {}, {}, {}]


def test_the_same_tables_give_the_same_records_alone_or_all_at_once() -> None:
    specs = list(tables(4, LABELS))
    together = arena(Chancy, Chancy, Chancy, Chancy).play(specs)
    one_by_one = [arena(Chancy, Chancy, Chancy, Chancy).play([spec])[0] for spec in specs]

    assert records(together) == records(one_by_one)


def test_a_seat_is_dealt_its_own_hand_and_no_other() -> None:
    there = arena(Lowest, Lowest, Lowest, Lowest)
    (played,) = there.play([table(1, LABELS, GUILLOTINE)])

    for seat, label in enumerate(LABELS):
        deck = deals.deck(bytes(range(32)), "000001", 0, GUILLOTINE.pack)
        first_hand = next(event for event in seen(there, label) if isinstance(event, HandDealt))
        left_of_dealer = (played.match.first_dealer + 1) % 4
        mine = {card for place, card in enumerate(deck) if (left_of_dealer + place) % 4 == seat}
        assert first_hand.hand == sum(1 << card for card in mine)
        assert sum(isinstance(event, HandDealt) for event in seen(there, label)) == 24


def test_every_seat_sees_every_action() -> None:
    there = arena(Chancy, Chancy, Chancy, Chancy)
    (played,) = there.play([table(1, LABELS, GUILLOTINE)])
    acted = [[event for event in seen(there, label) if isinstance(event, Acted)] for label in LABELS]

    assert acted[0] == acted[1] == acted[2] == acted[3]
    assert len(acted[0]) == sum(len(deal.actions) for deal in played.match.deals)


def test_nobody_is_asked_where_only_one_action_is_legal() -> None:
    there = arena(Chancy, Chancy, Chancy, Chancy)
    (played,) = there.play([table(1, LABELS, GUILLOTINE)])
    requests = [update.request for label in LABELS for update in updates(there, label) if update.HasField("request")]

    assert min(len(request.legal_actions) for request in requests) == 2
    assert len(requests) == len(played.times) < sum(len(deal.actions) for deal in played.match.deals)


def test_a_snapshot_bot_is_told_all_that_it_needs_beside_each_request() -> None:
    there = arena(Forgetful, Chancy, Chancy, Chancy)
    (played,) = there.play([table(1, LABELS, GUILLOTINE)])
    plain = arena(Chancy, Chancy, Chancy, Chancy).play([table(1, LABELS, GUILLOTINE)])

    asked = [update for update in updates(there, "a") if update.HasField("request")]
    assert all(update.observation.hand for update in asked)
    assert not any(update.HasField("observation") for update in updates(there, "b"))
    assert records([played]) == records(plain)


def test_an_illegal_action_is_told_to_all_and_costs_its_bot_the_match() -> None:
    there = arena(Cheat, Lowest, Lowest, Lowest)
    (played,) = there.play([table(1, LABELS, GUILLOTINE)])

    (at,) = played.match.faults
    assert (at.seat, at.fault.kind, at.deal_index) == (0, FaultKind.ILLEGAL_ACTION, 1)
    assert at.fault.detail.startswith("chose 51 (AS); legal were: ")
    for label in LABELS:
        assert SeatFaulted(0, FaultKind.ILLEGAL_ACTION) in seen(there, label)
        (over,) = (over for message in messages(there, label) for over in message.updates.over)
        assert over.ranks[0] == 4
    (fault,) = (message.fault for message in messages(there, "a") if message.HasField("fault"))
    assert (fault.kind, fault.match_id, fault.detail) == (pb.FAULT_KIND_ILLEGAL_ACTION, 1, at.fault.detail)


def test_a_bot_that_is_gone_is_told_nothing_more_and_the_house_plays_on() -> None:
    there = arena(Lowest, Chancy, Chancy, Chancy)
    there.start(table(1, LABELS, GUILLOTINE))
    for _ in range(20):
        there.turn()
    heard = len(there.sent["a"])
    (played_at,) = there.running
    played_at.away(0)
    played_at.fault(0, CRASH, 0)
    while there.turn():
        pass

    assert len(there.sent["a"]) == heard
    (played,) = there.played
    assert [at.fault for at in played.match.faults] == [CRASH]
    assert SeatFaulted(0, FaultKind.CRASHED) in seen(there, "b")
    assert record_text(played)


def test_a_bot_that_never_came_is_at_fault_from_the_start() -> None:
    there = arena(Lowest)
    spec = table(1, ("a", "z"), SMALL)
    there.lives["z"] = Fault(FaultKind.START, "did not start")  # type: ignore[assignment]  # in its place
    there.start(spec)
    del there.lives["z"]
    while there.turn():
        pass

    (played,) = there.played
    assert [(at.seat, at.fault.kind, at.deal_index, at.action_index) for at in played.match.faults] == [
        (1, FaultKind.START, 0, 0)
    ]
    assert seen(there, "a")[0] == SeatFaulted(1, FaultKind.START)
    assert record_text(played)


def test_a_table_where_nobody_came_is_played_by_the_house() -> None:
    there = arena()
    absent = Fault(FaultKind.START, "did not start")
    there.lives.update(dict.fromkeys(("y", "z"), absent))  # type: ignore[arg-type]  # in the place of lives
    there.start(table(1, ("y", "z"), SMALL))

    (played,) = there.played
    assert [at.seat for at in played.match.faults] == [0, 1]
    assert record_text(played)


def test_times_are_kept_for_every_answer() -> None:
    there = arena(Lowest, Lowest, time_control=TimeControl(10**10, 0, 10**9))
    there.start(table(1, ("a", "b"), SMALL))
    while there.turn():
        there.clock.now_ns += 1000

    (played,) = there.played
    assert played.times[0] == played.times[-len(played.times)] == Thought(played.times[0].seat, 0, 1)
    assert played.times[:2] == [played.times[0], played.times[1]]
    assert played.wall_ns > 0


def test_notes_are_kept_with_their_place() -> None:
    there = arena(Chancy, Lowest)
    (played,) = there.play([table(1, ("a", "b"), SMALL)])

    assert {note.seat for note in played.notes} == {0}
    assert all(note.text.startswith("one of ") and note.deal_index == 0 for note in played.notes)
    actions = played.match.deals[0].actions
    assert all(0 <= note.action_index < len(actions) for note in played.notes)


def test_the_clock_is_told_and_charged() -> None:
    control = TimeControl(bank_ns=5 * 10**9, increment_ns=10**9, decision_ns=10**9)
    there = arena(Lowest, Lowest, time_control=control)
    there.play([table(1, ("a", "b"), SMALL)])
    started = messages(there, "a")[1].updates.started[0]
    clocks = [update.request.clock.ToSeconds() for update in updates(there, "a") if update.HasField("request")]

    assert (started.clock.seconds, started.increment.seconds, started.silence_limit.seconds) == (5, 1, 1)
    assert clocks == list(range(5, 5 + len(clocks)))
