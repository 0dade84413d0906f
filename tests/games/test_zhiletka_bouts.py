"""The bouts of Zhiletka: clauses Z4 to Z8 of docs/rules/zhiletka.md."""

import pytest

from harness.cards import EMPTY, parse_card, set_name, set_of
from harness.games.game import TAKE, Acted, Cleared, Drew, IllegalAction, Out, PickedUp, Scored, Shown, pair
from harness.games.zhiletka import Attacking
from tests.games.zhiletka_table import NO_SET, cards, deck_for, first_hand, legal, play, position, seated

# Z4


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_z4_1_the_seat_on_the_dealers_left_attacks_first(dealer: int) -> None:
    state, _ = first_hand(deck_for(NO_SET[3], dealer=dealer), 3, dealer)

    assert seated(state) == ((dealer + 1) % 3, (dealer + 2) % 3)


def test_z4_2_the_next_seat_with_cards_is_attacked() -> None:
    """Seat 1 is out, seat 2 has no cards (the stock is empty), so seat 0 attacks seat 3."""
    state, _ = play(position("8S 9H 6D", "", "", "7S TD", attacker=3, out=[1]), "attack:7S", "cover:8S")

    assert seated(state) == (0, 3)


def test_z4_3_an_attack_is_one_card_or_two_of_a_suit_or_rank() -> None:
    state = position("7S 9S 9D JS", "6H 7H QC")

    assert legal(state) == [
        *("attack:9D", "attack:7S", "attack:9S", "attack:JS"),
        *("attack:9D+9S", "attack:7S+9S", "attack:7S+JS", "attack:9S+JS"),
    ]


def test_z4_3_there_is_no_passing() -> None:
    assert legal(position("7S", "6H")) == ["attack:7S"]


@pytest.mark.parametrize(
    ("limit_attack", "attacks"),
    [(True, ["attack:7D", "attack:9D"]), (False, ["attack:7D", "attack:9D", "attack:7D+9D"])],
)
def test_z4_3_za11_no_more_cards_than_the_defender_holds_by_option(limit_attack: bool, attacks: list[str]) -> None:
    """Seat 1 has beaten an attack and attacks seat 2, which holds one card; the stock is empty."""
    before = position("KD 6C", "8S 7D 9D", "AH", attack="7S", options={"limit_attack": limit_attack})

    state, _ = play(before, "cover:8S")

    assert seated(state) == (1, 2)
    assert legal(state) == attacks


def test_z4_3_without_the_limit_one_card_cannot_beat_two() -> None:
    state = position("7S 9S JD", "AS", options={"limit_attack": False})

    state, _ = play(state, "attack:7S+9S")

    assert legal(state) == ["take"]


# Z5


def test_z5_1_a_pair_attack_is_offered_once_lower_card_first() -> None:
    state = position("9S 7S", "8S TS", stock="6C")

    assert [action for action in state.actions if action >= 64] == [pair(parse_card("7S"), parse_card("9S"))]
    with pytest.raises(IllegalAction):
        state.act(pair(parse_card("9S"), parse_card("7S")))


def test_z5_1_the_first_cover_card_lies_on_the_first_attack_card() -> None:
    state, _ = play(position("7S 9S KD", "8S TS QH", stock="6C"), "attack:7S+9S")

    assert legal(state) == ["take", "cover:8S+TS"]


def test_z5_1_both_orders_are_two_actions_where_both_beat() -> None:
    state, _ = play(position("7S 9S KD", "TS QS 6C", stock="AC"), "attack:7S+9S")

    assert legal(state) == [
        "take",
        *("cover:TS+6C", "cover:QS+6C", "cover:6C+TS", "cover:QS+TS", "cover:6C+QS", "cover:TS+QS"),
    ]


def test_z5_2_higher_in_suit_or_any_trump_on_a_plain_card() -> None:
    assert legal(position("QC", "TD 8D 6H AS", attack="9D", trump="H")) == ["cover:TD", "cover:6H", "take"]


def test_z5_2_only_a_higher_trump_on_a_trump() -> None:
    assert legal(position("QC", "7H KH AD", attack="8H", trump="H")) == ["cover:KH", "take"]


def test_z5_3_beating_one_of_two_is_not_beating() -> None:
    assert legal(position("QC", "TD 8S 7C", attack="9D 9S", trump="H")) == ["take"]


def test_z5_3_one_card_does_not_beat_two() -> None:
    assert legal(position("QC", "6H 8S 7C", attack="9D 9S", trump="H")) == ["take"]


def test_z5_4_taking_is_allowed_also_when_he_could_beat() -> None:
    state, events = play(position("6D QH", "9S 7D KH", stock="AD TD", attack="8S"), "take")

    assert events[:2] == [Acted(1, TAKE), PickedUp(1, cards("8S"))]
    assert state.hand(1) == cards("8S 9S 7D KH")


# Z6


def test_z6_1_attack_and_cover_leave_the_game() -> None:
    state, events = play(position("KD", "8S TS QH", stock="AH 6C 7C 8C 9C", attack="7S 9S"), "cover:8S+TS")

    assert events[1] == Cleared(cards("7S 8S 9S TS"))
    assert isinstance(state, Attacking)
    left = set_of(state.stock) | state.hand(0) | state.hand(1)
    assert not left & cards("7S 8S 9S TS")


def test_z6_2_the_defender_draws_first_up_to_three() -> None:
    state, events = play(position("KD", "8S TS QH", stock="AH 6C 7C 8C 9C", attack="7S 9S"), "cover:8S+TS")

    assert events[2:] == [Drew(1, cards("AH 6C")), Drew(0, cards("7C 8C"))]
    assert (state.hand(0), state.hand(1)) == (cards("KD 7C 8C"), cards("QH AH 6C"))


def test_z6_2_the_last_cards_go_to_the_defender() -> None:
    state, events = play(position("KD JH", "8S TS QH", stock="6C", attack="7S"), "cover:8S")

    assert events[2:] == [Drew(1, cards("6C"))]
    assert isinstance(state, Attacking)
    assert state.stock == ()


def test_z6_2_who_has_three_or_more_draws_nothing_and_no_event_says_so() -> None:
    _, events = play(position("6D QH", "9S 7D KD 9D JH", stock="AH TD", attack="8S"), "cover:9S")

    assert events[2:] == [Drew(0, cards("AH"))]


@pytest.mark.parametrize(
    ("hand", "attack", "cover"),
    [("9S TD TH TS", "8S", "cover:9S"), ("9S 9H TD TH TS", "8H 8S", "cover:9H+9S"), ("9S TD TH", "8S", "cover:9S")],
)
def test_z6_3_a_defender_left_with_or_drawing_a_set_wins(hand: str, attack: str, cover: str) -> None:
    """Four or five cards leave three without a draw; three leave two, and the ten of clubs is drawn."""
    _, events = play(position("6D 7H", hand, stock="TC JD", attack=attack), cover)

    shown, scored = events[-2:]
    assert isinstance(shown, Shown)
    assert (shown.seat, set_name(shown.cards).count("T")) == (1, 3)
    assert scored == Scored((0, 120), 0)


def test_z6_4_then_the_attacker_draws_and_wins_with_a_set() -> None:
    _, events = play(position("6D QD", "9S 7D KS", stock="AH TD 6C", attack="8S"), "cover:9S")

    assert events[2:] == [Drew(1, cards("AH")), Drew(0, cards("TD")), Shown(0, cards("6D TD QD")), Scored((120, 0), 0)]


def test_z6_4_an_attacker_with_a_set_wins_also_where_he_need_not_draw() -> None:
    _, events = play(position("6S JS KS", "9D 7D KH", stock="AC TD", attack="8D"), "cover:9D")

    assert events[2:] == [Drew(1, cards("AC")), Shown(0, cards("6S JS KS")), Scored((120, 0), 0)]


def test_z6_5_who_beat_an_attack_makes_the_next() -> None:
    state, _ = play(position("6D QH", "9S 7D KH", "AH JD TC", stock="AD TD 6C", attack="8S"), "cover:9S")

    assert seated(state) == (1, 2)


# Z7


def test_z7_the_cards_are_taken_into_the_hand_and_only_the_attacker_draws() -> None:
    state, events = play(position("6D QH", "7S", "AH JD TC", stock="AD TD 6C", attack="8S"), "take")

    assert events == [Acted(1, TAKE), PickedUp(1, cards("8S")), Drew(0, cards("AD"))]
    assert state.hand(1) == cards("7S 8S")


@pytest.mark.parametrize(("held", "attack", "is_out"), [("7S 7D KH", "8H 8S", False), ("7S 7D KH 9C", "8H 8S", True)])
def test_z7_1_six_cards_put_the_taker_out(held: str, attack: str, is_out: bool) -> None:
    state, events = play(position("6D JC", held, "AH JD TC", stock="AD TD 6C", attack=attack), "take")

    assert (Out(1) in events) == is_out
    assert isinstance(state, Attacking)
    assert (state.out == 1 << 1) == is_out


def test_z7_1_seven_cards_put_him_out_too() -> None:
    _, events = play(position("6D JC", "7S 7D KH 9C AS", "AH JD TC", stock="AD TD 6C", attack="8H 8S"), "take")

    assert Out(1) in events


def test_z7_2_the_cards_of_the_eliminated_leave_the_game_unseen() -> None:
    state, events = play(position("6D JC", "7S 7D KH 9C", "AH JD TC", stock="AD TD 6C", attack="8H 8S"), "take")

    assert events == [Acted(1, TAKE), PickedUp(1, cards("8H 8S")), Out(1), Drew(0, cards("AD"))]
    assert state.hand(1) == EMPTY


TAKER = ("6D JC", "8S TS", "AH JD TC")  # seat 1 takes 7S and has three spades; the stock is empty


def test_z7_3_a_taker_with_exactly_three_cards_that_are_a_set_wins() -> None:
    state, events = play(position(*TAKER, attack="7S"), "take")

    assert events[2:] == [Shown(1, cards("7S 8S TS")), Scored((0, 180, 0), 0)]
    assert state.points == (-60, 120, -60)


def test_z7_3_option_off_the_taker_plays_on() -> None:
    state, events = play(position(*TAKER, attack="7S", options={"set_on_take": False}), "take")

    assert events == [Acted(1, TAKE), PickedUp(1, cards("7S"))]
    assert seated(state) == (0, 1)


@pytest.mark.parametrize("set_exact", [True, False])
def test_z7_3_a_taker_with_four_cards_never_has_a_set(set_exact: bool) -> None:
    options = {"set_exact": set_exact}
    state, events = play(position("6D JC", "8S TS QH", "AH JD TC", attack="7S", options=options), "take")

    assert events == [Acted(1, TAKE), PickedUp(1, cards("7S"))]
    assert seated(state) == (0, 1)


def test_z7_3_the_taker_is_checked_before_the_attacker() -> None:
    """Seat 0 is left with exactly three spades as well."""
    _, events = play(position("6S JS AS", "8H TH", attack="7H"), "take")

    assert events[2:] == [Shown(1, cards("7H 8H TH")), Scored((0, 120), 0)]


def test_z7_4_the_attacker_draws_up_to_three_and_wins_with_a_set() -> None:
    _, events = play(position("6D", "7S TH KH", stock="AD TD 6C", attack="8H 8S"), "take")

    assert events[2:] == [Drew(0, cards("AD TD")), Shown(0, cards("6D TD AD")), Scored((120, 0), 0)]


def test_z7_5_the_same_seat_attacks_the_same_again() -> None:
    state, _ = play(position("6D QH", "7S 7D KH", "AH JD TC", stock="AD TD 6C", attack="8S"), "take")

    assert seated(state) == (0, 1)


def test_z7_5_the_same_seat_attacks_the_next_where_the_taker_is_out() -> None:
    state, _ = play(position("6D QH", "7S 7D KH 9C TH", "AH JD TC", stock="AD TD 6C", attack="8S"), "take")

    assert seated(state) == (0, 2)


# Z8


def test_z8_1_the_last_who_is_not_eliminated_wins_and_draws_no_more() -> None:
    state, events = play(position("6D", "7S 7D KH 9C", stock="AD TD 6C", attack="8H 8S"), "take")

    assert events[2:] == [Out(1), Scored((120, 0), 0)]
    assert state.points == (60, -60)


def test_z8_1_also_with_no_card_in_hand() -> None:
    state, events = play(position("AS", "8S KD JH 6H QC", "", out=[2]), "attack:AS", "take")

    assert events[-2:] == [Out(1), Scored((180, 0, 0), 0)]
    assert state.points == (120, -60, -60)


def test_z8_2_without_a_stock_nobody_draws_and_play_goes_on() -> None:
    state, events = play(position("6D QH", "9S 7D", "AH JD TC", attack="8S"), "cover:9S")

    assert [type(event) for event in events] == [Acted, Cleared]
    assert seated(state) == (1, 2)


def test_z8_2_an_attacker_without_cards_is_passed_over() -> None:
    state, _ = play(position("7S", "6S 9D", "AH"), "attack:7S", "take")

    assert seated(state) == (1, 2)


def test_z8_2_a_defender_without_cards_is_passed_over() -> None:
    state, _ = play(position("7S KD", "8S", "AH 6D"), "attack:7S", "cover:8S")

    assert seated(state) == (2, 0)


def test_z8_2_the_seat_passed_over_is_not_eliminated_and_shares_an_undecided_pot() -> None:
    """Seat 3 is out, seat 1 has had no cards for some time, seats 0 and 2 play their last."""
    state, events = play(position("7S", "", "8S", "", out=[3]), "attack:7S", "cover:8S")

    assert events[3:] == [Scored((80, 80, 80, 0), 0)]
    assert state.points == (20, 20, 20, -60)


def test_z8_3_a_hand_in_which_no_attack_is_possible_is_undecided() -> None:
    state, events = play(position("7S", "8S KD"), "attack:7S", "cover:8S")

    assert events[3:] == [Scored((60, 60), 0)]
    assert state.points == (0, 0)


def test_z8_3_a_bout_that_has_begun_is_finished_first() -> None:
    """Seat 0 has laid its last card: only seat 1 holds cards, and yet it answers, and wins with a set."""
    state, _ = play(position("7S", "8S TS"), "attack:7S")
    assert legal(state) == ["cover:8S", "cover:TS", "take"]

    _, events = play(state, "take")

    assert events[-1] == Scored((0, 120), 0)
