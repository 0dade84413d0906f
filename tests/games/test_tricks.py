"""What a hand may play to a trick, and which card wins it."""

import pytest

from harness.cards import ACE, EMPTY, KING, QUEEN, SEVEN, TEN, cards_in, pack_from, parse_card, parse_cards, set_of
from harness.games.orders import RANK_ORDERS, neighbours
from harness.games.tricks import SUIT_MASK_OF, card_lists, hand_list, highest_cards, suit_sets

PACK = pack_from(SEVEN)
LISTS = card_lists(PACK)


def may_play(hand: str, led: str) -> set[int]:
    held = set_of(parse_cards(hand))
    return set(LISTS[held & SUIT_MASK_OF[parse_card(led)]] or hand_list(LISTS, held))


def test_there_are_256_sets_of_each_suit_of_eight_cards() -> None:
    sets = list(suit_sets(PACK))

    assert len(sets) == len(set(sets)) == 1 + 4 * 255
    assert all(sum(bool(cards & SUIT_MASK_OF[first]) for first in (0, 13, 26, 39)) == 1 for cards in sets if cards)


def test_a_list_has_the_cards_of_its_set_ascending() -> None:
    assert all(cards_in(cards) == listed for cards, listed in LISTS.items())
    assert LISTS[EMPTY] == ()


def test_a_hand_is_listed_ascending_over_all_suits() -> None:
    hand = parse_cards("AS 7C KD 7H 8C")

    assert hand_list(LISTS, set_of(hand)) == tuple(sorted(hand))


@pytest.mark.parametrize(
    ("hand", "led", "expected"),
    [("7S AS KH", "9S", "7S AS"), ("KH QD", "9S", "KH QD"), ("KH", "7H", "KH"), ("7C 8C TD", "AC", "7C 8C")],
)
def test_a_hand_follows_suit_or_plays_anything(hand: str, led: str, expected: str) -> None:
    assert may_play(hand, led) == set(parse_cards(expected))


@pytest.mark.parametrize(
    ("trick", "order", "winner"),
    [
        ("TH KH AS 7H", "seed", "KH"),
        ("TH KH AS 7H", "french", "TH"),
        ("7C AS AH AD", "seed", "7C"),
        ("QD AD TD KD", "french", "AD"),
    ],
)
def test_the_highest_card_of_the_suit_led_wins(trick: str, order: str, winner: str) -> None:
    played = parse_cards(trick)
    highest = highest_cards(PACK, RANK_ORDERS[order])

    assert highest[set_of(played) & SUIT_MASK_OF[played[0]]] == parse_card(winner)


def test_an_order_may_be_any() -> None:
    highest = highest_cards(pack_from(TEN), (ACE, KING, QUEEN, 9, TEN))

    assert highest[set_of(parse_cards("TS JS AS"))] == parse_card("TS")


@pytest.mark.parametrize(
    ("order", "card", "expected"),
    [
        ("seed", "7H", "8H"),
        ("seed", "AH", "KH"),
        ("seed", "9C", "8C TC"),
        ("french", "TS", "KS AS"),
        ("french", "9S", "8S JS"),
        ("french", "AD", "TD"),
    ],
)
def test_neighbours_are_of_one_suit_and_the_ends_do_not_meet(order: str, card: str, expected: str) -> None:
    assert neighbours(RANK_ORDERS[order])[parse_card(card)] == set_of(parse_cards(expected))


def test_a_card_outside_the_order_has_no_neighbours() -> None:
    assert neighbours(RANK_ORDERS["seed"])[parse_card("6S")] == EMPTY
