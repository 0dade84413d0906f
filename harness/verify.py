"""Checks a ledger against the rules, the secrets and itself, and names what differs.

Every record is played again by the rules; every deck, lot and seat is derived again from the round's
secret and schedule; the rows that the ladder reads must say what the records say; the commitment must
be of the secret, and every record the one whose hash was kept with it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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


OnDifference = Callable[[str], None]
"""Told what differs, and where, in words."""


def _refuse(difference: str) -> None:
    raise LedgerDifference(difference)


def verify_cup(
    ledger: Ledger,
    cup: str,
    on_match: Callable[[int, int], None] = lambda count, total: None,
    on_difference: OnDifference = _refuse,
    *,
    withheld: Collection[int] = (),
    processes: int = 1,
) -> int:
    """Checks every round of `cup`; returns the number of matches checked.

    `on_match` is told how many were checked so far, and how many there are; `on_difference` of every difference, in
    the order of rounds and ids: without it the first is raised as a LedgerDifference. Long rounds are checked in so
    many `processes`, each of which opens the ledger for itself. A cup that is being played may be checked meanwhile.
    Of `withheld` rounds the matches are not here, so that nothing can be said of what they left to be played.
    """
    count = 0
    with ledger.snapshot():
        total = ledger.match_count(cup)
        due = 1
        for row in ledger.rounds(cup):
            for difference in _unlikes(cup, [("round", row.round, due)]):
                on_difference(difference)
            due = row.round + 1
            check = _RoundCheck(ledger, row)
            for difference in check.pinned(withheld):
                on_difference(difference)
            for checked, differences in check.matches(processes):
                for difference in differences:
                    on_difference(difference)
                count += checked
                on_match(count, total)
            if row.round not in withheld:
                for difference in check.completeness():
                    on_difference(difference)
    return count


def verify_whole(ledger: Ledger, on_difference: OnDifference = _refuse) -> None:
    """Everything in a ledger belongs to a cup and a round; `on_difference` as for `verify_cup`."""
    for stray in ledger.strays():
        on_difference(stray)


def _unlikes(where: str, values: Iterable[tuple[str, object, object]]) -> Iterator[str]:
    """Of `values`, each with its name, as found and as derived, those that differ."""
    return (
        f"{where}: {name} {found} in the ledger, {derived} derived"
        for name, found, derived in values
        if found != derived
    )


def _check_apart(path: Path, row: Round) -> Callable[[Sequence[int]], tuple[int, list[str]]]:
    """For a process of its own: what checks some matches of a round, and says how many, and what differs."""
    check = _RoundCheck(Ledger(path), row)

    def some(numbers: Sequence[int]) -> tuple[int, list[str]]:
        try:
            found = list(check.some(numbers))
        except HarnessError as error:
            return 0, [str(error)]
        return len(found), [difference for difference in found if difference is not None]

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

    def pinned(self, withheld: Collection[int]) -> Iterator[str]:
        """What differs in what the round pinned."""
        if not any(earlier < self.row.round for earlier in withheld):
            yield from self._budget()
        yield from self._pins(is_withheld=self.row.round in withheld)
        yield from self._promises()

    def _budget(self) -> Iterator[str]:
        """How much the round plays follows from its settings and the rounds before it."""
        if self.row.budget is not None:
            due = budget_due_at(self.ledger, self.row)
            yield from _unlikes(self.where, [("budget", self.row.budget, None if due is None else due.pinned())])

    def _pins(self, *, is_withheld: bool) -> Iterator[str]:
        """What follows from settings and records: who was entered how, who was withdrawn."""
        found = entry_differences(self.ledger, self.row, self.plan)
        if self.row.ended_unix_ns is not None and not is_withheld:
            found = chain(found, withdrawal_differences(self.ledger, self.row, self.plan))
        return (f"{self.where}: {difference}" for difference in found)

    def _promises(self) -> Iterator[str]:
        """What was written down before the first match."""
        yield from _unlikes(self.where, [("schedule", self.row.schedule_sha256, self.plan.schedule.digest())])
        if self.secret is not None:
            commitment = deals.commitment(self.secret).hex()
            yield from _unlikes(self.where, [("commitment", self.row.commitment, commitment)])
            seed = self.plan.cup.cup.seed
            if seed is not None and self.secret != deals.secret_from_seed(seed, self.row.round):
                yield f"{self.where}: the secret does not follow from the seed {seed}"

    def matches(self, processes: int) -> Iterator[tuple[int, Sequence[str]]]:
        """Checks all matches, in the order of their ids; yields how many more are checked, and what differs in them."""
        numbers = iter(self.finished)
        chunks = iter(lambda: tuple(islice(numbers, CHUNK_MATCHES)), ())
        if processes == 1 or len(self.finished) < FEW_MATCHES:
            for chunk in chunks:
                for difference in self.some(chunk):
                    yield 1, () if difference is None else (difference,)
            return
        with checkers(partial(_check_apart, self.ledger.path, self.row), processes) as check:
            yield from check(chunks)

    def some(self, numbers: Sequence[int]) -> Iterator[str | None]:
        """Checks the matches of these numbers, ascending, and yields the first difference of each, or None."""
        found = self.ledger.results(self.row.cup, self.row.round, first=numbers[0], last=numbers[-1])
        results = {result.match: result for result in found}
        for number in numbers:
            yield next(self._match(number, results), None)

    def _id(self, number: int) -> str:
        return match_id(self.row.cup, self.row.round, number)

    def _match(self, number: int, results: Mapping[str, Result]) -> Iterator[str]:
        """What differs in a match. Each check presumes those before it: only the first difference may be asked for."""
        match = self._id(number)
        if match not in results:
            yield f"{match}: the rows that the ladder reads are missing"
            return
        try:
            record = self.ledger.record(match)
        except HarnessError as error:
            yield f"{match}: its record cannot be read: {error}"
            return
        yield from _unlikes(match, [("id", record.match, match)])
        if number > self.plan.schedule.match_count:
            yield f"{match}: the schedule has {self.plan.schedule.match_count} matches"
            return
        table = self.plan.schedule.table(number)
        yield from self._place(record, table)
        yield from self._cards(record, table)
        try:
            replay(record)
        except ReplayDifference as difference:
            yield str(difference)
        yield from self._row(record, results[match])
        # Last: a difference that has a name of its own says more. A changed action may be as legal as the one played.
        if record.digest() != self.ledger.record_digest(match):
            yield f"{match}: its record is not the one that was kept when it was played"

    def _place(self, record: MatchRecord, table: Table) -> Iterator[str]:
        """What the schedule says."""
        yield from _unlikes(
            record.match,
            [
                ("cup", record.cup, self.row.cup),
                ("round", record.round, self.row.round),
                ("block", record.block, block_name(table.block)),
                ("rotation", record.rotation, table.rotation),
                ("game", record.game, self.plan.game.name),
                ("rules version", record.rules_version, self.plan.game.rules_version),
                ("options", dict(record.options), dict(self.plan.game.options)),
                ("bots", _listed(seat.bot for seat in record.seats), _listed(self.plan.labels(table))),
            ],
        )
        for seat in record.seats:
            entry = self.entries[seat.bot]
            version = f"version of {seat.bot}"
            found = (seat.version, seat.sha256)
            yield from _unlikes(record.match, [(version, found, (entry.version, entry.sha256))])

    def _cards(self, record: MatchRecord, table: Table) -> Iterator[str]:
        """What the secret says."""
        if self.secret is None:
            return
        lot = deals.first_dealer(self.secret, block_name(table.block), len(record.seats))
        yield from _unlikes(record.match, [("first dealer", record.first_dealer, lot)])
        deck_of = self.plan.deck_of(table, self.secret)
        for index, deal in enumerate(record.deals):
            derived = deck_of(index)
            if deal.deck != derived:
                place = _first_difference(deal.deck, derived)
                yield f"{record.match}, deal {index}: the deck differs from card {place} on"

    def _row(self, record: MatchRecord, result: Result) -> Iterator[str]:
        """What the ladder reads."""
        kinds = {fault.seat: result_fault(fault.kind, fault.detail) for fault in record.faults}
        faults = tuple(kinds.get(seat) for seat in range(len(record.seats)))
        bots = _listed(entry.label for entry in result.entries)
        return _unlikes(
            f"{record.match}, the rows that the ladder reads",
            [
                ("block", result.block, f"{self.row.cup}/{self.row.round}/{record.block}"),
                ("bots", bots, _listed(seat.bot for seat in record.seats)),
                ("points", result.points, record.points),
                ("places", result.places, record.places),
                ("faults", result.faults, faults),
            ],
        )

    def completeness(self) -> Iterator[str]:
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
                yield f"{self.where}: matches were played after [stop] had ended it"
                return
            if not stopped:
                for number in sorted(missing):
                    yield f"{self._id(number)}: it is missing, though the round has ended"


def _listed(labels: Iterator[str] | tuple[str, ...]) -> str:
    return ", ".join(labels)


def _first_difference(deck: Deck, derived: Deck) -> int:
    pairs = zip(deck, derived, strict=False)
    return next((place for place, (found, due) in enumerate(pairs) if found != due), min(len(deck), len(derived)))
