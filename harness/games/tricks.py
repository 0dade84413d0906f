"""Pieces of any trick-taking game: what a hand may play to a trick, and which card wins it.

The sets of cards that are all of one suit are few (256 a suit in a pack of 32), so what a play needs
to know of them stands in tables. With `lists` and `highest` made once for the pack, a hand may play

    lists[hand & SUIT_MASK_OF[led]] or hand_list(lists, hand)

to a trick led with the card `led`, and of the cards `trick` it is won by `highest[trick & SUIT_MASK_OF[led]]`.
"""

from collections.abc import Iterator, Sequence

from harness.cards import CARD_COUNT, EMPTY, SUIT_MASKS, Card, CardSet, Rank, cards_in, rank_of, set_of, suit_of

SUIT_MASK_OF: tuple[CardSet, ...] = tuple(SUIT_MASKS[suit_of(card)] for card in range(CARD_COUNT))
"""By card: every card of its suit."""
_CLUBS, _DIAMONDS, _HEARTS, _SPADES = SUIT_MASKS

CardLists = dict[CardSet, tuple[Card, ...]]


def suit_sets(pack: Sequence[Card]) -> Iterator[CardSet]:
    """Every set of cards of `pack` that are all of one suit, the empty one once."""
    yield EMPTY
    for mask in SUIT_MASKS:
        cards = suit = set_of(pack) & mask
        while cards:
            yield cards
            cards = (cards - 1) & suit  # the next smaller number with no bit outside the suit


def card_lists(pack: Sequence[Card]) -> CardLists:
    """Cards, ascending, of every set of one suit of `pack`."""
    return {cards: cards_in(cards) for cards in suit_sets(pack)}


def hand_list(lists: CardLists, hand: CardSet) -> tuple[Card, ...]:
    """Cards of `hand`, of any suits, ascending."""
    return lists[hand & _CLUBS] + lists[hand & _DIAMONDS] + lists[hand & _HEARTS] + lists[hand & _SPADES]


def highest_cards(pack: Sequence[Card], order: Sequence[Rank]) -> dict[CardSet, Card]:
    """Highest card of every set of one suit of `pack` but the empty one; `order` has the ranks, low to high."""
    place = {rank: place for place, rank in enumerate(order)}
    return {cards: max(cards_in(cards), key=lambda card: place[rank_of(card)]) for cards in suit_sets(pack) if cards}
