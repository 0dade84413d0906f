"""A rerun told: to people, difference by difference with what the seat knew, and as JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from harness.cards import card_name, set_name
from harness.cli.faces import Faces, faces_here
from harness.cli.position import Position
from harness.faults import Fault
from harness.printable import printable
from harness.record import ReplayStep, record_of, replay_steps
from harness.rerun import Choice, Difference, Rerun, differences
from harness.store.times import DecisionTime
from harness.thinking import Moment
from ladder.words import plural

NS_PER_MS = 1_000_000


class Beside(NamedTuple):
    """What is kept of then beside the record: thinking times and notes of the seat."""

    times: Mapping[Moment, DecisionTime] = {}
    notes: Mapping[Moment, str] = {}


@dataclass(frozen=True)
class Told:
    """A rerun that is over."""

    rerun: Rerun
    bot: str
    """Who played now, for people."""
    sandbox: str
    then: Beside
    notes: Mapping[Moment, str]
    """Of now."""

    @property
    def not_compared(self) -> int:
        """Decisions of then that the seat was not asked for again, for it was gone."""
        rerun = self.rerun
        if rerun.fork:
            return 0
        own = [
            step
            for step in replay_steps(rerun.record)
            if isinstance(step, ReplayStep) and step.seat == rerun.seat and len(step.before.actions) > 1
        ]
        ended = next(((at.deal, at.action) for at in rerun.record.faults if at.seat == rerun.seat), None)
        asked = sum(ended is None or (step.deal_index, step.action_index) <= ended for step in own)
        return max(0, asked - len(rerun.choices))


def lines_of(told: Told) -> Iterator[str]:
    """For people, in 80 columns."""
    rerun, faces = told.rerun, faces_here()
    record = rerun.record
    names = [printable(entry.bot) for entry in record.seats]
    yield printable(f"{record.match}: {record.game}, seat {rerun.seat}, {told.bot}")
    position = Position(record.game, names, faces)
    for difference in differences(rerun):
        yield ""
        yield from _difference(told, difference, position, faces)
    yield ""
    yield from _sum(told)


def _difference(told: Told, difference: Difference, position: Position, faces: Faces) -> Iterator[str]:
    choice = difference.choice
    deal, action = choice.moment
    yield faces.strong(f"deal {deal}, trick {difference.trick}, action {action}")
    parse = told.rerun.game.parse_action
    yield from position.decision(difference.view, map(parse, difference.legal))
    then_ns = _then_ns(told, choice)
    for head, done, spent_ns, notes in (
        ("then", choice.then, then_ns, told.then.notes),
        ("now", choice.now, choice.spent_ns, told.notes),
    ):
        what = f"{done.kind}: {done.detail}" if isinstance(done, Fault) else position.choice(parse(done))
        took = "" if spent_ns is None or isinstance(done, Fault) else f"   {spent_ns / NS_PER_MS:.1f} ms"
        yield f"{head:9}{faces.strong(what) if head == 'now' else what}{took}"
        if (note := notes.get(choice.moment)) is not None:
            yield f"{'':9}{faces.faint(printable(note))}"


def _sum(told: Told) -> Iterator[str]:
    rerun = told.rerun
    choices = rerun.choices
    other = sum(not choice.is_same for choice in choices)
    then_ns = sum(_then_ns(told, choice) or 0 for choice in choices)
    now_ns = sum(choice.spent_ns for choice in choices)
    yield (
        f"{plural(len(choices), 'decision')}: {len(choices) - other} the same, {other} otherwise; "
        f"thought {then_ns / 1e9:.3f} s then, {now_ns / 1e9:.3f} s now"
    )
    for at in rerun.faults:
        if at.seat == rerun.seat:
            yield printable(f"{at.fault.kind}: {at.fault.detail}")
    if left := told.not_compared:
        yield f"it was asked no more: {plural(left, 'decision of then is', 'decisions of then are')} not compared"
    if rerun.fork and not rerun.follows:
        record, seat = rerun.record, rerun.seat
        now = record_of(rerun, match_id=record.match, seats=record.seats)
        yield (
            f"from there on its own, the house playing the others: place {now.places[seat]}, points {now.points[seat]} "
            f"(then place {record.places[seat]}, points {record.points[seat]})"
        )


def json_of(told: Told) -> dict[str, object]:
    """For programs."""
    rerun = told.rerun
    record, seat = rerun.record, rerun.seat
    other = [_difference_members(told, difference) for difference in differences(rerun)]
    fault = next((at.fault for at in rerun.faults if at.seat == seat), None)
    left = rerun.fork and not rerun.follows
    now = record_of(rerun, match_id=record.match, seats=record.seats)
    return {
        "match": record.match,
        "game": record.game,
        "seat": seat,
        "then": record.seats[seat]._asdict(),
        "now": told.bot,
        "sandbox": told.sandbox,
        "fork": rerun.fork,
        "decisions": len(rerun.choices),
        "not_compared": told.not_compared,
        "differences": other,
        "fault": None if fault is None else {"kind": fault.kind, "detail": fault.detail},
        "points": {"then": record.points[seat], "now": now.points[seat] if left else None},
        "places": {"then": record.places[seat], "now": now.places[seat] if left else None},
    }


def _difference_members(told: Told, difference: Difference) -> dict[str, object]:
    choice, view = difference.choice, difference.view
    deal, action = choice.moment
    then_ns = _then_ns(told, choice)
    return {
        "deal": deal,
        "trick": difference.trick,
        "action": action,
        "hand": set_name(view.hand),
        "table": [[seat, card_name(card)] for seat, card in view.table],
        "legal": list(difference.legal),
        "then": _done(choice.then),
        "now": _done(choice.now),
        "then_ms": None if then_ns is None else round(then_ns / NS_PER_MS, 3),
        "now_ms": _spent_ms(choice),
        "then_note": told.then.notes.get(choice.moment),
        "now_note": told.notes.get(choice.moment),
    }


def _then_ns(told: Told, choice: Choice) -> int | None:
    time = told.then.times.get(choice.moment)
    return None if time is None else time.spent_ns


def _done(done: str | Fault) -> object:
    return {"fault": done.kind, "detail": done.detail} if isinstance(done, Fault) else done


def _spent_ms(choice: Choice) -> float | None:
    return None if isinstance(choice.now, Fault) else round(choice.spent_ns / NS_PER_MS, 3)
