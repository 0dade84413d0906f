"""Bouts of Zhiletka: which attacks and answers a hand has, and how they are written."""

from collections.abc import Sequence

from harness.cards import (
    RANK_MASKS,
    SIX,
    SUIT_MASKS,
    Card,
    CardSet,
    Suit,
    card_name,
    cards_in,
    pack_from,
    parse_card,
    rank_of,
    set_of,
    suit_of,
)
from harness.games.game import TAKE, Action, pair

PACK: tuple[Card, ...] = pack_from(SIX)
"""The 36 cards from six to ace (Z1.1)."""

_PACK_MASK = set_of(PACK)


def _beaters(card: Card, trump: Suit) -> CardSet:
    suit, rank = suit_of(card), rank_of(card)
    higher = SUIT_MASKS[suit] & ~((1 << 13 * suit + rank + 1) - 1)  # Z1.2
    return higher if suit == trump else higher | SUIT_MASKS[trump]


BEATERS: tuple[tuple[CardSet, ...], ...] = tuple(
    tuple(_beaters(card, trump) & _PACK_MASK for card in range(52)) for trump in range(4)
)
"""`BEATERS[trump][card]`: the cards that beat `card` (Z5.2)."""

# Z4.3: the lower cards of the same suit or rank, by card.
_MATES: tuple[CardSet, ...] = tuple(
    (SUIT_MASKS[suit_of(card)] | RANK_MASKS[rank_of(card)]) & ((1 << card) - 1) for card in range(52)
)


def beaters(card: Card, trumps: Suit) -> CardSet:
    """The cards that beat `card` where `trumps` are trumps (Z5.2)."""
    return BEATERS[trumps][card]


def attack_actions(hand: CardSet, *, pairs: bool) -> tuple[Action, ...]:
    """Attacks from `hand`, ascending: each card; with `pairs`, each two of one suit or rank, once (Z4.3, Z5.1)."""
    singles = cards_in(hand)
    if not pairs:
        return singles
    return singles + tuple(low + 64 * (high + 1) for high in singles for low in cards_in(hand & _MATES[high]))


def answer_actions(hand: CardSet, attack: Action, trump: Suit) -> tuple[Action, ...]:
    """Answers from `hand` to `attack`, ascending: every way to beat all of it (Z5.1-Z5.3), and TAKE (Z5.4)."""
    beating = BEATERS[trump]
    if attack < 52:
        return (*cards_in(hand & beating[attack]), TAKE)
    first, second = hand & beating[attack & 63], hand & beating[(attack >> 6) - 1]
    if not first or not second:
        return (TAKE,)
    return (TAKE, *(low + 64 * (high + 1) for high in cards_in(second) for low in cards_in(first & ~(1 << high))))


def parse_action(text: str) -> Action:
    """Action that a canonical text denotes, legal or not; ValueError where it denotes none.

    >>> parse_action("attack:7S+9S") == pair(parse_card("7S"), parse_card("9S"))
    True
    """
    if text == "take":
        return TAKE
    verb, _, names = text.partition(":")
    cards = [parse_card(name) for name in names.split("+")] if verb in ("attack", "cover") else []
    for card in cards:
        if not _PACK_MASK >> card & 1:
            raise ValueError(f"not a card of Zhiletka: {card_name(card)} in {text!r} (six is the lowest)")
    if len(cards) == 1:
        return cards[0]
    if len(cards) != 2 or cards[0] == cards[1]:
        raise ValueError(
            f"not an action of Zhiletka: {text!r} (attack:7S, attack:7S+9S, cover:9S, cover:9S+TS or take)"
        )
    first, second = cards
    if verb == "attack" and first > second:  # Z5.1
        lower_first = f"attack:{card_name(second)}+{card_name(first)}"
        raise ValueError(f"{text!r}: the lower card of a pair attack stands first ({lower_first})")
    return pair(first, second)


def canonical(texts: Sequence[str]) -> tuple[str, ...]:
    """A deal's action texts with every pair attack lower card first, and its cover in that order (Z5.1).

    >>> canonical(["attack:9S+7S", "cover:TS+8S"])
    ('attack:7S+9S', 'cover:8S+TS')
    """
    written = []
    swapped = False
    for text in texts:
        verb, _, names = text.partition(":")
        first, plus, second = names.partition("+")
        if verb == "attack":
            swapped = bool(plus) and parse_card(first) > parse_card(second)
        written.append(f"{verb}:{second}+{first}" if plus and swapped else text)
    return tuple(written)
