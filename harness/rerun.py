"""A recorded match played again: one seat is asked once more, the record answers for the others. Sans-IO.

    rerun = Rerun(record, seat)                # drive it as any `harness.match.Match`
    rerun.choices                              # what the seat chose then, and now
    differences(rerun)                         # where it chose otherwise, and what it knew

The match goes the way of the record whatever the seat answers, so that every decision can be compared. With `fork`
it leaves the record at the first difference: from there the seat's own answers count, and the house plays the others.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from harness import deals, games
from harness.faults import Fault, FaultKind
from harness.games.game import Action, Cleared, Deck, PickedUp, Seat, State, Taken
from harness.games.view import SeatView, project
from harness.match import Effects, Match, TimeControl
from harness.record import FaultRecord, MatchRecord, ReplayDeal, replay_steps
from harness.thinking import Moment


class Choice(NamedTuple):
    """One decision, then and now: the text of the action, or a fault. `spent_ns` is the time of now."""

    moment: Moment
    then: str | Fault
    now: str | Fault
    spent_ns: int

    @property
    def is_same(self) -> bool:
        """Whether the seat did the same again; of a fault its kind counts, of an illegal action which it was, too."""
        then, now = self.then, self.now
        if isinstance(then, Fault) and isinstance(now, Fault) and then.kind is not FaultKind.ILLEGAL_ACTION:
            return then.kind is now.kind
        return then == now


class Rerun(Match):
    """The referee of a recorded match played again. Only `seat` is asked."""

    def __init__(
        self,
        record: MatchRecord,
        seat: Seat,
        clocks: Sequence[TimeControl | None] | None = None,
        *,
        fork: bool = False,
    ) -> None:
        """`record` must replay (`harness.record.replay`)."""
        super().__init__(games.game(record.game, record.options), len(record.seats), record.first_dealer, clocks)
        self.record = record
        self.seat = seat
        self.fork = fork
        self.choices: list[Choice] = []
        """Decisions of the seat while the match went the way of the record, in order."""
        self.follows = True
        """Whether the match goes the way of the record still."""
        self._texts = [self.game.canonical(deal.actions) for deal in record.deals]
        self._fault_of_then = next((fault for fault in record.faults if fault.seat == seat), None)
        self._faults_of_others = [fault for fault in record.faults if fault.seat != seat]

    def deck(self, deal_index: int) -> Deck:
        """The deck of the record; beyond its last deal, where a fork may lead, one drawn from the match's id."""
        if deal_index < len(self.record.deals):
            return self.record.deals[deal_index].deck
        return deals.deck(deals.secret_from_seed(0, 1), self.record.match, deal_index, self.game.pack)

    def start(self) -> Effects:
        """As `Match.start`."""
        return self._go_on(super().start())

    def deal(self, deck: Deck) -> Effects:
        """As `Match.deal`."""
        return self._go_on(super().deal(deck))

    def answer(self, seat: Seat, action: Action, spent_ns: int = 0) -> Effects:
        """As `Match.answer`; while the match follows its record, what was recorded is played."""
        if not self.follows or seat != self.asked:
            return self._go_on(super().answer(seat, action, spent_ns))
        wrong = self.judge(seat, action, spent_ns)
        if wrong is not None and (self.fork or wrong.kind is FaultKind.TIMEOUT):
            return self.fault(seat, wrong)
        choice = Choice(self._moment(), self.then(), wrong or self.game.action_name(self.state, action), spent_ns)
        self.choices.append(choice)
        if self.fork and not choice.is_same:
            self.follows = False
            return self._go_on(super().answer(seat, action, spent_ns))
        if isinstance(choice.then, Fault):
            return self._go_on(super().fault(seat, choice.then))
        return self._go_on(super().answer(seat, self.game.parse_action(choice.then), spent_ns))

    def fault(self, seat: Seat, fault: Fault) -> Effects:
        """As `Match.fault`. In the other seats nobody sits who could be at fault."""
        if seat != self.seat:
            return (), None
        if self.follows and self.asked == seat:
            self.choices.append(Choice(self._moment(), self.then(), fault, 0))
            self.follows = self.choices[-1].is_same
        elif not self.is_faulted(seat):
            self.follows = False
        return self._go_on(super().fault(seat, fault))

    def then(self) -> str | Fault:
        """What the seat did at this point of the record: the text of an action, or its fault. Only while it follows."""
        deal_index, action_index = moment = self._moment()
        at = self._fault_of_then
        if at is not None and (at.deal, at.action) <= moment:
            return Fault(at.kind, at.detail)
        return self._texts[deal_index][action_index]

    def _go_on(self, effects: Effects) -> Effects:
        """Answers for the other seats until this one is asked: what was due of those is due no more."""
        told, due = effects
        while (asked := self.asked) is not None and (told or due):
            moment = self._moment()
            if self.follows and self._faults_of_others and _moment_of(self._faults_of_others[0]) <= moment:
                at = self._faults_of_others.pop(0)
                more, then = super().fault(at.seat, Fault(at.kind, at.detail))
                due = then or due
            elif asked == self.seat:
                break
            else:
                more, due = super().answer(asked, self._action_of_others(moment))
            told += more
        return told, due

    def _action_of_others(self, moment: Moment) -> Action:
        """What the record holds; after a fork what the house plays."""
        if not self.follows:
            return self.state.actions[0]
        deal_index, action_index = moment
        return self.game.parse_action(self._texts[deal_index][action_index])

    def _moment(self) -> Moment:
        return len(self.deals) - 1, len(self.deals[-1].actions)


class Difference(NamedTuple):
    """A decision that went otherwise, and what the seat knew when it was asked."""

    choice: Choice
    trick: int
    """How many tricks or bouts of the deal were over."""
    view: SeatView
    legal: tuple[str, ...]


def differences(rerun: Rerun) -> Iterator[Difference]:
    """The decisions in which the seat chose otherwise, in order. Each view is valid until the next is asked for."""
    wanted = {choice.moment: choice for choice in rerun.choices if not choice.is_same}
    view = SeatView(rerun.seat, rerun.seat_count, len(rerun.game.pack))
    trick = 0
    for step in replay_steps(rerun.record):
        if isinstance(step, ReplayDeal):
            trick = 0
        elif (choice := wanted.get((step.deal_index, step.action_index))) is not None:
            yield Difference(choice, trick, view, legal_texts(rerun, step.before))
        for event in step.events:
            view.see(project(event, rerun.seat))
            trick += isinstance(event, Taken | Cleared | PickedUp)


def _moment_of(fault: FaultRecord) -> Moment:
    return fault.deal, fault.action


def legal_texts(rerun: Rerun, state: State) -> tuple[str, ...]:
    """The texts of what may be done in `state`."""
    return tuple(rerun.game.action_name(state, action) for action in state.actions)
