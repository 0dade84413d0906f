"""Every bot of tests/fault_bots does its worst in matches with a good one; the folder above it is the verdict."""

import asyncio
import os
from pathlib import Path
from typing import NamedTuple

import pytest

from harness import games
from harness.arena import Arena, BotSpec, Played, ProcessEnd, Withdrawal
from harness.arena.contestant import FAILED_STARTS
from harness.faults import FaultKind
from harness.record import SeatEntry, record_of, replay
from harness.session import USELESS_COUNT
from tests.arena.processes import processes_with
from tests.arena.tables import bot_in, sample_bot, table, time_control

FOLDER = Path(__file__).parent.parent / "fault_bots"
BOTS = sorted(path.parent for path in FOLDER.glob("*/*/bot.py"))
VICTIM = "victim"
MATCHES = 2
"""Each bad bot plays so many with the victim, one after the other."""
DECISION_S = 2.0
NEVER_DIALS = ("hang_at_start", "never_says_hello", "wrong_token")
"""These are waited for, each time they are started."""

pytestmark = pytest.mark.slow


class Outcome(NamedTuple):
    """What came of the phase."""

    played: dict[str, list[Played]]
    """By the label of the bad bot."""
    ends: dict[str, list[ProcessEnd]]
    withdrawn: list[Withdrawal]
    survivors: list[str]
    """Processes of bots found between two phases."""
    open_files: list[int]
    tasks: list[int]


def spec_of(folder: Path) -> BotSpec:
    return bot_in(folder, folder.name, max_matches=1, start_s=1.5 if folder.name in NEVER_DIALS else 60.0)


async def play_all() -> Outcome:
    """One phase for each verdict, in one arena."""
    game = games.game("zhiletka", {"hands_per_seat": 3})
    outcome = Outcome({}, {}, [], [], [], [])

    def note(match: Played) -> None:
        for label in match.table.seats:
            outcome.played.setdefault(label, []).append(match)

    def note_end(end: ProcessEnd) -> None:
        outcome.ends.setdefault(end.label, []).append(end)

    async with Arena(time_control=time_control(DECISION_S), jobs=len(BOTS), on_process_end=note_end) as arena:
        for verdict in sorted({bot.parent.name for bot in BOTS}):
            bots = [bot for bot in BOTS if bot.parent.name == verdict]
            tables = [
                table(BOTS.index(bot) * MATCHES + number, (bot.name, VICTIM), game)
                for number in range(1, MATCHES + 1)
                for bot in bots
            ]
            specs = [sample_bot("random", VICTIM, start_s=60.0), *map(spec_of, bots)]
            report = await arena.play(specs, tables, note)
            outcome.withdrawn.extend(report.withdrawn)
            outcome.survivors.extend(processes_with(arena.unix_address))
            outcome.open_files.append(len(os.listdir("/proc/self/fd")))
            outcome.tasks.append(len(asyncio.all_tasks()))
    return outcome


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return asyncio.run(play_all())


@pytest.mark.parametrize("folder", BOTS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_the_verdict_is_the_documented_one(outcome: Outcome, folder: Path) -> None:
    verdicts = [
        at.fault.kind for match in outcome.played[folder.name] for at in match.match.faults if at.seat == seat_of(match)
    ]
    expected = [] if folder.parent.name == "no_fault" else [FaultKind(folder.parent.name)] * MATCHES

    assert verdicts == expected


@pytest.mark.parametrize("folder", BOTS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_every_match_comes_to_a_valid_end(outcome: Outcome, folder: Path) -> None:
    matches = outcome.played[folder.name]

    assert len(matches) == MATCHES
    for match in matches:
        entries = [SeatEntry(label, "1", "") for label in match.table.seats]
        replay(record_of(match.match, match_id=match.table.match_id, seats=entries))


def test_the_victim_is_never_at_fault(outcome: Outcome) -> None:
    faults = [at for match in outcome.played[VICTIM] for at in match.match.faults if at.seat != seat_of(match)]

    assert faults == []
    assert len(outcome.played[VICTIM]) == MATCHES * len(BOTS)
    assert {(end.start_number, end.fault) for end in outcome.ends[VICTIM]} == {(1, None)}


def test_the_victim_wins_what_another_forfeits(outcome: Outcome) -> None:
    for match in outcome.played[VICTIM]:
        if match.match.faults:
            assert match.match.finished
            assert match.match.faults[0].seat == seat_of(match)


def test_nothing_of_any_bot_is_left(outcome: Outcome) -> None:
    assert outcome.survivors == []
    assert outcome.open_files == [outcome.open_files[0]] * len(outcome.open_files)
    assert outcome.tasks == [outcome.tasks[0]] * len(outcome.tasks)


def test_a_bot_that_does_not_start_is_withdrawn(outcome: Outcome) -> None:
    starts = [bot.name for bot in BOTS if bot.parent.name == "start"]

    assert sorted(gone.label for gone in outcome.withdrawn) == starts
    assert {len(outcome.ends[label]) for label in starts} == {FAILED_STARTS}


def details(outcome: Outcome, label: str) -> list[str]:
    return [at.fault.detail for match in outcome.played[label] for at in match.match.faults]


@pytest.mark.parametrize(
    ("label", "detail"),
    [
        ("crash_at_start", "exited with code 1 before it said Hello"),
        ("hang_at_start", "did not say Hello within 1.5 s of its start"),
        ("wrong_token", "did not say Hello within 1.5 s of its start"),
        ("plays_another_game", "does not play zhiletka: its Hello does not name it"),
        ("crash_in_move", "exited with code 1"),
        ("exit_in_move", "exited with code 0"),
        ("kill_itself", "was killed by signal 9 (SIGKILL)"),
        ("segmentation_fault", "was killed by signal 11 (SIGSEGV)"),
        ("hang_in_move", "gave no answer for 2 s"),
        ("half_close", "ended its stream"),
        ("says_goodbye", "said goodbye: bored"),
        ("malformed_bytes", "sent 3 bytes that are not a PlayRequest"),
        ("another_match", "answered for match 4711, in which it has no seat"),
        ("guessed_ids", "answered a request that was never made"),
        ("stale_flood", f"sent more than {USELESS_COUNT} answers to requests no longer pending"),
    ],
)
def test_the_detail_says_what_happened(outcome: Outcome, label: str, detail: str) -> None:
    assert [text.rpartition("the last one: ")[2] for text in details(outcome, label)] == [detail] * MATCHES


def test_the_last_lines_of_a_bot_that_is_withdrawn_are_reported(outcome: Outcome) -> None:
    (gone,) = (gone for gone in outcome.withdrawn if gone.label == "crash_at_start")

    assert gone.last_lines[-1] == "RuntimeError: nothing works today"


def test_a_flood_on_stderr_is_cut_in_the_middle(outcome: Outcome) -> None:
    (end,) = outcome.ends["stderr_flood"]

    assert 256 * 1024 < len(end.output) < 330 * 1024
    assert b" bytes left out]\n" in end.output


def test_who_knocks_on_other_doors_is_sent_away(outcome: Outcome) -> None:
    (end,) = outcome.ends["second_stream"]
    answers = end.output.split()

    assert answers.count(b"ALREADY_EXISTS") == 5
    assert answers.count(b"UNAUTHENTICATED") == 10
    assert answers.count(b"UNIMPLEMENTED") == 10
    assert len(answers) == 30


def seat_of(match: Played) -> int:
    """Seat of the bad bot."""
    return next(seat for seat, label in enumerate(match.table.seats) if label != VICTIM)
