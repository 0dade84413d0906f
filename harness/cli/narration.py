"""A match told in plain text, deal by deal: what a spectator, or one seat, saw."""

from collections.abc import Iterator, Sequence

from harness.cards import EMPTY, CardSet, cards_in, set_name
from harness.games.game import (
    Acted,
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
)
from harness.games.view import Drawn, project
from harness.record import MatchRecord, ReplayDeal, ReplayStep, replay_steps

_LINE = 100


def narrate(record: MatchRecord, viewer: Seat | None = None) -> Iterator[str]:
    """Lines that tell `record`: all hands open, or only what seat `viewer` saw. ReplayDifference as `replay`."""
    teller = _Teller(record, viewer)
    yield from teller.head()
    for step in replay_steps(record):
        if isinstance(step, ReplayDeal):
            yield from teller.deal(step)
        else:
            yield from teller.act(step)
    yield from teller.end()


class _Teller:
    def __init__(self, record: MatchRecord, viewer: Seat | None) -> None:
        self.record = record
        self.viewer = viewer
        self.names = [seat.bot for seat in record.seats]
        self.width = max(map(len, self.names))
        self.line: list[str] = []

    def head(self) -> Iterator[str]:
        record = self.record
        yield f"{record.match}: {record.game}" + "".join(
            f", {name} = {value}" for name, value in record.options.items()
        )
        for seat, entry in enumerate(record.seats):
            yield f"  seat {seat}  {entry.bot} {entry.version}"
        for fault in record.faults:
            yield (
                f"  fault   {self.names[fault.seat]}: {fault.kind} in deal {fault.deal} before action {fault.action}: "
                f"{fault.detail}"
            )

    def deal(self, deal: ReplayDeal) -> Iterator[str]:
        dealt = deal.events[0]
        assert isinstance(dealt, Dealt)
        yield ""
        up = f", {set_name(dealt.upcards)} turned up" if dealt.upcards else ""
        yield f"deal {deal.deal_index}, dealer {self.names[dealt.dealer]}{up}"
        for seat, hand in enumerate(dealt.hands):
            if self.viewer in (None, seat):
                yield f"  {self.names[seat]:{self.width}}  {_by_suit(hand)}"
        yield from self._tell(deal.events[1:])

    def act(self, step: ReplayStep) -> Iterator[str]:
        if any(
            (f.seat, f.deal, f.action) == (step.seat, step.deal_index, step.action_index) for f in self.record.faults
        ):
            yield from self._flush()
            yield f"  from here the house plays for {self.names[step.seat]}"
        verb, _, cards = step.text.partition(":")
        name = self.names[step.seat]
        self.line.append(f"{name} {cards.replace('+', ' ') if verb == 'play' else step.text.replace(':', ' ')}")
        if sum(map(len, self.line)) > _LINE:
            yield from self._flush()
        yield from self._tell(event for event in step.events if not isinstance(event, Acted))

    def _tell(self, events: Iterator[Event] | Sequence[Event]) -> Iterator[str]:
        for event in events:
            if isinstance(event, Taken):
                self.line.append(f"-> {self.names[event.seat]}")
                yield from self._flush()
            elif isinstance(event, Scored):
                yield from self._flush()
                yield from self._score(event)
            else:
                self.line.append(self._phrase(event))
                if isinstance(event, PickedUp | Cleared):
                    yield from self._flush()

    def _phrase(self, event: Event) -> str:
        if isinstance(event, Drew):
            return self._drew(event)
        if isinstance(event, PickedUp):
            return f"-> {self.names[event.seat]} picks up"
        if isinstance(event, Cleared):
            return "-> beaten"
        if isinstance(event, Shown):
            return f"{self.names[event.seat]} shows {set_name(event.cards)}"
        if isinstance(event, Out):
            return f"{self.names[event.seat]} is out"
        raise AssertionError(event)

    def _drew(self, event: Drew) -> str:
        name = self.names[event.seat]
        if self.viewer is None:
            return f"{name} draws {set_name(event.cards)}"
        seen = project(event, self.viewer)
        assert isinstance(seen, Drawn)
        return f"{name} draws {set_name(seen.cards) if seen.cards != EMPTY else seen.card_count}"

    def _score(self, event: Scored) -> Iterator[str]:
        parts = [f"{name} {delta:+}" for name, delta in zip(self.names, event.deltas, strict=True) if delta]
        yield f"  points: {', '.join(parts) or 'none'}" + (f"; pot {event.pot}" if event.pot else "")

    def _flush(self) -> Iterator[str]:
        if self.line:
            yield "  " + ", ".join(self.line).replace(", ->", " ->")
            self.line = []

    def end(self) -> Iterator[str]:
        yield ""
        order = sorted(range(len(self.names)), key=lambda seat: (self.record.places[seat], seat))
        for seat in order:
            yield f"{self.record.places[seat]}. {self.names[seat]:{self.width}}  {self.record.points[seat]:+d}"


def _by_suit(cards: CardSet) -> str:
    """Cards of a hand, suits apart."""
    by_suit = [[card for card in cards_in(cards) if card // 13 == suit] for suit in range(4)]
    return "  ".join(set_name(sum(1 << card for card in suit)) for suit in by_suit if suit)
