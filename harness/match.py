"""The referee of one match: decks and answers go in, effects come out. No clock, no socket, no chance.

A driver feeds what happened and carries out what comes back, first what is told, then what is due:

    told, due = match.start()                    # nothing to tell; NeedDeck
    told, due = match.deal(deck)                 # events; Ask
    told, due = match.answer(seat, action, ns)   # events; Ask, NeedDeck or Finished

Something is due after every call but a `fault` of a seat that is not asked. A decision with one legal
action is played at once and never asked. A seat at fault is played by the house, which takes the lowest
legal action, to the end of the match, so that the others keep a valid match.
"""

from collections.abc import Sequence
from typing import NamedTuple

from harness.cards import Card, card_name
from harness.faults import Fault, FaultKind, SeatFaulted
from harness.games.game import (
    Action,
    Deck,
    Event,
    Game,
    Outcome,
    Seat,
    Shuffle,
    State,
    action_cards,
    outcome_places,
)


class TimeControl(NamedTuple):
    """Thinking time of each seat in a match, in the seat's own time (`harness.session` measures it)."""

    bank_ns: int
    """For the whole match."""
    increment_ns: int
    """Added to the bank after each answer."""
    decision_ns: int
    """A bot that owes answers and gives none for so long is at fault."""


Told = tuple[Event | SeatFaulted, ...]
"""What happened, in order, for all seats: whoever passes it on projects it first."""


class Ask(NamedTuple):
    """`seat` is to choose one of at least two actions. `bank_ns` is what it has left; None without a clock."""

    seat: Seat
    actions: tuple[Action, ...]
    bank_ns: int | None


class NeedDeck(NamedTuple):
    """A deck is due: a permutation of `cards`."""

    deal_index: int
    cards: tuple[Card, ...]


class Finished(NamedTuple):
    """The match is over. `points` in the rules' own sense; `places` from 1, equal ones are ties."""

    points: tuple[int, ...]
    places: tuple[int, ...]


Due = Ask | NeedDeck | Finished
"""What is to be done now."""
Effects = tuple[Told, Due | None]
"""What is to be told, then what is due; None: what was due is due still."""


class SeatFault(NamedTuple):
    """A fault and where it struck: before action `action_index` of deal `deal_index`, both from 0."""

    seat: Seat
    fault: Fault
    deal_index: int
    action_index: int


class DealLog:
    """One deal as it was played: all that a record needs of it."""

    __slots__ = ("actions", "dealer", "deck", "points")

    def __init__(self, deck: Deck, dealer: Seat) -> None:
        self.deck = deck
        self.dealer = dealer
        self.actions: list[str] = []
        """Texts of all actions, forced ones included, in order."""
        self.points: tuple[int, ...] = ()
        """What the deal brought each seat; empty until it ends."""


def match_places(scores: Sequence[int], faulted: Sequence[Seat]) -> tuple[int, ...]:
    """Places by `scores` (higher is better). Seats in `faulted` (in the order of time) come last, the first lowest.

    >>> match_places((5, 9, 7, 7), (1,))
    (3, 4, 1, 1)
    """
    sound = [seat for seat in range(len(scores)) if seat not in faulted]
    places = [0] * len(scores)
    for seat, place in zip(sound, outcome_places([scores[seat] for seat in sound]), strict=True):
        places[seat] = place
    for place, seat in zip(range(len(scores), 0, -1), faulted, strict=False):
        places[seat] = place
    return tuple(places)


# Makes a NamedTuple in half the time of its own constructor: for what every answer makes anew.
_new = tuple.__new__


class Match:
    """One match under way. Every move of it returns the effects to carry out."""

    __slots__ = (
        "_action_texts",
        "_faulted",
        "_increments_ns",
        "_played",
        "_points_before",
        "asked",
        "banks_ns",
        "clocks",
        "deals",
        "faults",
        "finished",
        "first_dealer",
        "game",
        "seat_count",
        "state",
    )

    def __init__(
        self, game: Game, seat_count: int, first_dealer: Seat, clocks: Sequence[TimeControl | None] | None = None
    ) -> None:
        """`clocks` by seat, None for a seat without one; None: nobody has a clock.

        ValueError for a seat count that the game does not offer.
        """
        self.game = game
        self._action_texts = game.texts
        self.seat_count = seat_count
        self.first_dealer = first_dealer
        self.clocks = tuple(clocks) if clocks is not None else (None,) * seat_count
        self.state: State = game.start(seat_count, first_dealer)
        self.asked: Seat | None = None
        """The seat whose answer is awaited."""
        self.banks_ns = [clock.bank_ns if clock is not None else None for clock in self.clocks]
        """Thinking time left, by seat; None without a clock."""
        self.faults: list[SeatFault] = []
        """At most one a seat, in the order of time."""
        self.deals: list[DealLog] = []
        self.finished = False
        self._increments_ns = tuple([clock.increment_ns if clock is not None else 0 for clock in self.clocks])
        self._faulted: tuple[Seat, ...] = ()  # in the order of time
        self._played: list[str] = []  # of the deal under way
        self._points_before = self.state.points

    def start(self) -> Effects:
        """What is due first: NeedDeck."""
        return self._settle(())

    def deal(self, deck: Deck) -> Effects:
        """Answers NeedDeck. ValueError, and nothing changes, unless a deck is due and `deck` is a permutation of it."""
        dealer = self.state.dealer
        state, events = self.state.deal(deck)
        log = DealLog(deck, dealer)
        self.deals.append(log)
        self._played = log.actions
        self._points_before = self.state.points
        self.state = state
        return self._settle(events)

    def answer(self, seat: Seat, action: Action, spent_ns: int = 0) -> Effects:
        """The answer of the seat asked, which took `spent_ns` of its time. ValueError unless `seat` is asked.

        An answer that comes after the bank ran out is a timeout, an action that was not offered is
        an illegal action: both are faults of `seat`, and the house plays on.
        """
        if seat != self.asked:
            raise ValueError(f"seat {seat} is not asked (asked: {self.asked})")
        bank_ns = self.banks_ns[seat]
        if action not in self.state.actions or (bank_ns is not None and bank_ns < spent_ns):
            fault = self.judge(seat, action, spent_ns)
            assert fault is not None
            return self.fault(seat, fault)
        if bank_ns is not None:
            self.banks_ns[seat] = bank_ns - spent_ns + self._increments_ns[seat]
        return self._settle((), action)

    def judge(self, seat: Seat, action: Action, spent_ns: int) -> Fault | None:
        """What is wrong with this answer of the seat asked; None where it stands. Changes nothing."""
        bank_ns = self.banks_ns[seat]
        if bank_ns is not None and bank_ns < spent_ns:
            return Fault(FaultKind.TIMEOUT, "its thinking time for the match ran out")
        if action not in self.state.actions:
            return Fault(FaultKind.ILLEGAL_ACTION, self._illegal_detail(action))
        return None

    def fault(self, seat: Seat, fault: Fault) -> Effects:
        """`seat` did wrong. A second fault of a seat and one after the end change nothing and have no effects."""
        if self.finished or seat in self._faulted:
            return (), None
        self._faulted += (seat,)
        log = self.deals[-1] if self.deals else None
        self.faults.append(SeatFault(seat, fault, max(0, len(self.deals) - 1), len(log.actions) if log else 0))
        told = (SeatFaulted(seat, fault.kind),)
        if self.asked != seat:
            return told, None
        return self._settle(told)

    def ask(self, seat: Seat) -> Ask:
        """What `seat`, whose turn it is, is to be asked."""
        return _new(Ask, (seat, self.state.actions, self.banks_ns[seat]))

    def is_faulted(self, seat: Seat) -> bool:
        """Whether the house plays for `seat`."""
        return seat in self._faulted

    def _settle(self, told: Told, action: Action | None = None) -> Effects:
        """Plays `action`, then what nobody is asked about, and says what is due."""
        state = self.state
        texts = self._action_texts
        while True:
            if action is not None:
                self._played.append(self.game.action_name(state, action) if texts is None else texts[action])
                state, events = state.act(action)
                told += events
            seat = state.turn
            if seat is None:
                break
            actions = state.actions
            if len(actions) > 1 and seat not in self._faulted:
                self.state = state
                self.asked = seat
                # `ask`, written out: every answer comes here.
                return told, _new(Ask, (seat, actions, self.banks_ns[seat]))
            action = actions[0]
        self.state = state
        self.asked = None
        if self.deals:
            self._close_deal()
        pending = self.state.pending
        if isinstance(pending, Shuffle):
            return told, NeedDeck(self.state.deal_index, pending.cards)
        assert isinstance(pending, Outcome)
        self.finished = True
        return told, Finished(self.state.points, match_places(pending.scores, self._faulted))

    def _close_deal(self) -> None:
        after = self.state.points
        self.deals[-1].points = tuple(now - before for now, before in zip(after, self._points_before, strict=True))

    def _illegal_detail(self, action: Action) -> str:
        cards = " ".join(card_name(card) for card in action_cards(action)) if 0 <= action < 52 else ""
        chosen = f"{action} ({cards})" if cards else str(action)
        legal = " ".join(self.game.action_name(self.state, offered) for offered in self.state.actions)
        return f"chose {chosen}; legal were: {legal}"
