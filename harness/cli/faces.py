"""Cards as people know them: suits as signs, red ones in red, where the terminal can show it; and read again."""

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace

from harness.cards import RANK_NAMES, SUIT_NAMES, Card, parse_card, rank_of, suit_of

SIGNS = "♣♦♥♠"
RED_SUITS = (1, 2)
_RED, _BOLD, _DIM, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True)
class Faces:
    """How cards look."""

    colour: bool
    signs: bool
    """Suits as signs, else as letters."""

    @property
    def plain(self) -> "Faces":
        """The same without colour, for within what is coloured itself."""
        return replace(self, colour=False)

    def card(self, card: Card) -> str:
        """`Q♠` or `QS`; `10♥` or `TH`."""
        suit = suit_of(card)
        rank = RANK_NAMES[rank_of(card)]
        text = rank.replace("T", "10") + SIGNS[suit] if self.signs else rank + SUIT_NAMES[suit]
        return f"{_RED}{text}{_PLAIN}" if self.colour and suit in RED_SUITS else text

    def cards(self, cards: Iterable[Card], between: str = " ") -> str:
        """Several, in their order."""
        return between.join(map(self.card, cards))

    def by_suit(self, cards: Iterable[Card]) -> str:
        """A hand, its suits apart."""
        return "   ".join(self.suits(cards))

    def suits(self, cards: Iterable[Card]) -> list[str]:
        """The suits of a hand, one by one."""
        hand = list(cards)
        suits = [[card for card in hand if suit_of(card) == suit] for suit in range(4)]
        return [self.cards(suit) for suit in suits if suit]

    def suit(self, suit: int) -> str:
        """A suit alone."""
        text = SIGNS[suit] if self.signs else ("clubs", "diamonds", "hearts", "spades")[suit]
        return f"{_RED}{text}{_PLAIN}" if self.colour and suit in RED_SUITS else text

    def strong(self, text: str) -> str:
        """What should be seen first."""
        return f"{_BOLD}{text}{_PLAIN}" if self.colour else text

    def faint(self, text: str) -> str:
        """What is there to be looked up."""
        return f"{_DIM}{text}{_PLAIN}" if self.colour else text


def faces_here() -> Faces:
    """What stdout can show: no colour with NO_COLOR or where it is no terminal, no signs where it cannot write them."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    try:
        SIGNS.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return Faces(colour, signs=False)
    return Faces(colour, signs=True)


def read_cards(text: str) -> tuple[Card, ...] | None:
    """Cards as people write them: `QS`, `q♠`, `10h 7h`, `QS+7S`; None where a word is none.

    >>> read_cards("10h q♠")
    (34, 49)
    """
    words = re.split(r"[\s,+]+", text.strip().upper())
    cards = []
    for word in words:
        name = word.replace("10", "T")
        for sign, letter in zip(SIGNS, SUIT_NAMES, strict=True):
            name = name.replace(sign, letter)
        try:
            cards.append(parse_card(name))
        except ValueError:
            return None
    return tuple(cards)


def width_of(text: str) -> int:
    """Columns that `text` takes: escape codes take none."""
    return len(re.sub(r"\x1b\[[0-9;]*m", "", text))
