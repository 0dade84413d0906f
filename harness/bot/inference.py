"""What a seat can infer of the other hands: worked out from what it saw, when a bot asks for it."""

from collections.abc import Sequence

from harness.cards import EMPTY, SUIT_MASKS, CardSet, suit_of
from harness.games.game import CONTRACTS, DOMINO, Acted, Seat, Taken, action_cards
from harness.games.view import SeatView


def possible_cards(fold: SeatView, unseen: CardSet) -> tuple[CardSet, ...]:
    """By seat: the cards that it may hold as far as the seat of `fold` knows; `unseen` are those it has not seen.

    A seat may hold what it is known to hold and, where it has more cards than that, any unseen one; but none of a suit
    that it did not follow in this deal (G4.2). The own seat holds its hand.
    """
    lacking = _not_followed(fold)
    possible = [
        known if known.bit_count() == count else known | (unseen & ~lack)
        for known, count, lack in zip(fold.known, fold.hand_counts, lacking, strict=True)
    ]
    possible[fold.seat] = fold.hand
    return tuple(possible)


def _not_followed(fold: SeatView) -> list[CardSet]:
    """By seat: every card of the suits that it did not follow in the tricks of this deal."""
    lacking = [EMPTY] * fold.seat_count
    if fold.contract is None or fold.contract == DOMINO:
        return lacking
    led = None
    for event in fold.deal_events:
        if type(event) is Acted and event.action not in CONTRACTS:
            suit = suit_of(action_cards(event.action)[0])
            if led is None:
                led = suit
            elif suit != led:
                lacking[event.seat] |= SUIT_MASKS[led]
        elif type(event) is Taken:
            led = None
    return lacking


def next_holder(seat: Seat, hand_counts: Sequence[int]) -> Seat:
    """The next seat clockwise from `seat` that holds cards (Z4.2); `seat` itself where no other does."""
    others = [*range(seat + 1, len(hand_counts)), *range(seat)]
    return next((other for other in others if hand_counts[other]), seat)
