"""What the page of one match shows, read from the ledger when the page is made."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from harness.cards import card_name
from harness.faults import result_fault
from harness.games import game
from harness.publish.features import course_of, turning_of
from harness.publish.frames import Beside, deals_of
from harness.publish.thoughts import thinking_by_seat
from harness.record import MatchRecord
from harness.store.ledger import Ledger
from harness.store.rows import Result
from harness.store.times import DecisionTime
from ladder.site.frames import Deal
from ladder.site.values import FaultFact, MatchDetails


def match_details(ledger: Ledger, result: Result, public_notes: Collection[str], *, low_wins: bool) -> MatchDetails:
    """The page of the match of `result`; notes of bots in `public_notes` are shown."""
    record = ledger.record(result.match)
    times = ledger.times(result.match)
    return MatchDetails(
        versions=tuple(seat.version for seat in record.seats),
        thinking=thinking_by_seat(ledger.time_columns(result.match), len(record.seats)),
        faults=tuple(
            FaultFact(
                fault.seat, result_fault(fault.kind, fault.detail), fault.deal + 1, fault.action + 1, fault.detail
            )
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
    return deals_of(record, Beside(times, notes))


def _facts(record: MatchRecord) -> Iterator[tuple[str, str]]:
    for key in ("started", "sandbox"):
        value = record.meta.get(key)
        if isinstance(value, str):
            yield key, value.replace("T", " ").replace("Z", " UTC")
