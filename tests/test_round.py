"""What a round plays and when one is due: a pure function of the file, the entries and what was played before."""

from itertools import pairwise
from pathlib import Path

import pytest

from harness.cup import CupFile
from harness.errors import HarnessError
from harness.round import Budget, RoundPlan, Season, block_name, due_budget, waves
from harness.store.rows import Entry
from tests.in_process import Bots, cup_file

FIELD = ("ant", "bee", "cat", "dog")


def entries(*labels: str) -> tuple[Entry, ...]:
    return tuple(Bots().entry(label) for label in labels or FIELD)


def season(match_count: int, *labels: str, rounds: int = 1, sha256: str = "0" * 64) -> Season:
    """A season in which `labels` have shared `match_count` matches."""
    names = labels or FIELD
    share = 3 * match_count // len(names)
    return Season(rounds, match_count, {(label, sha256): share for label in names})


@pytest.fixture
def cup(tmp_path: Path) -> CupFile:
    """Twelve matches at tables of three, in blocks of three."""
    return cup_file(tmp_path)


def test_a_first_round_plays_all(cup: CupFile) -> None:
    assert due_budget(cup, entries(), Season()) == Budget(matches=12)


def test_a_cup_that_has_all_its_matches_has_nothing_due(cup: CupFile) -> None:
    assert due_budget(cup, entries(), season(12)) is None


def test_a_longer_cup_plays_the_difference(tmp_path: Path) -> None:
    assert due_budget(cup_file(tmp_path, matches=60), entries(), season(12)) == Budget(matches=48)


@pytest.mark.parametrize("matches", [13, 14])
def test_matches_that_make_no_whole_block_are_not_due(tmp_path: Path, matches: int) -> None:
    cup = cup_file(tmp_path, matches=matches)

    assert RoundPlan(cup, 1, entries(), Budget(matches=matches)).schedule.match_count == 12
    assert due_budget(cup, entries(), season(12)) is None


def test_what_three_table_sizes_leave_over_is_not_due(tmp_path: Path) -> None:
    cup = cup_file(tmp_path, seats=[2, 3, 4], matches=24)
    played = RoundPlan(cup, 1, entries(), Budget(matches=24)).schedule.match_count

    assert played == 8 + 6 + 8
    assert due_budget(cup, entries(), season(played)) is None


def test_a_late_bot_gets_its_share_and_at_least_a_block_of_each_size(tmp_path: Path) -> None:
    five = (*entries(), *entries("eel"))

    assert due_budget(cup_file(tmp_path), five, season(12)) == Budget(matches=3)
    assert due_budget(cup_file(tmp_path, matches=60), five, season(60)) == Budget(matches=12)
    assert due_budget(cup_file(tmp_path, matches=24, seats=[2, 3, 4]), five, season(22)) == Budget(matches=12)


def test_a_folder_that_changed_is_no_newcomer_and_a_submitted_version_is(tmp_path: Path) -> None:
    folder, ladder = cup_file(tmp_path), cup_file(tmp_path, bots=["submitted"])
    before = season(12, sha256="1" * 64)

    assert due_budget(folder, entries(), before) is None
    assert due_budget(ladder, entries(), before) == Budget(matches=12)


def test_matches_per_bot_are_due_until_everybody_has_them(tmp_path: Path) -> None:
    cup = cup_file(tmp_path, matches=None, matches_per_bot=9)

    assert due_budget(cup, entries(), Season()) == Budget(matches_per_bot=9)
    assert due_budget(cup, entries(), season(12)) is None
    assert due_budget(cup, entries(), season(8)) == Budget(matches_per_bot=3)


def test_a_round_robin_is_due_once_and_again_for_a_late_bot(tmp_path: Path) -> None:
    cup = cup_file(tmp_path, format="round-robin", matches=None)

    assert due_budget(cup, entries(), Season()) == Budget()
    assert due_budget(cup, entries(), season(12)) is None
    assert due_budget(cup, (*entries(), *entries("eel")), season(12)) == Budget()


def test_a_plan_follows_from_the_file_and_the_entries_alone(tmp_path: Path) -> None:
    first = RoundPlan(cup_file(tmp_path), 1, entries(), Budget(matches=12))
    again = RoundPlan(cup_file(tmp_path), 1, entries(), Budget(matches=12))
    second = RoundPlan(cup_file(tmp_path), 2, entries(), Budget(matches=12))

    assert first.schedule.digest() == again.schedule.digest()
    assert first.schedule.digest() != second.schedule.digest()


def test_entries_that_make_no_table_are_a_mistake_of_the_operator(tmp_path: Path) -> None:
    plan = RoundPlan(cup_file(tmp_path, matches=2), 1, entries(), Budget(matches=2))

    with pytest.raises(HarnessError, match="test: 2 matches leave a table size without a whole block"):
        _ = plan.schedule


def test_the_rotations_of_a_block_share_their_decks_and_no_two_blocks_do(cup: CupFile) -> None:
    plan = RoundPlan(cup, 1, entries(), Budget(matches=12))
    tables = [plan.schedule.table(number) for number in range(1, 13)]
    decks = [[plan.deck_of(table, bytes(32))(deal) for deal in range(3)] for table in tables]

    for number, (table, following) in enumerate(pairwise(tables)):
        assert (decks[number] == decks[number + 1]) == (table.block == following.block)
    assert len({tuple(deck) for deck in decks[0]}) == 3


def test_ids_and_labels_stand_by_seat(cup: CupFile) -> None:
    plan = RoundPlan(cup, 1, entries(), Budget(matches=12))
    table = plan.schedule.table(7)

    assert plan.match_id(table) == "test/1/000007"
    assert plan.labels(table) == tuple(FIELD[index] for index in table.seats)
    assert block_name(table.block) == f"{table.block:06d}"


@pytest.mark.parametrize("bots_alive", [3, 4, 5, 8, 100])
def test_no_wave_seats_more_bots_than_may_be_alive_and_every_table_is_in_one(tmp_path: Path, bots_alive: int) -> None:
    names = tuple(f"bot{number}" for number in range(8))
    plan = RoundPlan(cup_file(tmp_path, matches=48), 1, entries(*names), Budget(matches=48))
    numbers = [number for heat in plan.schedule.heats() for number in heat.phases[0]]

    cut = list(waves(map(plan.schedule.table, numbers), bots_alive))

    assert [table.number for wave in cut for table in wave] == numbers
    assert all(wave for wave in cut)
    assert all(len({index for table in wave for index in table.seats}) <= bots_alive for wave in cut)
    assert len(cut) == 1 or bots_alive < 8
