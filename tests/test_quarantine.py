"""A bot with too many faults leaves the cup: what it costs it, and that the rest is the same however it is played."""

import asyncio
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.cup import CupFile
from harness.faults import FaultKind
from harness.record import MatchRecord
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.tournament import CupRun, play_cup
from harness.verify import verify_cup
from ladder.export import to_json
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file

pytestmark = pytest.mark.slow
FIELD = Bots("ant", "bee", "cat", "dog")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def play(
    cup: CupFile,
    ledger: Ledger,
    percent: int = 100,
    *,
    stop_after: int | None = None,
    at_once: Callable[[int], int] | None = None,
    notes: Notes | None = None,
) -> CupRun:
    """The bee crashes in `percent` of its matches."""
    arena = InProcess(stumble_percent={"bee": percent}, stop_after=stop_after, at_once=at_once)
    return asyncio.run(play_cup(cup, ledger, FIELD, notes or Notes(), arena.opener()))


def kinds_of_bee(ledger: Ledger) -> list[FaultKind | None]:
    """How each of its matches ended, in the order of the schedule."""
    found = []
    for record in ledger.records("test"):
        seats = [seat.bot for seat in record.seats]
        if "bee" in seats:
            found.append(next((fault.kind for fault in record.faults if seats[fault.seat] == "bee"), None))
    return found


def test_a_bot_that_always_crashes_is_withdrawn_after_twenty_matches_and_the_rest_is_played(
    tmp_path: Path, ledger: Ledger
) -> None:
    cup, notes = cup_file(tmp_path, matches=120, duplicate=False), Notes()

    run = play(cup, ledger, notes=notes)

    kinds = kinds_of_bee(ledger)
    assert run == CupRun(120, ("bee",))
    assert notes.lines == ["round 1, 0 done", "bee withdrawn", "round 1 over"]
    assert kinds == [FaultKind.CRASHED] * 20 + [FaultKind.START] * (len(kinds) - 20)
    assert verify_cup(ledger, "test") == 120
    (gone,) = ledger.withdrawals("test", 1)
    says = "withdrawn after faults in 20 of its first 20 matches, the last one crashed"
    assert (gone.label, gone.kind, gone.detail) == ("bee", "crashed", says)


def test_until_then_a_fault_is_a_rated_result_and_afterwards_the_seat_is_not_rated(
    tmp_path: Path, ledger: Ledger
) -> None:
    cup = cup_file(tmp_path, matches=40, duplicate=False)  # 30 matches a bot: it is withdrawn after more than half

    play(cup, ledger)

    row = next(row for row in cup_standings(ledger, cup).rows if row.bot == "bee")
    assert row.matches == 20
    assert row.faults_by_kind == {"crashed": 20}
    assert (row.faults, row.absences) == (20, 10)
    assert row.elo is not None
    assert row.place_mean == 3.0


def test_before_half_of_its_matches_its_pairs_leave_the_fit_and_the_pairs_of_the_others_stay(
    tmp_path: Path, ledger: Ledger
) -> None:
    cup = cup_file(tmp_path, matches=120, duplicate=False)

    play(cup, ledger)

    rows = {row.bot: row for row in cup_standings(ledger, cup).rows}
    assert (rows["bee"].elo, rows["bee"].rank, rows["bee"].matches) == (None, None, 0)
    assert rows["bee"].reason == (
        "withdrawn in round 1 after faults in 20 of its first 20 matches, the last one crashed; "
        "not enough data: none of its 90 matches rates it, the house played 70"
    )
    assert rows["ant"].matches == rows["cat"].matches == 90


def test_faults_in_half_of_its_matches_are_not_too_many(tmp_path: Path, ledger: Ledger) -> None:
    run = play(cup_file(tmp_path, matches=120, duplicate=False), ledger, percent=30)

    assert run.withdrawn == ()
    assert 18 < kinds_of_bee(ledger).count(FaultKind.CRASHED) < 36


@pytest.mark.parametrize("percent", [60, 70, 100])
@pytest.mark.parametrize("duplicate", [False, True])
def test_records_and_ladder_are_the_same_whatever_ends_first_and_wherever_it_was_interrupted(
    tmp_path: Path, ledger: Ledger, percent: int, duplicate: bool
) -> None:
    cup = cup_file(tmp_path, matches=120, duplicate=duplicate)
    chance = random.Random(percent)
    play(cup, ledger, percent)
    expected = records(ledger), ledger.withdrawals("test", 1)[0].detail, to_json(cup_standings(ledger, cup))
    for attempt in range(3):
        with Ledger(tmp_path / f"{attempt}.db", create=True) as other:
            for stop_after in (chance.randrange(120 // 3), chance.randrange(60)):
                with pytest.raises(Interrupted):
                    play(cup, other, percent, stop_after=stop_after, at_once=chance.randrange)
            play(cup, other, percent, at_once=chance.randrange)

            found = records(other), other.withdrawals("test", 1)[0].detail, to_json(cup_standings(other, cup))
            assert found == expected


def test_a_withdrawal_that_a_killed_run_could_not_write_down_is_made_good(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, matches=120, duplicate=False)
    with pytest.raises(Interrupted):  # the 20th match of the bee has ended, and its phase has not
        play(cup, ledger, stop_after=40)
    assert ledger.withdrawals("test", 1) == ()

    run = play(cup, ledger)

    assert run.withdrawn == ("bee",)
    assert kinds_of_bee(ledger).count(FaultKind.CRASHED) == 20


def records(ledger: Ledger) -> list[MatchRecord]:
    return list(ledger.records("test"))
