"""Ladders that live: who is seated when, what counts, who has a row, what the history tells."""

import shutil
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from harness.record import MatchRecord
from harness.standing import cup_standings, history
from harness.store.rows import Role
from harness.tournament import CupRun
from harness.verify import verify_cup
from ladder.export import to_csv, to_json
from ladder.standings import Row, Standings
from tests.in_process import Interrupted
from tests.living_ladder import FIRST, LATE, LivingLadder, whole_season
from tests.one_by_one import counted_results, rate

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivingLadder]:
    """The whole story; to be looked at only."""
    ladder = whole_season(tmp_path_factory.mktemp("season"))
    yield ladder
    ladder.close()


@pytest.fixture
def copy(season: LivingLadder, tmp_path: Path) -> Iterator[LivingLadder]:
    """The same to go on with."""
    season.ledger._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copytree(season.folder, tmp_path / "copy")
    ladder = LivingLadder(tmp_path / "copy")
    ladder.clock_unix_ns = season.clock_unix_ns
    ladder.matches_per_bot = season.matches_per_bot
    yield ladder
    ladder.close()


def records(ladder: LivingLadder, round: int) -> list[MatchRecord]:
    return list(ladder.ledger.records("ladder", round))


def seats(ladder: LivingLadder, round: int) -> Counter[tuple[str, str]]:
    """Matches of each version in a round."""
    return Counter((seat.bot, seat.version) for record in records(ladder, round) for seat in record.seats)


def row_of(standings: Standings, bot: str, version: str | None = None) -> Row:
    (row,) = [row for row in standings.rows if row.bot == bot and version in (None, row.version)]
    return row


def test_the_first_round_seats_everybody_and_the_house_equally(season: LivingLadder) -> None:
    played = seats(season, 1)

    assert {bot for bot, _ in played} == {*FIRST, "stateless"}
    assert min(played.values()) >= 24
    assert max(played.values()) <= 27


@pytest.mark.parametrize(("round", "late"), [(2, "kea"), (3, "lynx")])
def test_a_late_entry_gets_its_matches_with_opponents_drawn_evenly(season: LivingLadder, round: int, late: str) -> None:
    played = seats(season, round)
    tables = {record.block: sorted(seat.bot for seat in record.seats) for record in records(season, round)}

    assert played[late, "1.0"] == 24
    assert all(late in table for table in tables.values())
    others = [count for (bot, _), count in played.items() if bot != late]
    assert max(others) - min(others) <= 3
    met = Counter(pair for table in tables.values() for pair in combinations(table, 2) if late in pair)
    assert max(met.values()) - min(met.values()) <= 1


def test_a_new_version_begins_anew_and_the_old_one_plays_no_more(season: LivingLadder) -> None:
    assert seats(season, 4)["bee", "2.0"] == 24
    assert all(("bee", "1.0") not in seats(season, round) for round in (4, 5))


def test_more_matches_a_bot_are_played_by_those_who_have_fewer_and_not_by_a_retired_one(season: LivingLadder) -> None:
    totals = sum((seats(season, round) for round in range(1, 6)), Counter[tuple[str, str]]())

    assert not any(bot == "cat" for bot, _ in seats(season, 5))
    playing = {(bot, "1.0") for bot in (*FIRST, *LATE)} - {("cat", "1.0"), ("bee", "1.0")} | {("bee", "2.0")}
    assert all(totals[version] >= 30 for version in playing)


def test_run_again_plays_nothing(copy: LivingLadder) -> None:
    assert copy.run() == CupRun(0, ())
    assert len(copy.ledger.rounds("ladder")) == 5


def test_no_round_changed_an_earlier_one_and_all_of_it_holds(season: LivingLadder, tmp_path: Path) -> None:
    first = LivingLadder(tmp_path)
    first.submit(*FIRST)
    first.run()

    assert [record.digest() for record in records(first, 1)] == [record.digest() for record in records(season, 1)]
    assert verify_cup(season.ledger, "ladder") == season.ledger.match_count("ladder")
    first.close()


def test_the_table_has_one_row_a_name_and_all_versions_are_in_the_fit(season: LivingLadder) -> None:
    table = cup_standings(season.ledger, season.cup)
    everybody = cup_standings(season.ledger, season.cup, all_versions=True)

    assert sorted(row.bot for row in table.rows) == sorted({*FIRST, *LATE, "stateless"} - {"cat"})
    assert row_of(table, "bee").version == "2.0"
    assert len(everybody.rows) == len(table.rows) + 2
    for row in table.rows:
        assert row_of(everybody, row.bot, row.version)[7:12] == row[7:12]  # Elo, interval, error, matches


def test_the_house_is_anchor_and_has_no_rank(season: LivingLadder) -> None:
    table = cup_standings(season.ledger, season.cup)

    house = row_of(table, "stateless")
    assert table.anchors == {"stateless": 1500.0}
    assert (house.elo, house.rank) == (1500.0, None)
    assert "house bot" in (house.reason or "")


def test_a_version_is_ranked_after_so_many_matches(copy: LivingLadder) -> None:
    copy.submit("mole")
    with pytest.raises(Interrupted):
        copy.run(stop_after=21)

    row = row_of(cup_standings(copy.ledger, copy.cup), "mole")
    assert row.matches < 12
    assert row.rank is None
    assert "of the 12 matches that a rank asks for" in (row.reason or "")


def test_when_the_new_version_is_retired_the_old_one_is_back(copy: LivingLadder) -> None:
    copy.retire("bee", "2.0")
    before = row_of(cup_standings(copy.ledger, copy.cup), "bee")
    copy.matches_per_bot = 48
    run = copy.run()

    assert before.version == "1.0"
    assert run.match_count > 0
    assert {version for bot, version in seats(copy, 6) if bot == "bee"} == {"1.0"}
    assert row_of(cup_standings(copy.ledger, copy.cup), "bee").version == "1.0"


def test_a_retired_bot_that_is_let_back_has_its_matches(copy: LivingLadder) -> None:
    copy.ledger.versions.retire("cat", at_unix_ns=None)

    assert row_of(cup_standings(copy.ledger, copy.cup), "cat").matches >= 24
    copy.matches_per_bot = 48
    copy.run()
    assert seats(copy, 6)["cat", "1.0"] > 0


def test_a_new_season_starts_from_no_matches_with_the_same_anchor(copy: LivingLadder) -> None:
    spring = copy.cup
    before = to_json(cup_standings(copy.ledger, spring))
    copy.season = "autumn"
    copy.matches_per_bot = 12

    run = copy.run()

    table = cup_standings(copy.ledger, copy.cup)
    assert run.match_count > 0
    assert table.matches == run.match_count
    assert table.anchors == {"stateless": 1500.0}
    assert row_of(table, "stateless").elo == 1500.0
    assert to_json(cup_standings(copy.ledger, spring)) == before
    assert copy.run() == CupRun(0, ())


def test_the_history_of_a_bot_is_its_rating_after_each_round(season: LivingLadder) -> None:
    moments = history(season.ledger, season.cup)

    assert [moment.round for moment in moments] == [1, 2, 3, 4, 5]
    names = [{(row.bot, row.version) for row in moment.standings.rows} for moment in moments]
    assert [("kea", "1.0") in rows for rows in names] == [False, True, True, True, True]
    assert [("lynx", "1.0") in rows for rows in names] == [False, False, True, True, True]
    assert [("bee", "1.0") in rows for rows in names] == [True, True, True, False, False]
    assert [("bee", "2.0") in rows for rows in names] == [False, False, False, True, True]
    assert all(("cat", "1.0") in rows for rows in names)
    last = {row.player: row.elo for row in moments[-1].standings.rows}
    assert all(last[row.player] == row.elo for row in cup_standings(season.ledger, season.cup).rows)


def test_a_ladder_in_a_round_that_is_under_way_shows_whole_blocks(copy: LivingLadder) -> None:
    copy.submit("mole")
    with pytest.raises(Interrupted):
        copy.run(stop_after=20)
    table = cup_standings(copy.ledger, copy.cup)
    finished = copy.run()

    assert table.matches % 3 == 0
    assert row_of(cup_standings(copy.ledger, copy.cup), "mole").matches == 30
    assert finished.match_count > 0


def test_the_order_in_which_results_are_told_changes_no_printed_digit(season: LivingLadder) -> None:
    results = list(counted_results(season.ledger, season.cup))
    entries = [entry for round in range(1, 6) for entry in season.ledger.entries("ladder", round)]
    expected = rate(season.cup, results, entries)

    for shuffled in (results[::-1], results[1::2] + results[::2], [*results, *results[:40]]):
        found = rate(season.cup, shuffled, entries)
        assert to_json(found) == to_json(expected)
        assert to_csv(found) == to_csv(expected)
        assert found.luck == expected.luck


def test_the_house_is_an_opponent_in_the_rounds_of_late_entries_too(season: LivingLadder) -> None:
    for round in range(1, 5):
        (house,) = [entry for entry in season.ledger.entries("ladder", round) if entry.role is Role.HOUSE]
        assert house.anchor_elo == 1500.0
        assert seats(season, round)["stateless", house.version] > 0
