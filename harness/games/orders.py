"""Orders of the ranks, and which cards stand next to each other in them."""

from collections.abc import Sequence
from itertools import pairwise

from harness.cards import ACE, CARD_COUNT, EIGHT, EMPTY, JACK, KING, NINE, QUEEN, SEVEN, TEN, CardSet, Rank

RANK_ORDERS: dict[str, tuple[Rank, ...]] = {
    "seed": (SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE),
    "french": (SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE),
}
"""Ranks of the pack of 32, low to high (G1.2, G-A1)."""


def neighbours(order: Sequence[Rank]) -> tuple[CardSet, ...]:
    """By card: those of its suit whose ranks stand next to its own in `order`. The ends do not meet (G6.3)."""
    found = [EMPTY] * CARD_COUNT
    for suit in range(4):
        for low, high in pairwise(13 * suit + rank for rank in order):
            found[low] |= 1 << high
            found[high] |= 1 << low
    return tuple(found)
