"""Sensible simple play without memory: each choice is a pure function of what the seat sees at that moment.

In snapshot mode the harness sends all of that with every request, so nothing is kept in `self`. The
bot knows the rules of thumb that a beginner is told and counts no cards.
"""

from collections import Counter
from collections.abc import Iterable

from harness.bot import (
    ACE,
    CONTRACTS,
    DOMINO,
    END,
    GUILLOTINE,
    JACK,
    KING,
    NINE,
    PARLIAMENT,
    QUEEN,
    QUEENS,
    ROYALTY,
    SEVEN,
    SPADES_CONTRACT,
    TAKE,
    TEN,
    Action,
    Bot,
    Card,
    Suit,
    View,
    action_cards,
    card_points,
    parse_card,
    rank_of,
    run,
    suit_of,
)

KING_OF_HEARTS = parse_card("KH")
FRENCH_ORDER = (SEVEN, SEVEN + 1, NINE, JACK, QUEEN, KING, TEN, ACE)
MEAN_STRENGTH = 3.5
DEAL_SUMS = {ROYALTY: 30, QUEENS: 30, SPADES_CONTRACT: 30, PARLIAMENT: -50, GUILLOTINE: 100, DOMINO: -40}


class StatelessBot(Bot):
    """Keeps nothing, draws nothing: the same view gets the same action."""

    version = "1.0.0"
    snapshot = True

    def choose(self, view: View) -> Action:
        if view.game == "zhiletka":
            return zhiletka_action(view)
        if view.actions[0] in CONTRACTS:
            return announce(view)
        if view.contract == DOMINO:
            return domino_action(view)
        return trick_card(view)


# Guillotine ----------------------------------------------------------------------------------------


def strength(view: View, card: Card) -> int:
    """Place of the card's rank in its suit, from 0."""
    rank = rank_of(card)
    return FRENCH_ORDER.index(rank) if view.options.get("rank_order") == "french" else rank - SEVEN


def announce(view: View) -> Action:
    """The contract that this hand suits best, against the average hand: low cards to duck with, high ones to win."""
    hand = view.hand
    height = sum(strength(view, card) for card in hand) / len(hand) / MEAN_STRENGTH

    def promise(contract: Action) -> float:
        fair_share = DEAL_SUMS[contract] / 4
        if contract == DOMINO:
            neighbours = sum(card + 1 in hand and suit_of(card) == suit_of(card + 1) for card in hand)
            return 2.0 * neighbours - 4.0
        burden = sum(card_points(contract, card) for card in hand if strength(view, card) > MEAN_STRENGTH)
        return fair_share - fair_share * height - burden / 8

    return max(view.actions, key=promise)


def trick_card(view: View) -> Action:
    """Ducks where the trick costs points, wins it where it brings some."""
    contract = view.contract
    if view.led is None:
        if contract == PARLIAMENT:
            return max(view.actions, key=lambda card: strength(view, card))
        return min(view.actions, key=lambda card: (card_points(contract, card), strength(view, card)))
    led = view.led
    laid = [card for _, card in view.trick]
    best = max(strength(view, card) for card in laid if suit_of(card) == led)
    value = sum(card_points(contract, card) for card in laid) - (5 if contract == PARLIAMENT else 0)
    if suit_of(view.actions[0]) != led:
        return discard(view, contract)
    losing = [card for card in view.actions if strength(view, card) < best]
    winning = [card for card in view.actions if strength(view, card) > best]
    last = len(laid) == view.seat_count - 1
    if value < 0 and winning:
        return min(winning, key=lambda card: strength(view, card) if last else -strength(view, card))
    if value < 0:
        return min(losing, key=lambda card: strength(view, card))
    if losing:
        return max(losing, key=lambda card: (card_points(contract, card), strength(view, card)))
    if last:  # it wins anyway: a high card is well spent, a costly one is not
        return min(winning, key=lambda card: (card_points(contract, card), -strength(view, card)))
    return min(winning, key=lambda card: strength(view, card))


def discard(view: View, contract: Action | None) -> Card:
    """A void hand throws what costs most, then what is likeliest to win; where tricks are wanted, the weakest."""
    if contract == PARLIAMENT:
        return min(view.actions, key=lambda card: (card == KING_OF_HEARTS, strength(view, card)))
    return max(view.actions, key=lambda card: (card_points(contract, card), strength(view, card)))


def domino_action(view: View) -> Action:
    """The card behind which most of the hand waits; an ace where it is playable, for its bonus."""
    hand = view.hand

    def waiting(action: Action) -> tuple[int, int, int]:
        if action == END:
            return (-1, 0, 0)
        own = [card for card in hand if suit_of(card) == suit_of(action) and card != action]
        distance = min((abs(card - action) for card in own), default=9)
        return (rank_of(action) == ACE, len(own), -distance)

    return max(view.actions, key=waiting)


# Zhiletka ------------------------------------------------------------------------------------------


def zhiletka_action(view: View) -> Action:
    """Keeps what is nearest to a set and spends the cheapest cards; takes only when it must."""
    return max(view.actions, key=lambda action: keeping(view, action))


def keeping(view: View, action: Action) -> tuple[int, int, int]:
    """How good the hand is that `action` leaves: a set, cards alike, cheap cards spent."""
    if action == TAKE:
        return (-1, 0, 0)
    spent = action_cards(action)
    left = [card for card in view.hand if card not in spent]
    alike = most_alike(left)
    is_set = len(left) == 3 and alike == 3
    return (int(is_set), min(alike, 2), -sum(price(card, view.trumps) for card in spent))


def most_alike(cards: Iterable[Card]) -> int:
    """The most cards of one suit or of one rank."""
    cards = list(cards)
    suits = Counter(suit_of(card) for card in cards)
    ranks = Counter(rank_of(card) for card in cards)
    return max([*suits.values(), *ranks.values()], default=0)


def price(card: Card, trumps: Suit | None) -> int:
    """What it costs to give `card` away: high cards and trumps beat others."""
    return rank_of(card) + (13 if suit_of(card) == trumps else 0)


if __name__ == "__main__":
    run(StatelessBot)
