"""`check`, `pack`, `submit`, `retire`: an author's way from a folder to the ladder."""

import json
import os
import zipfile
from pathlib import Path

import pytest

from harness.workshop import submission
from harness.workshop.archive import pack
from harness.workshop.check import CheckReport, Finding, Status
from harness.workshop.check.verdict import Verdict
from harness.workshop.entry import BotFinder, FoundBot
from tests.cli.command import Cardarena
from tests.workshop.folders import bot_folder

FAULT_BOTS = Path(__file__).parent.parent / "fault_bots"


@pytest.fixture
def _checked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is started: bots called bad fail, and slow ones are advised."""

    def check(form: str, found: FoundBot, finder: BotFinder) -> CheckReport:
        status = {"bad": Status.FAILED, "slow": Status.ADVICE}.get(found.name.partition("-")[0], Status.OK)
        findings = (Finding("legal", "it plays by the rules", Verdict(status, "chose 0; legal were: pass")),)
        return CheckReport(form, f"{found.name} {found.version}", found.sha256, "the defaults", findings, None)

    monkeypatch.setattr(submission, "check_found", check)


# check ----------------------------------------------------------------------------------------------


def test_a_broken_manifest_is_told_with_the_command_that_repeats_it(cardarena: Cardarena, tmp_path: Path) -> None:
    (bot_folder(tmp_path, "fox") / "bot.toml").write_text('[bot]\nname = "\x1b[31mfox"\n')
    told = cardarena("check", "./fox", "--no-progress")

    assert told.code == 3
    assert "  FAILED  manifest      bot.toml: not TOML" in told.out
    assert "again      cardarena check ./fox --only manifest" in told.out
    assert "not reached: build, runtime, start, hello" in told.out
    assert told.out.splitlines()[-1] == "./fox: failed: manifest"
    assert told.err == ""


def test_json_holds_every_finding(cardarena: Cardarena) -> None:
    told = cardarena("check", "sample:random", "--only", "manifest", "--only", "runtime", "--json")
    report = json.loads(told.out)

    assert told.code == 0
    assert (report["passed"], report["summary"]) == (True, "passed")
    assert [check["name"] for check in report["checks"]] == ["manifest", "runtime"]
    assert report["checks"][1]["again"] == "cardarena check sample:random --only runtime"
    assert report["started"]["environment"]["CARDARENA_TOKEN"] == "(hidden)"


def test_a_check_that_is_not_known_is_a_mistake(cardarena: Cardarena) -> None:
    told = cardarena("check", "sample:random", "--only", "runtme")

    assert (told.code, told.err) == (2, "cardarena: no check is called runtme; did you mean runtime?\n")


@pytest.mark.slow
def test_a_bot_is_checked_as_a_user_would_see_it(cardarena: Cardarena) -> None:
    told = cardarena("check", FAULT_BOTS / "crashed" / "crash_in_move")
    lines = told.out.splitlines()

    assert told.code == 3
    assert any(line.startswith("  FAILED  alive ") for line in lines)
    assert "          came back  nothing" in lines
    assert "            | ZeroDivisionError: one bug too many" in lines
    assert any(line.startswith("          argv ") for line in lines)
    assert "CARDARENA_TOKEN=(hidden)" in told.out
    assert max(len(line) for line in lines[3:] if "PATH=" not in line) <= 120


# pack -----------------------------------------------------------------------------------------------


def test_packing_says_size_and_hash(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path, "fox")
    told = cardarena("pack", "fox")
    facts = json.loads(cardarena("pack", "fox", "--json").out)

    assert told.code == 0
    assert told.out.startswith(f"fox-1.0.zip: {facts['bytes']} bytes, sha256 {facts['sha256']}\n")
    assert facts["path"] == "fox-1.0.zip"
    assert facts["tree_sha256"] in told.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nothing"], "nothing: no such folder"),
        (["empty"], "empty: not a bot, for there is no bot.toml in it"),
        (["fox", "--out", "nowhere"], "nowhere: no such folder"),
        (["fox", "--out", "fox"], "fox: lies in the bot's own folder; go elsewhere, or give --out DIR"),
    ],
)
def test_what_cannot_be_packed_is_told(cardarena: Cardarena, tmp_path: Path, words: list[str], complaint: str) -> None:
    bot_folder(tmp_path, "fox")
    (tmp_path / "empty").mkdir()
    told = cardarena("pack", *words)

    assert (told.code, told.out, told.err) == (2, "", f"cardarena: {complaint}\n")


def test_an_archive_that_cannot_be_written_is_told_in_a_line(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path, "fox")
    told = cardarena("pack", "fox", "--out", "/proc")  # nobody writes there, root neither

    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("cardarena: /proc/fox-1.0.zip: cannot be written: ")
    assert told.err.count("\n") == 1


# submit, bots, retire -------------------------------------------------------------------------------


@pytest.mark.usefixtures("_checked_at_once")
def test_from_folder_to_ladder_and_out_again(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path, "fox")
    told = cardarena("submit", "fox", "--team", "T07", "--quiet")
    again = cardarena("submit", "fox", "--team", "T07", "--quiet")
    retired = cardarena("retire", "fox@1.0")
    (row,) = json.loads(cardarena("bots", "--json").out)
    undone = cardarena("retire", "fox", "--undo", "--json")

    assert told.code == again.code == 0
    assert ") is submitted by team T07: passed\n" in told.out
    assert ") is submitted already by team T07: passed before\n" in again.out
    assert (row["bot"], row["team"], row["retired"], row["verdict"]) == ("fox", "T07", True, "passed")
    assert retired.out == "fox 1.0 is retired: it plays in no round to come\n"
    assert json.loads(undone.out) == [{"bot": "fox", "version": "1.0", "retired": False}]


@pytest.mark.usefixtures("_checked_at_once")
def test_a_bot_that_fails_is_shown_with_its_check(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path, "bad-fox")
    told = cardarena("submit", "bad-fox")

    assert told.code == 3
    assert "  FAILED  legal  chose 0; legal were: pass" in told.out
    assert told.err == "1 of 1: bad-fox\n"


@pytest.mark.usefixtures("_checked_at_once")
def test_a_folder_of_teams_ends_in_a_table_and_a_report_for_each(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path / "inbox" / "T01", "fox")
    bot_folder(tmp_path / "inbox" / "T02", "bad-owl")
    bot_folder(tmp_path / "inbox" / "T 03", "fox", version="2.0")
    (tmp_path / "inbox" / "T04").mkdir()
    told = cardarena("submit", "inbox", "--report", "reports", "--no-progress")
    outcomes = {line.split()[0]: line for line in told.out.splitlines()[2:]}
    reports = {path.name.partition("-")[0]: path.read_text() for path in (tmp_path / "reports").iterdir()}

    assert told.code == 3
    assert list(outcomes) == ["T", "T01", "T02", "T04"]
    assert "accepted" in outcomes["T"]
    assert "refused" in outcomes["T01"]
    assert "failed" in outcomes["T02"]
    assert set(reports) == {"T_03", "T01.txt", "T02.txt", "T04.txt"}
    assert "FAILED  legal" in reports["T02.txt"]
    assert reports["T04.txt"].startswith("inbox/T04: refused: nothing was handed in")


@pytest.mark.usefixtures("_checked_at_once")
def test_nothing_is_checked_where_its_report_could_not_be_written(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path / "inbox" / "T01", "fox")
    (tmp_path / "reports").touch()
    told = cardarena("submit", "inbox", "--report", "reports")

    assert (told.code, told.out) == (2, "")
    assert told.err == "cardarena: reports: no reports can be written: File exists\n"
    assert not (tmp_path / ".cardarena").exists()


def test_an_inbox_that_is_interrupted_tells_what_was_done_and_the_same_command_goes_on(
    cardarena: Cardarena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_interrupted = [True, False]

    def check(form: str, found: FoundBot, finder: BotFinder) -> CheckReport:
        if found.name == "owl" and is_interrupted.pop(0):
            raise KeyboardInterrupt
        findings = (Finding("legal", "it plays by the rules", Verdict(Status.OK, "it does")),)
        return CheckReport(form, found.name, found.sha256, "the defaults", findings, None)

    monkeypatch.setattr(submission, "check_found", check)
    bot_folder(tmp_path / "inbox" / "T01", "fox")
    bot_folder(tmp_path / "inbox" / "T02", "owl")
    told = cardarena("submit", "inbox", "--report", "reports", "--no-progress")

    assert told.code == 130
    assert told.err == "cardarena: interrupted; what was finished is kept, the same command goes on\n"
    assert told.out.splitlines()[2].split() == ["T01", "fox", "1.0", "accepted", "passed"]
    assert "it plays by the rules" not in told.out
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["T01.txt"]
    before = (tmp_path / "reports" / "T01.txt").read_text()
    assert "\n  check of fox (inbox/T01/fox, " in before

    cardarena("submit", "inbox", "--report", "reports", "--no-progress")

    after = {path.name: path.read_text() for path in (tmp_path / "reports").iterdir()}
    assert after["T01.txt"] == before.replace("accepted: passed", "unchanged: passed before")
    assert after["T02.txt"].startswith("inbox/T02/owl: accepted: passed\n")


@pytest.mark.usefixtures("_checked_at_once")
def test_remarks_are_told_again_to_who_submits_the_same_again(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path, "slow-fox")
    told = cardarena("submit", "slow-fox")
    again = cardarena("submit", "slow-fox")

    assert "  advice  legal" in told.out
    assert again.out.splitlines()[:-1] == told.out.splitlines()[:-1]
    assert again.out.endswith(") is submitted already by team slow-fox: passed, 1 remark before\n")


@pytest.mark.usefixtures("_checked_at_once")
def test_json_tells_the_check_of_before_too(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path, "slow-fox")
    (first,) = json.loads(cardarena("submit", "slow-fox", "--json").out)
    (again,) = json.loads(cardarena("submit", "slow-fox", "--json").out)

    assert (first["verdict"], first["told_before"]) == ("passed, 1 remark", [])
    assert (again["verdict"], again["check"]) == ("passed, 1 remark", None)
    assert again["told_before"] == cardarena("submit", "slow-fox").out.splitlines()[:-1]
    assert again["told_before"][-1] == "slow-fox 1.0: passed, 1 remark"


@pytest.mark.usefixtures("_checked_at_once")
def test_reports_are_named_as_their_teams_in_any_language_and_whatever_the_bytes(
    cardarena: Cardarena, tmp_path: Path
) -> None:
    teams = ["Лисы", "ثعالب", "狐" * 80, "🦊 🦊", "T 1", "T_1", os.fsdecode(b"\xff\xfe")]
    for number, team in enumerate(teams):
        bot_folder(tmp_path / "inbox" / team, f"fox-{number}")
    told = cardarena("submit", "inbox", "--report", "reports", "--no-progress")
    names = {path.name for path in (tmp_path / "reports").iterdir()}

    assert told.code == 2
    assert told.err == ""
    assert "U+DCFF, not a character that can be shown" in " ".join(told.out.split())
    assert {"Лисы.txt", "ثعالب.txt", "T_1.txt"} < names
    assert len(names) == len(teams)
    assert all(len(name.encode()) <= 255 for name in names)


@pytest.mark.usefixtures("_checked_at_once")
def test_one_team_written_in_two_ways_is_one(cardarena: Cardarena, tmp_path: Path) -> None:
    composed, decomposed = "\u00c9lan", "E\u0301lan"
    bot_folder(tmp_path / "inbox" / composed, "fox")
    bot_folder(tmp_path / "inbox" / decomposed, "owl")
    told = cardarena("submit", "inbox", "--report", "reports", "--json")
    bot_folder(tmp_path, "fox", version="2.0")
    again = cardarena("submit", "./fox", "--team", decomposed, "--json")
    report = cardarena("report", "--team", decomposed, "--json")

    assert [one["team"] for one in json.loads(told.out)] == [composed] * 2
    assert [path.name for path in (tmp_path / "reports").iterdir()] == [f"{composed}.txt"]
    assert json.loads(again.out)[0]["outcome"] == "accepted"
    assert {one["bot"] for one in json.loads(report.out)} == {"fox", "owl"}


@pytest.mark.usefixtures("_checked_at_once")
def test_reports_of_two_teams_are_two_files_where_case_is_ignored_too(cardarena: Cardarena, tmp_path: Path) -> None:
    for team, name in (("ELAN", "fox"), ("elan", "owl"), ("T07", "elk")):
        bot_folder(tmp_path / "inbox" / team, name)
    cardarena("submit", "inbox", "--report", "reports", "--no-progress")
    names = [path.name for path in (tmp_path / "reports").iterdir()]

    assert len({name.casefold() for name in names}) == 3
    assert "T07.txt" in names


@pytest.mark.usefixtures("_checked_at_once")
def test_an_inbox_with_broken_archives_and_a_stolen_name_is_taken_in_at_once(
    cardarena: Cardarena, tmp_path: Path
) -> None:
    inbox, shelf = tmp_path / "inbox", tmp_path / "shelf"
    bot_folder(inbox / "T01", "fox")
    for team, name in (("T02", "owl"), ("T03", "elk"), ("T04", "ant")):
        (inbox / team).mkdir()
        pack(bot_folder(shelf, name), inbox / team)
    whole = inbox / "T04" / "ant-1.0.zip"
    whole.write_bytes(whole.read_bytes()[:200])  # an upload that broke off
    (inbox / "T05").mkdir()
    with zipfile.ZipFile(inbox / "T05" / "bee.zip", "w") as archive:
        archive.writestr("../../bot.toml", "")
    bot_folder(inbox / "T06", "fox", version="2.0")

    told = cardarena("submit", "inbox", "--report", "reports", "--no-progress")
    outcomes = {line.split()[0]: line for line in told.out.splitlines()[2:]}
    reports = {path.stem: path.read_text() for path in (tmp_path / "reports").iterdir()}

    assert told.code == 2
    assert sorted(reports) == list(outcomes) == ["T01", "T02", "T03", "T04", "T05", "T06"]
    assert [team for team, line in outcomes.items() if "accepted" in line] == ["T01", "T02", "T03"]
    assert "damaged, or no archive" in reports["T04"]
    assert "../../bot.toml: leads out of the folder" in reports["T05"]
    assert "fox belongs to T01, who submitted it first; take another name" in reports["T06"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["./foxx"], "./foxx: no such folder"),
        (["fox.zip"], "fox.zip: no such archive"),
        (["fox", "--team", "a\nb"], "--team holds U+000A, a control character; leave it out"),
    ],
)
def test_a_slip_of_the_pen_makes_no_home(
    cardarena: Cardarena, tmp_path: Path, words: list[str], complaint: str
) -> None:
    told = cardarena("submit", *words)

    assert told.code == 2
    assert complaint in told.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["./foxx", "./owll"], ["inbox"], ["inbox/T01"]])
def test_where_all_are_refused_no_home_is_left(cardarena: Cardarena, tmp_path: Path, words: list[str]) -> None:
    for team in ("T01", "T02"):
        (tmp_path / "inbox" / team).mkdir(parents=True)
        (tmp_path / "inbox" / team / "fox.zip").touch()
    before = sorted(tmp_path.rglob("*"))
    told = cardarena("submit", *words, "--home", "a/new/place")

    assert told.code == 2
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.usefixtures("_checked_at_once")
def test_a_home_in_which_a_check_is_kept_is_left(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path, "bad-fox")
    told = cardarena("submit", "bad-fox", "./owll")

    assert told.code == 3
    assert [row["bot"] for row in json.loads(cardarena("bots", "--json").out)] == []
    assert len(list((tmp_path / ".cardarena/logs/checks").iterdir())) == 1


def test_retiring_what_was_never_submitted_is_a_mistake(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("retire", "fox", "--home", home)

    assert (told.code, told.err) == (2, "cardarena: fox was never submitted; `cardarena bots` lists what was\n")


@pytest.mark.slow
def test_a_submitted_archive_plays_under_its_name(cardarena: Cardarena, tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "fox")
    sample = Path(__file__).parents[2] / "sample_bots" / "random" / "bot.py"
    (folder / "bot.py").write_text(sample.read_text())
    cardarena("pack", "fox")
    (tmp_path / "fox").rename(tmp_path / "elsewhere")
    submitted = cardarena("submit", "fox-1.0.zip", "--no-progress")
    played = cardarena("match", "zhiletka", "fox", "fox-1.0.zip", "--seed", 1, "--json")

    assert submitted.out.endswith("is submitted by team fox: passed\n")
    assert played.code == 0
    assert [seat["bot"] for seat in json.loads(played.out)["seats"]] == ["fox", "fox#2"]


@pytest.mark.slow
def test_a_bot_is_checked_at_the_level_that_is_asked_for(cardarena: Cardarena) -> None:
    told = cardarena("check", "sample:random", "--only", "start", "--sandbox", "limits", "--no-progress")
    refused = cardarena("check", "sample:random", "--sandbox", "limits", "--require-sandbox")

    assert told.out.startswith("check of random ")
    assert ", sandbox limits\n" in told.out
    assert refused.code == 2
    assert 'a sandbox is required, and "limits" is asked for' in refused.err
