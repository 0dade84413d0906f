"""Bots that the organiser withdraws play no more and take no rank; an undo brings them back, without a fault."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.arena.specs import PhaseReport
from harness.conduct import LEAST_MATCHES
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.faults import FaultKind
from harness.intake import take_in
from harness.rulings import absences
from harness.sources import sources_at
from harness.store.ledger import Ledger
from harness.tournament import CupRun, play_cup
from harness.verify import verify_cup
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file
from tests.ruled_cups import FIELD, WHY, ladder, play, records, rows, undo, withdraw


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def test_a_withdrawn_bot_plays_no_more_takes_no_rank_and_its_results_stay(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    before = rows(ledger, cup)

    withdraw(ledger, cup, "bee")
    after = rows(ledger, cup)

    assert after["bee"].rank is None
    assert after["bee"].elo == before["bee"].elo
    assert (after["bee"].reason or "").startswith(f"withdrawn by the organiser: {WHY}")
    assert sorted(row.rank or 0 for row in after.values()) == [0, 1, 2, 3]
    play(cup_file(tmp_path, matches=24), ledger)
    assert "bee" not in {seat.bot for record in records(ledger, 2) for seat in record.seats}
    assert verify_cup(ledger, "test") == 24
    with pytest.raises(HarnessError, match=r"bee 1\.0 is withdrawn already, by ruling 1"):
        withdraw(ledger, cup, "bee")


def test_in_a_round_under_way_the_house_plays_for_it_and_before_half_nothing_rates_it(
    tmp_path: Path, ledger: Ledger
) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, stop_after=4)
    withdraw(ledger, cup, "bee")

    run = play(cup, ledger)

    rest = [record for record in records(ledger) if record.rotation != 1 and "bee" in [s.bot for s in record.seats]]
    assert run == CupRun(8, ())
    assert {fault.kind for record in rest for fault in record.faults} == {FaultKind.START}
    assert {fault.detail for record in rest for fault in record.faults} == {f"withdrawn by the organiser: {WHY}"}
    assert rows(ledger, cup)["bee"].elo is None
    assert rows(ledger, cup)["ant"].elo is not None


def test_a_new_version_of_a_withdrawn_bot_may_come_back_and_so_may_the_old_one_when_it_is_undone(
    tmp_path: Path, ledger: Ledger
) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    withdraw(ledger, cup, "bee")
    mended = Bots("ant", "bee", "cat", "dog", sha256={"bee": "1" * 64})

    play(cup_file(tmp_path, matches=24), ledger, mended)
    assert rows(ledger, cup)["bee"].rank is not None
    undo(ledger, 1)
    play(cup_file(tmp_path, matches=36), ledger)

    assert {seat.sha256 for record in records(ledger, 3) for seat in record.seats if seat.bot == "bee"} == {"0" * 64}


def test_an_undone_withdrawal_leaves_no_fault_and_the_bot_plays_the_rest(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, matches=120, duplicate=False)
    withdrawn_from_the_start(ledger, cup, stop_after=60)
    house = sum("bee" in [seat.bot for seat in record.seats] for record in records(ledger))
    assert house >= LEAST_MATCHES

    undo(ledger, 1)
    run = play(cup, ledger)

    row = rows(ledger, cup)["bee"]
    assert run.withdrawn == ()
    assert ledger.withdrawals("test", 1) == ()
    assert (row.faults, row.faults_by_kind, row.absences) == (0, {}, house)
    assert row.matches == 90 - house
    assert row.rank is not None
    assert f"the house played {house} matches in its place" in (row.reason or "")
    assert verify_cup(ledger, "test") == 120


def test_an_undone_withdrawal_is_heard_by_the_run_under_way(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, stop_after=0)
    withdraw(ledger, cup, "bee")
    executor = InProcess()
    seen = executor.given_withdrawn
    asyncio.run(play_cup(cup, ledger, FIELD, Taking(ledger), executor.opener()))

    assert "bee" in seen[0]
    assert "bee" not in seen[-1]
    assert rows(ledger, cup)["bee"].faults == 0


class Taking(Notes):
    """Undoes ruling 1 once the first phase has ended."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    def phase_ends(self, report: PhaseReport) -> None:
        if self._ledger.rulings.all()[0].undone_unix_ns is None:
            undo(self._ledger, 1)


def test_a_bot_that_only_the_house_has_played_for_is_told_so(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, matches=40, duplicate=False)
    withdrawn_from_the_start(ledger, cup)
    assert absences(ledger, ledger.rulings.all()[0]) == 30

    undo(ledger, 1)

    assert play(cup, ledger) == CupRun(0, ())
    row = rows(ledger, cup)["bee"]
    assert (row.matches, row.faults, row.absences) == (0, 0, 30)
    assert row.reason == "not enough data: none of its 30 matches rates it, the house played 30"
    assert {bot.version.name: bot.fault_count for bot in ledger.versions.rows()}.get("bee", 0) == 0


def test_what_the_house_played_is_no_fault_where_it_is_imported_either(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, matches=40, duplicate=False)
    withdrawn_from_the_start(ledger, cup)
    undo(ledger, 1)
    with Ledger(tmp_path / "other.db", create=True) as other:
        take_in(other, sources_at(ledger.path))

        assert verify_cup(other, "test") == 40
        assert ladder(other, cup) == ladder(ledger, cup)


def withdrawn_from_the_start(ledger: Ledger, cup: CupFile, *, stop_after: int | None = None) -> None:
    """The round has begun, the bee is withdrawn, and so many matches are played, or all."""
    with pytest.raises(Interrupted):
        play(cup, ledger, stop_after=0)
    withdraw(ledger, cup, "bee")
    if stop_after is None:
        play(cup, ledger)
    else:
        with pytest.raises(Interrupted):
            play(cup, ledger, stop_after=stop_after)
