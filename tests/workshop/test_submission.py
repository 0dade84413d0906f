"""What is handed in becomes a version of its team, or is told why not; nothing broken stops the others."""

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.bot_logs import BotLogs
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.workshop import submission
from harness.workshop.archive import pack
from harness.workshop.check import CheckReport, Finding, Status
from harness.workshop.check.verdict import Verdict
from harness.workshop.entry import BotFinder, FoundBot
from harness.workshop.submission import HandedIn, KeepCheck, Outcome, Submission, handed_in, submit
from tests.store.made_up import NOW_NS
from tests.workshop.folders import bot_folder


def keep_nothing(bot: FoundBot, report: CheckReport) -> None:
    """For whom nobody asks again."""


class Desk:
    """A home, and a check that fails the bots called bad."""

    def __init__(self, folder: Path) -> None:
        self.home = make_home(Home(folder / "home", "--home"))
        self.ledger = Ledger(self.home.ledger, create=True)
        self.finder = BotFinder(folder, self.home, self.ledger.versions)
        self.checked: list[str] = []

    def check(self, form: str, found: FoundBot, finder: BotFinder) -> CheckReport:
        self.checked.append(found.name)
        status = Status.FAILED if found.name.startswith("bad") else Status.OK
        finding = Finding("legal", "", Verdict(status, "", figures={"match_s": 0.125}))
        return CheckReport(form, found.name, found.sha256, "", (finding,), None)

    def submit(self, form: str, team: str | None = None, keep: KeepCheck = keep_nothing) -> Submission:
        (handed,) = handed_in(form, self.finder, team)
        return self.take(handed, keep)

    def take(self, handed: HandedIn, keep: KeepCheck = keep_nothing) -> Submission:
        return submit(handed, self.finder, self.home, self.ledger.versions, keep, at_unix_ns=NOW_NS)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = Desk(tmp_path)
    monkeypatch.setattr(submission, "check_found", made.check)
    with made.ledger:
        yield made


def test_the_files_of_a_bot_known_by_import_come_back_without_another_check(tmp_path: Path, desk: Desk) -> None:
    bot_folder(tmp_path, "fox")
    desk.submit("fox", "T07")
    (there,) = desk.ledger.versions.of_name("fox")
    elsewhere = Desk(tmp_path / "elsewhere")
    elsewhere.ledger.versions.learn(replace(there, retired_unix_ns=NOW_NS))
    again = BotFinder(tmp_path, elsewhere.home, elsewhere.ledger.versions)

    handed, there_too = HandedIn("fox", "T07"), elsewhere.ledger.versions
    one = submit(handed, again, elsewhere.home, there_too, keep_nothing, at_unix_ns=NOW_NS + 1)

    assert (one.outcome, one.says) == (Outcome.UNCHANGED, "passed before; it is retired")
    (here,) = elsewhere.ledger.versions.of_name("fox")
    assert here == replace(there, retired_unix_ns=NOW_NS, stored_unix_ns=NOW_NS + 1)
    assert (elsewhere.home.path / here.tree / "bot.toml").is_file()
    elsewhere.ledger.close()


def test_a_bot_that_passes_is_a_version_of_its_team(tmp_path: Path, desk: Desk) -> None:
    bot_folder(tmp_path, "fox")
    one = desk.submit("fox", "T07")
    (version,) = desk.ledger.versions.of_name("fox")

    assert (one.outcome, one.team, one.says) == (Outcome.ACCEPTED, "T07", "passed")
    assert (version.team, version.verdict, version.submitted_unix_ns) == ("T07", "passed", NOW_NS)
    assert version.match_think_ns == 125_000_000
    assert [bot.name for bot in desk.finder.all("submitted")] == ["fox"]


def test_without_a_team_a_bot_is_its_own(tmp_path: Path, desk: Desk) -> None:
    bot_folder(tmp_path, "fox")

    assert desk.submit("fox").team == "fox"


def test_a_bot_that_fails_is_not_stored(tmp_path: Path, desk: Desk) -> None:
    bot_folder(tmp_path, "bad-fox")
    one = desk.submit("bad-fox")

    assert (one.outcome, one.says) == (Outcome.FAILED, "failed: legal")
    assert desk.ledger.versions.of_name("bad-fox") == ()


def test_the_same_files_again_are_not_checked_again(tmp_path: Path, desk: Desk) -> None:
    folder = bot_folder(tmp_path, "fox")
    desk.submit("fox")
    pack(folder, tmp_path)
    again = desk.submit("fox-1.0.zip")
    desk.ledger.versions.retire("fox", at_unix_ns=NOW_NS)

    assert (again.outcome, again.says) == (Outcome.UNCHANGED, "passed before")
    assert desk.submit("fox").says == "passed before; it is retired"
    assert desk.checked == ["fox"]


def test_a_version_is_stored_when_what_its_check_told_is_kept(tmp_path: Path, desk: Desk) -> None:
    bot_folder(tmp_path, "fox")

    def keep(bot: FoundBot, report: CheckReport) -> None:
        assert desk.ledger.versions.of_name("fox") == ()
        BotLogs(desk.home.logs).keep_check(bot.name, bot.sha256, report.summary)

    one = desk.submit("fox", keep=keep)
    again = desk.submit("fox", keep=keep)

    assert (one.outcome, one.told_before) == (Outcome.ACCEPTED, "")
    assert (again.outcome, again.told_before) == (Outcome.UNCHANGED, "passed")


def test_other_files_need_another_version(tmp_path: Path, desk: Desk) -> None:
    folder = bot_folder(tmp_path, "fox")
    desk.submit("fox")
    (folder / "bot.py").write_text("changed")
    refused = desk.submit("./fox")
    bot_folder(tmp_path, "fox", version="1.1")

    assert refused.outcome is Outcome.REFUSED
    assert refused.says == "fox 1.0 was submitted with other contents; raise `version` in its bot.toml"
    assert desk.submit("./fox").outcome is Outcome.ACCEPTED


def test_a_name_of_another_team_is_refused_before_anything_is_started(tmp_path: Path, desk: Desk) -> None:
    bot_folder(tmp_path, "fox")
    desk.submit("fox", "T07")
    bot_folder(tmp_path, "fox", version="2.0")
    stolen = desk.submit("./fox", "T08")

    assert (stolen.outcome, stolen.says) == (
        Outcome.REFUSED,
        "fox belongs to T07, who submitted it first; take another name",
    )
    assert desk.checked == ["fox"]


def test_a_manifest_that_cannot_be_read_is_a_failed_check(tmp_path: Path, desk: Desk) -> None:
    (bot_folder(tmp_path, "fox") / "bot.toml").write_text("[bot]")
    one = desk.submit("fox", "T07")

    assert (one.outcome, one.says) == (Outcome.FAILED, "failed: manifest")
    assert one.report is not None


def test_what_is_no_bot_is_told(desk: Desk) -> None:
    assert "neither a folder with a bot.toml nor a submitted bot" in desk.submit("elk").says


# A folder of teams ----------------------------------------------------------------------------------


def inbox(tmp_path: Path) -> Path:
    folder = tmp_path / "inbox"
    for team in ("T01", "T02", "T03", "T04", "T05", "T06", "T07"):
        (folder / team).mkdir(parents=True)
    pack(bot_folder(tmp_path / "src", "fox"), folder / "T01")
    bot_folder(folder / "T02", "owl")
    (folder / "T02" / "README.txt").touch()
    (folder / "T02" / ".hidden").touch()
    (folder / "T03" / "elk.zip").write_bytes(b"PK")
    with zipfile.ZipFile(folder / "T04" / "evil.zip", "w") as evil:
        evil.writestr("../up", "")
    pack(bot_folder(tmp_path / "src", "fox"), folder / "T05")
    (folder / "T06" / "bot.7z").touch()
    (folder / "T06" / "notes").mkdir()
    (folder / "readme.txt").touch()
    return folder


def test_each_folder_is_a_team_and_nothing_broken_stops_the_others(tmp_path: Path, desk: Desk) -> None:
    inbox(tmp_path)
    outcomes = [desk.take(handed) for handed in handed_in("inbox", desk.finder, None)]

    assert [(one.team, one.outcome.value) for one in outcomes] == [
        ("T01", "accepted"),
        ("T02", "accepted"),
        ("T03", "refused"),
        ("T04", "refused"),
        ("T05", "refused"),
        ("T06", "refused"),
        ("T06", "refused"),
        ("T07", "refused"),
    ]
    assert [one.says for one in outcomes[2:]] == [
        "damaged, or no archive: File is not a zip file",
        "../up: leads out of the folder",
        "fox belongs to T01, who submitted it first; take another name",
        "bot.7z: no bot: hand in a .zip or .tar.gz",
        "notes: no bot: there is no bot.toml in it",
        "nothing was handed in: neither an archive nor a folder",
    ]


def test_a_team_may_hand_in_its_folder_itself(tmp_path: Path, desk: Desk) -> None:
    bot_folder(tmp_path / "inbox", "fox").rename(tmp_path / "inbox" / "Team Ä")
    (handed,) = handed_in("inbox/", desk.finder, None)

    assert handed == HandedIn("inbox/Team Ä", "Team Ä")
    assert desk.take(handed).team == "Team Ä"


def test_a_team_whose_name_could_forge_a_page_is_refused(tmp_path: Path, desk: Desk) -> None:
    (tmp_path / "inbox" / "T\x1b[31m").mkdir(parents=True)
    (handed,) = handed_in("inbox", desk.finder, None)

    assert "the name of a team holds U+001B, a control character" in handed.problem


def test_a_team_is_not_given_twice(tmp_path: Path, desk: Desk) -> None:
    inbox(tmp_path)

    with pytest.raises(HarnessError, match="inbox: its folders name the teams; leave --team out"):
        list(handed_in("inbox", desk.finder, "T01"))


def test_a_pattern_hands_in_every_bot_that_fits(tmp_path: Path, desk: Desk) -> None:
    for name in ("fox", "owl"):
        pack(bot_folder(tmp_path / "src", name), tmp_path)
    (tmp_path / "owl-1.0.zip").rename(tmp_path / "owl (1) [new].zip")

    assert [Path(handed.form).name for handed in handed_in("*.zip", desk.finder, "T01")] == [
        "fox-1.0.zip",
        "owl (1) [new].zip",
    ]
    assert [handed.form for handed in handed_in("owl (1) [new].zip", desk.finder, "T01")] == ["owl (1) [new].zip"]
