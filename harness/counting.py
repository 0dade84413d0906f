"""Which results of a cup count, and which of their seats: whole blocks, and seats that the bots themselves played."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from harness.agenda import plan_of, settings_of
from harness.cup import CupFile
from harness.faults import FaultKind
from harness.store.ledger import Ledger
from harness.store.rows import Result, Round


def counted_results(ledger: Ledger, cup: CupFile) -> Iterator[Result]:
    """Results of the whole blocks of the season of `cup`, in the order of their ids; `unrated` says which seats weigh
    nothing."""
    for row in rounds_of_season(ledger, cup):
        early = early_withdrawals(ledger, row)
        for _, block in groupby(ledger.results(cup.name, row.round), key=lambda result: result.block):
            results = list(block)
            if len(results) == (len(results[0].entries) if cup.cup.duplicate else 1):
                yield from (rated_seats(result, early) for result in results)


def rounds_of_season(ledger: Ledger, cup: CupFile) -> list[Round]:
    """The rounds that belong to the season of `cup`."""
    return [row for row in ledger.rounds(cup.name) if settings_of(row).cup.season == cup.cup.season]


def rated_seats(result: Result, early: frozenset[str]) -> Result:
    """`result` with the seats of `early` weighing nothing."""
    unrated = tuple(seat for seat, entry in enumerate(result.entries) if entry.label in early)
    return result._replace(unrated=unrated) if unrated else result


def early_withdrawals(ledger: Ledger, row: Round) -> frozenset[str]:
    """Labels that were withdrawn before they had played half of their matches of a round."""
    gone = {withdrawal.label for withdrawal in ledger.withdrawals(row.cup, row.round)}
    if not gone:
        return frozenset()
    plan = plan_of(ledger, row)
    due = dict(zip([entry.label for entry in plan.entries], plan.schedule.appearances(), strict=False))
    played = Counter(
        entry.label
        for result in ledger.results(row.cup, row.round)
        for entry, fault in zip(result.entries, result.faults, strict=True)
        if entry.label in gone and fault != FaultKind.START
    )
    return frozenset(label for label in gone if 2 * played[label] < due.get(label, 0))
