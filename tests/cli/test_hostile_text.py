"""Text of strangers reaches a terminal as text: no escape codes, no markup, nothing that moves the cursor."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from harness.arena.specs import BotSpec, Note, OnVoid, PhaseReport, Played, TableSpec, Withdrawal
from harness.cli.app import Common
from harness.cli.progress import CupProgress
from harness.conduct import Conduct
from harness.faults import Fault, FaultKind
from harness.store.ledger import Ledger
from tests.cli.command import Cardarena, play_without_processes, write_cup
from tests.in_process import InProcess, played_at

HOSTILE = "\x1b[2J\x1b]0;owned\x07[red]\u202eevil[/red]\r\n\x9b31m"
SHOWN = "\\x1b[2J\\x1b]0;owned\\x07[red]\\u202eevil[/red]\\x0d\\x0a\\x9b31m"
TITLE = "[red]Spring[/red] :smile: ✓ [link=http://x]"


class Hostile(InProcess):
    """Plays like its parent; seat 0 notes hostile text beside each of its decisions, and one bot crashes with more."""

    async def play(
        self,
        bots: Sequence[BotSpec],
        tables: Iterable[TableSpec],
        on_played: Callable[[Played], None],
        *,
        withdrawn: Mapping[str, Fault] | None = None,
        conduct: Conduct | None = None,
        on_void: OnVoid | None = None,
    ) -> PhaseReport:
        fault = Fault(FaultKind.CRASHED, HOSTILE)
        for table in tables:
            on_played(played_at(table, {"raw-stub": fault})._replace(notes=[Note(0, 0, 0, HOSTILE)]))
        return PhaseReport((Withdrawal("raw-stub", fault, (HOSTILE,)),), len(bots), 0)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """The home of a cup with hostile text in everything that a stranger may write."""
    cup = write_cup(tmp_path / "cup", title=f'"{TITLE}"')
    cup.write_text(cup.read_text() + '[[bots]]\nbot = "sample:stateless"\nteam = "[red]T07[/red] :smile:"\n')
    return play_without_processes(cup, Hostile())


@pytest.mark.parametrize(
    "words",
    [
        ["ladder"],
        ["ladder", "--json"],
        ["ladder", "--csv"],
        ["ladder", "--md"],
        ["bots"],
        ["bots", "--json"],
        ["verify"],
        ["replay", "spring/1/000001"],
        ["replay", "spring/1/000001", "--times"],
        ["replay", "spring/1/000001", "--times", "--seat", "0"],
        ["replay", "spring/1/000001", "--json"],
        ["report", "--all"],
        ["report", "--all", "--json"],
        ["replay", "--all", "--jsonl"],
        ["replay", "--all", "--results"],
        ["replay", "--all", "--decisions"],
    ],
)
def test_no_verb_lets_a_control_character_through(cardarena: Cardarena, hostile: Path, words: list[str]) -> None:
    told = cardarena(*words, "--home", hostile)

    controls = [character for character in told.out + told.err if not character.isprintable() and character != "\n"]
    assert told.code == 0
    assert controls == []


def test_what_was_written_is_shown_escaped(cardarena: Cardarena, hostile: Path) -> None:
    times = cardarena("replay", "spring/1/000001", "--times", "--home", hostile)
    with Ledger(hostile / "arena.db") as ledger:
        faulted = next(record.match for record in ledger.records("spring") if record.faults)
    told = cardarena("replay", faulted, "--home", hostile)
    ladder = cardarena("ladder", "--home", hostile)

    assert SHOWN in times.out
    assert SHOWN in told.out
    assert SHOWN in ladder.out


def test_json_gives_back_what_was_written(cardarena: Cardarena, hostile: Path) -> None:
    notes = json.loads(cardarena("replay", "spring/1/000001", "--times", "--json", "--home", hostile).out)["notes"]

    assert notes[0]["text"] == HOSTILE


def test_a_title_and_a_team_are_no_markup(cardarena: Cardarena, tmp_path: Path, hostile: Path) -> None:
    plan = cardarena("plan", hostile.parent / "cup.toml", "--home", tmp_path / "none")
    ladder = cardarena("ladder", "--csv", "--home", hostile)

    assert plan.out.startswith(f"{TITLE}: round 1")
    assert "[red]T07[/red] :smile:" in ladder.out


def test_the_last_words_of_a_bot_and_a_notice_are_shown_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    common = Common(home=None, quiet=False, json=False, progress="lines")
    with CupProgress(common, lambda: pytest.fail("no heat has ended")) as progress:
        progress.notice(HOSTILE)
        progress.withdrawn("fox", Fault(FaultKind.START, HOSTILE), [HOSTILE])

    lines = capsys.readouterr().err.splitlines()
    assert lines == [SHOWN, f"fox is withdrawn: start: {SHOWN}", f"  fox: {SHOWN}"]
