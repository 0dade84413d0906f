"""Which results of a cup count, and which of their seats: whole blocks, and seats that the bots themselves played."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from harness.agenda import is_present, plan_of, settings_of, voids_of
from harness.cup import CupFile
from harness.faults import ABSENT, FaultKind
from harness.store.ledger import Ledger
from harness.store.rows import Result, Round, Ruling, RulingKind
from harness.store.rulings import standing


def void_results(ledger: Ledger, cup: CupFile) -> Iterator[tuple[Result, Ruling]]:
    """Results of the season of `cup` that a ruling has made void, in the order of their ids, each with the ruling."""
    voids = voids_of(ledger, cup.name)
    for row in rounds_of_season(ledger, cup):
        blocks = voids.void_in(row.round)
        if blocks:
            numbers = ledger.numbers_in(cup.name, row.round, blocks.keys())
            for result in ledger.results_of(cup.name, row.round, numbers):
                yield result, blocks[block_number(result)]


class VoidBlocks(NamedTuple):
    """How many blocks of a season are void."""

    blocks: int
    by_organiser: int
    """The harness failed in the others."""
    replayed: int
    """So many were played again, or are now."""
    is_past: bool
    """The season is over: nothing of it is played again any more."""

    @property
    def again(self) -> str:
        """What became of them."""
        if self.replayed == self.blocks:
            return "played again"
        if self.is_past:
            return f"{self.replayed or 'none'} of them played again, for the season is over"
        return f"{self.replayed or 'none'} of them played again yet"


def void_blocks(ledger: Ledger, cup: CupFile) -> VoidBlocks:
    """Blocks of the season of `cup` that rulings which stand have made void."""
    rounds = {row.round for row in rounds_of_season(ledger, cup)}
    rulings = [
        one for one in standing(ledger.rulings.of_cup(cup.name)) if one.block is not None and one.round in rounds
    ]
    blocks = {(ruling.round, ruling.block or 0) for ruling in rulings}
    decided = {(ruling.round, ruling.block) for ruling in rulings if ruling.kind is RulingKind.VOID}
    voids = voids_of(ledger, cup.name)
    replayed = sum(voids.is_replayed(round, block) for round, block in blocks)
    return VoidBlocks(len(blocks), len(decided), replayed, not is_present(ledger, cup))


def block_number(result: Result) -> int:
    """Number of the block of `result` in its round."""
    return int(result.block.rpartition("/")[2])


def failures(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Those of `rulings` that nobody has decided: blocks in which something of ours failed."""
    return tuple(ruling for ruling in rulings if ruling.kind is RulingKind.FAILURE)


def rounds_of_season(ledger: Ledger, cup: CupFile) -> list[Round]:
    """The rounds that belong to the season of `cup`."""
    return [row for row in ledger.rounds(cup.name) if settings_of(row).cup.season == cup.cup.season]


def rated_seats(result: Result, early: frozenset[str]) -> Result:
    """`result` with the seats of `early` weighing nothing."""
    unrated = tuple(seat for seat, entry in enumerate(result.entries) if entry.label in early)
    return result._replace(unrated=unrated) if unrated else result


def early_withdrawals(ledger: Ledger, row: Round, rulings: Iterable[Ruling]) -> frozenset[str]:
    """Who was withdrawn before it had played half of its matches of a round, for faults or by `rulings`: labels."""
    gone = {withdrawal.label for withdrawal in ledger.withdrawals(row.cup, row.round)}
    gone |= {ruling.label for ruling in standing(rulings) if ruling.label is not None and ruling.round == row.round}
    if not gone:
        return frozenset()
    plan = plan_of(ledger, row)
    due = dict(zip([entry.label for entry in plan.entries], plan.schedule.appearances(), strict=False))
    played = ledger.appearances.counts(row.cup, row.round, without=(FaultKind.START, ABSENT))
    return frozenset(label for label in gone if 2 * played[label] < due.get(label, 0))
