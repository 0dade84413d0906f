"""A record as the frames of a replay: where every card lies after every move, and what is to be said of it.

All hands are open in a frame; which of them a reader sees is the viewer's business. The cards of a trick or a bout
stay on the table until the next move, so that they can be seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from harness.cards import RANK_NAMES, Card, CardSet, card_name, cards_in, suit_of
from harness.games.game import (
    CONTRACT_NAMES,
    CONTRACTS,
    END,
    PASS,
    TAKE,
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
    State,
    Taken,
    action_cards,
)
from harness.games.orders import RANK_ORDERS
from harness.record import DealRecord, MatchRecord, ReplayDeal, ReplayStep, replay_steps
from ladder.site.frames import Deal, Frame, Say

SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
NS_PER_MS = 1_000_000

Moment = tuple[int, int]
"""Deal and action, both from 0."""


class Beside(NamedTuple):
    """What is kept beside a record."""

    spent_ns: Mapping[Moment, int] = {}
    notes: Mapping[Moment, str] = {}


def deals_of(record: MatchRecord, beside: Beside) -> Iterator[Deal]:
    """The deals of `record`, frame by frame. ReplayDifference where the rules do not bear it out."""
    table: _Table | None = None
    frames: list[Frame] = []
    for step in replay_steps(record):
        if isinstance(step, ReplayDeal):
            if table is not None:
                yield _deal(record, table, frames)
            table = _Table(record, step)
            frames = [table.frame()]
        else:
            assert table is not None
            table.act(step)
            moment = step.deal_index, step.action_index
            spent_ns = beside.spent_ns.get(moment)
            spent_ms = None if spent_ns is None else short_ms(spent_ns)
            frames.append(table.frame()._replace(spent_ms=spent_ms, note=beside.notes.get(moment)))
    if table is not None:
        yield _deal(record, table, frames)


def _deal(record: MatchRecord, table: "_Table", frames: list[Frame]) -> Deal:
    played = record.deals[table.deal_index]
    frames[-1] = frames[-1]._replace(turn=None)
    if record.game == "zhiletka":
        return Deal(deal_title(played, record.game), played.dealer, "bouts", "stock", tuple(frames))
    order = RANK_ORDERS[str(record.options.get("rank_order", "seed"))]
    is_domino = bool(played.actions) and played.actions[0] == "contract:domino"
    return Deal(
        title=deal_title(played, record.game),
        dealer=played.dealer,
        layout="domino" if is_domino else "tricks",
        rest="gone",
        frames=tuple(frames),
        ranks="".join(RANK_NAMES[rank] for rank in order) if is_domino else "",
        tally_name="" if is_domino else "tricks",
    )


def deal_title(deal: DealRecord, game: str) -> str:
    """What the deal is called: its contract in Guillotine, its trumps in Zhiletka."""
    if game == "guillotine":
        return deal.actions[0].removeprefix("contract:").capitalize() if deal.actions else ""
    return f"{SUIT_WORDS[suit_of(deal.deck[3 * len(deal.points)])].capitalize()} are trumps"


def short_ms(spent_ns: int) -> float:
    """Milliseconds with two digits that count: nobody reads more, and pages stay small."""
    return float(f"{spent_ns / NS_PER_MS:.2g}")


class _Table:
    """The cards of one deal and what was last said of them."""

    def __init__(self, record: MatchRecord, deal: ReplayDeal) -> None:
        self.record = record
        self.deal_index = deal.deal_index
        self.seat_count = len(record.seats)
        self.places: dict[Card, str] = {}
        self.leaving: dict[Card, str] = {}
        """Cards that lie there still, and where they go with the next move."""
        self.says: list[Say] = []
        self.pot: int | None = None
        self.tally = [0] * self.seat_count if record.game == "guillotine" else []
        self.house: list[Seat] = []
        self.out: list[Seat] = []
        self.shown: list[Card] = []
        self.winner: Seat | None = None
        self.state: State = deal.after
        self._join_house(0)
        for event in deal.events:
            self._see(event)

    def frame(self) -> Frame:
        """The table as it is now."""
        return Frame(
            places={card_name(card): place for card, place in self.places.items()},
            says=tuple(self.says),
            turn=self.state.turn,
            points=tuple(self.state.points),
            pot=self.pot,
            tally=tuple(self.tally),
            house=tuple(self.house),
            out=tuple(self.out),
            shown=tuple(map(card_name, self.shown)),
            winner=self.winner,
        )

    def act(self, step: ReplayStep) -> None:
        """Makes a move."""
        self.places.update(self.leaving)
        self.leaving, self.says, self.winner = {}, [], None
        self._join_house(step.action_index)
        self.state = step.before.act(step.action)[0]
        for event in step.events:
            self._see(event)

    def _join_house(self, action_index: int) -> None:
        for fault in self.record.faults:
            if (fault.deal, fault.action) <= (self.deal_index, action_index) and fault.seat not in self.house:
                self.house.append(fault.seat)
                if (fault.deal, fault.action) == (self.deal_index, action_index):
                    self._say("From here the house plays for {s}", fault.seat)

    def _say(self, words: str, *args: int | str) -> None:
        say = Say(words, args)
        if say not in self.says:
            self.says.append(say)

    def _see(self, event: Event) -> None:
        if isinstance(event, Dealt):
            self._see_dealt(event)
        elif isinstance(event, Acted):
            self._see_acted(event)
        elif isinstance(event, Taken):
            self.winner = event.seat
            self.tally[event.seat] += 1
            self.leaving = dict.fromkeys(cards_in(event.cards), f"won.{event.seat}")
            self._say("{s} takes the trick", event.seat)
        elif isinstance(event, PickedUp):
            self.places.update(dict.fromkeys(cards_in(event.cards), f"hand.{event.seat}"))
        elif isinstance(event, Cleared):
            self.leaving.update(dict.fromkeys(cards_in(event.cards), "gone"))
        elif isinstance(event, Drew):
            self._see_drew(event)
        elif isinstance(event, Shown):
            self.shown += cards_in(event.cards)
            self._say("{s} shows a set:" + " {c}" * event.cards.bit_count(), event.seat, *_names(event.cards))
        elif isinstance(event, Out):
            self._see_out(event.seat)
        else:
            self._see_scored(event)

    def _see_dealt(self, event: Dealt) -> None:
        for seat, hand in enumerate(event.hands):
            self.places.update(dict.fromkeys(cards_in(hand), f"hand.{seat}"))
        self.places.update(dict.fromkeys(cards_in(event.upcards), "upcard"))
        self._say("{s} deals", event.dealer)
        for name in _names(event.upcards):
            self._say("{c} is turned up", name)

    def _see_acted(self, event: Acted) -> None:
        seat, action = event
        if action in CONTRACTS:
            self._say("{a} announces " + CONTRACT_NAMES[CONTRACTS.index(action)].capitalize())
        elif action == PASS:
            self._say("{a} passes")
        elif action == END:
            self._say("{a} ends its bonus")
        elif action == TAKE:
            self._say("{a} takes the cards")
        elif self.record.game == "guillotine":
            self._see_played(seat, action)
        else:
            self._see_bout(action_cards(action))

    def _see_played(self, seat: Seat, card: Card) -> None:
        if self.record.deals[self.deal_index].actions[0] == "contract:domino":
            self.places[card] = "layout"
            self._say("{a} lays {m}")
        else:
            leads = not any(place.startswith("table") for place in self.places.values())
            self.places[card] = f"table.{seat}"
            self._say("{a} leads {m}" if leads else "{a} plays {m}")

    def _see_bout(self, cards: Sequence[Card]) -> None:
        covers = any(place.startswith("attack") for place in self.places.values())
        for number, card in enumerate(cards):
            self.places[card] = f"{'cover' if covers else 'attack'}.{number}"
        self._say("{a} covers with {m}" if covers else "{a} attacks with {m}")

    def _see_drew(self, event: Drew) -> None:
        self.places.update(dict.fromkeys(cards_in(event.cards), f"hand.{event.seat}"))
        self._say("{s} draws" + " {p}" * event.cards.bit_count(), event.seat, *_names(event.cards))

    def _see_out(self, seat: Seat) -> None:
        self.out.append(seat)
        held = [card for card, place in self.places.items() if place == f"hand.{seat}"]
        self.leaving.update(dict.fromkeys(held, "gone"))
        self._say("{s} is out", seat)

    def _see_scored(self, event: Scored) -> None:
        if self.record.game == "zhiletka":
            self.pot = event.pot
            if max(event.deltas) <= 0:
                return
            winners = [seat for seat, delta in enumerate(event.deltas) if delta > 0]
            self.winner = winners[0] if len(winners) == 1 else None
            for seat in winners:
                self._say("{s} takes {n} from the pot", seat, event.deltas[seat])
        else:
            self._say("The deal is over")


def _names(cards: CardSet) -> tuple[str, ...]:
    return tuple(map(card_name, cards_in(cards)))
