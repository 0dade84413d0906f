"""Rulings: what is void leaves the count with its block and is played again with new deals; no result is changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.counting import VoidBlocks, void_blocks
from harness.errors import HarnessError
from harness.rulings import voids, with_changes
from harness.standing import cup_standings, history
from harness.store.ledger import Ledger
from harness.store.rows import RulingKind
from harness.tournament import CupRun
from harness.verify import LedgerDifference, verify_cup
from ladder.export import to_json
from tests.in_process import Bots, Interrupted, Notes, cup_file
from tests.ruled_cups import NOW_NS, WHY, ladder, play, records, rows, undo, void, withdraw


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def test_a_void_match_takes_its_block_out_of_the_count_and_no_result_is_changed(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    before = records(ledger)

    (ruling,) = void(ledger, 5)

    assert (ruling.ruling, ruling.kind, ruling.match, ruling.block) == (1, RulingKind.VOID, "test/1/000005", 2)
    assert cup_standings(ledger, cup).matches == 9
    assert records(ledger) == before
    assert verify_cup(ledger, "test") == 12


def test_the_next_run_plays_the_block_again_same_bots_same_seats_new_deals(tmp_path: Path, ledger: Ledger) -> None:
    cup, notes = cup_file(tmp_path), Notes()
    play(cup, ledger)
    void(ledger, 5)

    run = play(cup, ledger, notes=notes)

    old, new = records(ledger, 1)[3:6], records(ledger, 2)
    assert run == CupRun(3, ())
    assert [record.seats for record in new] == [record.seats for record in old]
    assert not {record.deals[0].deck for record in new} & {record.deals[0].deck for record in old}
    assert ledger.round("test", 1).commitment != ledger.round("test", 2).commitment
    assert notes.lines == [
        "round 2, 0 done",
        "it plays 1 void block of round 1 again, with new deals",
        "round 2 over",
    ]
    assert cup_standings(ledger, cup).matches == 12
    assert verify_cup(ledger, "test") == 15
    assert play(cup, ledger) == CupRun(0, ())


def test_two_matches_of_one_block_are_one_ruling_and_a_block_is_void_once(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)

    assert len(void(ledger, 1, 2)) == 1
    with pytest.raises(HarnessError, match="test/1/000003 is void already, by ruling 1 on test/1/000001"):
        void(ledger, 3)


@pytest.mark.parametrize("budget", [{"matches": 12}, {"matches": None, "matches_per_bot": 9}])
def test_what_is_void_is_no_part_of_a_budget(tmp_path: Path, ledger: Ledger, budget: dict[str, int]) -> None:
    cup = cup_file(tmp_path, **budget)
    played = play(cup, ledger).match_count
    void(ledger, 1, 7)
    play(cup, ledger)

    longer = cup_file(tmp_path, **{key: value and 2 * value for key, value in budget.items()})
    run = play(longer, ledger)

    assert run.match_count == played
    assert verify_cup(ledger, "test") == 2 * played + 6


def test_void_blocks_are_counted_by_season_and_of_one_that_is_over_nothing_is_played_again(
    tmp_path: Path, ledger: Ledger
) -> None:
    spring, autumn = cup_file(tmp_path, season="spring"), cup_file(tmp_path, season="autumn")
    play(spring, ledger)
    void(ledger, 1)
    assert void_blocks(ledger, spring).again == "none of them played again yet"
    play(spring, ledger)
    assert void_blocks(ledger, spring) == VoidBlocks(1, 1, 1, is_past=False)
    play(autumn, ledger)
    void(ledger, 4)

    assert play(autumn, ledger) == CupRun(0, ())
    assert void_blocks(ledger, spring) == VoidBlocks(2, 2, 1, is_past=True)
    assert void_blocks(ledger, spring).again == "1 of them played again, for the season is over"
    assert void_blocks(ledger, autumn).blocks == 0


def test_a_void_block_that_was_played_again_can_be_void_too(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    void(ledger, 1)
    play(cup, ledger)
    void(ledger, 2, round=2)

    assert cup_standings(ledger, cup).matches == 9
    assert play(cup, ledger).match_count == 3
    assert cup_standings(ledger, cup).matches == 12
    assert len({record.deals[0].deck for record in records(ledger) if record.match[-2:] == "01"}) == 3
    assert verify_cup(ledger, "test") == 18


def test_undone_the_block_counts_again_and_what_stood_in_for_it_does_not(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    before = ladder(ledger, cup)
    void(ledger, 1)
    between = ladder(ledger, cup)
    play(cup, ledger)
    with_replay = ladder(ledger, cup)
    undo(ledger, 1)

    assert ladder(ledger, cup) == before
    assert before not in (between, with_replay)
    assert play(cup, ledger) == CupRun(0, ())
    assert verify_cup(ledger, "test") == 15
    with pytest.raises(HarnessError, match="ruling 1 was undone before"):
        undo(ledger, 1)


def test_the_rest_of_a_void_block_is_not_played_and_the_round_ends_without_it(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, stop_after=6)
    void(ledger, 4)

    run = play(cup, ledger)

    assert run.match_count == 5 + 3
    assert [record.match for record in records(ledger, 1)] == [
        f"test/1/{number:06d}" for number in range(1, 13) if number != 6
    ]
    assert cup_standings(ledger, cup).matches == 12
    assert verify_cup(ledger, "test") == 14
    with pytest.raises(HarnessError, match="ruling 1 stands: 2 of the 3 matches of its block were played"):
        undo(ledger, 1)


def test_a_missing_match_of_a_block_that_is_not_void_is_a_difference(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, stop_after=6)
    void(ledger, 4)
    play(cup, ledger)
    ledger.rulings.undo(1, at_unix_ns=NOW_NS)

    with pytest.raises(LedgerDifference, match="test/1/000006: it is missing"):
        verify_cup(ledger, "test")


def test_a_round_that_plays_again_what_was_never_void_is_a_difference(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    void(ledger, 1)
    play(cup, ledger)
    ledger._database.execute("DELETE FROM rulings")

    with pytest.raises(LedgerDifference, match=r"round 2: budget .* in the ledger, None derived"):
        verify_cup(ledger, "test")


def test_tables_of_several_sizes_are_played_again_as_they_were(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, seats=[2, 3], matches=24)
    play(cup, ledger)
    firsts = {record.block: record for record in records(ledger) if record.rotation == 1}
    chosen = [firsts[f"{block:06d}"] for block in (7, 2, 5)]
    void(ledger, *(int(record.match[-6:]) for record in chosen))

    play(cup, ledger)

    again = [record.seats for record in records(ledger, 2) if record.rotation == 1]
    assert again == [firsts[f"{block:06d}"].seats for block in (2, 5, 7)]
    assert {len(seats) for seats in again} == {2, 3}
    assert cup_standings(ledger, cup).matches == 24
    assert verify_cup(ledger, "test") == len(records(ledger))


def test_what_a_replaced_version_played_is_played_again_by_it_and_the_newest_keeps_its_row(
    tmp_path: Path, ledger: Ledger
) -> None:
    play(cup_file(tmp_path), ledger)
    longer, mended = cup_file(tmp_path, matches=24), Bots("ant", "bee", "cat", "dog", sha256={"cat": "1" * 64})
    play(longer, ledger, mended)
    void(ledger, 1)

    play(longer, ledger, mended)

    assert {seat.sha256 for record in records(ledger, 3) for seat in record.seats} == {"0" * 64}
    assert rows(ledger, longer)["cat"].player.endswith("1" * 12)
    assert {row.bot: row.player for row in history(ledger, longer)[-1].standings.rows}["cat"].endswith("1" * 12)
    assert cup_standings(ledger, longer).matches == 24


def test_the_standings_by_other_rulings_are_known_before_they_are_made(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    before = ladder(ledger, cup)
    coming = voids(ledger, ["test/1/000001"], WHY, at_unix_ns=NOW_NS)
    foretold = to_json(cup_standings(ledger, cup, rulings=with_changes(ledger.rulings.of_cup("test"), coming)))
    assert ladder(ledger, cup) == before

    ledger.rulings.add(coming)

    assert ladder(ledger, cup) == foretold != before
    assert to_json(cup_standings(ledger, cup, rulings=())) == before


@pytest.mark.parametrize("reason", ["", " ", "a\nb", "\x1b[2J", "x" * 401])
def test_a_reason_can_be_shown(tmp_path: Path, ledger: Ledger, reason: str) -> None:
    play(cup_file(tmp_path), ledger)

    with pytest.raises(HarnessError, match="--reason"):
        voids(ledger, ["test/1/000001"], reason, at_unix_ns=NOW_NS)


def test_a_match_or_a_bot_that_is_not_there_is_named(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)

    with pytest.raises(HarnessError, match="there is no match test/1/000099"):
        void(ledger, 99)
    with pytest.raises(HarnessError, match="be does not play in test; did you mean bee"):
        withdraw(ledger, cup, "be")
    with pytest.raises(HarnessError, match="there is no ruling 7"):
        undo(ledger, 7)
