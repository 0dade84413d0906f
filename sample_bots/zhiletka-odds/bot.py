"""Zhiletka by the odds: how likely a hand becomes a set, and how likely an attack is beaten.

Every choice is worth a number between winning (1) and losing (-1) the hand: the chance of a set at
once, then what the hand is worth in the role that comes next. The roles differ: who attacks draws a
card and gives the worse ones away; who waits may be attacked last; who defends may be filled up (Z7.1).
"""

from math import comb

from harness.bot import (
    SIX,
    TAKE,
    Action,
    Bot,
    Card,
    CardSet,
    Suit,
    View,
    action_cards,
    cards_in,
    rank_of,
    run,
    set_of,
    suit_of,
)

SUITS = tuple(set_of(13 * suit + rank for rank in range(SIX, 13)) for suit in range(4))
RANKS = tuple(set_of(13 * suit + rank for suit in range(4)) for rank in range(13))
FAMILIES = SUITS + RANKS[SIX:]
"""What a set may be made of (Z3.1)."""

FULL = 6
"""A hand of so many cards is out (Z7.1)."""


def is_set(hand: CardSet) -> bool:
    """Whether `hand` is a set: exactly three cards of a suit or a rank (Z3.1)."""
    return hand.bit_count() == 3 and any(not hand & ~family for family in FAMILIES)


def holds_three(hand: CardSet) -> bool:
    """Whether giving cards away can leave a set of `hand`."""
    return any((hand & family).bit_count() >= 3 for family in FAMILIES)


def partners(one: Card, other: Card) -> CardSet:
    """Cards that make a set with two."""
    cards = 0
    if suit_of(one) == suit_of(other):
        cards |= SUITS[suit_of(one)]
    if rank_of(one) == rank_of(other):
        cards |= RANKS[rank_of(one)]
    return cards


def beaters(card: Card, trumps: Suit) -> CardSet:
    """Cards that beat `card` (Z5.2)."""
    higher = SUITS[suit_of(card)] & ~((2 << card) - 1)
    return higher if suit_of(card) == trumps else higher | SUITS[trumps]


class Odds:
    """What one seat can work out at one moment."""

    def __init__(self, view: View) -> None:
        fold = view.fold
        self.seat = fold.seat
        self.hand = fold.hand
        self.table = set_of(card for _, card in fold.table)
        self.trumps: Suit = suit_of(fold.upcards.bit_length() - 1)
        self.stock_count = fold.stock_count
        self.alive_count = fold.seat_count - len(fold.out)
        self.hidden = fold.unseen & sum(SUITS)
        """Cards in other hands or in the stock, the upcard aside."""
        self.drawable = self.hidden | (fold.upcards if fold.stock_count else 0)
        self.defender = self._next_holder(fold.hand_counts)
        self.defender_count = fold.hand_counts[self.defender]
        self.defender_known = fold.known[self.defender]

    def _next_holder(self, hand_counts: list[int]) -> int:
        """The seat that this one attacks (Z4.2)."""
        seats = [(self.seat + step) % len(hand_counts) for step in range(1, len(hand_counts))]
        return next((seat for seat in seats if hand_counts[seat]), self.seat)

    def best_outs(self, hand: CardSet) -> float:
        """Chance that the next card drawn makes a set of the best two of `hand`."""
        cards = cards_in(hand)
        pairs = [(one, other) for index, one in enumerate(cards) for other in cards[index + 1 :]]
        most = max(((partners(*pair) & self.drawable).bit_count() for pair in pairs), default=0)
        return most / max(1, self.drawable.bit_count())

    def set_chance(self, kept: CardSet) -> float:
        """Chance that `kept`, filled up to three from the stock, is a set (Z6.3, Z6.4, Z7.4)."""
        count = kept.bit_count()
        if count >= 3 or self.stock_count < 3 - count:
            return float(is_set(kept))
        if count == 2:
            return self.best_outs(kept)
        ways = sum(comb((family & self.drawable).bit_count(), 2) for family in FAMILIES if kept & family)
        return ways / max(1, comb(self.drawable.bit_count(), 2))

    def beaten_chance(self, attack: tuple[Card, ...]) -> float:
        """Chance that the defender beats every card of `attack` (Z5.3), taking its unseen cards as drawn evenly."""
        unseen = self.defender_count - self.defender_known.bit_count()
        chance = 1.0
        for card in attack:
            good = beaters(card, self.trumps)
            if self.defender_known & good:
                continue
            total, bad = self.hidden.bit_count(), (self.hidden & ~good).bit_count()
            chance *= 1 - comb(bad, unseen) / comb(total, unseen) if 0 < unseen <= total else float(unseen > 0)
        return chance

    def strength(self, hand: CardSet) -> float:
        """Trumps and high cards: what beats attacks, and what is hard to beat."""
        trump_count = (hand & SUITS[self.trumps]).bit_count()
        return 0.08 * trump_count + 0.03 * sum((rank_of(card) - 8) / 8 for card in cards_in(hand))

    def worth_attacking(self, hand: CardSet) -> float:
        """Worth of `hand` to a seat that attacks next: it will give a card away and draw."""
        return 0.65 * self.best_outs(hand) + 0.5 * (hand.bit_count() > 3 and holds_three(hand))

    def worth_waiting(self, hand: CardSet) -> float:
        """Worth of `hand` to a seat whose attack was beaten: everybody else comes first."""
        return -0.17 + 0.08 * self.best_outs(hand) + self.strength(hand)

    def worth_defending(self, hand: CardSet) -> float:
        """Worth of `hand` to a seat that took: it is attacked again (Z7.5), each card brings it nearer to `FULL`."""
        count = hand.bit_count()
        danger = {4: 0.08, 5: 0.16}.get(count, 0.0)
        promise = 0.05 * (count > 3 and holds_three(hand))
        return -0.37 / self.alive_count + 0.12 * self.best_outs(hand) + self.strength(hand) - danger + promise

    def of_answer(self, action: Action) -> float:
        """Worth of beating or taking."""
        if action == TAKE:
            hand = self.hand | self.table
            if hand.bit_count() >= FULL:
                return -1.0  # Z7.1
            return 1.0 if is_set(hand) else self.worth_defending(hand)  # Z7.3
        kept = self.hand & ~set_of(action_cards(action))
        chance = self.set_chance(kept)
        return chance + (1 - chance) * self.worth_attacking(kept)  # Z6.5: the defender attacks next

    def of_attack(self, action: Action) -> float:
        """Worth of an attack: beaten, the others have the word; taken, this seat attacks again."""
        attack = action_cards(action)
        kept = self.hand & ~set_of(attack)
        chance = self.set_chance(kept)
        beaten = self.beaten_chance(attack)
        gift = self._gift(len(attack))
        if_beaten = (1 - gift) * (chance + (1 - chance) * self.worth_waiting(kept)) - gift / (self.alive_count - 1)
        fills = self.defender_count + len(attack) >= FULL
        if fills and self.alive_count == 2:
            if_taken = 1.0  # Z8.1
        else:
            if_taken = chance + (1 - chance) * (self.worth_attacking(kept) + 0.05 * fills)
        return beaten * if_beaten + (1 - beaten) * if_taken

    def _gift(self, attack_count: int) -> float:
        """Chance that beating this attack leaves the defender with a set (Z6.3)."""
        if self.defender_count - attack_count != 3:
            return 0.06
        return 0.5 if holds_three(self.defender_known) else 0.03


class ZhiletkaOdds(Bot):
    """Plays the action that is worth most; of equals the lowest."""

    games = ("zhiletka",)
    max_matches = 256

    def choose(self, view: View) -> Action:
        """The attack or answer with the best odds."""
        odds = Odds(view)
        worth = odds.of_answer if odds.table else odds.of_attack
        return max(view.actions, key=lambda action: (worth(action), -action))


if __name__ == "__main__":
    run(ZhiletkaOdds)
