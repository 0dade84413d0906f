"""Zhiletka by the odds: how likely a hand becomes a set, and how likely an attack is beaten.

Every action gets a worth, from 1 for a hand that is won to -1 for one that is lost: the chance that the cards it
leaves become a set at once and, where they do not, what is good about the situation. That is little: to have the
next attack, to have filled another's hand, to hold three alike among more cards, to keep trumps for the defence.
The fewer rivals are left, the more it counts.
"""

from math import comb

from harness.bot import (
    RANK_MASKS,
    SUIT_MASKS,
    TAKE,
    Action,
    Card,
    CardSet,
    Suit,
    View,
    action_cards,
    beaters,
    rank_of,
    set_of,
    suit_of,
)

OUT_COUNT = 6
"""Who holds so many cards is out (Z7.1)."""

TEMPO = 0.15
"""Worth of the next attack, for one rival; a quarter of it for two."""
FILLED = 0.3
"""Worth of a rival's five cards, which the next attack may put out, for one rival; half of it for two."""
OUT = 0.4
"""Worth of a rival put out when others are left."""
ARMED = 0.3
"""Worth of three alike among more cards: a set as soon as the others are spent (Z-A3)."""
TRUMP = 0.45
"""Worth of each trump in a hand about to be attacked, for one rival; a quarter of it for two."""
DRAWN_SET = 0.1
"""Chance that a defender who has beaten an attack holds a set, as far as nothing is known of its hand."""


def choose(view: View) -> Action:
    """The action of `view.actions` that is worth most; of equal ones the lowest."""
    odds = Odds(view)
    return max(view.actions, key=odds.of_answer if view.fold.table else odds.of_attack)


# Sets ----------------------------------------------------------------------------------------------


def families(cards: CardSet) -> list[CardSet]:
    """The suits and ranks that every one of `cards` belongs to."""
    lowest = (cards & -cards).bit_length() - 1
    return [family for family in (SUIT_MASKS[suit_of(lowest)], RANK_MASKS[rank_of(lowest)]) if not cards & ~family]


def is_set(hand: CardSet) -> bool:
    """Three cards of one suit or rank, no more (Z3.1)."""
    return hand.bit_count() == 3 and bool(families(hand))


def holds_three(cards: CardSet) -> bool:
    """Three of `cards`, or more, are of one suit or rank."""
    return any((cards & family).bit_count() >= 3 for family in SUIT_MASKS + RANK_MASKS)


def is_armed(hand: CardSet) -> bool:
    """Three alike among more cards."""
    return hand.bit_count() > 3 and holds_three(hand)


# Odds ----------------------------------------------------------------------------------------------


class Odds:
    """What one seat can work out at one moment of a hand."""

    def __init__(self, view: View) -> None:
        fold = view.fold
        self.hand = fold.hand
        self.attack = set_of(card for _, card in fold.table)
        self.trumps: Suit = suit_of(fold.upcards.bit_length() - 1)
        self.stock_count = fold.stock_count
        self.unseen = view.unseen_set
        """Cards in other hands, in the stock, or gone unseen; the upcard is none of them."""
        self.to_draw = self.unseen | (fold.upcards if fold.stock_count else 0)
        """Cards that may be drawn."""
        self.rivals = fold.seat_count - len(fold.out) - 1
        defender = fold.seat if view.defender is None else view.defender
        self.defender_count = fold.hand_counts[defender]
        self.defender_known = fold.known[defender]
        self.tempo = TEMPO / self.rivals**2

    def of_answer(self, action: Action) -> float:
        """Worth of taking, or of a cover."""
        if action == TAKE:
            hand = self.hand | self.attack
            if hand.bit_count() >= OUT_COUNT:
                return -1.0  # Z7.1
            if is_set(hand):
                return 1.0  # Z7.3
            return ARMED * is_armed(hand) - self.tempo - self.filled(hand.bit_count())
        kept = self.hand & ~set_of(action_cards(action))
        return self.with_draw(kept, self.tempo + ARMED * is_armed(kept))  # Z6.5: it attacks next

    def of_attack(self, action: Action) -> float:
        """Worth of an attack, be it beaten or taken."""
        attack = action_cards(action)
        kept = self.hand & ~set_of(attack)
        trump_count = (kept & SUIT_MASKS[self.trumps]).bit_count()
        lost = self.set_after_cover(len(attack))
        if_beaten = (1 - lost) * self.with_draw(kept, TRUMP / self.rivals**2 * trump_count) - lost
        if_taken = self.with_draw(kept, self.after_take(kept, self.defender_count + len(attack)))
        beaten = self.beaten_chance(attack)
        return beaten * if_beaten + (1 - beaten) * if_taken

    def with_draw(self, kept: CardSet, otherwise: float) -> float:
        """Worth of drawing to `kept`: a set, or else the worth `otherwise`."""
        chance = self.set_chance(kept)
        return chance + (1 - chance) * otherwise

    def after_take(self, kept: CardSet, defender_count: int) -> float:
        """Worth of attacking again (Z7.5) with `kept`, when the attack was taken by a hand that is now so large."""
        if defender_count < OUT_COUNT:
            return self.tempo + self.filled(defender_count) + ARMED * is_armed(kept)
        return 1.0 if self.rivals == 1 else self.tempo + OUT + ARMED * is_armed(kept)  # Z8.1

    def filled(self, count: int) -> float:
        """What it is worth to others that a hand has so many cards."""
        return FILLED / self.rivals if count == OUT_COUNT - 1 else 0.0

    def set_chance(self, kept: CardSet) -> float:
        """Chance that `kept` is a set once it is filled up to three from the stock."""
        missing_count = 3 - kept.bit_count()
        if missing_count <= 0 or self.stock_count < missing_count or not kept:
            return float(is_set(kept))
        good_draws = sum(comb((family & self.to_draw).bit_count(), missing_count) for family in families(kept))
        return good_draws / comb(self.to_draw.bit_count(), missing_count)

    def beaten_chance(self, attack: tuple[Card, ...]) -> float:
        """Chance that the defender can beat all of `attack` (Z5.3): by what it is known to hold, or by the rest."""
        hidden_count = self.defender_count - self.defender_known.bit_count()
        all_hands = comb(self.unseen.bit_count(), hidden_count)
        chance = 1.0
        for card in attack:
            beating = beaters(card, self.trumps)
            if not self.defender_known & beating:
                chance *= 1 - comb((self.unseen & ~beating).bit_count(), hidden_count) / all_hands
        return chance

    def set_after_cover(self, attack_count: int) -> float:
        """Chance that the defender, if it beats an attack of so many cards, then has a set (Z6.3)."""
        is_left_with_three = self.defender_count - attack_count == 3
        return 1.0 if is_left_with_three and holds_three(self.defender_known) else DRAWN_SET
