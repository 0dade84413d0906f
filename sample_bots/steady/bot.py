"""The middle rung: knows what every card costs and counts those that are out, but not who may hold them.

In Guillotine a card has a price today, in the trick under way, and one tomorrow, when it is kept. In Zhiletka it keeps
what is likely to become a set, and trumps for the defence.
"""

from harness.bot import (
    ACE,
    CONTRACTS,
    DOMINO,
    END,
    GUILLOTINE,
    PARLIAMENT,
    RANK_MASKS,
    SEVEN,
    SUIT_MASKS,
    TAKE,
    Action,
    Bot,
    Card,
    CardSet,
    Suit,
    View,
    action_cards,
    card_points,
    rank_of,
    run,
    set_of,
    suit_of,
)

TRICK_PRICE = {PARLIAMENT: -5.0, GUILLOTINE: 3.0}
"""Points of a trick besides those of its cards; 1 where nothing is named, for who wins must lead again."""
GIFT, REGRET = 3.0, 4.0
"""Points that each seat still to play adds to a trick that nobody wants, and that a high card kept costs later."""


class Steady(Bot):
    """Draws nothing: the same situation gets the same action."""

    version = "1.0.0"

    def choose(self, view: View) -> Action:
        if view.game == "zhiletka":
            return max(view.actions, key=lambda action: keeping(view, action))
        if view.actions[0] in CONTRACTS:
            return min(view.actions, key=lambda contract: burden(contract, view.hand))
        if view.contract == DOMINO:
            return max(view.actions, key=lambda action: opening(view, action))
        prices = Prices(view)
        return min(view.actions, key=lambda card: prices.today(card) - prices.tomorrow(card))


# Guillotine ----------------------------------------------------------------------------------------


def height(card: Card) -> float:
    """From 0 for a seven to 1 for an ace."""
    return (rank_of(card) - SEVEN) / (ACE - SEVEN)


class Prices:
    """What cards cost in the trick under way, today, and in later ones, tomorrow."""

    def __init__(self, view: View) -> None:
        self.contract, self.hand, self.unseen = view.contract, view.fold.hand, view.unseen_set
        trick = [card for _, card in view.trick]
        self.best = max((card for card in trick if suit_of(card) == view.led), default=None)
        self.to_play = view.seat_count - 1 - len(trick)
        self.wanted = view.contract == PARLIAMENT
        self.trick_price = TRICK_PRICE.get(view.contract or 0, 1.0)
        self.laid = sum(card_points(view.contract, card) for card in trick)

    def today(self, card: Card) -> float:
        """Points that the trick is likely to bring with `card`: it wins where those left are higher, or out."""
        if self.best is not None and (suit_of(card) != suit_of(self.best) or card < self.best):
            return 0.0
        lower, others = self.beneath(card)
        chance = (lower / others) ** (self.to_play if self.wanted else 1) if self.to_play and others else 1.0
        gifts = 0.0 if self.wanted else GIFT * self.to_play
        return chance * (self.trick_price + gifts + self.laid + card_points(self.contract, card))

    def tomorrow(self, card: Card) -> float:
        """Points that `card` is likely to bring later: the more are beneath it, and the fewer of its own cover it."""
        lower, others = self.beneath(card)
        covers = (self.hand & SUIT_MASKS[suit_of(card)] & below(card)).bit_count()
        regret = 0.0 if self.wanted else REGRET
        return lower / (others + 1) * (self.trick_price + regret + card_points(self.contract, card)) / (1 + covers)

    def beneath(self, card: Card) -> tuple[int, int]:
        """How many cards of the suit that others hold are lower than `card`, and how many there are."""
        others = self.unseen & SUIT_MASKS[suit_of(card)]
        return (others & below(card)).bit_count(), others.bit_count()


def below(card: Card) -> CardSet:
    """Every card with a lower number: of the same suit, the lower ones."""
    return (1 << card) - 1


def burden(contract: Action, hand: tuple[Card, ...]) -> float:
    """What a contract is likely to cost with this hand: high cards cost, but in Parliament they win."""
    if contract == DOMINO:
        return 3.0 * sum(abs(height(card) - 0.5) for card in hand) - 10.0
    return sum(height(card) * (TRICK_PRICE.get(contract, 1.0) + card_points(contract, card)) for card in hand)


def opening(view: View, action: Action) -> tuple[bool, int, float]:
    """Domino: an ace for its bonus, then the suit of which it holds most, from the ends inwards."""
    if action == END:
        return (False, -1, 0.0)
    in_suit = sum(suit_of(card) == suit_of(action) for card in view.hand)
    return (rank_of(action) == ACE, in_suit, abs(height(action) - 0.5))


# Zhiletka ------------------------------------------------------------------------------------------


SPENDING = 0.01
"""What a point of price weighs against the chance of a set."""


def keeping(view: View, action: Action) -> float:
    """How near to a set the hand is that `action` leaves, less what was spent; it takes only what it cannot beat."""
    if action == TAKE:
        return -1.0
    spent = action_cards(action)
    cost = sum(price(card, view.trumps) for card in spent)
    return nearness(view.fold.hand & ~set_of(spent), view.unseen_set) - SPENDING * cost


def nearness(cards: CardSet, unseen: CardSet) -> float:
    """1 for a set; else about the chance that one is drawn, by the `unseen` cards that are like the most of `cards`."""
    family = max(SUIT_MASKS + RANK_MASKS, key=lambda mask: ((cards & mask).bit_count(), (unseen & mask).bit_count()))
    alike, count = (cards & family).bit_count(), cards.bit_count()
    if alike == count <= 3:
        return ((unseen & family).bit_count() / max(unseen.bit_count(), 1)) ** (3 - count)
    return 0.25 if alike >= 3 else 0.05 if alike == 2 else 0.0


def price(card: Card, trumps: Suit | None) -> int:
    """What a card is worth in a bout: its rank, and trumps more than any other."""
    return rank_of(card) + 13 * (suit_of(card) == trumps)


if __name__ == "__main__":
    run(Steady)
