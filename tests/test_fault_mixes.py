"""Whatever bots, machine, organiser and interruptions do: a cup ends, and every match of its schedule is accounted for.

Finished, or void and played again until it was finished; by the bots, or by the house for those withdrawn.
"""

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.agenda import plan_of, replay_of, voids_of
from harness.arena.specs import TableSpec
from harness.counting import block_number, void_results
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.faults import Fault, FaultKind
from harness.rulings import voids, withdrawals
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.store.rows import RulingKind, parse_match_id
from harness.tournament import play_cup
from harness.verify import verify_cup
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file
from tests.one_by_one import counted_results

pytestmark = pytest.mark.slow
FIELD = ("ant", "bee", "cat", "dog", "eel")
NOW_NS = 1_777_000_000_000_000_000
PATIENCE = 200
"""A cup that is not over after so many runs never will be."""


class Mix(NamedTuple):
    """How bad things get."""

    crashes: tuple[int, ...]
    """Percent of its matches that each bot crashes in."""
    never_starts: bool
    """The eel."""
    failures: int
    """Percent of the matches in which the harness fails."""
    interruptions: int
    """Percent of the runs that are interrupted."""
    rulings: int
    """Percent of the runs before which the organiser decides something."""
    duplicate: bool
    seed: int


percent = st.sampled_from([0, 0, 10, 30, 60, 100])
mixes = st.builds(
    Mix,
    crashes=st.tuples(*[percent] * len(FIELD)),
    never_starts=st.booleans(),
    failures=st.sampled_from([0, 3, 20, 50]),
    interruptions=st.sampled_from([0, 50, 90]),
    rulings=st.sampled_from([0, 30]),
    duplicate=st.booleans(),
    seed=st.integers(0, 1 << 32),
)


def play_to_the_end(cup: CupFile, ledger: Ledger, mix: Mix) -> int:
    """Runs the cup until nothing is due; how many runs that took."""
    chance = random.Random(mix.seed)

    def happens(share: int) -> bool:
        return chance.randrange(100) < share

    def fails(table: TableSpec) -> bool:
        return happens(mix.failures)

    for count in range(PATIENCE):
        if happens(mix.rulings):
            rule(cup, ledger, chance.choice)
        arena = InProcess(
            stumble_percent=dict(zip(FIELD, mix.crashes, strict=True)),
            withdraw={"eel": Fault(FaultKind.START, "withdrawn: never said Hello")} if mix.never_starts else None,
            stop_after=chance.randrange(40) if happens(mix.interruptions) else None,
            at_once=chance.randrange,
            fails=fails,
        )
        try:
            run = asyncio.run(play_cup(cup, ledger, Bots(*FIELD), Notes(), arena.opener()))
        except Interrupted:
            continue
        if run.match_count == 0 and all(row.ended_unix_ns is not None for row in ledger.rounds(cup.name)):
            return count
    raise AssertionError(f"not over after {PATIENCE} runs")


def rule(cup: CupFile, ledger: Ledger, choose: Callable[[list[str]], str]) -> None:
    """Declares some match void, or withdraws some bot."""
    played = [record.match for record in ledger.records(cup.name)] if ledger.rounds(cup.name) else []
    if not played:
        return
    try:
        if choose(["void", "void", "withdraw"]) == "void":
            ledger.rulings.add(voids(ledger, [choose(played)], "so it was decided", at_unix_ns=NOW_NS))
        elif sum(ruling.kind is RulingKind.WITHDRAW for ruling in ledger.rulings.all()) < 2:
            ledger.rulings.add(withdrawals(ledger, cup, choose(["ant", "bee"]), "so it was decided", at_unix_ns=NOW_NS))
    except HarnessError:  # void or withdrawn already
        pass


def check_accounts(cup: CupFile, ledger: Ledger) -> None:
    """Every scheduled match is finished or void; every void block is played again; all of it counts exactly once."""
    counts = voids_of(ledger, cup.name)
    finished = {result.match for result in ledger.results(cup.name)}
    scheduled: Counter[tuple[str, ...]] = Counter()
    for row in ledger.rounds(cup.name):
        plan = plan_of(ledger, row)
        for number in range(1, plan.schedule.match_count + 1):
            table = plan.schedule.table(number)
            is_void = counts.ruling_on(row.round, table.block) is not None
            assert plan.match_id(table) in finished or is_void
            if replay_of(row) is None:
                scheduled[plan.labels(table)] += 1
        assert counts.due(row.round) == ()
    counted = list(counted_results(ledger, cup))
    assert Counter(tuple(entry.label for entry in result.entries) for result in counted) == scheduled
    void = {result.match for result, _ in void_results(ledger, cup)}
    assert not void & {result.match for result in counted}
    for result in counted:
        assert counts.counts(parse_match_id(result.match)[1], block_number(result))
    assert verify_cup(ledger, cup.name) == len(finished)


@given(mixes)
@settings(max_examples=15)
def test_a_cup_ends_and_every_scheduled_match_is_accounted_for(mix: Mix) -> None:
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "arena.db", create=True) as ledger:
        cup = cup_file(Path(folder), matches=60, duplicate=mix.duplicate)

        play_to_the_end(cup, ledger, mix)

        check_accounts(cup, ledger)
        rows = cup_standings(ledger, cup).rows
        assert sorted(row.bot for row in rows) == list(FIELD)
