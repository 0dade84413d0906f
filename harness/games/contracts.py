"""The six contracts of Guillotine: what the tricks, or going out, are worth (G5, G6.11)."""

from collections.abc import Sequence

from harness.cards import EMPTY, HEARTS, KING, QUEEN, RANK_MASKS, SPADES, SUIT_MASKS, Card, CardSet
from harness.games.game import GUILLOTINE, PARLIAMENT, QUEENS, ROYALTY, SPADES_CONTRACT, Action, Seat, Taken

SEAT_COUNT = 4  # G1.3

_KING_OF_HEARTS = SUIT_MASKS[HEARTS] & RANK_MASKS[KING]
_QUEEN_OF_SPADES = SUIT_MASKS[SPADES] & RANK_MASKS[QUEEN]

# By contract: sets of cards, and the points for each card of them.
_CARD_POINTS: dict[Action | None, tuple[tuple[CardSet, int], ...]] = {
    ROYALTY: ((_KING_OF_HEARTS, 20), (_QUEEN_OF_SPADES, 10)),  # G5.1
    QUEENS: ((RANK_MASKS[QUEEN], 10), (_KING_OF_HEARTS, -10)),  # G5.2
    SPADES_CONTRACT: ((SUIT_MASKS[SPADES], 5), (_KING_OF_HEARTS, -10)),  # G5.3
    PARLIAMENT: ((_KING_OF_HEARTS, -10),),  # G5.4
    GUILLOTINE: ((_KING_OF_HEARTS, 10), (SUIT_MASKS[SPADES], 5), (RANK_MASKS[QUEEN], 10)),  # G5.5; G5.6: QS is in two
}


def card_points(contract: Action | None, card: Card) -> int:
    """Points for whoever takes `card` in a trick under `contract`; 0 in Domino, and before a contract is named.

    >>> card_points(GUILLOTINE, 49)  # the queen of spades, G5.6
    15
    """
    return sum(each for cards, each in _CARD_POINTS.get(contract, ()) if cards >> card & 1)


def trick_points(contract: Action, tricks: Sequence[Taken]) -> tuple[int, ...]:
    """Points by seat for the `tricks` of a whole deal, in order, under one of the five trick contracts."""
    taken = [EMPTY] * SEAT_COUNT
    points = [0] * SEAT_COUNT
    for seat, cards in tricks:
        taken[seat] |= cards
    for worth, each in _CARD_POINTS[contract]:
        for seat, cards in enumerate(taken):
            points[seat] += each * (cards & worth).bit_count()
    if contract == PARLIAMENT:
        for seat, _ in tricks:
            points[seat] -= 5  # G5.4
    elif contract == GUILLOTINE:
        points[tricks[0].seat] += 5  # G5.5; G5.6: one seat may win both
        points[tricks[-1].seat] += 5
    return tuple(points)


def domino_points(first_out: Seat, second_out: Seat) -> tuple[int, ...]:
    """Points by seat for a deal of Domino (G6.11)."""
    return tuple(-30 if seat == first_out else -10 if seat == second_out else 0 for seat in range(SEAT_COUNT))
