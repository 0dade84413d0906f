"""A bot is checked as it would be played: good ones pass, each bad one fails the check that is about it."""

import os
import re
from pathlib import Path

import pytest

from harness.cup import read_cup
from harness.doctor.fault_bot import FaultBot, find_fault_bots
from harness.errors import HarnessError
from harness.sandbox.cell import AUTO
from harness.sandbox.levels import choose
from harness.workshop.check import CHECK_NAMES, CheckReport, Finding, Status, check_bot, pace, qualification
from harness.workshop.check.verdict import NOT_REACHED, Verdict
from harness.workshop.entry import BotFinder
from tests.workshop.check.blame import ADVISED, REFUSED, blamed_for, check_fault_bot, refused_by
from tests.workshop.folders import bot_folder

FAULT_BOTS = Path(__file__).parent.parent.parent / "fault_bots"
ALL = [bot.folder for bot in find_fault_bots(FAULT_BOTS)]
FEW = ("crash_in_move", "says_goodbye", "card_not_offered", "malformed_bytes", "crash_at_start", "hello_with_nonsense")


def checked(folder: Path, *only: str) -> CheckReport:
    return check_bot(str(folder), BotFinder(folder.parent), only=only)


def verdict_of(report: CheckReport, name: str) -> Verdict:
    (finding,) = (finding for finding in report.findings if finding.name == name)
    return finding.verdict


# What needs no process ------------------------------------------------------------------------------


def test_a_manifest_that_cannot_be_used_fails_the_first_check_with_every_mistake(tmp_path: Path) -> None:
    (bot_folder(tmp_path, "fox") / "bot.toml").write_text("[bot]\nnam = 1\n")
    report = checked(tmp_path / "fox")
    first, *others = report.findings

    assert [finding.name for finding in report.findings] == list(CHECK_NAMES)
    assert report.summary == "failed: manifest"
    assert "[bot] nam: no such key; did you mean name?" in first.verdict.says
    assert "[run]" in first.verdict.says
    assert {finding.verdict.says for finding in others} == {NOT_REACHED}


def test_a_program_that_is_not_there_is_told_without_a_start(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "fox")
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text().replace("{python}", "no-such-thing"))
    report = checked(folder)
    evidence = verdict_of(report, "runtime").evidence

    assert report.summary == "failed: runtime"
    assert evidence.mend == "install it here, or ship it in the bot's folder"
    assert report.circumstances is not None
    assert report.circumstances.argv == ("no-such-thing", "bot.py")


def test_one_check_alone_goes_no_further_than_it_must(tmp_path: Path) -> None:
    stages: list[str] = []
    report = check_bot("sample:random", BotFinder(tmp_path), only=["runtime"], on_stage=stages.append)

    assert [finding.name for finding in report.findings] == ["runtime"]
    assert stages == []


def test_more_memory_than_is_granted_is_a_remark(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "fox")
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text() + "[needs]\nmemory_mb = 4096\n")
    report = checked(folder, "manifest")

    assert report.summary == "passed, 1 remark"
    assert "asks for 4096 MB of memory, the defaults grant 512" in verdict_of(report, "manifest").says


@pytest.mark.parametrize(
    ("form", "only", "complaint"),
    [
        ("./elk", (), "./elk: no such folder"),
        ("sample:random", ("legl",), "no check is called legl; did you mean legal?"),
    ],
)
def test_what_cannot_be_checked_is_the_operators_mistake(
    tmp_path: Path, form: str, only: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(HarnessError, match=complaint.replace("?", r"\?")):
        check_bot(form, BotFinder(tmp_path), only=only)


def test_a_cup_of_another_game_is_refused(tmp_path: Path) -> None:
    bot_folder(tmp_path, "fox", games='["zhiletka"]')
    cup = tmp_path / "cup.toml"
    cup.write_text('[cup]\nname = "c"\ngame = "guillotine"\nmatches = 1\nbots = ["fox"]\n')

    with pytest.raises(HarnessError, match="c plays guillotine, fox only zhiletka"):
        check_bot("fox", BotFinder(tmp_path), cup=read_cup(cup))


def test_a_summary_names_what_failed_and_counts_remarks() -> None:
    findings = tuple(
        Finding(name, "", Verdict(status, ""))
        for name, status in (("a", Status.OK), ("b", Status.ADVICE), ("c", Status.FAILED))
    )

    assert CheckReport("f", "fox", None, "", findings, None).summary == "failed: c"
    assert CheckReport("f", "fox", None, "", findings[:2], None).summary == "passed, 1 remark"
    assert CheckReport("f", "fox", None, "", findings[:1], None).summary == "passed"


# With processes -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "stateless"])
def test_a_good_bot_passes_every_check_that_is_about_it(tmp_path: Path, name: str) -> None:
    report = check_bot(f"sample:{name}", BotFinder(tmp_path))
    skipped = [finding.name for finding in report.findings if finding.verdict.status is Status.SKIPPED]

    assert report.summary == "passed"
    assert skipped == (["build", "snapshots"] if name == "random" else ["build"])
    assert (verdict_of(report, "think-time").figures or {})["timeouts_per_1000"] == 0
    assert verdict_of(report, "hello").says.startswith("Hello after ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder", [folder for folder in ALL if folder.name in FEW], ids=lambda folder: f"{folder.parent.name}/{folder.name}"
)
def test_a_bad_bot_fails_the_check_that_is_about_it(folder: Path) -> None:
    assert verdict_of(checked(folder), blamed_for(folder)).status is Status.FAILED


@pytest.mark.wide
@pytest.mark.parametrize("bot", find_fault_bots(FAULT_BOTS), ids=lambda bot: f"{bot.kind}/{bot.name}")
def test_every_bad_bot_gets_the_verdict_that_is_about_it(bot: FaultBot, tmp_path: Path) -> None:
    report = check_fault_bot(bot, tmp_path)
    failures = [finding.name for finding in report.failures]
    advised = [finding.name for finding in report.findings if finding.verdict.status is Status.ADVICE]
    due = refused_by(bot, choose(AUTO).level)

    assert due in failures if due else failures == []
    if due in ("", REFUSED.get(bot.name)):
        assert failures == [due] * bool(due)
        assert (ADVISED.get(bot.name) in advised) == (bot.name in ADVISED)


def paced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thinks: str, *only: str) -> CheckReport:
    """The check of a bot that sleeps for so many seconds about each choice, and has 5.5 s for a match."""
    monkeypatch.setattr(pace, "HURRY_NS", 2_000_000_000)
    folder = bot_of(tmp_path, "def choose(self, view):", f"    time.sleep({thinks})", "    return view.actions[0]")
    cup = tmp_path / "cup.toml"
    cup.write_text(
        '[cup]\nname = "brief"\ngame = "zhiletka"\nseats = 3\nmatches = 1\nbots = ["made"]\n'
        "[rules]\nhands_per_seat = 8\n[time]\nbank_s = 5.5\nincrement_s = 0.0\n"
    )
    return check_bot(str(folder), BotFinder(tmp_path), cup=read_cup(cup), only=["zhiletka", *only])


@pytest.mark.slow
def test_a_pace_that_cannot_last_is_refused_long_before_the_bank_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = paced(tmp_path, monkeypatch, "0.2", "in-time")
    verdict = verdict_of(report, "in-time")

    assert re.match(r"[1-3]\.\d s of 5\.5 s were gone with \d+ of 24 deals over; told in a new match", verdict.says)
    assert verdict.says.endswith("its thinking time for the match ran out")
    assert report.summary == "failed: zhiletka, in-time"


@pytest.mark.slow
def test_a_bot_of_that_pace_that_hurries_when_told_so_is_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = paced(tmp_path, monkeypatch, "0.2 if view.clock_s > 1.8 else 0")

    assert report.failures == ()


@pytest.mark.slow
def test_a_failure_shows_what_was_sent_what_came_back_and_what_was_due(tmp_path: Path) -> None:
    report = checked(FAULT_BOTS / "illegal_action" / "card_not_offered")
    verdict = verdict_of(report, "legal")
    started = report.circumstances

    assert "chose 0 (2C); legal were: " in verdict.says
    assert "legal_actions: [" in verdict.evidence.sent
    assert verdict.evidence.came_back.endswith("action: 0")
    assert verdict.evidence.expected == "an action that is one of legal_actions"
    assert started is not None
    assert started.argv[1:] == ("bot.py",)
    assert started.environment["CARDARENA_TOKEN"] == "(hidden)"
    assert "Python 3." in started.interpreter
    assert not started.folder.exists()


def bot_of(tmp_path: Path, *body: str, head: str = "") -> Path:
    lines = [f"        {line}" for line in body]
    code = "\n".join(
        [
            "import os, sys, time",
            "from harness.bot import Bot, run",
            head,
            "class Made(Bot):",
            *lines,
            "run(Made)",
        ]
    )
    return bot_folder(tmp_path, "made", games='["zhiletka"]', code=code.replace("        def", "    def") + "\n")


LOWEST = ("def choose(self, view):", "    return view.actions[0]")


@pytest.mark.slow
def test_a_bot_that_mixes_its_matches_up_fails_at_once(tmp_path: Path) -> None:
    folder = bot_of(
        tmp_path,
        "def on_start(self, view):",
        "    Made.last = view",
        "def choose(self, view):",
        "    return (Made.last.actions or view.actions)[0] if Made.last.actions else 51",
    )
    report = checked(folder)

    assert "at-once" in report.summary
    assert verdict_of(report, "legal").status is Status.OK


@pytest.mark.slow
def test_a_bot_that_does_not_bear_anothers_fault_is_told(tmp_path: Path) -> None:
    folder = bot_of(tmp_path, "def choose(self, view):", "    assert not view.faulted", "    return view.actions[0]")
    report = checked(folder)
    verdict = verdict_of(report, "others-fault")

    assert verdict.status is Status.FAILED
    assert verdict.evidence.last_lines[-1] == "AssertionError"
    assert verdict_of(report, "alive").status is Status.OK


@pytest.mark.slow
def test_a_bot_that_cannot_go_on_after_a_new_start_fails_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(qualification, "LEAVES_AFTER", 60)  # by then its matches are some deals old
    code = """
from harness.bot import Bot, run

class Made(Bot):
    def on_start(self, view):
        self.began = None

    def choose(self, view):
        if self.began is None:
            self.began = view.deal_index
        assert self.began < 2, "where am I?"
        return view.actions[0]

run(Made)
"""
    report = checked(bot_folder(tmp_path, "made", games='["guillotine"]', code=code))
    verdict = verdict_of(report, "told-again")

    assert report.summary == "failed: told-again"
    assert verdict.says.startswith("after a new start: ")
    assert "every event follows" in verdict.evidence.expected
    assert verdict.evidence.last_lines[-1] == "AssertionError: where am I?"


@pytest.mark.slow
def test_a_bot_with_chance_of_its_own_gets_advice(tmp_path: Path) -> None:
    folder = bot_of(
        tmp_path, "def choose(self, view):", "    return view.actions[os.getpid() % 7919 % len(view.actions)]"
    )
    report = checked(folder, "repeats")
    (finding,) = report.findings

    assert finding.verdict.status in (Status.ADVICE, Status.OK)  # two process ids may choose alike
    assert finding.verdict.says.startswith(("the same seed, and it plays otherwise: zhiletka", "the same matches"))


@pytest.mark.slow
def test_a_bot_that_cannot_do_without_writing_into_its_folder_fails(tmp_path: Path) -> None:
    folder = bot_of(tmp_path, *LOWEST, head="open('notes.txt', 'w').write('x')")
    report = checked(folder, "start")

    assert report.summary == "failed: start"
    assert set(os.listdir(folder)) == {"bot.py", "bot.toml"}


@pytest.mark.slow
def test_the_cups_rules_clock_and_limits_hold(tmp_path: Path) -> None:
    folder = bot_of(tmp_path, "def choose(self, view):", "    time.sleep(2)", "    return view.actions[0]")
    cup = tmp_path / "cup.toml"
    cup.write_text(
        '[cup]\nname = "quick"\ngame = "zhiletka"\nseats = 2\nmatches = 1\nbots = ["made"]\n'
        "[rules]\nhands_per_seat = 1\n[time]\nbank_s = 0.1\nincrement_s = 0.0\n"
    )
    report = check_bot(str(folder), BotFinder(tmp_path), cup=read_cup(cup), only=["in-time"])

    assert report.conditions.startswith("quick, sandbox ")
    assert report.summary == "failed: in-time"
    assert verdict_of(report, "in-time").evidence.expected.endswith("no more than 0.1 s for a match")
