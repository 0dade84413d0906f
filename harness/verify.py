"""Checks a ledger against the rules, the secrets and itself, and names the first difference.

Every record is played again by the rules; every deck, lot and seat is derived again from the round's
secret and schedule; the rows that the ladder reads must say what the records say; the commitment must
be of the secret. Nothing is taken on trust but the record file formats.
"""

from collections.abc import Callable, Iterator

from harness import deals
from harness.faults import FaultKind
from harness.record import MatchRecord, ReplayDifference, replay
from harness.round import RoundPlan, block_name
from harness.schedule import Table
from harness.store.ledger import Ledger
from harness.store.rows import Result, Round, parse_match_id
from harness.tournament import plan_of


class LedgerDifference(Exception):
    """Something in a ledger that is not as it must be. The message names what and where."""


def verify_cup(ledger: Ledger, cup: str, on_match: Callable[[int], None] = lambda count: None) -> int:
    """Checks every round of `cup`; returns the number of matches checked. LedgerDifference names the first difference.

    `on_match` is told how many were checked so far.
    """
    count = 0
    for row in ledger.rounds(cup):
        check = _RoundCheck(ledger, row)
        for _ in check.matches():
            count += 1
            on_match(count)
        check.completeness()
    return count


class _RoundCheck:
    """The checks of one round."""

    def __init__(self, ledger: Ledger, row: Round) -> None:
        self.ledger = ledger
        self.row = row
        self.where = f"{row.cup}, round {row.round}"
        self.plan: RoundPlan = plan_of(ledger, row)
        self.entries = {entry.label: entry for entry in self.plan.entries}
        self.secret = ledger.round_secret(row.cup, row.round)
        self._expect(self.where, "schedule", row.schedule_sha256, self.plan.schedule.digest())
        if self.secret is not None:
            self._expect(self.where, "commitment", row.commitment, deals.commitment(self.secret).hex())
            seed = self.plan.cup.cup.seed
            if seed is not None and self.secret != deals.secret_from_seed(seed, row.round):
                raise LedgerDifference(f"{self.where}: the secret does not follow from the seed {seed}")

    @staticmethod
    def _expect(where: str, name: str, found: object, derived: object) -> None:
        if found != derived:
            raise LedgerDifference(f"{where}: {name} {found} in the ledger, {derived} derived")

    def matches(self) -> Iterator[MatchRecord]:
        """Checks the matches one by one, in the order of their ids."""
        records = self.ledger.records(self.row.cup, self.row.round)
        results = self.ledger.results(self.row.cup, self.row.round)
        for record, result in zip(records, results, strict=True):
            self._match(record, result)
            yield record

    def _match(self, record: MatchRecord, result: Result) -> None:
        where = result.match
        self._expect(where, "id", record.match, result.match)
        number = parse_match_id(record.match)[2]
        if number > self.plan.schedule.match_count:
            raise LedgerDifference(f"{where}: the schedule has {self.plan.schedule.match_count} matches")
        table = self.plan.schedule.table(number)
        self._place(record, table)
        self._cards(record, table)
        try:
            replay(record)
        except ReplayDifference as difference:
            raise LedgerDifference(str(difference)) from None
        self._row(record, result)

    def _place(self, record: MatchRecord, table: Table) -> None:
        """What the schedule says."""
        where = record.match
        self._expect(where, "cup", record.cup, self.row.cup)
        self._expect(where, "round", record.round, self.row.round)
        self._expect(where, "block", record.block, block_name(table.block))
        self._expect(where, "rotation", record.rotation, table.rotation)
        self._expect(where, "game", record.game, self.plan.game.name)
        self._expect(where, "rules version", record.rules_version, self.plan.game.rules_version)
        self._expect(where, "options", dict(record.options), dict(self.plan.game.options))
        self._expect(where, "bots", tuple(seat.bot for seat in record.seats), self.plan.labels(table))
        for seat in record.seats:
            entry = self.entries[seat.bot]
            self._expect(where, f"version of {seat.bot}", (seat.version, seat.sha256), (entry.version, entry.sha256))

    def _cards(self, record: MatchRecord, table: Table) -> None:
        """What the secret says."""
        if self.secret is None:
            return
        block = block_name(table.block)
        lot = deals.first_dealer(self.secret, block, len(record.seats))
        self._expect(record.match, "first dealer", record.first_dealer, lot)
        deck_of = self.plan.deck_of(table, self.secret)
        for index, deal in enumerate(record.deals):
            if deal.deck != deck_of(index):
                at = next(
                    (
                        place
                        for place, (found, derived) in enumerate(zip(deal.deck, deck_of(index), strict=False))
                        if found != derived
                    ),
                    len(deal.deck),
                )
                raise LedgerDifference(f"{record.match}, deal {index}: the deck differs from card {at} on")

    def _row(self, record: MatchRecord, result: Result) -> None:
        """What the ladder reads."""
        kinds: dict[int, FaultKind] = {fault.seat: fault.kind for fault in record.faults}
        faults = tuple(kinds.get(seat) for seat in range(len(record.seats)))
        self._expect(
            record.match,
            "the ladder's row: bots",
            tuple(e.label for e in result.entries),
            tuple(seat.bot for seat in record.seats),
        )
        self._expect(record.match, "the ladder's row: points", result.points, record.points)
        self._expect(record.match, "the ladder's row: places", result.places, record.places)
        self._expect(record.match, "the ladder's row: faults", result.faults, faults)

    def completeness(self) -> None:
        """An ended round holds every match of its schedule, unless a rule of `[stop]` ended it."""
        stop = self.plan.cup.stop
        if self.row.ended_unix_ns is None or stop.hours is not None or stop.separated is not None:
            return
        found = self.ledger.match_count(self.row.cup, self.row.round)
        self._expect(self.where, "matches", found, self.plan.schedule.match_count)
