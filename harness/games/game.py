"""What every card game here is: immutable states, actions, events, and what a state waits for.

A game knows rules and nothing else: no clock, no chance, no bot. Chance comes in as a deck, a
choice as an action. A driver between deals is two lines:

    while state.actions:
        state, events = state.act(choose(state))

An **action** is an int: a card to play; or `pair(a, b)` for two cards together; or one of the
named actions ROYALTY to TAKE. An **event** says what happened at the table, unredacted;
`harness.games.view.project` is the only code that hides any of it from a seat.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from harness.cards import Card, CardSet

Seat = int
"""A place at the table, 0-based, clockwise."""
Action = int
Deck = tuple[Card, ...]
"""Cards in dealing order: one at a time from the dealer's left; what is left is the stock, next card first."""
OptionValue = str | int | bool

ROYALTY, QUEENS, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE, DOMINO, PASS, END, TAKE = range(52, 61)
"""The named actions; their numbers are the protocol's."""
CONTRACTS: tuple[Action, ...] = (ROYALTY, QUEENS, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE, DOMINO)
CONTRACT_NAMES = ("royalty", "queens", "spades", "parliament", "guillotine", "domino")


def pair(first: Card, second: Card) -> Action:
    """The action of two cards together: an attack (`first < second`), or covers of its first and second card."""
    return first + 64 * (second + 1)


def action_cards(action: Action) -> tuple[Card, ...]:
    """Cards that `action` puts on the table, in its order: none, one or two."""
    if action < 52:
        return (action,)
    if action < 64:
        return ()
    return (action & 63, (action >> 6) - 1)


class Dealt(NamedTuple):
    """A shuffled deck was dealt. `hands` by seat; `upcards` lie face up."""

    deal_index: int
    dealer: Seat
    hands: tuple[CardSet, ...]
    upcards: CardSet


class Acted(NamedTuple):
    """A seat chose an action (or the harness did where only one was legal)."""

    seat: Seat
    action: Action


class Drew(NamedTuple):
    """A seat took `cards`, at least one, from the stock."""

    seat: Seat
    cards: CardSet


class Taken(NamedTuple):
    """A seat won a trick: the cards on the table lie before it, out of play."""

    seat: Seat
    cards: CardSet


class PickedUp(NamedTuple):
    """A seat took the cards on the table into its hand."""

    seat: Seat
    cards: CardSet


class Cleared(NamedTuple):
    """The cards on the table left the game."""

    cards: CardSet


class Shown(NamedTuple):
    """A seat showed cards of its hand to all."""

    seat: Seat
    cards: CardSet


class Out(NamedTuple):
    """A seat is out of the deal: it got rid of its cards, or holds too many, which then leave the game unseen."""

    seat: Seat


class Scored(NamedTuple):
    """Points or chips changed hands. `deltas` by seat, in the rules' own points; `pot` holds chips afterwards."""

    deltas: tuple[int, ...]
    pot: int


Event = Dealt | Acted | Drew | Taken | PickedUp | Cleared | Shown | Out | Scored


class Shuffle(NamedTuple):
    """The state waits for a deck: a permutation of `cards` (ascending)."""

    cards: tuple[Card, ...]


class Decision(NamedTuple):
    """The state waits for `seat` to choose one of `actions`: ascending, unique, never empty."""

    seat: Seat
    actions: tuple[Action, ...]


class Outcome(NamedTuple):
    """The match is over. `scores` by seat: higher is better, whatever the rules call it."""

    scores: tuple[int, ...]


Pending = Shuffle | Decision | Outcome


class IllegalAction(ValueError):
    """An action that the state does not offer. The state is unchanged."""


class State(Protocol):
    """One moment of a match: an immutable value with hash, equality and pickle."""

    @property
    def pending(self) -> Pending:
        """What the state waits for: the only place that knows what is legal."""

    @property
    def turn(self) -> Seat | None:
        """The seat to act; None where no decision is pending."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Legal actions, ascending; empty where no decision is pending."""

    @property
    def deal_index(self) -> int:
        """Counts the deals of the match from 0; of the deal to come where a deck is awaited."""

    @property
    def dealer(self) -> Seat:
        """The dealer of that deal."""

    @property
    def points(self) -> tuple[int, ...]:
        """Points so far, by seat, in the rules' own sense."""

    def hand(self, seat: Seat) -> CardSet:
        """Cards that `seat` holds."""

    def deal(self, deck: Deck) -> "Step":
        """Answers Shuffle. ValueError unless a deck is awaited and `deck` is a permutation of exactly its cards."""

    def act(self, action: Action) -> "Step":
        """Answers Decision. IllegalAction unless `action` is offered; nothing is changed then."""


Step = tuple[State, tuple[Event, ...]]
"""The next state and what happened, in order."""


class Game(NamedTuple):
    """The rules of one game under one set of options."""

    name: str
    rules_version: str
    options: tuple[tuple[str, OptionValue], ...]
    """Options that differ from the defaults, by name, ascending."""
    seat_counts: tuple[int, ...]
    deal_count: Callable[[int], int]
    """Deals of a match, by its seat count."""
    pack: tuple[Card, ...]
    """Every card of the game, ascending."""
    start: Callable[[int, Seat], State]
    """`start(seat_count, first_dealer)`: the state before the first deal. ValueError for a seat count not offered."""
    action_name: Callable[[State, Action], str]
    """Text of an action legal in that state, as records write it: `play:QS`, `attack:7S+9S`, `take`."""
    texts: Mapping[Action, str] | None
    """The same by action, in a game where a text does not depend on the state; else None."""
    parse_action: Callable[[str], Action]
    """Action that a canonical text denotes, legal or not; ValueError where it denotes none."""
    canonical: Callable[[Sequence[str]], tuple[str, ...]]
    """A deal's action texts as this project writes them, from any form that readers accept."""


def outcome_places(scores: Sequence[int]) -> tuple[int, ...]:
    """Competition ranking of `scores` (higher is better): equal scores share the better place.

    >>> outcome_places((-90, -90, -120, -100))
    (1, 1, 4, 3)
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)
