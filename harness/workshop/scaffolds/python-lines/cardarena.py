"""The conversation and the view: a line of JSON in, an action out. What goes to stderr is the log.

The words are those of `harness.bot`, so that a bot can move from one to the other.
"""

import json
import sys
from dataclasses import dataclass, field
from typing import TypedDict

Card = int
Action = int

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)
ROYALTY, QUEENS, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE, DOMINO, PASS, END, TAKE = range(52, 61)
CONTRACTS = (ROYALTY, QUEENS, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE, DOMINO)

_RANKS, _SUITS = "23456789TJQKA", "CDHS"
_CONTRACT_NAMES = ("royalty", "queens", "spades", "parliament", "guillotine", "domino")


def suit_of(card: Card) -> int:
    """Suit of `card`, 0 (clubs) to 3 (spades)."""
    return card // 13


def rank_of(card: Card) -> int:
    """Rank of `card`, 0 (two) to 12 (ace)."""
    return card % 13


def card_name(card: Card) -> str:
    """Notation of `card`: 49 is `QS`."""
    return _RANKS[rank_of(card)] + _SUITS[suit_of(card)]


def parse_card(name: str) -> Card:
    """Card that `name` denotes: `QS` is 49."""
    return _SUITS.index(name[1]) * 13 + _RANKS.index(name[0])


def action_cards(action: Action) -> tuple[Card, ...]:
    """Cards that `action` puts on the table: none, one or two."""
    return (action,) if action < 52 else () if action < 64 else (action & 63, (action >> 6) - 1)


def card_points(contract: Action | None, card: Card) -> int:
    """Points for whoever takes `card` in a trick under `contract`."""
    queen, spade, king = 10 * (rank_of(card) == QUEEN), 5 * (suit_of(card) == SPADES), 10 * (card == 37)
    if contract == ROYALTY:
        return 2 * king + (queen if spade else 0)
    if contract == GUILLOTINE:
        return king + queen + spade
    return {QUEENS: queen - king, SPADES_CONTRACT: spade - king, PARLIAMENT: -king}.get(contract or 0, 0)


class Ask(TypedDict):
    """An ask, as docs/lines.md of cardarena tells it."""

    game: str
    options: dict[str, str | int | bool]
    seat: int
    seat_count: int
    seed: str
    asked: int
    clock_s: float | None
    deal_index: int
    dealer: int
    hand: list[str]
    hand_counts: list[int]
    table: list[tuple[int, str]]
    points: list[int]
    contract: str | None
    contracts: list[list[str]]
    led: str | None
    taken: list[list[str]]
    trumps: str | None
    upcards: list[str]
    stock_count: int
    pot: int
    known: list[list[str]]
    gone: list[str]
    unseen: list[str]
    out: list[int]
    faulted: list[int]
    history: list[dict[str, object]]
    actions: list[int]
    legal: list[str]


@dataclass
class View:
    """What the seat knows when it is asked. "By seat": one entry for each seat, from seat 0."""

    told: Ask
    """The whole ask, with cards as texts: `history`, `known`, `taken`, `contracts`, ..."""
    game: str
    seat: int
    seat_count: int
    deal_index: int
    dealer: int
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    table: tuple[tuple[int, Card], ...]
    """Who laid which card: the trick under way, the domino layout, the attack to beat."""
    points: tuple[int, ...]
    contract: Action | None
    led: int | None
    trumps: int | None
    stock_count: int
    pot: int
    unseen: tuple[Card, ...]
    clock_s: float | None
    actions: tuple[Action, ...]
    """The legal ones, ascending."""
    notes: list[str] = field(default_factory=list)

    @property
    def trick(self) -> tuple[tuple[int, Card], ...]:
        """Guillotine: the trick under way."""
        return () if self.contract in (None, DOMINO) else self.table

    def note(self, text: str) -> None:
        """Keeps `text` beside this decision, for its author."""
        self.notes.append(text)


def view_of(told: Ask) -> View:
    """The view of an ask."""
    contract = told["contract"]
    return View(
        told=told,
        game=told["game"],
        seat=told["seat"],
        seat_count=told["seat_count"],
        deal_index=told["deal_index"],
        dealer=told["dealer"],
        hand=tuple(map(parse_card, told["hand"])),
        hand_counts=tuple(told["hand_counts"]),
        table=tuple((seat, parse_card(name)) for seat, name in told["table"]),
        points=tuple(told["points"]),
        contract=None if contract is None else CONTRACTS[_CONTRACT_NAMES.index(contract.removeprefix("contract:"))],
        led=None if told["led"] is None else _SUITS.index(told["led"]),
        trumps=None if told["trumps"] is None else _SUITS.index(told["trumps"]),
        stock_count=told["stock_count"],
        pot=told["pot"],
        unseen=tuple(map(parse_card, told["unseen"])),
        clock_s=told["clock_s"],
        actions=tuple(told["actions"]),
    )


class Bot:
    """A player: an object plays one match after the other, one at a time."""

    def choose(self, view: View) -> Action:
        """One of `view.actions`. Called when there are at least two."""
        raise NotImplementedError


def run(bot_class: type[Bot]) -> None:
    """Plays until stdin ends; each match gets an object of its own."""
    bot = bot_class()
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "start":
            bot = bot_class()
        elif told["type"] == "ask":
            view = view_of(told)
            action = bot.choose(view)
            print(action, *(["#", *view.notes] if view.notes else []), flush=True)
        elif told["type"] == "fault":
            print(f"fault: {told['kind']}: {told['detail']}", file=sys.stderr)
