"""Sets of Zhiletka: the three cards that win a hand at once."""

from itertools import combinations

from harness.cards import EMPTY, RANK_MASKS, SIX, SUIT_MASKS, CardSet, cards_in, pack_from, set_of

HAND_SIZE = 3  # Z2.3, Z6.2

_PACK_MASK = set_of(pack_from(SIX))

SETS: frozenset[CardSet] = frozenset(
    set_of(cards)
    for group in SUIT_MASKS + RANK_MASKS
    for cards in combinations(cards_in(group & _PACK_MASK), HAND_SIZE)
)
"""Every set (Z3.1): three cards of one suit or of one rank, 372 of them."""


def set_in(hand: CardSet, *, exact: bool) -> CardSet:
    """The set that `hand` shows; EMPTY where it has none.

    `exact`: only a hand of exactly three cards can be one (Z3.1). Otherwise any three cards of the
    hand can; of several sets it shows the one whose cards are lowest, compared lowest card first.
    """
    if exact or hand.bit_count() <= HAND_SIZE:
        return hand if hand in SETS else EMPTY
    return next((cards for cards in map(set_of, combinations(cards_in(hand), HAND_SIZE)) if cards in SETS), EMPTY)
