"""What the page of one match shows, read from the ledger when the page is made."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from harness.cards import card_name
from harness.games import game
from harness.games.game import Out, Scored, Shown
from harness.publish.features import course_of, turning_of
from harness.publish.figures import thinking_by_seat
from harness.publish.frames import Beside, Moment, deal_title, deals_of
from harness.record import MatchRecord, ReplayDeal, ReplayStep, replay_steps
from harness.store.ledger import Ledger
from harness.store.rows import Result
from harness.store.times import DecisionTime
from ladder.site.frames import Deal
from ladder.site.values import FaultFact, MatchDetails, SheetRow


def match_details(ledger: Ledger, result: Result, public_notes: Collection[str], *, low_wins: bool) -> MatchDetails:
    """The page of the match of `result`; notes of bots in `public_notes` are shown."""
    record = ledger.record(result.match)
    times = ledger.times(result.match)
    return MatchDetails(
        sheet=tuple(_sheet(record)),
        versions=tuple(seat.version for seat in record.seats),
        thinking=thinking_by_seat(times, len(record.seats)),
        faults=tuple(
            FaultFact(fault.seat, str(fault.kind), fault.deal + 1, fault.action + 1, fault.detail)
            for fault in record.faults
        ),
        turning=turning_of(course_of(result, record, low_wins=low_wins)),
        facts=tuple(_facts(record)),
        pack=tuple(card_name(card) for card in game(record.game, record.options).pack),
        deals=partial(_deals, ledger, record, times, public_notes),
    )


def _deals(
    ledger: Ledger, record: MatchRecord, times: Sequence[DecisionTime], public_notes: Collection[str]
) -> Iterable[Deal]:
    notes = {
        (note.deal, note.action): note.text
        for note in ledger.notes(record.match)
        if record.seats[note.seat].bot in public_notes
    }
    return deals_of(record, Beside(_spent_ns(record, times), notes))


def _spent_ns(record: MatchRecord, times: Sequence[DecisionTime]) -> Mapping[Moment, int]:
    """The thinking time of each action that a bot was asked for.

    Forced actions and those of the house were never asked. An answer that was refused has a time and no action: it is
    left out, and so is all of a match whose times do not fit.
    """
    spent: dict[Moment, int] = {}
    waiting = iter(times)
    for step in replay_steps(record):
        if not isinstance(step, ReplayStep) or len(step.before.actions) == 1:
            continue
        moment = step.deal_index, step.action_index
        if any(fault.seat == step.seat and (fault.deal, fault.action) <= moment for fault in record.faults):
            continue
        time = next((time for time in waiting if time.seat == step.seat), None)
        if time is None:
            return {}
        spent[moment] = time.spent_ns
    return spent


def _facts(record: MatchRecord) -> Iterator[tuple[str, str]]:
    for key in ("started", "sandbox"):
        value = record.meta.get(key)
        if isinstance(value, str):
            yield key, value.replace("T", " ").replace("Z", " UTC")


def _sheet(record: MatchRecord) -> Iterator[SheetRow]:
    notes = _endings(record) if record.game == "zhiletka" else [""] * len(record.deals)
    for deal, note in zip(record.deals, notes, strict=True):
        yield SheetRow(deal_title(deal, record.game), deal.dealer, deal.points, note)


def _endings(record: MatchRecord) -> list[str]:
    """How each hand of Zhiletka ended."""
    endings: list[str] = []
    for step in replay_steps(record):
        events = step.events
        if isinstance(step, ReplayDeal):
            endings.append("set dealt" if any(isinstance(event, Shown) for event in events) else "")
        elif any(isinstance(event, Scored) for event in events):
            if any(isinstance(event, Shown) for event in events):
                endings[-1] = "set"
            elif any(isinstance(event, Out) for event in events):
                endings[-1] = "last one in"
            else:
                endings[-1] = "undecided"
    return endings
