"""The rules of Guillotine, a test or more for each clause of docs/rules/guillotine.md; G6 has a file of its own."""

from collections import Counter

import pytest

from harness.cards import EMPTY, card_name, parse_card
from harness.games.contracts import trick_points
from harness.games.game import (
    CONTRACT_NAMES,
    CONTRACTS,
    DOMINO,
    END,
    GUILLOTINE,
    PARLIAMENT,
    PASS,
    QUEENS,
    ROYALTY,
    SPADES_CONTRACT,
    TAKE,
    Acted,
    Dealt,
    Decision,
    IllegalAction,
    OptionValue,
    Outcome,
    Scored,
    Shuffle,
    Taken,
    outcome_places,
)
from harness.games.guillotine import Finished, Playing, game
from harness.games.view import HandDealt, project
from tests.games.guillotine_table import (
    GAME,
    ONE_SUIT_EACH,
    announcing,
    card_actions,
    cards,
    deal_and_play,
    deck_for,
    deltas,
    in_domino,
    in_trick,
    legal,
    play,
)
from tests.games.matches import Step, steps_of

HANDS = ("7S AS KH QD", "7H 8H 9H TH", "7C 8C 9C TC", "7D 8D 9D TD")
EACH_HIS_SUIT = [f"play:{rank}{suit}" for rank in "789TJQKA" for suit in "SHCD"]
"""Plays of ONE_SUIT_EACH: seat 0 leads its spades, nobody can follow."""


def match(seed: int) -> list[Step]:
    return list(steps_of(GAME, 4, seed))


# G1


def test_g1_1_there_are_32_cards_from_seven_to_ace() -> None:
    assert len(GAME.pack) == 32
    assert {card_name(card)[0] for card in GAME.pack} == set("789TJQKA")


@pytest.mark.parametrize(("low", "high"), ["78", "89", "9T", "TJ", "JQ", "QK", "KA"])
def test_g1_2_ranks_go_from_seven_to_ace(low: str, high: str) -> None:
    state = in_trick("7D", "7D", "7D", f"{high}H", leader=0, trick=f"{low}H")
    _, events = play(state, "play:7D", "play:7D", f"play:{high}H")

    assert next(event.seat for event in events if isinstance(event, Taken)) == 3


def test_g1_2_there_are_no_trumps() -> None:
    state = in_trick("8C", "AS", "AH", "AD", trick="7C")

    _, events = play(state, "play:AS", "play:AH", "play:AD")

    assert Taken(0, cards("7C AS AH AD")) in events


@pytest.mark.parametrize("seat_count", [0, 2, 3, 5, 6])
def test_g1_3_four_play_and_nobody_else(seat_count: int) -> None:
    assert GAME.seat_counts == (4,)
    with pytest.raises(ValueError, match=f"4 seats, not {seat_count}"):
        GAME.start(seat_count, 0)


# G2


@pytest.mark.parametrize("first_dealer", range(4))
def test_g2_1_the_first_dealer_is_given(first_dealer: int) -> None:
    state = GAME.start(4, first_dealer)

    assert (state.dealer, state.deal_index, state.points) == (first_dealer, 0, (0, 0, 0, 0))
    assert state.pending == Shuffle(GAME.pack)


@pytest.mark.parametrize("first_dealer", [-1, 4])
def test_g2_1_the_first_dealer_sits_at_the_table(first_dealer: int) -> None:
    with pytest.raises(ValueError, match=f"no seat {first_dealer} at a table of 4"):
        GAME.start(4, first_dealer)


def test_g2_2_the_deal_moves_one_seat_clockwise_24_times() -> None:
    dealt = [event for step in match(1) for event in step.events if isinstance(event, Dealt)]

    assert [event.deal_index for event in dealt] == list(range(24))
    assert [event.dealer for event in dealt] == [(dealt[0].dealer + index) % 4 for index in range(24)]


@pytest.mark.parametrize("dealer", range(4))
def test_g2_3_each_is_dealt_eight_cards_one_at_a_time_from_the_dealers_left(dealer: int) -> None:
    deck = deck_for(ONE_SUIT_EACH, 0)

    state, events = GAME.start(4, dealer).deal(deck)

    hands = [cards(hand) for hand in ONE_SUIT_EACH]  # as dealer 0 deals them: deck[0] is seat 1's
    expected = tuple(hands[(seat - dealer) % 4] for seat in range(4))
    assert events == (Dealt(0, dealer, expected, EMPTY),)
    assert tuple(state.hand(seat) for seat in range(4)) == expected
    assert 1 << deck[0] & state.hand((dealer + 1) % 4)


# G3


def test_g3_1_the_dealer_announces_after_the_deal_and_all_are_told() -> None:
    state, _ = GAME.start(4, 2).deal(deck_for(ONE_SUIT_EACH, 2))
    assert state.pending == Decision(2, CONTRACTS)

    state, events = play(state, "contract:parliament")

    assert events == [Acted(2, PARLIAMENT)]
    assert [project(events[0], viewer) for viewer in range(4)] == [Acted(2, PARLIAMENT)] * 4


def test_g3_2_a_contract_that_the_dealer_has_announced_is_not_offered_again() -> None:
    state = announcing(*HANDS, dealer=2, used=["royalty", "domino", "spades"])

    assert legal(state) == {"contract:queens", "contract:parliament", "contract:guillotine"}
    with pytest.raises(IllegalAction, match=f"action {ROYALTY} is not a contract that seat 2 may announce"):
        state.act(ROYALTY)


def test_g3_2_the_sixth_contract_is_a_decision_with_one_action() -> None:
    state = announcing(*HANDS, used=[name for name in CONTRACT_NAMES if name != "domino"])

    assert state.pending == Decision(0, (DOMINO,))


def test_g3_2_every_dealer_announces_each_contract_once() -> None:
    announced = Counter(
        (event.seat, event.action)
        for step in match(2)
        for event in step.events
        if isinstance(event, Acted) and event.action in CONTRACTS
    )

    assert announced == {(seat, contract): 1 for seat in range(4) for contract in CONTRACTS}


def test_g3_2_what_others_have_announced_does_not_matter() -> None:
    state, _ = deal_and_play(ONE_SUIT_EACH, 0, ["contract:royalty", *EACH_HIS_SUIT])
    state, _ = state.deal(GAME.pack)

    assert state.pending == Decision(1, CONTRACTS)


# G4


def test_g4_1_the_dealer_leads_any_card() -> None:
    state, _ = play(announcing(*HANDS, dealer=0), "contract:royalty")

    assert state.pending == Decision(0, card_actions("7S AS KH QD"))


def test_g4_2_a_seat_must_follow_suit_and_need_not_beat() -> None:
    state = in_trick(*HANDS, leader=3, trick="9S")

    assert state.pending == Decision(0, card_actions("7S AS"))


def test_g4_2_play_goes_clockwise() -> None:
    state = in_trick(*HANDS, leader=2, trick="JC")
    turns = [state.turn]

    for text in ("play:7D", "play:7S"):
        state, _ = play(state, text)
        turns.append(state.turn)

    assert turns == [3, 0, 1]


def test_g4_3_a_void_hand_may_play_anything() -> None:
    state = in_trick("KH QD 7C QS", "7H", "8C", "7D", leader=2, trick="AS JD")
    assert legal(state) == {"play:QS"}, "one spade is enough to be bound"

    state = in_trick("KH QD 7C", "7H", "8C", "7D", leader=3, trick="9S")
    assert legal(state) == {"play:KH", "play:QD", "play:7C"}

    state = in_trick("QS QD 7C", "7H", "8C", "7D", leader=3, trick="9H")
    assert legal(state) == {"play:QS", "play:QD", "play:7C"}


@pytest.mark.parametrize("led", ["7H", "KH", "QS"])
def test_g4_3_hearts_the_king_and_the_queen_may_be_led_at_any_time(led: str) -> None:
    state, _ = play(announcing("7H KH QS 7C", *HANDS[1:]), "contract:guillotine")

    assert f"play:{led}" in legal(state)


def test_g4_4_the_highest_card_of_the_suit_led_takes_the_trick() -> None:
    state = in_trick("7C", "7C", "AS", "8H", leader=0, trick="TH KH")

    _, events = play(state, "play:AS", "play:8H")

    assert events == [Acted(2, parse_card("AS")), Acted(3, parse_card("8H")), Taken(1, cards("TH KH AS 8H"))]


def test_g4_5_the_winner_leads_the_next_trick() -> None:
    state = in_trick("7C", "7S 9D", "AS 8D", "8H 9S", leader=0, trick="TH KH")

    state, _ = play(state, "play:AS", "play:8H")

    assert state.pending == Decision(1, card_actions("7S 9D"))
    assert isinstance(state, Playing)
    assert state.trick == ()


def test_g4_6_all_eight_tricks_are_played_when_the_points_are_decided() -> None:
    state, events = deal_and_play(ONE_SUIT_EACH, 0, ["contract:royalty", *EACH_HIS_SUIT[:28]])
    # Seven tricks: the queen of spades and the king of hearts were taken long ago.
    assert not any(isinstance(event, Scored) for event in events)

    state, events = play(state, *EACH_HIS_SUIT[28:])

    assert [type(event) for event in events] == [Acted, Acted, Acted, Acted, Taken, Scored]
    assert isinstance(state.pending, Shuffle)


# G5: the distribution of the worked examples.

EIGHT_TRICKS = [
    (2, "AS 7S 8S 9S"),
    (2, "KS TS QH JS"),
    (0, "AH QS KH 7H"),
    (1, "AC KC QC JC"),
    (1, "TC 9C 8C 7C"),
    (3, "AD KD QD JD"),
    (0, "TH 9H 8H JH"),
    (3, "TD 9D 8D 7D"),
]


@pytest.mark.parametrize(
    ("contract", "points"),
    [
        pytest.param(ROYALTY, (30, 0, 0, 0), id="g5_1"),
        pytest.param(QUEENS, (0, 10, 10, 10), id="g5_2"),
        pytest.param(SPADES_CONTRACT, (-5, 0, 35, 0), id="g5_3"),
        pytest.param(PARLIAMENT, (-20, -10, -10, -10), id="g5_4"),
        pytest.param(GUILLOTINE, (25, 10, 50, 15), id="g5_5"),
    ],
)
def test_g5_what_the_tricks_are_worth(contract: int, points: tuple[int, ...]) -> None:
    tricks = [Taken(seat, cards(names)) for seat, names in EIGHT_TRICKS]

    assert trick_points(contract, tricks) == points


def test_g5_6_the_queen_of_spades_is_a_queen_and_a_spade() -> None:
    tricks = [Taken(0, EMPTY), Taken(1, cards("QS 7C 8C 9C")), Taken(0, EMPTY)]

    assert trick_points(GUILLOTINE, tricks) == (10, 15, 0, 0)
    assert trick_points(SPADES_CONTRACT, tricks) == (0, 5, 0, 0)


def test_g5_6_one_seat_may_win_the_first_and_the_last_trick() -> None:
    _, events = deal_and_play(ONE_SUIT_EACH, 0, ["contract:guillotine", *EACH_HIS_SUIT])

    assert deltas(events) == (100, 0, 0, 0)


# G7


def test_g7_1_the_match_ends_after_24_deals_and_takes_no_more() -> None:
    steps = match(3)
    last = steps[-1].after

    assert isinstance(last, Finished)
    assert (last.turn, last.actions, last.deal_index) == (None, (), 23)
    assert last.dealer == (steps[0].before.dealer + 23) % 4
    with pytest.raises(ValueError, match="no deck is awaited"):
        last.deal(GAME.pack)
    with pytest.raises(IllegalAction, match="the match is over"):
        last.act(0)


def test_g7_2_the_lowest_points_win() -> None:
    state = in_domino("8S", "AH", "AC", "", laid="8C", out=3, deal_index=23)

    over, events = play(state, "play:8S")

    assert deltas(events) == (-10, 0, 0, -30)
    assert over.pending == Outcome((10, 0, 0, 30))
    assert over.points == (-10, 0, 0, -30)


def test_g7_3_equal_points_share_the_place() -> None:
    assert outcome_places([-90, -90, -120, -100]) == (1, 1, 4, 3)


# G8


def test_g8_hands_are_hidden_and_all_else_is_public() -> None:
    for step in match(4):
        for event in step.events:
            seen = [project(event, viewer) for viewer in range(4)]
            if isinstance(event, Dealt):
                assert [each.hand for each in seen if isinstance(each, HandDealt)] == list(event.hands)
            else:
                assert seen == [event] * 4


# Options


def test_the_defaults_are_the_first_values() -> None:
    defaults: dict[str, OptionValue] = {"rank_order": "seed", "domino_same_rank": "start", "ace_bonus": "all"}

    assert GAME.options == ()
    assert game(defaults).options == ()
    assert game(defaults).start(4, 0) == GAME.start(4, 0)


def test_options_that_differ_are_told_by_name() -> None:
    chosen: dict[str, OptionValue] = {"rank_order": "french", "ace_bonus": "off", "domino_same_rank": "start"}

    assert game(chosen).options == (("ace_bonus", "off"), ("rank_order", "french"))
    assert game(chosen).start(4, 0) != GAME.start(4, 0)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"rank_ordr": "french"}, "no option 'rank_ordr'; did you mean 'rank_order'"),
        ({"trumps": "none"}, "no option 'trumps' .there are rank_order, domino_same_rank, ace_bonus"),
        ({"rank_order": "frensh"}, "'frensh'; did you mean 'french'"),
        ({"domino_same_rank": "anny"}, "'anny'; did you mean 'any'"),
        ({"ace_bonus": "2"}, "ace_bonus cannot be '2' .all, one, off"),
        ({"ace_bonus": True}, "ace_bonus cannot be True .all, one, off"),
    ],
)
def test_what_is_not_an_option_is_refused_with_what_would_be(options: dict[str, OptionValue], hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        game(options)


@pytest.mark.parametrize(("rank_order", "winner"), [("seed", 1), ("french", 0)])
def test_rank_order_says_whether_the_ten_beats_the_king(rank_order: str, winner: int) -> None:
    state = in_trick("7C", "7C", "AS", "8H", trick="TH KH", options={"rank_order": rank_order})

    _, events = play(state, "play:AS", "play:8H")

    assert Taken(winner, cards("TH KH AS 8H")) in events


@pytest.mark.parametrize(("low", "high"), ["78", "89", "9J", "JQ", "QK", "KT", "TA"])
def test_rank_order_french_is_seven_eight_nine_jack_queen_king_ten_ace(low: str, high: str) -> None:
    state = in_trick("7D", "7D", "7D", f"{high}H", trick=f"{low}H", options={"rank_order": "french"})

    _, events = play(state, "play:7D", "play:7D", f"play:{high}H")

    assert next(event.seat for event in events if isinstance(event, Taken)) == 3


# Refusals


@pytest.mark.parametrize("action", [*CONTRACTS, PASS, END, TAKE, -1, 0, 10**9, parse_card("7H")])
def test_in_a_trick_only_the_cards_offered_are_accepted(action: int) -> None:
    state = in_trick(*HANDS, leader=3, trick="9S")

    with pytest.raises(IllegalAction, match="not a card that seat 0 may play"):
        state.act(action)


def test_before_a_deal_nothing_is_accepted_but_the_pack() -> None:
    state = GAME.start(4, 0)

    with pytest.raises(IllegalAction, match="a deck is awaited"):
        state.act(ROYALTY)
    with pytest.raises(ValueError, match="not a permutation of the 32 cards"):
        state.deal(GAME.pack[:-1])
    with pytest.raises(ValueError, match="no deck is awaited"):
        state.deal(GAME.pack)[0].deal(GAME.pack)


@pytest.mark.parametrize("text", ["play:2C", "contract:barbu", "PASS", "take", "attack:QS"])
def test_a_text_that_denotes_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"not an action of Guillotine: '{text}'"):
        GAME.parse_action(text)


def test_an_action_that_is_not_legal_has_no_name() -> None:
    with pytest.raises(ValueError, match="has no name"):
        GAME.action_name(GAME.start(4, 0), PASS)
