"""Bots of lines under check: what goes wrong with stdout is told in words of lines."""

import shutil
from pathlib import Path

import pytest

from harness.cup import read_cup
from harness.workshop.check import Finding, Status, check_bot
from harness.workshop.entry import BotFinder
from tests.cli.command import write_cup
from tests.workshop.folders import bot_folder

ODD_BOT = Path(__file__).parents[2] / "lines" / "odd_bot.py"


def failures(folder: Path, conduct: str) -> dict[str, Finding]:
    bot = bot_folder(folder, "fox", games='["zhiletka"]')
    shutil.copyfile(ODD_BOT, bot / "bot.py")
    manifest = (bot / "bot.toml").read_text()
    (bot / "bot.toml").write_text(manifest.replace('"bot.py"]', f'"bot.py", "{conduct}"]\nprotocol = "lines"'))
    cup = write_cup(folder, seats="2")
    cup.write_text(cup.read_text() + "[time]\ndecision_s = 3.0\n")
    report = check_bot("fox", BotFinder(folder), cup=read_cup(cup))
    return {finding.name: finding for finding in report.findings if finding.verdict.status is Status.FAILED}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("conduct", "check", "says", "expected", "mend"),
    [
        ("debug_before", "protocol", "wrote \"my hand: ['", "one line for each ask", "to stderr"),
        ("silent", "in-time", "gave no answer for 3 s", "an answer within 3 s", "flush stdout after each line"),
        ("index", "legal", "chose 1 (3C)", "one of legal_actions", "not its place in the list"),
    ],
)
def test_a_mistake_of_lines_is_told_in_words_of_lines(
    tmp_path: Path, conduct: str, check: str, says: str, expected: str, mend: str
) -> None:
    verdict = failures(tmp_path, conduct)[check].verdict

    assert says in verdict.says
    assert expected in verdict.evidence.expected
    assert mend in verdict.evidence.mend


@pytest.mark.slow
def test_what_a_program_of_lines_says_when_it_does_not_start_is_shown(tmp_path: Path) -> None:
    (start,) = failures(tmp_path, "exit_at_start").values()

    assert start.name == "start"
    assert start.verdict.says == "its process exited with code 1 before it said Hello"
    assert start.verdict.evidence.last_lines == ("nothing works",)
