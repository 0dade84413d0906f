"""Orders of the ranks, and which cards stand next to each other in them."""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from harness.cards import (
    ACE,
    CARD_COUNT,
    EIGHT,
    EMPTY,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANK_MASKS,
    SEVEN,
    TEN,
    Card,
    CardSet,
    Rank,
    rank_of,
)

RANK_ORDERS: dict[str, tuple[Rank, ...]] = {
    "seed": (SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE),
    "french": (SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE),
}
"""Ranks of the pack of 32, low to high (G1.2, G-A1)."""


@cache
def neighbours(order: tuple[Rank, ...]) -> tuple[CardSet, ...]:
    """By card: those of its suit whose ranks stand next to its own in `order`. The ends do not meet (G6.3)."""
    found = [EMPTY] * CARD_COUNT
    for suit in range(4):
        for low, high in pairwise(13 * suit + rank for rank in order):
            found[low] |= 1 << high
            found[high] |= 1 << low
    return tuple(found)


def fitting_cards(layout: Iterable[Card], rank_order: str, *, same_rank: str) -> CardSet:
    """The cards that fit a layout of Domino laid in this order, with some that lie there already (G6.3, G6.4).

    `rank_order` and `same_rank` are values of the options `rank_order` and `domino_same_rank`.
    """
    fitting = EMPTY
    for card in layout:
        if not fitting or same_rank == "any":
            fitting |= RANK_MASKS[rank_of(card)]
        fitting |= neighbours(RANK_ORDERS[rank_order])[card]
    return fitting
