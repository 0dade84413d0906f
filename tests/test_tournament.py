"""Cups: rounds that are fixed when they start, resumed where they were left, and grow with the file."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from harness import deals
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.faults import Fault, FaultKind
from harness.record import MatchRecord
from harness.schedule import make_schedule
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.toml_file import TomlError
from harness.tournament import CupRun, play_cup
from ladder.export import to_json
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file

FIELD = Bots("ant", "bee", "cat", "dog")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def play(
    cup: CupFile,
    ledger: Ledger,
    roster: Bots = FIELD,
    executor: InProcess | None = None,
    notes: Notes | None = None,
) -> CupRun:
    arena = executor or InProcess()
    return asyncio.run(play_cup(cup, ledger, roster, notes or Notes(), arena.opener()))


def records(ledger: Ledger) -> list[MatchRecord]:
    return list(ledger.records("test"))


def test_every_match_of_the_schedule_is_played_once(tmp_path: Path, ledger: Ledger) -> None:
    run = play(cup_file(tmp_path), ledger)

    ids = [record.match for record in records(ledger)]
    assert run == CupRun(12, ())
    assert ids == [f"test/1/{number:06d}" for number in range(1, 13)]
    assert {record.block for record in records(ledger)} == {"000001", "000002", "000003", "000004"}


def test_the_rotations_of_a_block_have_the_same_decks_first_dealer_and_bots(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)

    block = records(ledger)[:3]
    assert [record.rotation for record in block] == [1, 2, 3]
    assert len({tuple(deal.deck for deal in record.deals) for record in block}) == 1
    assert len({record.first_dealer for record in block}) == 1
    seatings = [[seat.bot for seat in record.seats] for record in block]
    assert seatings[1] == seatings[0][-1:] + seatings[0][:-1]
    assert seatings[2] == seatings[1][-1:] + seatings[1][:-1]


def test_processes_start_afresh_for_each_rotation(tmp_path: Path, ledger: Ledger) -> None:
    executor = InProcess()

    play(cup_file(tmp_path), ledger, executor=executor)

    assert [sorted(phase) for phase in executor.phases] == [["ant", "bee", "cat", "dog"]] * 3


def test_the_same_cup_again_has_nothing_to_play(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)

    again = play(cup, ledger)

    assert again == CupRun(0, ())
    assert len(ledger.rounds("test")) == 1


@pytest.mark.parametrize("stop_after", [0, 1, 5, 11])
def test_an_interrupted_cup_gives_the_records_and_the_ladder_of_one_that_was_not(
    tmp_path: Path, ledger: Ledger, stop_after: int
) -> None:
    cup = cup_file(tmp_path)
    with Ledger(tmp_path / "whole.db", create=True) as whole:
        play(cup, whole)
        expected = records(whole)
        expected_ladder = to_json(cup_standings(whole, cup))

    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=stop_after))
    resumed = play(cup, ledger, executor=InProcess(backwards=True))

    assert resumed.match_count == 12 - stop_after
    assert records(ledger) == expected
    assert [record.digest() for record in records(ledger)] == [record.digest() for record in expected]
    assert to_json(cup_standings(ledger, cup)) == expected_ladder


def test_a_resumed_round_says_what_was_played_before(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=5))
    notes = Notes()

    play(cup, ledger, notes=notes)

    assert notes.lines == ["round 1, 5 done", "round 1 over"]
    assert len(notes.records) == 7


def test_only_whole_blocks_count_in_the_standings(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=10))  # rotation 3 of two blocks is missing

    standings = cup_standings(ledger, cup)

    assert standings.matches == 6


def test_the_commitment_stands_before_the_first_match_and_the_secret_is_told_after_the_last(
    tmp_path: Path, ledger: Ledger
) -> None:
    cup = cup_file(tmp_path, seed=None)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=0))
    before = ledger.round("test", 1)
    play(cup, ledger)

    after = ledger.round("test", 1)
    assert before.secret is None
    assert after.secret is not None
    assert before.commitment == after.commitment == deals.commitment(after.secret).hex()


def test_without_a_seed_every_cup_has_other_deals(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, seed=None)
    play(cup, ledger)
    with Ledger(tmp_path / "other.db", create=True) as other:
        play(cup, other)
        assert records(other)[0].deals[0].deck != records(ledger)[0].deals[0].deck


def test_more_matches_make_a_second_round_of_the_difference(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)
    first = records(ledger)

    run = play(cup_file(tmp_path, matches=18), ledger)

    assert run.match_count == 6
    assert [record.match for record in records(ledger)[12:]] == [f"test/2/{number:06d}" for number in range(1, 7)]
    assert records(ledger)[:12] == first
    assert ledger.round("test", 1).commitment != ledger.round("test", 2).commitment


def test_a_late_bot_gets_its_share_in_a_new_round(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)

    run = play(cup_file(tmp_path, bots=["sample:random", "./eel"]), ledger, Bots("ant", "bee", "cat", "dog", "eel"))

    assert run.match_count == 3  # 12 / 5 rounded up, in whole blocks of three
    assert "eel" in {seat.bot for record in records(ledger)[12:] for seat in record.seats}


def test_an_excluded_bot_plays_no_further_round(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)

    play(cup_file(tmp_path, matches=24, exclude=["bee"]), ledger)

    assert "bee" not in {seat.bot for record in records(ledger)[12:] for seat in record.seats}


def test_a_change_that_a_cup_under_way_does_not_accept_is_refused_with_key_and_both_values(
    tmp_path: Path, ledger: Ledger
) -> None:
    play(cup_file(tmp_path), ledger)

    with pytest.raises(TomlError, match=r"duplicate: true before, false now"):
        play(cup_file(tmp_path, duplicate=False), ledger)


def test_a_round_robin_plays_every_group_and_has_then_nothing_left(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, format="round-robin", matches=None)

    run = play(cup, ledger)

    groups = {frozenset(seat.bot for seat in record.seats) for record in records(ledger)}
    assert run.match_count == 4 * 3
    assert len(groups) == 4
    assert play(cup, ledger) == CupRun(0, ())


def test_matches_per_bot_is_a_budget_for_everybody(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, matches=None, matches_per_bot=6)

    play(cup, ledger)

    counts = ledger.appearances.counts("test", 1)
    assert min(counts.values()) >= 6
    assert play(cup, ledger) == CupRun(0, ())


def test_a_withdrawn_bot_is_named_kept_and_not_started_again(tmp_path: Path, ledger: Ledger) -> None:
    fault = Fault(FaultKind.START, "never said Hello")
    executor = InProcess(withdraw={"bee": fault})
    notes = Notes()

    run = play(cup_file(tmp_path), ledger, executor=executor, notes=notes)

    assert run.withdrawn == ("bee",)
    assert "bee withdrawn" in notes.lines
    assert [row.label for row in ledger.withdrawals("test", 1)] == ["bee"]
    assert executor.given_withdrawn == [{}, {"bee": fault}, {"bee": fault}]
    with_bee = [record for record in records(ledger) if "bee" in [seat.bot for seat in record.seats]]
    assert with_bee
    assert all([fault.kind for fault in record.faults] == [FaultKind.START] for record in with_bee)
    assert len(records(ledger)) == 12


def test_a_bot_that_never_started_is_left_out_of_the_fit_and_the_others_stay(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger, executor=InProcess(withdraw={"bee": Fault(FaultKind.START, "never said Hello")}))

    rows = {row.bot: row for row in cup_standings(ledger, cup).rows}

    assert rows["bee"].elo is None
    assert rows["ant"].elo is not None
    assert rows["bee"].reason


def test_stop_hours_ends_a_round_between_heats_and_is_not_played_on(
    tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.round.make_schedule", partial(make_schedule, heat_matches=3, max_matches=1))
    cup = cup_file(tmp_path, matches=60, stop_hours=1e-9)
    notes = Notes()

    run = play(cup, ledger, notes=notes)

    assert 0 < run.match_count < 60
    assert notes.heat_count == 1
    assert notes.lines[-1] == "round 1 over, hours = 1e-09"
    assert play(cup, ledger) == CupRun(0, ())


def test_a_folder_that_changed_is_told_and_the_pinned_version_plays(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=5))
    notes = Notes()

    play(cup, ledger, Bots("ant", "bee", "cat", "dog", sha256={"cat": "1" * 64}), notes=notes)

    assert any(line.startswith("cat has changed since round 1 began") for line in notes.lines)
    assert {seat.sha256 for record in records(ledger) for seat in record.seats} == {"0" * 64}


def test_a_ledger_whose_schedule_differs_is_not_played_on(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=5))
    ledger._database.execute("UPDATE rounds SET schedule_sha256 = 'ff'")

    with pytest.raises(HarnessError, match="another schedule"):
        play(cup, ledger)


def test_one_run_at_a_time(tmp_path: Path, ledger: Ledger) -> None:
    with (
        ledger.run_lock("test"),
        pytest.raises(HarnessError, match=r"is being run by process \d+"),
        ledger.run_lock("test"),
    ):
        raise AssertionError("two runs of one cup")


def test_different_table_sizes_share_the_matches(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path, seats=[2, 3], matches=12, duplicate=False), ledger)

    sizes = [len(record.seats) for record in records(ledger)]

    assert sizes.count(2) == sizes.count(3) == 6


def test_every_record_says_at_which_level_its_bots_ran(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)

    assert {record.meta["sandbox"] for record in records(ledger)} == {InProcess.sandbox.level}
