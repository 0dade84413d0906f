"""Bots of lines in the arena: they play what a gRPC bot plays, and what they do wrong is the fault that it is."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness import games
from harness.arena import Arena, BotSpec, Played, ProcessEnd, Withdrawal
from harness.lines.command import adapter_command
from harness.record import MatchRecord, SeatEntry, record_of
from tests.arena.tables import ROOT, sample_bot, table, tables, time_control

HERE = Path(__file__).parent
VICTIM = "victim"
DECISION_S = 5.0

STDOUT = "stdout is for actions alone, print everything else to stderr"
FAULTS = {
    "debug_before": ("protocol", """wrote "my hand: ['"""),
    "debug_after": ("protocol", "wrote 'played "),
    "speaks_at_start": ("protocol", "wrote 'hello, I am ready' "),
    "long_line": ("protocol", f"wrote a line of over 1024 bytes: '{'x' * 60}'...; {STDOUT}"),
    "long_line_without_end": ("protocol", f"wrote a line of over 1024 bytes: '{'x' * 60}'...; {STDOUT}"),
    "empty_line": ("protocol", f"wrote '' where an action was due; {STDOUT}"),
    "no_card": ("protocol", f"wrote '10S' where an action was due; {STDOUT}"),
    "huge_number": ("protocol", f"wrote '99999999999' where an action was due; {STDOUT}"),
    "not_text": ("protocol", "where an action was due"),
    "index": ("illegal_action", "chose 1 (3C); legal were: "),
    "silent": ("timeout", "gave no answer for 5 s"),
    "closes_stdout": ("disconnected", "said goodbye: closed its stdout"),
    "exits": ("crashed", "exited with code 3"),
    "leaves_a_child": ("crashed", "exited with code 4"),
    "dies": ("crashed", "was killed by signal 11 (SIGSEGV)"),
    "killed": ("crashed", "was killed by signal 9 (SIGKILL)"),
}

pytestmark = pytest.mark.slow


def lines_spec(label: str, *argv: str, max_matches: int = 2) -> BotSpec:
    adapter = adapter_command(("guillotine", "zhiletka"), max_matches)
    env = {"PYTHONPATH": str(ROOT)}
    return BotSpec(label, (sys.executable, *argv), HERE, env, max_matches=max_matches, start_s=60.0, adapter=adapter)


def records(played: list[Played]) -> dict[str, MatchRecord]:
    return {
        match.table.match_id: record_of(
            match.match,
            match_id=match.table.match_id,
            seats=[SeatEntry(label, "1", "") for label in match.table.seats],
        )
        for match in played
    }


@pytest.mark.parametrize("game", ["guillotine", "zhiletka"])
async def test_lines_and_grpc_make_the_same_records(game: str) -> None:
    labels = ("fox", "random", "random#2", "random#3")
    seen: list[dict[str, MatchRecord]] = []
    notes: list[str] = []
    for fox in (sample_bot("random", "fox", 2), lines_spec("fox", "random_bot.py")):
        played: list[Played] = []
        bots = [fox, *(sample_bot("random", label) for label in labels[1:])]
        async with Arena(time_control=time_control()) as arena:
            report = await arena.play(bots, tables(6, labels, game), played.append)
        assert report.start_count == len(labels)
        seen.append(records(played))
        notes = [note.text for match in played for note in match.notes]

    assert seen[0] == seen[1]
    assert len(seen[0]) == 6
    assert all(record.faults == () for record in seen[0].values())
    assert {"one of 2", "one of 3"} <= set(notes)


class Outcome:
    """What came of a phase with all odd bots."""

    def __init__(self) -> None:
        self.played: list[Played] = []
        self.ends: list[ProcessEnd] = []
        self.withdrawn: tuple[Withdrawal, ...] = ()


async def play_all() -> Outcome:
    """One phase: each with a good bot, twice."""
    game = games.game("zhiletka", {"hands_per_seat": 3})
    outcome = Outcome()
    labels = (*FAULTS, "exit_at_start")
    bots = [lines_spec(label, "odd_bot.py", label, max_matches=1) for label in labels]
    specs = [table(number, (label, VICTIM), game) for number, label in enumerate([*labels, *labels], 1)]
    async with Arena(time_control=time_control(DECISION_S), jobs=4, on_process_end=outcome.ends.append) as arena:
        report = await arena.play([sample_bot("random", VICTIM, start_s=60.0), *bots], specs, outcome.played.append)
    outcome.withdrawn = report.withdrawn
    return outcome


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return asyncio.run(play_all())


@pytest.mark.parametrize("conduct", FAULTS)
def test_what_is_done_wrong_is_the_fault_that_it_is(outcome: Outcome, conduct: str) -> None:
    faults = [
        (match.table.seats[at.seat], at.fault.kind, at.fault.detail)
        for match in outcome.played
        for at in match.match.faults
        if conduct in match.table.seats
    ]
    kind, detail = FAULTS[conduct]

    assert [fault[:2] for fault in faults] == [(conduct, kind)] * 2
    assert all(detail in fault[2] for fault in faults), faults


def test_a_program_that_does_not_start_is_withdrawn_with_what_it_said(outcome: Outcome) -> None:
    (withdrawal,) = outcome.withdrawn

    assert withdrawal.label == "exit_at_start"
    assert withdrawal.fault.detail.endswith("exited with code 1 before it said Hello")
    assert withdrawal.last_lines == ("nothing works",)


def test_a_line_that_is_none_costs_no_restart(outcome: Outcome) -> None:
    starts = {end.label: end.start_number for end in outcome.ends}

    assert {conduct for conduct, (kind, _) in FAULTS.items() if starts[conduct] == 1} == {
        conduct for conduct, (kind, _) in FAULTS.items() if kind in ("protocol", "illegal_action")
    }


async def test_a_program_that_is_not_there_is_told() -> None:
    ends: list[ProcessEnd] = []
    spec = replace(lines_spec("fox"), argv=("no-such-program",))
    game = games.game("zhiletka", {"hands_per_seat": 1})
    async with Arena(time_control=time_control(), on_process_end=ends.append) as arena:
        await arena.play([sample_bot("random", VICTIM), spec], [table(1, ("fox", VICTIM), game)], lambda _: None)
    end = next(end for end in ends if end.label == "fox")

    assert end.fault is not None
    assert end.fault.detail == "exited with code 127 before it said Hello"
    assert end.output == b"no-such-program could not be started: No such file or directory\n"
