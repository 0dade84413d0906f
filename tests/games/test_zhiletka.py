"""The rules of Zhiletka, a test or more for each clause of docs/rules/zhiletka.md."""

import pickle
from random import Random

import pytest

from harness.cards import EMPTY, card_name, parse_card, set_of
from harness.games import zhiletka
from harness.games.game import (
    TAKE,
    Acted,
    Cleared,
    Dealt,
    Decision,
    Drew,
    IllegalAction,
    OptionValue,
    Out,
    Outcome,
    PickedUp,
    Scored,
    Shown,
    Shuffle,
    State,
    outcome_places,
)
from harness.games.view import Drawn, HandDealt, project
from harness.games.zhiletka import Attacking, Between, Finished
from tests.games.zhiletka_table import GAME, NO_SET, Options, cards, deck_for, first_hand, legal, play, position


def shuffled(random: Random) -> tuple[int, ...]:
    return tuple(random.sample(GAME.pack, len(GAME.pack)))


# Z1


def test_z1_1_there_are_36_cards_from_six_to_ace() -> None:
    assert len(GAME.pack) == 36
    assert {"6", "7", "8", "9", "T", "J", "Q", "K", "A"} == {card_name(card)[0] for card in GAME.pack}


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5, 6])
def test_z1_3_two_to_six_may_play(seat_count: int) -> None:
    state = GAME.start(seat_count, seat_count - 1)

    assert isinstance(state.pending, Shuffle)
    assert state.pending.cards == GAME.pack
    assert (state.deal_index, state.dealer, state.points) == (0, seat_count - 1, (0,) * seat_count)


@pytest.mark.parametrize("seat_count", [-1, 0, 1, 7])
def test_z1_3_nobody_else_may(seat_count: int) -> None:
    with pytest.raises(ValueError, match=f"2 to 6 seats, not {seat_count}"):
        GAME.start(seat_count, 0)


@pytest.mark.parametrize("first_dealer", [-1, 3])
def test_the_first_dealer_sits_at_the_table(first_dealer: int) -> None:
    with pytest.raises(ValueError, match=f"no seat {first_dealer} at a table of 3"):
        GAME.start(3, first_dealer)


# Z2


def test_z2_1_everybody_puts_the_ante_into_the_pot_before_anything_else_is_scored() -> None:
    state, events = first_hand(deck_for(NO_SET[3]), 3, options={"ante": 120})

    assert [type(event) for event in events] == [Dealt, Scored]
    assert events[1] == Scored((-120, -120, -120), 360)
    assert state.points == (-120, -120, -120)


def test_z2_2_the_eliminated_are_back_in_the_next_hand() -> None:
    state, events = play(position("6D", "7S 7D KH 9C", stock="AD", attack="8H 8S"), "take")
    assert Out(1) in events

    state, _ = state.deal(deck_for(NO_SET[2], dealer=state.dealer))

    assert [cards(hand) for hand in NO_SET[2]] == [state.hand(seat) for seat in range(2)]


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("dealer", [0, 1])
def test_z2_3_three_cards_each_are_dealt_one_at_a_time_from_the_dealers_left(seat_count: int, dealer: int) -> None:
    deck = shuffled(Random(seat_count))

    _, (dealt, *_) = GAME.start(seat_count, dealer).deal(deck)

    assert isinstance(dealt, Dealt)
    assert (dealt.deal_index, dealt.dealer) == (0, dealer)
    for step in range(seat_count):
        expected = {deck[step], deck[step + seat_count], deck[step + 2 * seat_count]}
        assert set_of(expected) == dealt.hands[(dealer + 1 + step) % seat_count]


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5, 6])
def test_z2_4_the_next_card_is_turned_up_and_drawn_last(seat_count: int) -> None:
    deck = next(
        deck
        for deck in map(shuffled, map(Random, range(100)))
        if isinstance(GAME.start(seat_count, 0).deal(deck)[0], Attacking)
    )

    state, (dealt, *_) = GAME.start(seat_count, 0).deal(deck)

    upcard = deck[3 * seat_count]
    assert isinstance(dealt, Dealt)
    assert isinstance(state, Attacking)
    assert dealt.upcards == 1 << upcard
    assert state.stock == (*deck[3 * seat_count + 1 :], upcard)
    assert len(state.stock) == 36 - 3 * seat_count


def test_z2_4_the_suit_of_the_upcard_is_trumps() -> None:
    for upcard, covers in (("KS", ["cover:JD", "take"]), ("KC", ["cover:7C", "cover:JD", "take"])):
        state, _ = first_hand(deck_for(["7C JD AH", "8D 9S QH"], upcard=upcard), 2)

        assert covers == legal(play(state, "attack:8D")[0])


@pytest.mark.parametrize("deck", [(), GAME.pack[:-1], (*GAME.pack[:-1], GAME.pack[0]), (*GAME.pack[:-1], 0), range(52)])
def test_a_deck_is_a_permutation_of_the_pack(deck: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not a permutation of the 36 cards"):
        GAME.start(2, 0).deal(tuple(deck))


# Z3


@pytest.mark.parametrize("hand", ["6S 9S AS", "QH QD QC", "6C 7C 8C"])
def test_z3_2_a_set_after_the_deal_takes_the_pot_without_play(hand: str) -> None:
    """Every kind of set is worth the same; the third is of trumps."""
    state, events = first_hand(deck_for(["7D 8H 9H", hand, "JD KD 7H"], upcard="KC"), 3)

    assert events[2:] == [Shown(1, cards(hand)), Scored((0, 180, 0), 0)]
    assert state.points == (-60, 120, -60)
    assert isinstance(state.pending, Shuffle)
    assert state.deal_index == 1


TWO_SETS = deck_for(["6S 6D 6C", "7S 9D QC", "7H TH KH"])


def test_z3_3_several_with_a_set_share_the_pot_and_all_show_from_the_dealers_left() -> None:
    state, events = first_hand(TWO_SETS, 3)

    assert events[2:] == [Shown(2, cards("7H TH KH")), Shown(0, cards("6S 6D 6C")), Scored((90, 0, 90), 0)]
    assert state.points == (30, -60, 30)


@pytest.mark.parametrize(("dealer", "winner"), [(0, 2), (1, 2), (2, 0)])
def test_z3_3_option_eldest_pays_the_first_set_from_the_dealers_left_alone(dealer: int, winner: int) -> None:
    deck = deck_for(["6S 6D 6C", "7S 9D QC", "7H TH KH"], dealer=dealer)

    _, events = first_hand(deck, 3, dealer, {"initial_tie": "eldest"})

    shown = [event.seat for event in events if isinstance(event, Shown)]
    assert sorted(shown) == [0, 2]
    assert shown[0] == winner
    assert events[-1] == Scored(tuple(180 * (seat == winner) for seat in range(3)), 0)


def test_z3_4_a_set_is_no_decision() -> None:
    """The pot is paid within the step that made the set, and no action says so."""
    state, events = play(position("6D QD", "9S 7D KS", stock="AH TD 6C", attack="8S"), "cover:9S")

    assert [type(event) for event in events] == [Acted, Cleared, Drew, Drew, Shown, Scored]
    assert isinstance(state, Between)


def test_z3_5_where_both_would_have_a_set_the_defender_is_checked_first() -> None:
    """Beaten: seat 1 draws AD to three diamonds; seat 0 would draw a third queen."""
    state, events = play(position("QS QD", "9S 7D KD", stock="AD QH 6C", attack="8S"), "cover:9S")

    assert events[2:] == [Drew(1, cards("AD")), Shown(1, cards("7D KD AD")), Scored((0, 120), 0)]
    assert state.hand(0) == cards("QS QD")


# Z9


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("ante", [60, 180])
def test_z9_the_winner_gains_the_antes_of_all_others(seat_count: int, ante: int) -> None:
    plain = ["7D 8H 9H", "JD KD 7H", "7S 8C 9D", "JH QD 6H", "7C 8D QH"]
    deck = deck_for(["6S 9S AS", *plain[: seat_count - 1]])

    state, _ = first_hand(deck, seat_count, options={"ante": ante})

    assert state.points == ((seat_count - 1) * ante, *[-ante] * (seat_count - 1))


@pytest.mark.parametrize("remaining_count", [2, 3, 4, 5, 6])
def test_z11_6_an_undecided_pot_of_six_is_shared_in_whole_chips(remaining_count: int) -> None:
    out = range(remaining_count, 6)

    state, events = play(position("7S", "8S KD", *[""] * 4, out=out), "attack:7S", "cover:8S")

    share = 360 // remaining_count
    assert events[-1] == Scored((share,) * remaining_count + (0,) * len(out), 0)
    assert sum(state.points) == 0


# Z9, option undecided=carry

CARRY: Options = {"undecided": "carry", "hands_per_seat": 1}
UNDECIDED = ("attack:7S", "cover:8S")


def test_za23_option_carry_leaves_the_pot_for_the_next_hand() -> None:
    state, events = play(position("7S", "8S KD", options=CARRY), *UNDECIDED)
    assert events[-1] == Scored((0, 0), 120)
    assert state.points == (-60, -60)

    state, events_of_next = state.deal(deck_for(["6S 6D 6C", "7S 9D QC"], dealer=1))

    assert events_of_next[1:] == (Scored((-60, -60), 240), Shown(0, cards("6S 6D 6C")), Scored((240, 0), 0))
    assert state.points == (120, -120)


def test_za23_option_carry_an_initial_tie_shares_the_whole_pot() -> None:
    state, _ = play(position("7S", "8S KD", options=CARRY), *UNDECIDED)

    state, events = state.deal(deck_for(["6S 6D 6C", "7H TH KH"], dealer=1))

    assert events[-1] == Scored((120, 120), 0)
    assert state.points == (0, 0)


def test_za23_option_carry_the_last_hand_shares_the_whole_pot_among_the_not_eliminated() -> None:
    """The third hand of three, 180 of its 360 chips carried; seat 2 is out."""
    state, events = play(position("7S", "8S KD", "", out=[2], options=CARRY, pot=360, deal_index=2), *UNDECIDED)

    assert events[-1] == Scored((180, 180, 0), 0)
    assert isinstance(state, Finished)


# Options set_exact


EXACT_NO: Options = {"set_exact": False}


def test_za3_option_off_any_three_of_the_defenders_cards_are_a_set() -> None:
    before = ("6D QH", "9S 7D KD 9D JH")
    _, exact = play(position(*before, stock="AH TD 6C", attack="8S"), "cover:9S")
    assert not any(isinstance(event, Shown) for event in exact)

    _, events = play(position(*before, stock="AH TD 6C", attack="8S", options=EXACT_NO), "cover:9S")

    assert events[2:] == [Shown(1, cards("7D 9D KD")), Scored((0, 120), 0)]


def test_za3_option_off_any_three_of_the_attackers_cards_are_a_set() -> None:
    attacker = "6S JS KS QH"
    for answer in ("cover:9D", "take"):
        _, events = play(position(attacker, "9D 7C KH", attack="8D", options=EXACT_NO), answer)

        assert events[-2:] == [Shown(0, cards("6S JS KS")), Scored((120, 0), 0)]


# Z11


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("hands_per_seat", [1, 4])
def test_z11_everybody_deals_equally_often_and_the_points_are_the_sum_of_the_hands(
    seat_count: int, hands_per_seat: int
) -> None:
    random = Random(seat_count)
    state = zhiletka.game({"hands_per_seat": hands_per_seat}).start(seat_count, 1)
    dealers, hand_sums, totals = [], [], [0] * seat_count

    while isinstance(state.pending, Shuffle):
        dealers.append(state.dealer)
        state, events = state.deal(shuffled(random))
        told = list(events)
        while state.actions:
            state, events = state.act(random.choice(state.actions))
            told.extend(events)
        net = [sum(chips) for chips in zip(*(event.deltas for event in told if isinstance(event, Scored)), strict=True)]
        hand_sums.append(sum(net))
        totals = [total + chips for total, chips in zip(totals, net, strict=True)]

    assert dealers == [(1 + hand) % seat_count for hand in range(hands_per_seat * seat_count)]  # Z11.1, Z11.2
    assert set(hand_sums) == {0}  # Z11.4
    assert state.pending == Outcome(tuple(totals))
    assert (state.points, state.deal_index, state.dealer) == (tuple(totals), len(dealers) - 1, dealers[-1])


def test_z11_3_everybody_pays_every_ante_and_totals_may_be_negative() -> None:
    state = zhiletka.game({"hands_per_seat": 1}).start(3, 0)
    for dealer in range(3):
        state, _ = state.deal(deck_for(["6S 6D 6C", "7S 9D QC", "7H TC KH"], dealer=dealer))

    assert state.pending == Outcome((360, -180, -180))


def test_z11_5_the_highest_total_wins_and_equal_totals_share_the_place() -> None:
    assert outcome_places((120, 0, 0, -120)) == (1, 2, 2, 4)


def test_the_match_is_over_after_its_last_hand() -> None:
    state, _ = play(position("7S", "8S KD", deal_index=7), *UNDECIDED)

    assert isinstance(state, Finished)
    with pytest.raises(ValueError, match="the match is over"):
        state.deal(GAME.pack)
    with pytest.raises(IllegalAction, match="the match is over"):
        state.act(TAKE)


# Z12


def test_z12_a_draw_tells_others_how_many_and_nothing_else() -> None:
    drew = Drew(1, cards("AH 6C"))

    assert project(drew, 1) == Drawn(1, 2, cards("AH 6C"))
    assert {project(drew, viewer) for viewer in (0, 2)} == {Drawn(1, 2, EMPTY)}


def test_z12_a_deal_tells_a_seat_its_own_cards_and_the_upcard() -> None:
    deck = deck_for(NO_SET[3], upcard="KC")

    _, (dealt, *_) = GAME.start(3, 0).deal(deck)

    for seat in range(3):
        assert project(dealt, seat) == HandDealt(0, 0, cards(NO_SET[3][seat]), cards("KC"))


@pytest.mark.parametrize("kept", ["7D KH 9C", "JS QS KS"])
def test_z12_the_cards_of_the_eliminated_are_in_no_event(kept: str) -> None:
    _, events = play(position("6D JC", f"7S {kept}", "AH JD TC", stock="AD TD 6C", attack="8H 8S"), "take")

    told = [project(event, viewer=2) for event in events]
    assert told == [Acted(1, TAKE), PickedUp(1, cards("8H 8S")), Out(1), Drawn(0, 1, EMPTY)]


@pytest.mark.parametrize("held", ["9S 7D KH", "AS AC QH"])
def test_z12_nobody_hears_whether_the_taker_could_have_beaten(held: str) -> None:
    _, events = play(position("6D QH", held, stock="AD TD", attack="8S"), "take")

    assert [project(event, viewer=0) for event in events][:2] == [Acted(1, TAKE), PickedUp(1, cards("8S"))]


# The interface


def states_of_a_hand() -> list[State]:
    between = GAME.start(2, 0)
    attacking, _ = between.deal(deck_for(NO_SET[2], upcard="KC"))
    answering, _ = play(attacking, "attack:6S")
    finished, _ = play(position("7S", "8S KD", deal_index=7), *UNDECIDED)
    return [between, attacking, answering, finished]


@pytest.mark.parametrize("state", states_of_a_hand(), ids=lambda state: type(state).__name__)
def test_states_are_values(state: State) -> None:
    copy = pickle.loads(pickle.dumps(state))

    assert copy == state
    assert hash(copy) == hash(state)
    assert type(copy) is type(state)


@pytest.mark.parametrize("state", states_of_a_hand(), ids=lambda state: type(state).__name__)
def test_turn_and_actions_say_what_pending_says(state: State) -> None:
    pending = state.pending

    if isinstance(pending, Decision):
        assert (pending.seat, pending.actions) == (state.turn, state.actions)
    else:
        assert (state.turn, state.actions) == (None, ())


@pytest.mark.parametrize("state", states_of_a_hand(), ids=lambda state: type(state).__name__)
def test_an_action_that_is_not_offered_is_refused(state: State) -> None:
    for action in {-1, 0, 51, 52, 59, TAKE, 63, 64, 10**9} - set(state.actions):
        with pytest.raises(IllegalAction):
            state.act(action)


@pytest.mark.parametrize("state", states_of_a_hand()[1:3], ids=lambda state: type(state).__name__)
def test_a_deck_is_refused_while_a_hand_is_played(state: State) -> None:
    with pytest.raises(ValueError, match="no deck is awaited"):
        state.deal(GAME.pack)


def test_a_card_is_an_attack_or_a_cover_by_the_state() -> None:
    _, attacking, answering, _ = states_of_a_hand()

    assert GAME.action_name(attacking, parse_card("QC")) == "attack:QC"
    assert GAME.action_name(answering, parse_card("AC")) == "cover:AC"


def test_an_action_that_is_not_legal_has_no_name() -> None:
    with pytest.raises(ValueError, match="is not legal here"):
        GAME.action_name(states_of_a_hand()[1], TAKE)


def test_the_game_is_a_value_too() -> None:
    assert pickle.loads(pickle.dumps(GAME)).start(2, 1) == GAME.start(2, 1)


# Options


def test_options_hold_what_differs_from_the_defaults() -> None:
    given: dict[str, OptionValue] = {
        "undecided": "carry",
        "ante": "120",
        "hands_per_seat": 4,
        "set_exact": "false",
        "set_on_take": True,
    }

    assert zhiletka.game(given).options == (("ante", 120), ("set_exact", False), ("undecided", "carry"))
    assert GAME.options == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ante": 90}, "zhiletka option ante cannot be 90 (a positive multiple of 60, 300000 at the most)"),
        ({"ante": 0}, "ante cannot be 0"),
        ({"ante": -60}, "ante cannot be -60"),
        ({"ante": True}, "ante cannot be True"),
        ({"ante": "sixty"}, "ante cannot be 'sixty'"),
        ({"hands_per_seat": 0}, "hands_per_seat cannot be 0 (a positive whole number, 100 at the most)"),
        ({"initial_tie": "spilt"}, "initial_tie cannot be 'spilt'; did you mean 'split'? (split, eldest)"),
        ({"undecided": "eldest"}, "undecided cannot be 'eldest'"),
        ({"set_exact": "no"}, "set_exact cannot be 'no' (true, false)"),
        ({"set_on_take": 1}, "set_on_take cannot be 1"),
        ({"limit_attack": "Fales"}, "limit_attack cannot be 'Fales'"),
        ({"ante": -5, "set_on_take": 1, "foo": 1}, "'foo' (there are ante,"),
        ({"ante": 300060}, "ante cannot be 300060"),
        ({"hands": 3}, "zhiletka has no option 'hands'; did you mean 'hands_per_seat'?"),
        ({"colour": 3}, "zhiletka has no option 'colour' (there are ante, hands_per_seat, initial_tie, set_exact,"),
    ],
)
def test_options_that_do_not_exist_are_refused_by_name(options: Options, message: str) -> None:
    with pytest.raises(ValueError) as refusal:  # noqa: PT011  # the whole message is compared
        zhiletka.game(options)

    assert message in str(refusal.value)
