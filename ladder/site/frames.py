"""Replays as rows of finished frames: what a game hands over, and all that the viewer draws.

A frame says where every card lies and what is to be read beside it. The viewer knows no rules. What a place means to
the eye is in its name: `hand.2`, `table.2` (the card that seat 2 played), `won.2`, `layout`, `attack.0`, `cover.0`,
`stock`, `upcard`, `gone`.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Say(NamedTuple):
    """A sentence with blanks: `{a}` the seat that acted, `{m}` the cards that it laid, in order; and, filled by `args`
    one after the other, `{s}` a seat, `{c}` a card, `{p}` a card that only the seat named last may see, `{n}` a number.
    """

    words: str
    args: tuple[int | str, ...] = ()
    """Seats and numbers as ints, cards by name."""


class Frame(NamedTuple):
    """One moment. Lists by seat have one entry for each."""

    places: Mapping[str, str]
    """Where each card lies, by its name. Cards that are not here lie in the deal's `rest`."""
    says: tuple[Say, ...]
    turn: int | None
    """The seat to act next."""
    points: tuple[int, ...]
    """So far in the match."""
    pot: int | None = None
    tally: tuple[int, ...] = ()
    """What the deal counts by seat, such as tricks."""
    house: tuple[int, ...] = ()
    """Seats that the house plays for."""
    out: tuple[int, ...] = ()
    """Seats out of the deal."""
    shown: tuple[str, ...] = ()
    """Cards of a hand that were shown to all."""
    winner: int | None = None
    """Who takes the trick, or the pot."""
    spent_ms: float | None = None
    """How long the seat thought; None where it was not asked."""
    note: str | None = None
    """What the bot wrote beside its decision."""


class Deal(NamedTuple):
    """One deal: its first frame is before the first move, then one a move."""

    title: str
    dealer: int
    layout: str
    """`tricks`, `domino` or `bouts`."""
    rest: str
    """The place of the cards that no frame names."""
    frames: tuple[Frame, ...]
    ending: str = ""
    """How it ended, where games end in different ways."""
    ranks: str = ""
    """Ranks from low to high, for a layout that has an order."""
    tally_name: str = ""
