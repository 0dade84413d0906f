"""What goes on the wire and comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.cards import EMPTY, cards_in, set_of
from harness.faults import FaultKind, SeatFaulted
from harness.games.game import Acted, Cleared, Drew, Out, PickedUp, Scored, Shown, Taken, pair
from harness.games.view import Drawn, HandDealt, SeatView, Seen, project
from harness.wire import arena_pb2 as pb
from harness.wire import codec

MS = 1_000_000
SEATS = st.integers(0, 5)
CARD_SETS = st.integers(0, (1 << 52) - 1)
ACTIONS = st.integers(0, 60) | st.builds(pair, st.integers(0, 51), st.integers(0, 51))


def hands_of(count: int) -> st.SearchStrategy[int]:
    return st.sets(st.integers(0, 51), min_size=count, max_size=count).map(set_of)


EVENTS: st.SearchStrategy[Seen | SeatFaulted] = st.one_of(
    st.builds(HandDealt, st.integers(0, 30), SEATS, CARD_SETS, CARD_SETS),
    st.builds(Acted, SEATS, ACTIONS),
    st.builds(Drawn, SEATS, st.integers(1, 3), CARD_SETS),
    st.builds(Taken, SEATS, CARD_SETS),
    st.builds(PickedUp, SEATS, CARD_SETS),
    st.builds(Cleared, CARD_SETS),
    st.builds(Shown, SEATS, CARD_SETS),
    st.builds(Out, SEATS),
    st.builds(Scored, st.lists(st.integers(-9999, 9999), max_size=6).map(tuple), st.integers(0, 9999)),
    st.builds(SeatFaulted, SEATS, st.sampled_from(FaultKind)),
)


def update_of(*fragments: bytes) -> pb.Update:
    return pb.Update.FromString(b"".join(fragments))


@given(st.lists(EVENTS))
def test_events_come_back_as_they_went(events: list[Seen | SeatFaulted]) -> None:
    update = update_of(*(codec.seen_bytes(event) for event in events))

    assert [codec.seen_of(event) for event in update.events] == events
    assert [type(codec.seen_of(event)) for event in update.events] == [type(event) for event in events]


def test_events_of_equal_fields_stay_what_they_are() -> None:
    update = update_of(*(codec.seen_bytes(kind(1, 2)) for kind in (Acted, Taken, PickedUp, Shown)))

    assert [event.WhichOneof("event") for event in update.events] == ["acted", "taken", "picked_up", "shown"]


@given(SEATS, st.integers(1, 3).flatmap(lambda count: st.tuples(hands_of(count), hands_of(count))))
def test_what_another_seat_draws_makes_no_difference(seat: int, drawn: tuple[int, int]) -> None:
    told = {codec.seen_bytes(project(Drew(seat, cards), seat + 1)) for cards in drawn}

    assert len(told) == 1


@given(st.integers(0, 2**64 - 1), st.lists(ACTIONS, min_size=1, unique=True), st.none() | st.integers(0, 10**15))
def test_a_request_has_id_actions_and_a_clock_in_whole_milliseconds(
    decision_id: int, actions: list[int], clock_ns: int | None
) -> None:
    update = update_of(codec.request_bytes(decision_id, tuple(sorted(actions)), clock_ns))

    request = update.request
    assert (request.decision_id, list(request.legal_actions)) == (decision_id, sorted(actions))
    assert request.HasField("clock") == (clock_ns is not None)
    assert request.clock.ToNanoseconds() == (clock_ns or 0) // MS * MS


@given(st.lists(st.tuples(st.integers(0, 2**62), st.lists(EVENTS, max_size=3)), max_size=5))
def test_fragments_of_many_matches_make_one_message(news: list[tuple[int, list[Seen | SeatFaulted]]]) -> None:
    fragments = [
        codec.update_fragment(codec.match_id_bytes(match_id) + b"".join(codec.seen_bytes(event) for event in events))
        for match_id, events in news
    ]

    message = pb.PlayResponse.FromString(codec.batch_message(fragments))
    updates = message.updates.updates
    assert message.WhichOneof("message") == "updates"
    assert [(update.match_id, [codec.seen_of(event) for event in update.events]) for update in updates] == news


def test_started_updates_and_over_ride_in_one_message() -> None:
    started = codec.started_fragment(
        5,
        game="zhiletka",
        rules_version="1",
        seat=2,
        seat_count=3,
        bot_seed=2**64 - 1,
        options=(("ante", 120), ("set_exact", False), ("undecided", "carry")),
        bank_ns=20_000_000_000,
        increment_ns=0,
        silence_ns=5_500_000_000,
    )
    over = codec.over_fragment(4, pb.MATCH_END_FINISHED, (-60, 60), (2, 1))

    batch = pb.PlayResponse.FromString(
        codec.batch_message([started, codec.update_fragment(codec.match_id_bytes(5)), over])
    ).updates
    assert batch.started[0].bot_seed == 2**64 - 1
    assert [(option.name, option.value) for option in batch.started[0].options] == [
        ("ante", "120"),
        ("set_exact", "false"),
        ("undecided", "carry"),
    ]
    assert batch.started[0].clock.seconds == 20
    assert batch.started[0].HasField("increment")
    assert batch.started[0].silence_limit.ToNanoseconds() == 5_500_000_000
    assert [update.match_id for update in batch.updates] == [5]
    assert (list(batch.over[0].points), list(batch.over[0].ranks)) == ([-60, 60], [2, 1])


def test_no_clock_is_told_as_no_clock() -> None:
    started = codec.started_fragment(1, game="guillotine", rules_version="1", seat=0, seat_count=4, bot_seed=0)

    told = pb.PlayResponse.FromString(codec.batch_message([started])).updates.started[0]
    assert not told.HasField("clock")
    assert not told.HasField("increment")
    assert not told.HasField("silence_limit")


@pytest.mark.parametrize("value", [True, False, 60, -3, "one", "split"])
def test_an_option_keeps_its_type(value: str | int | bool) -> None:
    back = codec.option_from_wire(codec.option_to_wire(value))

    assert (type(back), back) == (type(value), value)


def test_every_kind_of_fault_has_a_number_of_its_own() -> None:
    numbers = [codec.fault_kind_to_wire(kind) for kind in FaultKind]

    assert [codec.fault_kind_from_wire(number) for number in numbers] == list(FaultKind)
    assert 0 not in numbers
    assert len(set(pb.FaultKind.values()) - {0}) == len(numbers)


def test_what_a_later_version_adds_is_skipped() -> None:
    unknown_field = pb.Event.FromString(b"\xfa\x01\x00")
    unknown_kind = pb.Event(seat_faulted=pb.SeatFaulted(seat=1, kind=99))  # type: ignore[arg-type]  # a number of tomorrow

    assert codec.seen_of(unknown_field) is None
    assert codec.seen_of(unknown_kind) is None


def test_an_observation_holds_the_deal_and_what_earlier_deals_left() -> None:
    view = SeatView(1, 4, 32)
    faulted = SeatFaulted(3, FaultKind.CRASHED)
    this_deal: list[Seen | SeatFaulted] = [
        HandDealt(1, 2, 0b111, EMPTY),
        Acted(2, 55),
        Acted(2, 9),
        Taken(2, 1 << 9),
        Scored((0, 0, -5, 0), 0),
    ]
    earlier: list[Seen | SeatFaulted] = [HandDealt(0, 1, 0b1111, EMPTY), Acted(1, 57), Acted(1, 52), faulted]
    for event in earlier + this_deal:
        view.see(event)

    observation = update_of(codec.observation_bytes(view)).observation
    assert [codec.seen_of(event) for event in observation.events] == [faulted, *this_deal]
    assert list(observation.hand) == [0, 1, 2]
    assert list(observation.hand_counts) == [3, 3, 2, 3]
    assert observation.stock_count == 20
    assert list(observation.points) == [0, 0, -5, 0]
    assert [(acted.seat, acted.action) for acted in observation.contracts] == [(1, 52), (1, 57), (2, 55)]


def test_messages_about_the_stream() -> None:
    messages = [
        codec.welcome_message("fox", "s1"),
        codec.fault_message(FaultKind.TIMEOUT, 7, "late"),
        codec.fault_message(FaultKind.PROTOCOL, None, "what"),
        codec.ping_message(9),
        codec.goodbye_message("done"),
    ]

    welcome, fault, stream_fault, ping, goodbye = (pb.PlayResponse.FromString(raw) for raw in messages)
    assert (welcome.welcome.bot, welcome.welcome.session_id) == ("fox", "s1")
    assert (fault.fault.match_id, fault.fault.kind, fault.fault.detail) == (7, pb.FAULT_KIND_TIMEOUT, "late")
    assert not stream_fault.fault.HasField("match_id")
    assert ping.ping.nonce == 9
    assert goodbye.goodbye.detail == "done"


@given(st.integers(0, 5), st.integers(1, 2**52 - 1), st.integers(0, 200), st.integers(0, 2**52 - 1))
def test_what_is_written_by_hand_is_what_protobuf_writes(seat: int, cards: int, deal_index: int, upcards: int) -> None:
    taken = pb.Taken(seat=seat, cards=cards_in(cards))
    dealt = pb.Dealt(
        deal_index=deal_index, dealer_seat=seat, hand=cards_in(cards & ~upcards), upcards=cards_in(upcards)
    )

    for event, wire in (
        (Taken(seat, cards), pb.Event(taken=taken)),
        (HandDealt(deal_index, seat, cards & ~upcards, upcards), pb.Event(dealt=dealt)),
    ):
        assert codec.seen_bytes(event) == pb.Update(events=[wire]).SerializeToString()
