"""Results that count and their standings, a value for each match: what the columns of the harness must agree with."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from harness.agenda import voids_of
from harness.counting import block_number, early_withdrawals, rated_seats, rounds_of_season
from harness.cup import CupFile
from harness.standing import _ladder_result, _player, _rated
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Result, Ruling
from ladder.columns import Columns, gather
from ladder.standings import Standings


def counted_results(ledger: Ledger, cup: CupFile, rulings: Sequence[Ruling] | None = None) -> Iterator[Result]:
    """Results that count of the season of `cup`, in the order of their ids: of its whole blocks that are not void.

    By `rulings`; None: those of the ledger. `unrated` says which seats weigh nothing.
    """
    if rulings is None:
        rulings = ledger.rulings.of_cup(cup.name)
    voids = voids_of(ledger, cup.name, rulings)
    for row in rounds_of_season(ledger, cup):
        early = early_withdrawals(ledger, row, rulings)
        for _, block in groupby(ledger.results(cup.name, row.round), key=lambda result: result.block):
            results = list(block)
            is_whole = len(results) == (len(results[0].entries) if cup.cup.duplicate else 1)
            if is_whole and voids.counts(row.round, block_number(results[0])):
                yield from (rated_seats(result, early) for result in results)


def columns(results: Iterable[Result]) -> Columns:
    """What `results` are rated from."""
    return gather(map(_ladder_result, results))


def rate(cup: CupFile, results: Iterable[Result], entries: Iterable[Entry]) -> Standings:
    """Standings of `results`, whole blocks all of them; `entries` get a row even where they have not played."""
    results = list(results)
    seated = [entry for result in results for entry in result.entries]
    players = {_player(entry): entry for entry in (*entries, *seated)}
    return _rated(cup, players, columns(results), {}, frozenset()).standings(frozenset())
