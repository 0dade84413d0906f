"""A record as the frames of a replay: where every card lies after every move, and what is to be said of it.

All hands are open in a frame; which of them a reader sees is the viewer's business. The cards of a trick or a bout
stay on the table until the next move, so that they can be seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from operator import add
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
    Taken,
    action_cards,
)
from harness.games.orders import RANK_ORDERS
from harness.record import DealRecord, MatchRecord, ReplayDeal, ReplayStep, replay_steps
from harness.store.times import DecisionTime
from harness.thinking import Moment, times_by_moment
from ladder.site.frames import Deal, Frame, Say

SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
NS_PER_MS = 1_000_000


class Beside(NamedTuple):
    """What is kept beside a record."""

    times: Sequence[DecisionTime] = ()
    notes: Mapping[Moment, str] = {}


def deals_of(record: MatchRecord, beside: Beside) -> Iterator[Deal]:
    """The deals of `record`, frame by frame. ReplayDifference where the rules do not bear it out."""
    steps = list(replay_steps(record))
    times = times_by_moment(record, steps, beside.times)
    table: _Table | None = None
    frames: list[Frame] = []
    for step, following in zip_longest(steps, steps[1:]):
        turn = following.seat if isinstance(following, ReplayStep) else None
        if isinstance(step, ReplayDeal):
            points = (0,) * len(record.seats) if table is None else tuple(table.points)
            if table is not None:
                yield _deal(record, table, frames)
            table = _Table(record, step, points)
            frames = [table.frame(turn)]
        else:
            assert table is not None
            table.act(step)
            moment = step.deal_index, step.action_index
            time = times.get(moment)
            spent_ms = None if time is None else time.spent_ns / NS_PER_MS
            frames.append(table.frame(turn)._replace(spent_ms=spent_ms, note=beside.notes.get(moment)))
    if table is not None:
        yield _deal(record, table, frames)


def _deal(record: MatchRecord, table: "_Table", frames: list[Frame]) -> Deal:
    played = record.deals[table.deal_index]
    title = deal_title(played, record.game)
    if record.game == "zhiletka":
        return Deal(title, played.dealer, "bouts", "stock", tuple(frames), ending=table.ending)
    order = RANK_ORDERS[str(record.options.get("rank_order", "seed"))]
    is_domino = played.actions[0] == "contract:domino"
    return Deal(
        title=title,
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
        return deal.actions[0].removeprefix("contract:").capitalize()
    # Z2.4: the card after the hands of three is turned up.
    return f"{SUIT_WORDS[suit_of(deal.deck[3 * len(deal.points)])].capitalize()} are trumps"


class _Table:
    """The cards of one deal and what was last said of them."""

    def __init__(self, record: MatchRecord, deal: ReplayDeal, points: tuple[int, ...]) -> None:
        self.record = record
        self.deal_index = deal.deal_index
        self.points = points
        self.places: dict[str, str] = {}
        self.leaving: dict[str, str] = {}
        """Cards that lie there still, and where they go with the next move."""
        self.says: list[Say] = []
        self.pot: int | None = None
        self.tally = [0] * len(points) if record.game == "guillotine" else []
        self.house: tuple[Seat, ...] = ()
        self.out: tuple[Seat, ...] = ()
        self.shown: tuple[str, ...] = ()
        self.winner: Seat | None = None
        self.ending = ""
        """How a hand of Zhiletka ended."""
        self._join_house(0)
        for event in deal.events:
            self._see(event)
        if self.shown:
            self.ending = "a set was dealt"

    def frame(self, turn: Seat | None) -> Frame:
        """The table as it is now, `turn` to act."""
        return Frame(
            places=dict(self.places),
            says=tuple(self.says),
            turn=turn,
            points=self.points,
            pot=self.pot,
            tally=tuple(self.tally),
            house=self.house,
            out=self.out,
            shown=self.shown,
            winner=self.winner,
        )

    def act(self, step: ReplayStep) -> None:
        """Makes a move."""
        self.places.update(self.leaving)
        self.leaving, self.says, self.winner = {}, [], None
        self._join_house(step.action_index)
        for event in step.events:
            self._see(event)

    def _put(self, cards: CardSet, place: str) -> None:
        self.places.update(dict.fromkeys(_names(cards), place))

    def _join_house(self, action_index: int) -> None:
        for fault in self.record.faults:
            if (fault.deal, fault.action) <= (self.deal_index, action_index) and fault.seat not in self.house:
                self.house += (fault.seat,)
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
            self.leaving = dict.fromkeys(_names(event.cards), f"won.{event.seat}")
            self._say("{s} takes the trick", event.seat)
        elif isinstance(event, PickedUp):
            self._put(event.cards, f"hand.{event.seat}")
        elif isinstance(event, Cleared):
            self.leaving.update(dict.fromkeys(_names(event.cards), "gone"))
        elif isinstance(event, Drew):
            self._put(event.cards, f"hand.{event.seat}")
            self._say("{s} draws" + " {p}" * event.cards.bit_count(), event.seat, *_names(event.cards))
        elif isinstance(event, Shown):
            self.shown += _names(event.cards)
            self.ending = "set"
            self._say("{s} shows a set:" + " {c}" * event.cards.bit_count(), event.seat, *_names(event.cards))
        elif isinstance(event, Out):
            self._see_out(event.seat)
        else:
            self._see_scored(event)

    def _see_dealt(self, event: Dealt) -> None:
        for seat, hand in enumerate(event.hands):
            self._put(hand, f"hand.{seat}")
        self._put(event.upcards, "upcard")
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
            self.places[card_name(card)] = "layout"
            self._say("{a} lays {m}")
        else:
            leads = not any(place.startswith("table.") for place in self.places.values())
            self.places[card_name(card)] = f"table.{seat}"
            self._say("{a} leads {m}" if leads else "{a} plays {m}")

    def _see_bout(self, cards: Sequence[Card]) -> None:
        covers = "attack.0" in self.places.values()
        for number, card in enumerate(cards):
            self.places[card_name(card)] = f"{'cover' if covers else 'attack'}.{number}"
        self._say("{a} covers with {m}" if covers else "{a} attacks with {m}")

    def _see_out(self, seat: Seat) -> None:
        self.out += (seat,)
        held = [card for card, place in self.places.items() if place == f"hand.{seat}"]
        self.leaving.update(dict.fromkeys(held, "gone"))
        self._say("{s} is out", seat)

    def _see_scored(self, event: Scored) -> None:
        self.points = tuple(map(add, self.points, event.deltas))
        if self.record.game == "guillotine":
            self._say("The deal is over")
            return
        self.pot = event.pot
        winners = [seat for seat, delta in enumerate(event.deltas) if delta > 0]
        for seat in winners:
            self._say("{s} takes {n} from the pot", seat, event.deltas[seat])
        if len(winners) == 1:
            self.winner = winners[0]
        if max(event.deltas) >= 0 and not self.ending:  # not the antes
            self.ending = "the last one in" if len(winners) == 1 and self.out else "undecided"


@lru_cache(maxsize=4096)
def _names(cards: CardSet) -> tuple[str, ...]:
    return tuple(map(card_name, cards_in(cards)))
