"""Guillotine by counting: which cards are out, who is void, and what each card of the hand is likely to cost.

Three kinds of decision and one measure, points, of which few are good:

* a contract (G3) costs what it brings with such a hand, and what the contracts kept for later deals cost on average;
* a card of a trick (G4) costs what the trick brings if it wins, less the danger of which the hand is then rid;
* a card of Domino (G6) is worth the own cards that it opens the way to, less those of the others.
"""

from functools import cache
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from harness.bot import (
    ACE,
    CONTRACTS,
    DOMINO,
    END,
    GUILLOTINE,
    PARLIAMENT,
    QUEENS,
    RANK_NAMES,
    ROYALTY,
    SEVEN,
    SPADES_CONTRACT,
    SUIT_MASKS,
    Action,
    Card,
    CardSet,
    Rank,
    SplitMix64,
    View,
    cards_in,
    parse_cards,
    rank_of,
    set_of,
    suit_of,
)

PACK = set_of(13 * suit + rank for suit in range(4) for rank in range(SEVEN, ACE + 1))

POINTS: dict[Action, tuple[tuple[CardSet, int], ...]] = {
    contract: tuple((set_of(parse_cards(cards)), points) for cards, points in rows)
    for contract, rows in {
        ROYALTY: (("KH", 20), ("QS", 10)),  # G5.1
        QUEENS: (("QC QD QH QS", 10), ("KH", -10)),  # G5.2
        SPADES_CONTRACT: (("7S 8S 9S TS JS QS KS AS", 5), ("KH", -10)),  # G5.3
        PARLIAMENT: (("KH", -10),),  # G5.4
        GUILLOTINE: (("QS", 15), ("QC QD QH KH", 10), ("7S 8S 9S TS JS KS AS", 5)),  # G5.5, G5.6
    }.items()
}
"""By contract: what the cards bring their taker, the dearest first."""


class Order(NamedTuple):
    """Which cards stand above and below each card in its suit, the nearest first."""

    above: dict[Card, tuple[Card, ...]]
    below: dict[Card, tuple[Card, ...]]
    lower: dict[Card, CardSet]
    """The cards below, as a set."""


def order_of(ranks: str) -> Order:
    """The order of `ranks`, low to high."""
    suits = [tuple(13 * suit + RANK_NAMES.index(rank) for rank in ranks) for suit in range(4)]
    above = {card: cards[place + 1 :] for cards in suits for place, card in enumerate(cards)}
    below = {card: cards[:place][::-1] for cards in suits for place, card in enumerate(cards)}
    return Order(above, below, {card: set_of(cards) for card, cards in below.items()})


ORDERS = {"seed": order_of("789TJQKA"), "french": order_of("789JQKTA")}  # G1.2, option `rank_order`


def choose(view: View) -> Action:
    """One of `view.actions`: a contract, a card, or the end of a bonus."""
    if view.actions[0] in CONTRACTS:
        return announce(view)
    order = ORDERS[str(view.options.get("rank_order", "seed"))]
    if view.contract == DOMINO:
        return lay(view, order)
    count = Count(view, order.lower)
    return min(view.actions, key=lambda card: count.trick_cost(card) - count.relief(card))


# Contracts -----------------------------------------------------------------------------------------

PRICES = {
    ROYALTY: ((-1, 0, 1, 1, 2, 2, 3, 3), (-2, -1, -1, -1, 0, 0, 7, 4), (-2, -1, -1, 0, 0, 3, 3, 4)),
    QUEENS: ((-2, -1, -1, 0, 0, 3, 3, 4), (0, 0, 1, 1, 1, 5, 1, 1), (-2, -1, -1, 0, 0, 3, 3, 4)),
    SPADES_CONTRACT: ((-1, 0, 1, 2, 2, 3, 3, 3), (-1, 1, 2, 2, 2, 3, 2, -2), (-7, -7, -4, 0, 2, 4, 5, 5)),
    PARLIAMENT: ((0, 0, 0, 0, 0, -1, -3, -7), (0, 0, 0, 0, 0, -2, -10, -10), (0, 0, 0, 0, 0, -1, -3, -7)),
    GUILLOTINE: ((-2, 0, 0, 2, 4, 8, 9, 11), (-3, -2, -1, 1, 2, 8, 12, 11), (-10, -10, -6, -1, 3, 8, 11, 13)),
}
"""Points that each card of the dealer's hand adds, seven to ace: of clubs and of diamonds, of hearts, of spades.

They were fitted to 9,000 deals of each contract between four bots like this one.
"""
DOMINO_PRICE, WAITING_PRICE = -31.0, 1.7
"""Points of a deal of Domino, and for each card of others that the hand has to wait for, fitted likewise."""
SAMPLE_PACKS = 50


def price(contract: Action, hand: CardSet) -> float:
    """Points that a deal of `contract` is likely to bring a dealer with this hand."""
    cards = cards_in(hand)
    if contract == DOMINO:
        return DOMINO_PRICE + WAITING_PRICE * min(waiting(hand, rank_of(card), ORDERS["seed"]) for card in cards)
    return sum(PRICES[contract][max(suit_of(card), 1) - 1][rank_of(card) - SEVEN] for card in cards)


def without(contract: Action, contracts: tuple[Action, ...]) -> tuple[Action, ...]:
    """The contracts that are left when `contract` has been announced."""
    return tuple(left for left in contracts if left != contract)


@cache
def points_to_come() -> dict[tuple[Action, ...], float]:
    """By contracts left, ascending: what they bring in all if each hand to come gets the best one for it (G3.2)."""
    chance = SplitMix64(0)
    hands = []
    for _ in range(SAMPLE_PACKS):
        pack = list(cards_in(PACK))
        chance.shuffle(pack)
        hands += [{contract: price(contract, set_of(pack[seat::4])) for contract in CONTRACTS} for seat in range(4)]
    to_come: dict[tuple[Action, ...], float] = {(): 0.0}
    for left_count in range(1, len(CONTRACTS) + 1):
        for left in combinations(CONTRACTS, left_count):
            later = {contract: to_come[without(contract, left)] for contract in left}
            to_come[left] = fmean(min(hand[contract] + later[contract] for contract in left) for hand in hands)
    return to_come


def announce(view: View) -> Action:
    """The contract that suits this hand, with those that are kept for hands that may suit them better."""
    hand, left, to_come = view.fold.hand, view.actions, points_to_come()
    return min(left, key=lambda contract: price(contract, hand) + to_come[without(contract, left)])


# Tricks --------------------------------------------------------------------------------------------

COVER, COVER_WANTED = 0.4, 0.75
"""How dangerous a card still is with a lower one of its suit to play before it; the same where tricks are wanted."""
LEAD_PRICE = 0.3
"""What it costs to lead, in tricks."""


class Count:
    """What the seat knows before it plays to a trick, once it has counted the cards. It holds two at least."""

    def __init__(self, view: View, lower: dict[Card, CardSet]) -> None:
        fold, trick, led = view.fold, view.trick, view.led
        self.contract = fold.contract or ROYALTY
        self.lower = lower
        self.unseen = view.unseen_set
        """The cards in the other hands."""
        self.best = max((card for _, card in trick if suit_of(card) == led), key=lambda card: lower[card], default=None)
        """The card that is winning the trick; None when the seat leads."""
        self.to_play = shares(view)[: 3 - len(trick)]
        """For each seat still to play, by suit: the chance that a given unseen card is in its hand."""
        tricks_left = fold.hand.bit_count()
        later = sum(bonus_of(self.contract, left) for left in range(1, tricks_left)) + self.points_of(self.unseen)
        self.stake = later / (tricks_left - 1)
        """Points of a later trick, on average. Where they are good, tricks are wanted."""
        laid = self.points_of(set_of(card for _, card in trick))
        self.at_once = laid + bonus_of(self.contract, tricks_left) + LEAD_PRICE * max(self.stake, 0.0)
        """Points for winning the trick, besides what is still to be played to it."""
        self.cover = COVER_WANTED if self.stake < 0 else COVER
        self.danger = {card: self._danger(card, fold.hand) for card in cards_in(fold.hand)}
        """For each card of the hand: points that it is likely to bring in a later trick."""

    def points_of(self, cards: CardSet) -> int:
        """Points for whoever takes `cards`."""
        return sum(points * (cards & those).bit_count() for those, points in POINTS[self.contract])

    def _danger(self, card: Card, hand: CardSet) -> float:
        beaten_count = (self.unseen & self.lower[card]).bit_count()
        suit_count = (self.unseen & SUIT_MASKS[suit_of(card)]).bit_count()
        covers = self.cover ** (hand & self.lower[card]).bit_count()
        return covers * beaten_count / (suit_count + 1) * (self.stake + self.points_of(1 << card))

    def relief(self, card: Card) -> float:
        """By how much the hand is less dangerous without `card`, though it covered the higher ones of its suit."""
        covered = sum(danger for other, danger in self.danger.items() if self.lower[other] >> card & 1)
        return self.danger[card] - covered * (1 / self.cover - 1)

    def trick_cost(self, card: Card) -> float:
        """Points that the trick is likely to bring with `card`, and what the next lead then costs."""
        suit, best = suit_of(card), self.best
        if best is not None and (suit != suit_of(best) or self.lower[best] >> card & 1):
            return 0.0
        beaten, of_suit = self.unseen & self.lower[card], self.unseen & SUIT_MASKS[suit]
        beaten_count, suit_count = beaten.bit_count(), of_suit.bit_count()
        wins, points = 1.0, self.at_once + self.points_of(1 << card)
        for share in self.to_play:
            lacks = 1 - share[suit]
            void = lacks**suit_count
            can_beat = 1 - lacks ** (suit_count - beaten_count)
            wins *= 1 - can_beat * (1 if self.stake < 0 else lacks**beaten_count)  # who does not want the trick ducks
            points += void * self.gift(self.unseen & ~of_suit, max(share)) + (1 - void) * self.gift(beaten, share[suit])
        return wins * points

    def gift(self, cards: CardSet, share: float) -> float:
        """Points that a seat adds to another's trick: its dearest of `cards`, each in its hand with chance `share`."""
        given, none_dearer = 0.0, 1.0
        for those, points in POINTS[self.contract]:
            if points > 0:
                none = (1 - share) ** (cards & those).bit_count()
                given += points * none_dearer * (1 - none)
                none_dearer *= none
        return given


def bonus_of(contract: Action, tricks_left: int) -> int:
    """Points of a trick besides those of its cards."""
    if contract == PARLIAMENT:
        return -5  # G5.4
    return 5 if contract == GUILLOTINE and tricks_left in (1, 8) else 0  # G5.5


def shares(view: View) -> list[list[float]]:
    """By seat from the left neighbour, by suit: the chance that a given unseen card is in its hand."""
    others = [(view.seat + step) % 4 for step in (1, 2, 3)]
    held, voids = view.hand_counts, view.voids
    counts = [[0 if suit in voids[seat] else held[seat] for suit in range(4)] for seat in others]
    totals = [sum(of_suit) or 1 for of_suit in zip(*counts, strict=True)]
    return [[count / total for count, total in zip(of_seat, totals, strict=True)] for of_seat in counts]


# Domino --------------------------------------------------------------------------------------------

KEEP = -3.5
"""A bonus goes on while a card is worth more than this; what opens the way to others alone is kept back."""
BONUS_WORTH = 0.4
"""What each further card is worth that may follow an ace."""


def lay(view: View, order: Order) -> Action:
    """The card that is worth most, or END when all are better kept."""
    hand, table = view.fold.hand, view.fold.table
    if not table:  # G6.1
        return min(
            view.actions, key=lambda card: (waiting(hand, rank_of(card), order), -worth(card, card, hand, order))
        )
    start = rank_of(table[0][1])
    in_bonus = view.actions[-1] == END

    def worth_now(action: Action) -> float:
        if action == END:
            return KEEP
        bonus = BONUS_WORTH * (len(view.actions) - 1) if rank_of(action) == ACE and not in_bonus else 0.0  # G6.7
        return bonus + worth(action, action - rank_of(action) + start, hand, order)

    return max(view.actions, key=worth_now)


def waiting(hand: CardSet, start: Rank, order: Order) -> int:
    """Cards of others to be laid, counted for each card of the hand, before it can be, when `start` opens the suits."""
    count = 0
    for card in cards_in(hand):
        first = card - rank_of(card) + start
        way = (order.lower[card] ^ order.lower[first]) | 1 << first
        count += (way & ~hand & ~(1 << card)).bit_count()
    return count


def worth(card: Card, first: Card, hand: CardSet, order: Order) -> int:
    """What `card` opens when it is laid in a suit that begins with `first`, which opens both ways."""
    up = 0 if order.lower[first] >> card & 1 else opened(order.above[card], hand)
    down = 0 if order.lower[card] >> first & 1 else opened(order.below[card], hand)
    return up + down


def opened(way: tuple[Card, ...], hand: CardSet) -> int:
    """Worth of opening `way`: of own cards on it the more, the more of others' come before; less for others' cards."""
    own = gaps = others = 0
    for card in way:
        if hand >> card & 1:
            own += 1
            gaps += others
        else:
            others += 1
    return 2 * (own + gaps) - others if own else -2 - others
