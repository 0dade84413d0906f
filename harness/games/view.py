"""What one seat sees: `project` hides what it may not, `SeatView` folds what is left.

`project` is the only code in the project that hides anything. All that a seat is ever told, and
every view built from it, on either side of the wire, is made of projected events.
"""

from typing import NamedTuple

from harness.cards import EMPTY, Card, CardSet, set_of
from harness.faults import SeatFaulted
from harness.games.game import (
    CONTRACTS,
    Acted,
    Action,
    Cleared,
    Dealt,
    Drew,
    Event,
    Out,
    PickedUp,
    Scored,
    Seat,
    Shown,
    Taken,
    action_cards,
)


class HandDealt(NamedTuple):
    """`Dealt` as one seat sees it: its own cards, and how many everybody got follows from them."""

    deal_index: int
    dealer: Seat
    hand: CardSet
    upcards: CardSet


class Drawn(NamedTuple):
    """`Drew` as one seat sees it. `cards` is empty where the seat may not see them."""

    seat: Seat
    card_count: int
    cards: CardSet


Seen = HandDealt | Acted | Drawn | Taken | PickedUp | Cleared | Shown | Out | Scored

PUBLIC: frozenset[type] = frozenset((Acted, Taken, PickedUp, Cleared, Shown, Out, Scored))
"""Kinds of events that every seat sees as they are."""


def project(event: Event, viewer: Seat) -> Seen:
    """`event` as `viewer` may see it (G8, Z12). TypeError for a kind of which nothing is known."""
    if type(event) in PUBLIC:
        return event  # type: ignore[return-value]  # `in` narrows nothing
    if type(event) is Dealt:
        return HandDealt(event.deal_index, event.dealer, event.hands[viewer], event.upcards)
    if type(event) is Drew:
        return Drawn(event.seat, event.cards.bit_count(), event.cards if event.seat == viewer else EMPTY)
    raise TypeError(f"nobody has said who may see {event!r}")


class SeatView:
    """A seat's knowledge: the fold of its projected events, in order, from the start of the match.

    Lists by seat have one entry for each. Cards are `CardSet`s unless an order matters.
    """

    __slots__ = (
        "contract",
        "contracts",
        "deal_events",
        "deal_index",
        "dealer",
        "faulted",
        "gone",
        "hand",
        "hand_counts",
        "known",
        "out",
        "pack_size",
        "points",
        "pot",
        "seat",
        "seat_count",
        "stock_count",
        "table",
        "taken",
        "upcards",
    )

    def __init__(self, seat: Seat, seat_count: int, pack_size: int) -> None:
        self.seat = seat
        self.seat_count = seat_count
        self.pack_size = pack_size
        self.points = [0] * seat_count
        """Points so far, in the rules' own sense."""
        self.pot = 0
        """Chips in the pot."""
        self.contracts: list[list[Action]] = [[] for _ in range(seat_count)]
        """Contracts that each seat has announced as dealer, in order."""
        self.faulted: list[SeatFaulted] = []
        """Faults of the match so far, in order: the house plays for these seats."""
        self._begin_deal(HandDealt(-1, 0, EMPTY, EMPTY))

    def _begin_deal(self, event: HandDealt) -> None:
        self.deal_index = event.deal_index
        self.dealer = event.dealer
        self.hand = event.hand
        self.upcards = event.upcards
        """Cards turned face up, also after somebody drew them."""
        card_count = event.hand.bit_count()
        self.hand_counts = [card_count] * self.seat_count
        self.stock_count = self.pack_size - card_count * self.seat_count
        """Cards left in the stock, an upcard under it included."""
        self.contract: Action | None = None
        """What the dealer announced for this deal."""
        self.table: list[tuple[Seat, Card]] = []
        """Who laid which card, in order: the trick, the attack and its cover, the domino layout."""
        self.taken = [EMPTY] * self.seat_count
        """Cards of the tricks that each seat won."""
        self.known = [EMPTY] * self.seat_count
        """Cards that each other seat is known to hold: it picked them up, showed them, or drew the upcard."""
        self.gone = EMPTY
        """Cards seen to leave the game."""
        self.out: list[Seat] = []
        """Seats out of the deal, in order."""
        self.deal_events: list[Seen | SeatFaulted] = [event]
        """All that the seat saw of this deal, in order."""

    @property
    def unseen(self) -> CardSet:
        """Every card of the 52 that this seat has not seen in this deal. Mask it with the pack."""
        seen = self.hand | self.upcards | self.gone | set_of(card for _, card in self.table)
        for cards in self.taken:
            seen |= cards
        for cards in self.known:
            seen |= cards
        return ((1 << 52) - 1) & ~seen

    @property
    def snapshot_events(self) -> list[Seen | SeatFaulted]:
        """The events that a new fold needs to know this deal: the faults of earlier deals, then all of this one."""
        if not self.faulted:
            return self.deal_events
        earlier: list[Seen | SeatFaulted] = [fault for fault in self.faulted if fault not in self.deal_events]
        return earlier + self.deal_events

    def see(self, event: Seen | SeatFaulted) -> None:
        """Adds one event."""
        if type(event) is HandDealt:
            self._begin_deal(event)
            return
        self.deal_events.append(event)
        if type(event) is Acted:
            self._see_acted(event)
        elif type(event) is Drawn:
            self.hand_counts[event.seat] += event.card_count
            self.stock_count -= event.card_count
            if event.seat == self.seat:
                self.hand |= event.cards
            elif self.stock_count == 0:
                self.known[event.seat] |= self.upcards  # Z12: the turned-up card is drawn last
        elif type(event) is Taken:
            self.taken[event.seat] |= event.cards
            self.table = []
        elif type(event) is PickedUp:
            self._hold(event.seat, event.cards)
            self.hand_counts[event.seat] += event.cards.bit_count()
            self.table = []
        elif type(event) is Cleared:
            self.gone |= event.cards
            self.table = []
        elif type(event) is Shown:
            self._hold(event.seat, event.cards)
        elif type(event) is Out:
            self._see_out(event.seat)
        elif type(event) is Scored:
            self.points = [sum(both) for both in zip(self.points, event.deltas, strict=True)]
            self.pot = event.pot
        elif type(event) is SeatFaulted:
            self.faulted.append(event)

    def _see_acted(self, event: Acted) -> None:
        seat, action = event
        if action in CONTRACTS:
            self.contract = action
            self.contracts[seat].append(action)
            return
        for card in action_cards(action):
            self.table.append((seat, card))
            self.hand_counts[seat] -= 1
            if seat == self.seat:
                self.hand &= ~(1 << card)
            else:
                self.known[seat] &= ~(1 << card)

    def _hold(self, seat: Seat, cards: CardSet) -> None:
        if seat == self.seat:
            self.hand |= cards
        else:
            self.known[seat] |= cards

    def _see_out(self, seat: Seat) -> None:
        self.out.append(seat)
        self.hand_counts[seat] = 0
        self.gone |= self.known[seat]
        self.known[seat] = EMPTY
        if seat == self.seat:
            self.gone |= self.hand
            self.hand = EMPTY
