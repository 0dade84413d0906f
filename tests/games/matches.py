"""Matches of any game, played at random, and where their cards are: what the laws of `contract.py` look at."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from harness import games
from harness.cards import EMPTY, CardSet, set_of
from harness.games.game import (
    Acted,
    Action,
    Cleared,
    Dealt,
    Deck,
    Drew,
    Event,
    Game,
    OptionValue,
    Out,
    Outcome,
    PickedUp,
    Seat,
    Shown,
    State,
    Taken,
    action_cards,
)


class Case(NamedTuple):
    """One game under one set of options at one size of table."""

    name: str
    seat_count: int
    options: Mapping[str, OptionValue]

    def __str__(self) -> str:
        chosen = "-".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.name}-{self.seat_count}-{chosen or 'default'}"

    def game(self) -> Game:
        """The game itself."""
        return games.game(self.name, self.options)


class Step(NamedTuple):
    """One step of a match: `given` is a deck or an action."""

    before: State
    given: Deck | Action
    after: State
    events: tuple[Event, ...]


def take(state: State, given: Deck | Action) -> Step:
    """The step from `state` that `given` makes."""
    after, events = state.deal(given) if isinstance(given, tuple) else state.act(given)
    return Step(state, given, after, events)


def steps_of(game: Game, seat_count: int, seed: int) -> Iterator[Step]:
    """A match from `seed`: decks shuffled, actions chosen at random with a leaning that differs from match to match."""
    random = Random(seed)
    state = game.start(seat_count, random.randrange(seat_count))
    # Even chances alone seldom pass by choice, take by choice or play high: lean to named, low or high actions.
    to_named, to_low, to_high = (random.choice((0.0, 0.0, 0.4, 0.8)) for _ in range(3))
    while not isinstance(state.pending, Outcome):
        given: Deck | Action
        if state.actions:
            named = [action for action in state.actions if 52 <= action < 64]
            if named and random.random() < to_named:
                given = random.choice(named)
            elif random.random() < to_low:
                given = state.actions[0]
            elif random.random() < to_high:
                given = state.actions[-1]
            else:
                given = random.choice(state.actions)
        else:
            given = tuple(random.sample(game.pack, len(game.pack)))
        step = take(state, given)
        yield step
        state = step.after


class CardLedger:
    """Where every card is, from the unredacted events alone."""

    def __init__(self, game: Game, seat_count: int) -> None:
        self.pack = set_of(game.pack)
        self.hands = [EMPTY] * seat_count
        self.stock = self.pack
        self.table = EMPTY
        self.away = EMPTY
        """Won in tricks, or out of the game."""

    def see(self, event: Event) -> None:
        """Moves the cards of one event, each from where it must be."""
        if isinstance(event, Dealt):
            self.table = self.away = EMPTY
            self.hands = list(event.hands)
            dealt = sum(event.hands)
            assert dealt & ~self.pack == EMPTY
            self.stock = self.pack & ~dealt
            assert event.upcards & ~self.stock == EMPTY
        elif isinstance(event, Acted):
            for card in action_cards(event.action):
                self.hands[event.seat] = _without(self.hands[event.seat], 1 << card)
                self.table |= 1 << card
        elif isinstance(event, Drew):
            assert event.cards
            self.stock = _without(self.stock, event.cards)
            self.hands[event.seat] |= event.cards
        elif isinstance(event, Taken | Cleared):
            assert event.cards == self.table
            self.away |= self.table
            self.table = EMPTY
        elif isinstance(event, PickedUp):
            # The rest of the table, a cover that did not hold, would be lost: no game has that.
            assert event.cards == self.table
            self.hands[event.seat] |= self.table
            self.table = EMPTY
        elif isinstance(event, Shown):
            assert event.cards & ~self.hands[event.seat] == EMPTY
        elif isinstance(event, Out):
            self.away |= self.hands[event.seat]
            self.hands[event.seat] = EMPTY


def _without(cards: CardSet, some: CardSet) -> CardSet:
    assert some & ~cards == EMPTY, "cards that are not there"
    return cards & ~some


def seen_cards(viewer: Seat, events: Sequence[Event]) -> CardSet:
    """Cards of one deal that `viewer` has seen (G8, Z12)."""
    seen = EMPTY
    for event in events:
        if isinstance(event, Dealt):
            seen |= event.hands[viewer] | event.upcards
        elif isinstance(event, Acted):
            seen |= set_of(action_cards(event.action))
        elif isinstance(event, Shown) or (isinstance(event, Drew) and event.seat == viewer):
            seen |= event.cards
    return seen
