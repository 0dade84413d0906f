"""Checks a ledger against the rules, the secrets and itself, and names the first difference.

Every record is played again by the rules; every deck, lot and seat is derived again from the round's
secret and schedule; the rows that the ladder reads must say what the records say; the commitment must
be of the secret, and every record the one whose hash was kept with it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path

from harness import deals
from harness.agenda import budget_due_at, plan_of
from harness.checkers import checkers
from harness.errors import HarnessError
from harness.faults import result_fault
from harness.games.game import Deck
from harness.pins import entry_differences, withdrawal_differences
from harness.record import MatchRecord, ReplayDifference, replay
from harness.round import RoundPlan, block_name
from harness.schedule import Table
from harness.store.ledger import Ledger
from harness.store.rows import FinishedNumbers, Result, Round, match_id
from harness.store.rulings import standing

FEW_MATCHES = 1000
"""Of fewer the processes would only just have started."""
CHUNK_MATCHES = 200


class LedgerDifference(Exception):
    """Something in a ledger that is not as it must be. The message names what and where."""


def verify_cup(
    ledger: Ledger,
    cup: str,
    on_match: Callable[[int, int], None] = lambda count, total: None,
    *,
    withheld: Collection[int] = (),
    processes: int = 1,
) -> int:
    """Checks every round of `cup`; returns the number of matches checked. LedgerDifference names the first difference.

    `on_match` is told how many were checked so far, and how many there are. Long rounds are checked in so many
    `processes`, each of which opens the ledger for itself. A cup that is being played may be checked meanwhile. Of
    `withheld` rounds the matches are not here, so that nothing can be said of what they left to be played.
    """
    count = 0
    with ledger.snapshot():
        total = ledger.match_count(cup)
        for number, row in enumerate(ledger.rounds(cup), start=1):
            _expect(cup, "round", row.round, number)
            check = _RoundCheck(ledger, row)
            if not any(earlier < number for earlier in withheld):
                check.budget()
            check.pins(is_withheld=number in withheld)
            check.promises()
            for checked in check.matches(processes):
                count += checked
                on_match(count, total)
            if number not in withheld:
                check.completeness()
    return count


def verify_whole(ledger: Ledger) -> None:
    """Everything in a ledger belongs to a cup and a round. LedgerDifference names the first that does not."""
    for stray in ledger.strays():
        raise LedgerDifference(stray)


def _expect(where: str, name: str, found: object, derived: object) -> None:
    if found != derived:
        raise LedgerDifference(f"{where}: {name} {found} in the ledger, {derived} derived")


def _check_apart(path: Path, row: Round) -> Callable[[Sequence[int]], tuple[int, str | None]]:
    """For a process of its own: what checks some matches of a round, and says how many, or the first difference."""
    check = _RoundCheck(Ledger(path), row)

    def some(numbers: Sequence[int]) -> tuple[int, str | None]:
        try:
            return sum(check.some(numbers)), None
        except (LedgerDifference, HarnessError) as difference:
            return 0, str(difference)

    return some


class _RoundCheck:
    """The checks of one round."""

    def __init__(self, ledger: Ledger, row: Round) -> None:
        self.ledger = ledger
        self.row = row
        self.where = f"{row.cup}, round {row.round}"
        self.plan: RoundPlan = plan_of(ledger, row)
        self.entries = {entry.label: entry for entry in self.plan.entries}
        self.finished: FinishedNumbers = ledger.finished_numbers(row.cup, row.round)
        self.void = {ruling.block for ruling in standing(ledger.rulings.of_cup(row.cup)) if ruling.round == row.round}
        self.secret = ledger.round_secret(row.cup, row.round)

    def budget(self) -> None:
        """How much the round plays follows from its settings and the rounds before it."""
        if self.row.budget is not None:
            due = budget_due_at(self.ledger, self.row)
            _expect(self.where, "budget", self.row.budget, None if due is None else due.pinned())

    def promises(self) -> None:
        """What was written down before the first match."""
        _expect(self.where, "schedule", self.row.schedule_sha256, self.plan.schedule.digest())
        if self.secret is not None:
            _expect(self.where, "commitment", self.row.commitment, deals.commitment(self.secret).hex())
            seed = self.plan.cup.cup.seed
            if seed is not None and self.secret != deals.secret_from_seed(seed, self.row.round):
                raise LedgerDifference(f"{self.where}: the secret does not follow from the seed {seed}")

    def pins(self, *, is_withheld: bool) -> None:
        """What follows from settings and records: who was entered how, who was withdrawn."""
        found = entry_differences(self.ledger, self.row, self.plan)
        if self.row.ended_unix_ns is not None and not is_withheld:
            found = chain(found, withdrawal_differences(self.ledger, self.row, self.plan))
        for difference in found:
            raise LedgerDifference(f"{self.where}: {difference}")

    def matches(self, processes: int) -> Iterator[int]:
        """Checks all matches, in the order of their ids; yields how many more are checked."""
        numbers = iter(self.finished)
        chunks = iter(lambda: tuple(islice(numbers, CHUNK_MATCHES)), ())
        if processes == 1 or len(self.finished) < FEW_MATCHES:
            for chunk in chunks:
                yield from self.some(chunk)
            return
        with checkers(partial(_check_apart, self.ledger.path, self.row), processes) as check:
            for count, difference in check(chunks):
                if difference is not None:
                    raise LedgerDifference(difference)
                yield count

    def some(self, numbers: Sequence[int]) -> Iterator[int]:
        """Checks the matches of these numbers, ascending, and yields 1 for each."""
        found = self.ledger.results(self.row.cup, self.row.round, first=numbers[0], last=numbers[-1])
        results = {result.match: result for result in found}
        for number in numbers:
            match = self._id(number)
            if match not in results:
                raise LedgerDifference(f"{match}: the rows that the ladder reads are missing")
            self._match(self._record(match), results[match], number)
            yield 1

    def _id(self, number: int) -> str:
        return match_id(self.row.cup, self.row.round, number)

    def _record(self, match: str) -> MatchRecord:
        try:
            return self.ledger.record(match)
        except HarnessError as error:
            raise LedgerDifference(f"{match}: its record cannot be read: {error}") from None

    def _match(self, record: MatchRecord, result: Result, number: int) -> None:
        _expect(result.match, "id", record.match, result.match)
        if number > self.plan.schedule.match_count:
            raise LedgerDifference(f"{result.match}: the schedule has {self.plan.schedule.match_count} matches")
        table = self.plan.schedule.table(number)
        self._place(record, table)
        self._cards(record, table)
        try:
            replay(record)
        except ReplayDifference as difference:
            raise LedgerDifference(str(difference)) from None
        self._row(record, result)
        # Last: a difference that has a name of its own says more. A changed action may be as legal as the one played.
        if record.digest() != self.ledger.record_digest(record.match):
            raise LedgerDifference(f"{record.match}: its record is not the one that was kept when it was played")

    def _place(self, record: MatchRecord, table: Table) -> None:
        """What the schedule says."""
        where = record.match
        _expect(where, "cup", record.cup, self.row.cup)
        _expect(where, "round", record.round, self.row.round)
        _expect(where, "block", record.block, block_name(table.block))
        _expect(where, "rotation", record.rotation, table.rotation)
        _expect(where, "game", record.game, self.plan.game.name)
        _expect(where, "rules version", record.rules_version, self.plan.game.rules_version)
        _expect(where, "options", dict(record.options), dict(self.plan.game.options))
        _expect(where, "bots", _listed(seat.bot for seat in record.seats), _listed(self.plan.labels(table)))
        for seat in record.seats:
            entry = self.entries[seat.bot]
            _expect(where, f"version of {seat.bot}", (seat.version, seat.sha256), (entry.version, entry.sha256))

    def _cards(self, record: MatchRecord, table: Table) -> None:
        """What the secret says."""
        if self.secret is None:
            return
        lot = deals.first_dealer(self.secret, block_name(table.block), len(record.seats))
        _expect(record.match, "first dealer", record.first_dealer, lot)
        deck_of = self.plan.deck_of(table, self.secret)
        for index, deal in enumerate(record.deals):
            derived = deck_of(index)
            if deal.deck != derived:
                place = _first_difference(deal.deck, derived)
                raise LedgerDifference(f"{record.match}, deal {index}: the deck differs from card {place} on")

    def _row(self, record: MatchRecord, result: Result) -> None:
        """What the ladder reads."""
        kinds = {fault.seat: result_fault(fault.kind, fault.detail) for fault in record.faults}
        faults = tuple(kinds.get(seat) for seat in range(len(record.seats)))
        where = f"{record.match}, the rows that the ladder reads"
        _expect(where, "block", result.block, f"{self.row.cup}/{self.row.round}/{record.block}")
        bots = _listed(entry.label for entry in result.entries)
        _expect(where, "bots", bots, _listed(seat.bot for seat in record.seats))
        _expect(where, "points", result.points, record.points)
        _expect(where, "places", result.places, record.places)
        _expect(where, "faults", result.faults, faults)

    def completeness(self) -> None:
        """An ended round holds every match of its schedule that is not void, or of its first heats after `[stop]`."""
        if self.row.ended_unix_ns is None:
            return
        pinned = self.plan.cup.stop
        may_stop = pinned.hours is not None or pinned.separated is not None
        stopped = False
        for heat in self.plan.schedule.heats():
            # What is void need not have been played to its end.
            numbers = [
                number
                for phase in heat.phases
                for number in phase
                if not self.void or self.plan.schedule.table(number).block not in self.void
            ]
            missing = [number for number in numbers if number not in self.finished]
            stopped = stopped or (may_stop and len(missing) == len(numbers) > 0)
            if stopped and len(missing) < len(numbers):
                raise LedgerDifference(f"{self.where}: matches were played after [stop] had ended it")
            if missing and not stopped:
                raise LedgerDifference(f"{self._id(min(missing))}: it is missing, though the round has ended")


def _listed(labels: Iterator[str] | tuple[str, ...]) -> str:
    return ", ".join(labels)


def _first_difference(deck: Deck, derived: Deck) -> int:
    pairs = zip(deck, derived, strict=False)
    return next((place for place, (found, due) in enumerate(pairs) if found != due), min(len(deck), len(derived)))
