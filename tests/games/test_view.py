"""What one seat sees, and the fold of it."""

import pytest

from harness.cards import EMPTY, parse_cards, set_of
from harness.faults import FaultKind, SeatFaulted
from harness.games.game import (
    DOMINO,
    PASS,
    ROYALTY,
    TAKE,
    Acted,
    Cleared,
    Dealt,
    Drew,
    Event,
    Out,
    PickedUp,
    Scored,
    Shown,
    Taken,
    pair,
)
from harness.games.view import Drawn, HandDealt, SeatView, project

UPCARD = "6C"
HANDS = ("8D JD AC", "6S 9S QC", "7H TH KD")


def cards(names: str) -> int:
    return set_of(parse_cards(names))


def card(name: str) -> int:
    return parse_cards(name)[0]


def view(*events: Event, seat: int = 0, upcard: str = UPCARD) -> SeatView:
    """Seat's view of a hand of three at a table of three, after `events`."""
    seen = SeatView(seat, 3, 36)
    dealt = Dealt(2, 1, tuple(cards(hand) for hand in HANDS), cards(upcard))
    for event in (dealt, *events):
        seen.see(project(event, seat))
    return seen


# Projection


def test_a_seat_sees_its_own_cards_of_a_deal_and_the_upcard() -> None:
    dealt = Dealt(2, 1, tuple(cards(hand) for hand in HANDS), cards(UPCARD))

    assert project(dealt, 1) == HandDealt(2, 1, cards(HANDS[1]), cards(UPCARD))
    assert isinstance(project(dealt, 1), HandDealt)


def test_a_seat_sees_the_cards_that_it_draws_and_how_many_others_draw() -> None:
    drew = Drew(1, cards("7S 8S"))

    assert project(drew, 1) == Drawn(1, 2, cards("7S 8S"))
    assert project(drew, 0) == Drawn(1, 2, EMPTY)


@pytest.mark.parametrize(
    "event",
    [
        Acted(0, PASS),
        Taken(0, 15),
        PickedUp(1, 3),
        Cleared(3),
        Shown(2, 7),
        Out(1),
        Scored((60, -60, 0), 0),
    ],
    ids=lambda event: type(event).__name__,
)
def test_all_else_is_public(event: Event) -> None:
    assert all(project(event, viewer) is event for viewer in range(3))


# The fold


def test_before_the_first_deal_nothing_is_held() -> None:
    seen = SeatView(1, 4, 32)

    assert (seen.deal_index, seen.hand, seen.hand_counts, seen.stock_count) == (-1, EMPTY, [0] * 4, 32)
    assert (seen.points, seen.pot, seen.contract, seen.out) == ([0] * 4, 0, None, [])


def test_a_deal_begins_anew_and_keeps_points_contracts_and_faults() -> None:
    seen = view(Acted(1, ROYALTY), Acted(0, card("8D")), Taken(0, cards("8D 6S 7H")), Scored((30, 0, 0), 0), Out(1))
    seen.see(SeatFaulted(2, FaultKind.TIMEOUT))
    seen.see(HandDealt(3, 2, cards("7C"), EMPTY))

    assert (seen.deal_index, seen.dealer, seen.hand) == (3, 2, cards("7C"))
    assert (seen.contract, seen.table, seen.taken, seen.gone, seen.out) == (None, [], [EMPTY] * 3, EMPTY, [])
    assert (seen.hand_counts, seen.stock_count) == ([1, 1, 1], 33)
    assert seen.deal_events == [HandDealt(3, 2, cards("7C"), EMPTY)]
    assert seen.points == [30, 0, 0]
    assert seen.contracts == [[], [ROYALTY], []]
    assert seen.faulted == [SeatFaulted(2, FaultKind.TIMEOUT)]


def test_a_contract_is_remembered_with_who_announced_it() -> None:
    seen = view(Acted(1, DOMINO))

    assert seen.contract == DOMINO
    assert seen.contracts == [[], [DOMINO], []]
    assert seen.hand_counts == [3, 3, 3]


def test_a_card_played_leaves_the_hand_and_lies_on_the_table() -> None:
    seen = view(Acted(2, card("TH")), Acted(0, card("JD")))

    assert seen.table == [(2, card("TH")), (0, card("JD"))]
    assert seen.hand == cards("8D AC")
    assert seen.hand_counts == [2, 3, 2]


def test_two_cards_played_lie_there_in_their_order() -> None:
    seen = view(Acted(0, pair(card("JD"), card("8D"))))

    assert seen.table == [(0, card("JD")), (0, card("8D"))]
    assert seen.hand == cards("AC")
    assert seen.hand_counts == [1, 3, 3]


def test_an_action_without_cards_moves_none() -> None:
    seen = view(Acted(0, PASS), Acted(1, TAKE))

    assert seen.table == []
    assert seen.hand_counts == [3, 3, 3]


def test_a_trick_lies_before_its_winner() -> None:
    seen = view(Acted(0, card("8D")), Acted(1, card("6S")), Acted(2, card("7H")), Taken(2, cards("8D 6S 7H")))

    assert seen.table == []
    assert seen.taken == [EMPTY, EMPTY, cards("8D 6S 7H")]


def test_a_seat_knows_the_cards_that_it_drew_itself() -> None:
    own = view(Acted(0, card("8D")), Drew(0, cards("7S")), seat=0)
    others = view(Acted(0, card("8D")), Drew(0, cards("7S")), seat=1)

    assert own.hand == cards("7S JD AC")
    assert others.hand == cards(HANDS[1])
    assert (own.hand_counts, own.stock_count) == (others.hand_counts, others.stock_count) == ([3, 3, 3], 26)


def test_whoever_draws_the_last_card_of_the_stock_holds_the_upcard() -> None:
    # Z12: the turned-up card lies at the bottom.
    almost = set_of(range(25))  # which ones does not matter to a seat that may not see them
    seen = view(Drew(1, almost), Drew(2, cards("7S") | cards(UPCARD)))

    assert seen.stock_count == 0
    assert seen.known == [EMPTY, EMPTY, cards(UPCARD)]


def test_cards_picked_up_are_known_until_they_are_played() -> None:
    events: list[Event] = [Acted(0, pair(card("8D"), card("JD"))), Acted(1, TAKE), PickedUp(1, cards("8D JD"))]
    seen = view(*events)
    assert (seen.table, seen.hand_counts) == ([], [1, 5, 3])
    assert seen.known == [EMPTY, cards("8D JD"), EMPTY]

    seen.see(Acted(1, card("8D")))

    assert seen.known == [EMPTY, cards("JD"), EMPTY]
    assert view(*events, seat=1).hand == cards("6S 9S QC 8D JD")


def test_a_beaten_attack_is_gone() -> None:
    seen = view(Acted(0, card("8D")), Acted(1, card("QC")), Cleared(cards("8D QC")))

    assert (seen.table, seen.gone) == ([], cards("8D QC"))


def test_cards_shown_are_known() -> None:
    assert view(Shown(2, cards(HANDS[2]))).known == [EMPTY, EMPTY, cards(HANDS[2])]
    assert view(Shown(0, cards(HANDS[0]))).known == [EMPTY] * 3


def test_a_seat_that_is_out_holds_nothing_and_what_was_known_of_it_is_gone() -> None:
    events: list[Event] = [Acted(0, card("8D")), Acted(1, TAKE), PickedUp(1, cards("8D")), Out(1)]

    others, own = view(*events), view(*events, seat=1)

    assert others.out == own.out == [1]
    assert others.hand_counts == own.hand_counts == [2, 0, 3]
    assert (others.known, others.gone) == ([EMPTY] * 3, cards("8D"))
    assert (own.hand, own.gone) == (EMPTY, cards("6S 9S QC 8D"))


def test_points_add_up_and_the_pot_is_told() -> None:
    seen = view(Scored((-60, -60, -60), 180), Scored((180, 0, 0), 0))

    assert (seen.points, seen.pot) == ([120, -60, -60], 0)


def test_unseen_is_all_that_the_seat_has_not_seen() -> None:
    pack = set_of(range(52))
    open_cards = cards(f"{HANDS[0]} {UPCARD}")
    assert view().unseen == pack & ~open_cards

    seen = view(Acted(1, card("QC")), Acted(2, card("KD")), Cleared(cards("QC KD")), Shown(1, cards("6S 9S")))

    assert seen.unseen == pack & ~(open_cards | cards("QC KD 6S 9S"))
    assert view(Acted(1, card("QC")), Taken(1, cards("QC"))).unseen == pack & ~(open_cards | cards("QC"))


def test_events_of_the_deal_are_kept_as_the_seat_saw_them() -> None:
    seen = view(Acted(0, card("8D")), Drew(1, cards("7S")))

    assert seen.deal_events == [
        HandDealt(2, 1, cards(HANDS[0]), cards(UPCARD)),
        Acted(0, card("8D")),
        Drawn(1, 1, EMPTY),
    ]
