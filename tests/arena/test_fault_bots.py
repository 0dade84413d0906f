"""Every bot of tests/fault_bots does its worst in matches with a good one; the folder above it is the verdict."""

import asyncio
from collections import Counter

import pytest

from harness.arena import life
from harness.arena.contestant import FAILED_STARTS
from harness.doctor.fault_bot import NO_FAULT, FaultBot, fault_bots_folder, find_fault_bots
from harness.doctor.selftest import GOOD, GROWTH_BYTES, MATCHES, OTHER_GOOD, Selftest, run_selftest
from harness.printable import printable
from harness.record import SeatEntry, record_of, replay
from harness.sandbox.cell import LEVELS
from harness.sandbox.levels import choose, try_level
from harness.sandbox.users import runs_as_root
from ladder.fit import fit
from ladder.results import Result

BOTS = find_fault_bots(fault_bots_folder())
BEST = choose().level
"""Tested whenever tests are run; the other levels that this machine offers by the wide tests."""
WORKING = [level for level in LEVELS if not try_level(level).problem]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def level_param(level: str) -> object:
    return pytest.param(level, marks=[] if level == BEST else [pytest.mark.wide])


@pytest.fixture(scope="module", params=map(level_param, WORKING))
def test(request: pytest.FixtureRequest) -> Selftest:
    """All of them played at one level."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(life, "NAMING_S", 4.0)  # on a busy machine an interpreter may take over a second to end
        return asyncio.run(run_selftest(BOTS, try_level(request.param).sandbox))


def bot(name: str) -> FaultBot:
    return next(bot for bot in BOTS if bot.name == name)


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: f"{bot.kind}/{bot.name}")
def test_the_verdict_is_the_documented_one_and_nothing_is_reached_that_must_not_be(
    test: Selftest, bot: FaultBot
) -> None:
    row = test.row(bot)

    assert row.seen == row.expected
    assert row.ok


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: f"{bot.kind}/{bot.name}")
def test_every_match_comes_to_a_valid_end(test: Selftest, bot: FaultBot) -> None:
    matches = test.played[bot.name]

    assert len(matches) == MATCHES
    for match in matches:
        entries = [SeatEntry(label, "1", "") for label in match.table.seats]
        replay(record_of(match.match, match_id=match.table.match_id, seats=entries))


def test_whoever_plays_with_them_is_never_at_fault_and_wins_what_they_forfeit(test: Selftest) -> None:
    matches = test.played[GOOD]
    faults = [(match.table.seats[at.seat], match) for match in matches for at in match.match.faults]

    assert not {label for label, _ in faults} & {GOOD, OTHER_GOOD}
    assert len(matches) == MATCHES * (len(BOTS) + 2)
    assert {(end.start_number, end.fault) for end in test.ends[GOOD]} == {(1, None)}
    for label, match in faults:
        record = record_of(match.match, match_id="m", seats=[SeatEntry(name, "1", "") for name in match.table.seats])
        assert record.places[match.table.seats.index(label)] == 2


def test_whoever_plays_with_them_pays_for_its_own_thinking_alone(test: Selftest) -> None:
    """Whatever the others do meanwhile: a bot is charged for no moment in which it owed no answer."""
    for label in (GOOD, OTHER_GOOD):
        assert 0 < test.charged_ns(label) <= test.owing.owed_ns[label]


def test_nothing_of_any_bot_is_left_and_the_harness_is_what_it_was(test: Selftest) -> None:
    first, *others = test.measures

    assert not [measure for measure in test.measures if measure.survivors or measure.left]
    assert {measure.tasks for measure in others} == {first.tasks}
    assert max(measure.open_files for measure in others) <= first.open_files
    assert max(measure.resident_bytes for measure in others) < first.resident_bytes + GROWTH_BYTES


def test_the_next_match_works(test: Selftest) -> None:
    matches = test.played[OTHER_GOOD]

    assert len(matches) == 2 * MATCHES, "the first phase and the last"
    assert not [at for match in matches for at in match.match.faults]


def test_a_bot_that_does_not_start_is_withdrawn(test: Selftest) -> None:
    starts = {bot.name for bot in BOTS if bot.kind == "start"}

    assert {gone.label for gone in test.withdrawn} == starts
    assert {len(test.ends[label]) for label in starts} == {FAILED_STARTS}


def test_details_are_printable_whatever_a_bot_says(test: Selftest) -> None:
    details = [at.fault.detail for matches in test.played.values() for match in matches for at in match.match.faults]
    (bye,) = {detail for detail in details if detail.startswith("said goodbye: \\x1b")}

    assert bye.startswith("said goodbye: \\x1b[2J\\x9b31m\\u202e[red]bye[/red]\\x0d\\x0a")
    assert [detail for detail in details if detail != printable(detail)] == []


def test_the_last_lines_of_a_bot_that_is_withdrawn_are_reported(test: Selftest) -> None:
    (gone,) = (gone for gone in test.withdrawn if gone.label == "crash_at_start")

    assert gone.last_lines[-1] == "RuntimeError: nothing works today"


def test_a_flood_on_stderr_is_cut_in_the_middle(test: Selftest) -> None:
    (end,) = test.ends["stderr_flood"]

    assert 256 * 1024 < len(end.output) < 330 * 1024
    assert b" bytes left out]\n" in end.output


def test_who_knocks_on_other_doors_is_sent_away(test: Selftest) -> None:
    (end,) = test.ends["second_stream"]
    (many,) = test.ends["many_streams"]

    assert Counter(end.output.split()) == {
        b"ALREADY_EXISTS": 5,
        b"UNAUTHENTICATED": 10,
        b"UNIMPLEMENTED": 10,
        b"RESOURCE_EXHAUSTED": 5,
    }
    assert set(many.output.split()) - {b"UNAVAILABLE"} == {b"ALREADY_EXISTS"}


def test_who_crashes_when_it_is_losing_has_lost(test: Selftest) -> None:
    """Its rating falls: a fault is a rated loss, never a match that counts for nothing."""
    records = [
        record_of(match.match, match_id=match.table.match_id, seats=[SeatEntry(name, "1", "") for name in names])
        for match in test.played["crash_when_losing"]
        for names in [match.table.seats]
    ]
    results = [
        Result(record.match, record.match, tuple(seat.bot for seat in record.seats), record.places)
        for record in records
    ]
    elo = dict(zip(*(lambda rated: (rated.players, rated.elo))(fit(results)), strict=True))

    assert [record.places[[seat.bot for seat in record.seats].index("crash_when_losing")] for record in records] == [
        2,
        2,
    ]
    assert elo["crash_when_losing"] < elo[GOOD]


SPIES = [
    "spies_on_files",
    "uses_the_network",
    "talks_behind_the_scenes",
    "knocks_at_the_kernel",
    "keeps_hands",
    "builds_beyond_its_folder",
    "reads_the_machine",
]
SPIES_ON_THEIR_USER = ["spies_on_processes", "signals_others", "writes_where_it_should_not"]
"""Bots of root are other users than he, so that these reach little at any level."""


@pytest.mark.parametrize("name", SPIES if runs_as_root() else [*SPIES, *SPIES_ON_THEIR_USER])
def test_what_a_sandbox_keeps_bots_from_is_there_to_be_reached(test: Selftest, name: str) -> None:
    found = [what for what in test.reached(bot(name)) if what not in (bot(name).reachable(test.sandbox) or ())]

    assert (found != []) == (test.sandbox.level in ("limits", "none"))


def test_verdicts_that_are_not_of_the_folder_are_those_of_levels_that_limit_less_or_differently() -> None:
    others = {(bot.kind, verdict) for bot in BOTS for verdict in bot.expected.verdict.values()}

    assert others == {("resources", NO_FAULT), ("crashed", NO_FAULT)}
