"""Cards, sets of cards and their notation.

A card is an int, `suit * 13 + rank`: suits clubs, diamonds, hearts, spades and
ranks two to ace, each from 0. A set of cards is an int with bit `1 << card` set
for each member, so that union, intersection and difference are `|`, `&`, `& ~`.
The notation is rank then suit, `QS`, `TH`; sets are written in ascending order.
"""

from collections.abc import Iterable

Card = int
CardSet = int
Suit = int
Rank = int

SUIT_NAMES = "CDHS"
RANK_NAMES = "23456789TJQKA"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)

CARD_COUNT = 52
EMPTY: CardSet = 0
SUIT_MASKS: tuple[CardSet, ...] = tuple(0x1FFF << 13 * suit for suit in range(4))
RANK_MASKS: tuple[CardSet, ...] = tuple(sum(1 << 13 * suit + rank for suit in range(4)) for rank in range(13))

_NAMES = tuple(rank + suit for suit in SUIT_NAMES for rank in RANK_NAMES)
_CARDS = {name: card for card, name in enumerate(_NAMES)}
_SIGNS = dict(zip("♣♦♥♠♧♢♡♤", 2 * SUIT_NAMES, strict=True))


def suit_of(card: Card) -> Suit:
    """Suit of `card`, 0 (clubs) to 3 (spades)."""
    return card // 13


def rank_of(card: Card) -> Rank:
    """Rank of `card`, 0 (two) to 12 (ace)."""
    return card % 13


def card_name(card: Card) -> str:
    """Notation of `card`.

    >>> card_name(49)
    'QS'
    """
    return _NAMES[card]


def parse_card(name: str) -> Card:
    """Card that `name` denotes; ValueError where it denotes none.

    >>> parse_card("QS")
    49
    """
    try:
        return _CARDS[name]
    except KeyError:
        meant = _meant(str(name))
        hint = f"; did you mean {meant!r}?" if meant else ""
        raise ValueError(f"not a card: {name!r} (rank then suit, such as QS or TH){hint}") from None


def _meant(name: str) -> str:
    """The notation of a card that is written in another way: `10H`, `qs`, `Q♠`, `SQ`; "" where none is seen."""
    signs = name.upper().replace("10", "T")
    short = "".join(_SIGNS.get(sign, sign) for sign in signs if sign.isalnum() or sign in _SIGNS)
    return next((form for form in (short, short[::-1]) if form in _CARDS), "")


def set_of(cards: Iterable[Card]) -> CardSet:
    """The set that holds `cards`."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """Members of `cards`, ascending."""
    return (
        _MEMBERS[cards & _CLUBS] + _MEMBERS[cards & _DIAMONDS] + _MEMBERS[cards & _HEARTS] + _MEMBERS[cards & _SPADES]
    )


class _Members(dict[CardSet, tuple[Card, ...]]):
    """Members of sets of one suit, worked out when they are first asked for: there are 32,768 of them, few are met."""

    def __missing__(self, cards: CardSet) -> tuple[Card, ...]:
        members = self[cards] = tuple(card for card in range(cards.bit_length()) if cards >> card & 1)
        return members


_MEMBERS = _Members()
_CLUBS, _DIAMONDS, _HEARTS, _SPADES = SUIT_MASKS


def set_name(cards: CardSet) -> str:
    """Notation of the members of `cards`, ascending, a space between.

    >>> set_name(set_of([49, 0]))
    '2C QS'
    """
    return names_of(cards_in(cards))


def names_of(cards: Iterable[Card]) -> str:
    """Notation of `cards`, in their order, a space between: the inverse of `parse_cards`.

    >>> names_of((49, 0))
    'QS 2C'
    """
    return " ".join([_NAMES[card] for card in cards])


def parse_cards(names: str) -> tuple[Card, ...]:
    """Cards that `names` denotes, in the order written; ValueError where a word denotes none.

    >>> parse_cards("QS 2C")
    (49, 0)
    """
    words = names.split()
    try:
        return tuple(map(_CARDS.__getitem__, words))
    except KeyError:
        return tuple(map(parse_card, words))  # which says what is wrong


def pack_from(lowest: Rank) -> tuple[Card, ...]:
    """Every card of rank `lowest` to ace, ascending: the pack of 36 from SIX, of 32 from SEVEN."""
    return tuple(card for card in range(CARD_COUNT) if card % 13 >= lowest)
