"""What is a set, and which one a hand shows."""

from itertools import combinations

import pytest

from harness.cards import EMPTY, parse_cards, set_of
from harness.games.bouts import PACK
from harness.games.sets import SETS, set_in


def cards(names: str) -> int:
    return set_of(parse_cards(names))


def test_z3_1_a_set_is_three_cards_of_one_suit_or_one_rank() -> None:
    found = {
        set_of(three)
        for three in combinations(PACK, 3)
        if len({card // 13 for card in three}) == 1 or len({card % 13 for card in three}) == 1
    }

    assert found == SETS
    assert len(SETS) == 4 * 84 + 9 * 4


@pytest.mark.parametrize("hand", ["", "6S 9S", "6S 7S 8H", "6S 7S 8S 9S", "QH QD QC QS"])
def test_z3_1_exactly_three_cards_are_needed(hand: str) -> None:
    assert set_in(cards(hand), exact=True) == EMPTY


@pytest.mark.parametrize(
    ("hand", "shown"),
    [
        ("6S 9S", ""),
        ("6S 7S 8H", ""),
        ("6S 7D 8H 9C TH", ""),
        ("6S 9S AS", "6S 9S AS"),
        ("6S 9S AS KD", "6S 9S AS"),
        ("QH QD QC 6S 7H", "QC QD QH"),
        ("6S 7S 8S 9S TS", "6S 7S 8S"),
        ("QC QD QH 6S 7S 8S", "QC QD QH"),
    ],
)
def test_za3_without_exact_the_lowest_set_of_the_hand_is_shown(hand: str, shown: str) -> None:
    assert set_in(cards(hand), exact=False) == cards(shown)
