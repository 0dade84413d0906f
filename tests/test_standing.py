"""Standings are a function of the ledger: who is rated, ranked and listed, and what is said of each."""

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cup import CupFile
from harness.faults import Fault, FaultKind
from harness.match import TimeControl
from harness.standing import cup_standings, exported_results, player_key, season_rounds
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Result, Role
from harness.tournament import play_cup
from ladder.export import to_json
from ladder.standings import Row, Standings
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file
from tests.one_by_one import counted_results, rate

FIELD = ("ant", "bee", "cat", "dog")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def play(cup: CupFile, ledger: Ledger, roster: Bots | None = None, executor: InProcess | None = None) -> None:
    arena = executor or InProcess()
    asyncio.run(play_cup(cup, ledger, roster or Bots(*FIELD), Notes(), arena.opener()))


def by_bot(standings: Standings) -> dict[str, Row]:
    return {row.bot: row for row in standings.rows}


def entry(label: str, **changed: object) -> Entry:
    return replace(Entry(label, label, "1.0", "0" * 64, label), **changed)  # type: ignore[arg-type] # a test says what


def result(number: int, *entries: Entry, faults: tuple[str | None, ...] = ()) -> Result:
    """A match that the first of `entries` won, the second came second in, and so on."""
    places = tuple(range(1, len(entries) + 1))
    points = tuple(-100 * place for place in places)
    return Result(
        f"test/1/{number:06d}", f"test/1/{number:06d}", entries, places, points, faults or (None,) * len(places)
    )


def test_the_same_results_in_any_order_give_the_same_standings(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, matches=60)
    play(cup, ledger)
    results = list(counted_results(ledger, cup))
    shuffled = random.Random(1).sample(results, len(results))
    entries = ledger.entries("test", 1)

    assert to_json(rate(cup, shuffled, entries)) == to_json(rate(cup, results, entries))
    assert to_json(rate(cup, results, entries)) == to_json(cup_standings(ledger, cup))


def test_a_block_counts_when_every_rotation_of_it_is_there(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=9))

    counted = [found.match for found in counted_results(ledger, cup)]

    assert len(counted) == 3
    assert len({found.block for found in counted_results(ledger, cup)}) == 1


def test_without_duplicates_every_match_is_a_block(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, duplicate=False)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=7))

    assert len(list(counted_results(ledger, cup))) == 7


def test_a_bot_that_has_not_played_has_a_row_that_says_so(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=0))

    standings = cup_standings(ledger, cup)

    assert [row.bot for row in standings.rows] == list(FIELD)
    assert all(row.elo is None and row.reason == "not enough data: no match yet" for row in standings.rows)
    assert standings.sentence == "Not enough data: no match has been played yet."


def test_house_fill_and_unrated_bots_are_marked(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, seats=4)
    bots = [entry("ant"), entry("bee", rated=False), entry("owl", role=Role.HOUSE), entry("fill", role=Role.FILL)]

    rows = by_bot(rate(cup, [result(number, *bots) for number in range(40)], bots))

    assert [(row.rank, row.rated) for row in rows.values()] == [(1, True), (None, True), (None, False), (None, False)]
    assert {name: (row.reason or "").partition(";")[0] for name, row in rows.items() if name != "ant"} == {
        "owl": "house bot: rated, not ranked",
        "bee": "entered unrated",
        "fill": "fills tables",
    }
    assert rows["bee"].elo is None
    assert rows["fill"].elo is None
    assert rows["owl"].elo is not None


def test_a_clock_of_its_own_stands_beside_the_numbers(tmp_path: Path) -> None:
    slow = entry("ant", time=TimeControl(60_000_000_000, 50_000_000, 5_000_000_000))
    bots = [slow, entry("bee"), entry("cat")]

    rows = by_bot(rate(cup_file(tmp_path), [result(number, *bots) for number in range(12)], bots))

    assert (rows["ant"].reason or "").startswith("a clock of its own: 60 s, 0.05 s a decision, at most 5 s")
    assert "clock" not in (rows["bee"].reason or "")


def test_a_seat_that_never_started_weighs_nothing_but_its_fault_is_told(tmp_path: Path) -> None:
    bots = [entry("ant"), entry("bee"), entry("cat")]
    played = [result(number, *bots) for number in range(12)]
    absent = [result(number, *bots, faults=(None, None, "start")) for number in range(12, 24)]

    rows = by_bot(rate(cup_file(tmp_path), played + absent, bots))
    without = by_bot(rate(cup_file(tmp_path), played, bots))

    assert rows["cat"].matches == without["cat"].matches == 12
    assert rows["cat"].faults_by_kind == {"start": 12}
    assert rows["ant"].matches == 24


def test_another_fault_weighs_as_the_place_that_it_cost(tmp_path: Path) -> None:
    bots = [entry("ant"), entry("bee"), entry("cat")]
    played = [result(number, *bots) for number in range(12)]
    crashed = [result(number, *bots, faults=(None, None, "crashed")) for number in range(12)]

    rows = by_bot(rate(cup_file(tmp_path), crashed, bots))

    assert rows["cat"].elo == by_bot(rate(cup_file(tmp_path), played, bots))["cat"].elo
    assert rows["cat"].points_mean is None
    assert rows["cat"].faults_by_kind == {"crashed": 12}


@pytest.mark.parametrize("form", ["ant", "./bots/ant", "bots/ant/", "ant@1.0", "sample:ant"])
def test_the_anchor_is_fixed_whatever_form_names_it(tmp_path: Path, form: str) -> None:
    text = cup_file(tmp_path)
    cup = text.model_copy(update={"cup": text.cup.model_copy(update={"anchor": {form: 1234.0}})})
    bots = [entry("bee"), entry("ant"), entry("cat")]

    standings = rate(cup, [result(number, *bots) for number in range(12)], bots)

    assert by_bot(standings)["ant"].elo == 1234.0
    assert standings.anchors == {"ant": 1234.0}


def test_a_newer_version_takes_the_row_and_the_older_stays_in_the_fit(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    longer = cup_file(tmp_path, matches=24)
    play(longer, ledger, Bots(*FIELD, sha256={"cat": "1" * 64}))
    standings = cup_standings(ledger, longer)
    complete = cup_standings(ledger, longer, all_versions=True)

    assert [row.bot for row in standings.rows].count("cat") == 1
    assert [row.bot for row in complete.rows].count("cat") == 2
    assert {row.player for row in complete.rows} - {row.player for row in standings.rows} == {
        player_key(Entry("cat", "cat", "1.0", "0" * 64, "cat"))
    }
    assert standings.matches == complete.matches == 24


def test_a_season_begins_from_no_matches(tmp_path: Path, ledger: Ledger) -> None:
    spring = cup_file(tmp_path, season="spring")
    play(spring, ledger)
    autumn = cup_file(tmp_path, season="autumn", matches=6)
    play(autumn, ledger)

    assert (season_rounds(ledger, spring), season_rounds(ledger, autumn)) == ([1], [2])
    assert cup_standings(ledger, spring).matches == 12
    assert cup_standings(ledger, autumn).matches == 6


def test_why_a_bot_was_withdrawn_is_told_with_its_round(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger, executor=InProcess(withdraw={"bee": Fault(FaultKind.START, "never said Hello")}))

    rows = by_bot(cup_standings(ledger, cup))

    assert (rows["bee"].reason or "").startswith("withdrawn in round 1: start: never said Hello")
    assert rows["bee"].faults_by_kind == {"start": 9}
    assert "withdrawn" not in (rows["ant"].reason or "")


def test_exported_results_name_labels_and_leave_out_what_the_fit_leaves_out(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path, seats=4)
    play(cup, ledger, Bots("ant", "bee", "house", "fill"))

    exported = list(exported_results(ledger, "test"))

    assert [found.match for found in exported] == [f"test/1/{number:06d}" for number in range(1, 13)]
    for found in exported:
        assert sorted(found.bots) == ["ant", "bee", "fill", "house"]
        assert found.unrated == (found.bots.index("fill"),)


def test_exported_results_tell_versions_of_a_label_apart(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)
    play(cup_file(tmp_path, matches=24), ledger, Bots(*FIELD, sha256={"cat": "1" * 64}))

    names = {name for found in exported_results(ledger, "test") for name in found.bots}

    assert names == {"ant", "bee", "dog", f"cat@1.0-{'0' * 12}", f"cat@1.0-{'1' * 12}"}


def test_standings_hold_no_time_and_no_path(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)

    text = to_json(cup_standings(ledger, cup))

    assert str(tmp_path) not in text
    assert json.loads(text)["matches"] == 12
    assert "2023" not in text  # when the matches of the test were played


def test_matches_of_blocks_that_are_not_complete_are_told_of(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    with pytest.raises(Interrupted):
        play(cup, ledger, executor=InProcess(stop_after=4))

    standings = cup_standings(ledger, cup)

    assert standings.sentence == "Not enough data: no block is complete yet: 4 matches played."
    assert {row.reason for row in standings.rows} == {"not enough data: no match that counts yet"}
