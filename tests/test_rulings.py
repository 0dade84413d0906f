"""Rulings: what is void leaves the count with its block and is played again with new deals; no result is changed."""

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
from harness.record import MatchRecord
from harness.rulings import absences, undone, voids, with_changes, withdrawals
from harness.sources import sources_at
from harness.standing import cup_standings, history
from harness.store.ledger import Ledger
from harness.store.rows import Ruling, RulingKind
from harness.tournament import CupRun, play_cup
from harness.verify import LedgerDifference, verify_cup
from ladder.export import to_json
from ladder.standings import Row
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file

FIELD = Bots("ant", "bee", "cat", "dog")
NOW_NS = 1_777_000_000_000_000_000
WHY = "the lights went out"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def play(
    cup: CupFile,
    ledger: Ledger,
    roster: Bots = FIELD,
    *,
    stop_after: int | None = None,
    notes: Notes | None = None,
) -> CupRun:
    return asyncio.run(play_cup(cup, ledger, roster, notes or Notes(), InProcess(stop_after=stop_after).opener()))


def void(ledger: Ledger, *numbers: int, round: int = 1) -> tuple[Ruling, ...]:
    matches = [f"test/{round}/{number:06d}" for number in numbers]
    return ledger.rulings.add(voids(ledger, matches, WHY, at_unix_ns=NOW_NS))


def withdraw(ledger: Ledger, cup: CupFile, bot: str) -> None:
    ledger.rulings.add(withdrawals(ledger, cup, bot, WHY, at_unix_ns=NOW_NS))


def undo(ledger: Ledger, ruling: int) -> None:
    found = undone(ledger, ruling, at_unix_ns=NOW_NS + 1)
    ledger.rulings.undo(ruling, at_unix_ns=found.undone_unix_ns or 0)


def records(ledger: Ledger, round: int | None = None) -> list[MatchRecord]:
    return list(ledger.records("test", round))


def rows(ledger: Ledger, cup: CupFile) -> dict[str, Row]:
    return {row.bot: row for row in cup_standings(ledger, cup).rows}


def ladder(ledger: Ledger, cup: CupFile) -> str:
    return to_json(cup_standings(ledger, cup))


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


def test_rulings_come_with_an_imported_ledger_once(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    void(ledger, 1)
    play(cup, ledger)
    void(ledger, 7)
    undo(ledger, 2)
    with Ledger(tmp_path / "copy.db", create=True) as copy:
        for _ in range(2):
            take_in(copy, list(sources_at(tmp_path / "arena.db")))

        assert copy.rulings.all() == ledger.rulings.all()
        assert ladder(copy, cup) == ladder(ledger, cup)
        assert verify_cup(copy, "test") == 15


def test_a_reason_from_elsewhere_that_cannot_be_shown_is_refused(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)
    void(ledger, 1)
    ledger._database.execute("UPDATE rulings SET reason = 'a' || char(27) || '[2J'")
    with Ledger(tmp_path / "copy.db", create=True) as copy:
        with pytest.raises(HarnessError, match=r"round 1: a ruling whose reason holds U\+001B"):
            take_in(copy, list(sources_at(tmp_path / "arena.db")))

        assert copy.cups() == ()


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
