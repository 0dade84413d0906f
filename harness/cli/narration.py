"""A match told in lines of text, event by event: all hands open, or only what one seat saw."""

from collections.abc import Iterator, Sequence

from harness.cards import EMPTY, CardSet, cards_in
from harness.cli.faces import Faces, width_of
from harness.cli.position import WIDTH, in_columns, in_lines
from harness.faults import ABSENT, SeatFaulted, result_fault
from harness.games.game import (
    CONTRACT_NAMES,
    CONTRACTS,
    END,
    PASS,
    TAKE,
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
from harness.games.view import Drawn, HandDealt, Seen, project
from harness.printable import printable
from harness.record import MatchRecord, replay_steps

_WORDS = {PASS: "passes", END: "ends its bonus", TAKE: "takes"}


def narrate(record: MatchRecord, faces: Faces, viewer: Seat | None = None) -> Iterator[str]:
    """Lines that tell `record`: all hands open, or only what seat `viewer` saw. ReplayDifference as `replay`."""
    names = [entry.bot for entry in record.seats]
    yield printable(f"{record.match}: {record.game}" + "".join(f", {key} = {v}" for key, v in record.options.items()))
    for seat, entry in enumerate(record.seats):
        yield printable(f"  seat {seat}  {entry.bot} {entry.version}")
    for fault in record.faults:
        detail = f": {fault.detail}" if viewer in (None, fault.seat) else ""  # it may name cards of the hand
        kind = result_fault(fault.kind, fault.detail)
        where = f"in deal {fault.deal} before action {fault.action}"
        yield printable(f"  {'absent ' if kind == ABSENT else 'fault  '} {names[fault.seat]}: {kind} {where}{detail}")
    teller = Teller(record.game, names, faces, viewer)
    faults = {(fault.deal, fault.action): fault for fault in record.faults}
    for step in replay_steps(record):
        moment = step.deal_index, getattr(step, "action_index", -1)
        if moment in faults:
            fault = faults[moment]
            yield from teller.house_plays(fault.seat, result_fault(fault.kind, fault.detail))
        for event in step.events:
            yield from teller.see(event)
    yield from teller.end(record.points, record.places)


class Teller:
    """Turns what happens into lines. What a trick or a bout consists of stands together."""

    def __init__(self, game: str, names: Sequence[str], faces: Faces, viewer: Seat | None = None) -> None:
        """`names` by seat, as they are: what could harm a terminal is taken out here."""
        self._game = game
        self._names = [printable(name) for name in names]
        self._width = max(map(len, self._names))
        self._faces = faces
        self._viewer = viewer
        self._line: list[str] = []
        self._attacked = False  # the next cards cover

    def house_plays(self, seat: Seat, why: str) -> Iterator[str]:
        """The house takes a seat over."""
        yield from self._flush()
        yield f"  from here the house plays for {self._names[seat]} ({why})"

    def see(self, event: Event | SeatFaulted) -> Iterator[str]:
        """`event` happened: the lines that are complete by it."""
        if isinstance(event, SeatFaulted):
            yield from self.house_plays(event.seat, event.kind)
        elif self._viewer is not None:
            yield from self._see(project(event, self._viewer))
        else:
            yield from self._see(event)
        if sum(map(width_of, self._line)) > WIDTH:
            yield from self._flush()

    def end(self, points: Sequence[int], places: Sequence[int]) -> Iterator[str]:
        """The match is over."""
        yield from self._flush()
        yield ""
        for seat in sorted(range(len(places)), key=lambda seat: (places[seat], seat)):
            yield f"{places[seat]}. {self._names[seat]:{self._width}}  {points[seat]:+d}"

    def _see(self, event: Event | Seen) -> Iterator[str]:
        match event:
            case Dealt(deal_index, dealer, hands, upcards):
                yield from self._deal(deal_index, dealer, upcards, dict(enumerate(hands)))
            case HandDealt(deal_index, dealer, hand, upcards):
                assert self._viewer is not None
                yield from self._deal(deal_index, dealer, upcards, {self._viewer: hand})
            case Acted(seat, action):
                self._line.append(f"{self._names[seat]} {self._act(action)}")
                if action in CONTRACTS:
                    yield from self._flush()
            case Taken(seat, _):
                self._line.append(f"-> {self._names[seat]}")
                yield from self._flush()
            case PickedUp(seat, _):
                self._attacked = False
                self._line.append(f"-> {self._names[seat]} picks up")
                yield from self._flush()
            case Cleared():
                self._attacked = False
                self._line.append("-> beaten")
                yield from self._flush()
            case Drew(seat, cards):
                self._line.append(f"{self._names[seat]} draws {self._cards(cards)}")
            case Drawn(seat, count, cards):
                self._line.append(f"{self._names[seat]} draws {self._cards(cards) if cards != EMPTY else count}")
            case Shown(seat, cards):
                self._line.append(f"{self._names[seat]} shows {self._cards(cards)}")
            case Out(seat):
                self._line.append(f"{self._names[seat]} is out")
            case Scored(deltas, pot):
                yield from self._flush()
                parts = [f"{name} {delta:+}" for name, delta in zip(self._names, deltas, strict=True) if delta]
                yield from in_columns("  points: ", [*(parts or ["none"]), *([f"pot {pot}"] if pot else [])])

    def _deal(self, index: int, dealer: Seat, upcards: CardSet, hands: dict[Seat, CardSet]) -> Iterator[str]:
        yield from self._flush()
        self._attacked = False
        yield ""
        up = f", {self._cards(upcards)} turned up" if upcards else ""
        yield self._faces.strong(f"deal {index}, dealer {self._names[dealer]}{up}")
        for seat, hand in hands.items():
            yield f"  {self._names[seat]:{self._width}}  {self._faces.by_suit(cards_in(hand))}"

    def _act(self, action: Action) -> str:
        if action in CONTRACTS:
            return f"names {self._faces.strong(CONTRACT_NAMES[CONTRACTS.index(action)])}"
        if action in _WORDS:
            return _WORDS[action]
        cards = self._faces.cards(action_cards(action))
        if self._game == "guillotine":
            return cards
        self._attacked = not self._attacked
        return f"{'attacks' if self._attacked else 'covers'} {cards}"

    def _cards(self, cards: CardSet) -> str:
        return self._faces.cards(cards_in(cards))

    def _flush(self) -> Iterator[str]:
        if self._line:
            yield from in_lines(self._line)
            self._line = []
