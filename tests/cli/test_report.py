"""`cardarena report`: faults of a version, grouped, with the way to see them again; and bundles for teams."""

import asyncio
import json
import re
import shutil
import sqlite3
import zipfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from harness import games
from harness.arena.specs import Played, TableSpec
from harness.cards import CardSet, parse_card
from harness.cup import CupFile, read_cup
from harness.fault_groups import gist_of
from harness.faults import Fault
from harness.games.view import SeatView, project
from harness.record import MatchRecord, ReplayDeal, replay_steps
from harness.roster import HomeRoster
from harness.store.bot_logs import FAILED_LOGS, BotLog, BotLogs
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.store.times import TimeColumns
from harness.tournament import play_cup
from tests.cli.command import SPRING, Cardarena, play_without_processes, write_cup
from tests.in_process import InProcess, Interrupted, Notes
from tests.played_cups import Skilled

FAULT = "no answer in 5 s"


class Marked(Skilled):
    """Every bot notes its label."""

    def _played(self, table: TableSpec, gone: Mapping[str, Fault]) -> Played:
        played = super()._played(table, gone)
        notes = [note._replace(text=f"noted by {table.seats[note.seat]}") for note in played.notes]
        return played._replace(notes=notes)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a cup of Guillotine in which every other match has a fault in seat 0; its bots have written logs."""
    path = write_cup(tmp_path_factory.mktemp("faulty"), game='"guillotine"', seats="4", matches="8")
    home = make_home(Home(path.parent / ".cardarena", "a test's own"))

    @asynccontextmanager
    async def opened(_: CupFile) -> AsyncIterator[Marked]:
        yield Marked(fault_every=2, notes=True)

    with Ledger(home.ledger, create=True) as ledger:
        roster = HomeRoster(home, ledger.versions, path.parent)
        asyncio.run(play_cup(read_cup(path), ledger, roster, Notes(), opened))
    logs = BotLogs(home.logs)
    for label in ("random", "random#2", "stateless", "raw-stub"):
        logs.keep("spring", 1, label, BotLog("exited with code 0", "", "", f"all is well with {label}\n".encode()))
        said = f"thinking of {label}\nwait\x1b[2J\n".encode()
        logs.keep("spring", 1, label, BotLog("was killed", "timeout", FAULT, said))
    return home.path


def record_of(home: Path, match: str) -> MatchRecord:
    with Ledger(home / "arena.db") as ledger:
        return ledger.record(match)


def faults_of(home: Path, name: str) -> list[tuple[str, int]]:
    with Ledger(home / "arena.db") as ledger:
        return [
            (record.match, fault.seat)
            for record in ledger.records("spring")
            for fault in record.faults
            if record.seats[fault.seat].bot.partition("#")[0] == name
        ]


def test_faults_are_grouped_with_first_and_last_match_log_and_the_command_that_repeats(
    cardarena: Cardarena, faulty: Path
) -> None:
    faults = faults_of(faulty, "random")
    told = cardarena("report", "random", "--home", faulty)
    (facts,) = json.loads(cardarena("report", "random", "--json", "--home", faulty).out)
    (group,) = facts["groups"]

    assert len(faults) > 1
    assert (group["kind"], group["gist"], group["count"]) == ("timeout", "no answer in N s", len(faults))
    assert (group["first"]["match"], group["first"]["seat"]) == faults[0]
    assert (group["last"]["match"], group["last"]["seat"]) == faults[-1]
    assert group["again"] == f"cardarena rerun {faults[0][0]} --seat 0"
    assert group["last_lines"][0].startswith("thinking of random")
    assert f"  {len(faults)} x timeout: no answer in N s\n" in told.out
    assert f"    again  {group['again']}\n" in told.out
    assert "      | wait\\x1b[2J\n" in told.out
    assert "\x1b" not in told.out


def test_think_times_are_told_over_all_its_matches(cardarena: Cardarena, faulty: Path) -> None:
    told = cardarena("report", "stateless", "--home", faulty)
    (facts,) = json.loads(cardarena("report", "stateless", "--json", "--home", faulty).out)
    with Ledger(faulty / "arena.db") as ledger:
        own_ns = sorted(
            time.spent_ns
            for record in ledger.records("spring")
            for time in ledger.times(record.match)
            if record.seats[time.seat].bot == "stateless"
        )
    thinking = facts["thinking"]

    assert thinking["count"] == len(own_ns) > 0
    assert thinking["total_s"] == pytest.approx(sum(own_ns) / 1e9)
    assert thinking["p50_ms"] <= thinking["p99_ms"]
    line = (
        f"  think time of {len(own_ns):,} decisions: p50 {thinking['p50_ms']:.2f} ms, p99 {thinking['p99_ms']:.2f} ms"
    )
    assert line in told.out


def test_all_bots_and_those_of_a_team_are_told(cardarena: Cardarena, faulty: Path) -> None:
    everybody = json.loads(cardarena("report", "--all", "--json", "--home", faulty).out)
    team = json.loads(cardarena("report", "--team", "stateless", "--json", "--home", faulty).out)

    assert sorted(one["bot"] for one in everybody) == ["random", "raw-stub", "stateless"]
    assert sum(group["count"] for one in everybody for group in one["groups"]) == 4
    assert [one["bot"] for one in team] == ["stateless"]


@pytest.mark.parametrize("zipped", [False, True])
def test_the_times_of_a_match_are_read_once(
    cardarena: Cardarena, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zipped: bool
) -> None:
    read: list[str] = []
    time_columns = Ledger.time_columns

    def noted(ledger: Ledger, match: str) -> TimeColumns:
        read.append(match)
        return time_columns(ledger, match)

    monkeypatch.setattr(Ledger, "time_columns", noted)
    words = ("random", "--zip", tmp_path / "random.zip") if zipped else ("--all",)
    assert cardarena("report", *words, "--home", faulty).code == 0

    assert read
    assert sorted(set(read)) == sorted(read)


@pytest.mark.parametrize("name", ["random", "stateless", "raw-stub"])
def test_a_bundle_holds_nothing_of_others(cardarena: Cardarena, faulty: Path, tmp_path: Path, name: str) -> None:
    told = cardarena("report", name, "--zip", "own.zip", "--home", faulty)
    with zipfile.ZipFile(tmp_path / "own.zip") as bundle:
        files = {file: bundle.read(file).decode() for file in bundle.namelist()}
    text = "\n".join(files.values())
    rows = [json.loads(line) for line in files[f"{name}/decisions.jsonl"].splitlines()]

    assert told.code == 0
    assert told.out.endswith(f"own.zip: for team {name}, with nothing of others\n")
    others = {"random", "stateless", "raw-stub"} - {name}
    assert not any(re.search(rf"(noted by|thinking of|all is well with|\b){other}\b", text) for other in others)
    assert f"noted by {name}" in text
    assert f"all is well with {name}" in text
    assert {row["bot"].partition("#")[0] for row in rows} == {name}
    assert all((row["spent_ms"] is None) == row["house"] for row in rows)
    matches = [file for file in files if "/matches/" in file]
    assert len(matches) == len(faults_of(faulty, name))
    for file in matches:
        assert_told_as_seen(faulty, file, files[file])


def assert_told_as_seen(home: Path, file: str, text: str) -> None:
    """Every card that is told of a deal is one that the seat had seen by its end, so no hand of another."""
    cup, round_number, number, seat = re.fullmatch(r".*/(\w+)-(\d)-(\d+)-seat-(\d)\.txt", file).groups()  # type: ignore[union-attr]  # it is such a name
    record = record_of(home, f"{cup}/{round_number}/{number}")
    view = SeatView(int(seat), len(record.seats), len(games.game(record.game, record.options).pack))
    unseen: list[CardSet] = []
    for step in replay_steps(record):
        if isinstance(step, ReplayDeal):
            unseen.append(0)
        for event in step.events:
            view.see(project(event, view.seat))
        unseen[-1] = view.unseen
    head, *deals = re.split(r"^deal \d+, ", text, flags=re.MULTILINE)
    assert len(deals) == len(record.deals)
    assert re.findall(r"\b[7-9TJQKA][CDHS]\b", head) == []
    for hidden, deal in zip(unseen, deals, strict=True):
        names = re.findall(r"\b[7-9TJQKA][CDHS]\b", deal)
        assert names
        assert not any(hidden >> parse_card(name) & 1 for name in names)


def test_a_bundle_tells_nothing_of_cards_that_others_have_still_to_play(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path, bots='["sample:random", "sample:stateless", "sample:raw-stub"]')
    with pytest.raises(Interrupted):
        play_without_processes(cup, InProcess(stop_after=10, stumble_percent={"random": 2}))
    logs = BotLogs(tmp_path / ".cardarena" / "logs")
    logs.keep("spring", 1, "random", BotLog("was killed", "timeout", FAULT, b"my hand: 7C 8D\n"))

    told = cardarena("report", "random", "--zip", "half.zip")
    half, half_seen = bundled(tmp_path / "half.zip")
    play_without_processes(cup, InProcess(stumble_percent={"random": 2}))
    cardarena("report", "random", "--zip", "whole.zip")
    whole, whole_seen = bundled(tmp_path / "whole.zip")

    assert " in 10 matches" in told.out
    assert " in 6 matches" in half["report.txt"]
    assert half_seen == {f"spring/1/{number:06d}" for number in range(1, 7)}
    assert not any("/logs/" in name or "my hand" in text for name, text in half.items())
    assert len(whole_seen) == 12
    assert "random/logs/spring-1-random-01.log" in whole


def bundled(path: Path) -> tuple[dict[str, str], set[str]]:
    """The files of a bundle, and the matches of which a decision is told."""
    with zipfile.ZipFile(path) as bundle:
        files = {name: bundle.read(name).decode() for name in bundle.namelist()}
    return files, {json.loads(line)["match"] for line in files["random/decisions.jsonl"].splitlines()}


def test_a_team_that_only_the_cup_file_names_has_its_report(cardarena: Cardarena, tmp_path: Path) -> None:
    text = SPRING + '[[bots]]\nbot = "sample:stateless"\nteam = "T07"\n'
    play_without_processes(write_cup(tmp_path, text, matches="3"))
    told = cardarena("report", "--team", "T07", "--zip", "T07.zip")
    unknown = cardarena("report", "--team", "T08")

    assert told.code == 0, told.err
    assert told.out.startswith("stateless 1.0.0 ")
    assert told.out.endswith("T07.zip: for team T07, with nothing of others\n")
    assert "no team called T08; did you mean T07?" in unknown.err


def test_a_team_that_a_round_from_elsewhere_writes_in_another_way_has_its_report(
    cardarena: Cardarena, tmp_path: Path
) -> None:
    text = SPRING + '[[bots]]\nbot = "sample:stateless"\nteam = "\u00c9lan"\n'
    home = play_without_processes(write_cup(tmp_path, text, matches="3"))
    with closing(sqlite3.connect(home / "arena.db")) as database, database:
        database.execute("UPDATE entries SET team = ? WHERE team = ?", ("E\u0301lan", "\u00c9lan"))
    told = cardarena("report", "--team", "\u00c9lan")

    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("stateless 1.0.0 ")


def test_the_same_ledger_gives_the_same_bundle(cardarena: Cardarena, faulty: Path, tmp_path: Path) -> None:
    for name in ("first.zip", "second.zip"):
        cardarena("report", "random", "--zip", name, "--home", faulty)

    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "report: name a bot, or say --team T or --all"),
        (["random", "--all"], "report: name a bot, or say --team T or --all"),
        (["randum"], "no bot is called 'randum'; did you mean random?"),
        (["random@9"], "random has no version 9; there are 1.0.0"),
        (["--team", "T\x1b07"], "no team called T\\x1b07; there are random, raw-stub, stateless"),
        (["--all", "--zip", "all.zip"], "report --zip: a bundle is for one team alone"),
        (["random", "--zip", "nowhere/own.zip"], "nowhere/own.zip: cannot be written: No such file or directory"),
    ],
)
def test_what_cannot_be_reported_is_one_line(cardarena: Cardarena, faulty: Path, words: list[str], said: str) -> None:
    told = cardarena("report", *words, "--home", faulty)

    assert told.code == 2
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1


def test_an_illegal_action_is_grouped_without_its_cards() -> None:
    assert gist_of("chose 49 (QS); legal were: play:KS play:AS") == "chose N"
    assert gist_of("chose 9999; legal were: take") == gist_of("chose 49 (QS 7C); legal were: take")


def test_the_first_failures_of_a_round_are_kept_and_the_last(tmp_path: Path) -> None:
    logs = BotLogs(tmp_path)
    for number in range(FAILED_LOGS + 5):
        logs.keep("spring", 1, "fox#2", BotLog("exited", "crashed", "exited with code 1", b"%d" % number))
    logs.keep("spring", 1, "fox#2", BotLog("exited with code 0", "", "", b"well\xff"))
    logs.keep("spring", 1, "fox#2", BotLog("exited with code 0", "", "", b""))
    (tmp_path / "spring" / "1" / "fox#2" / "failed-01.log").write_bytes(b"torn")
    kept = list(logs.read("spring", 1, "fox#2"))

    numbers = [*range(1, FAILED_LOGS - 1), 14]
    assert [log.output for log in kept] == [*(b"%d" % number for number in numbers), b"well\xff"]
    assert list(logs.read("spring", 2, "fox#2")) == []


def test_a_version_from_a_hostile_ledger_moves_no_cursor(cardarena: Cardarena, faulty: Path, tmp_path: Path) -> None:
    home = shutil.copytree(faulty, tmp_path / "home")
    with closing(sqlite3.connect(home / "arena.db")) as ledger, ledger:
        ledger.execute("UPDATE versions SET version = ?", ("\x1b]0;owned\x07",))

    told = cardarena("report", "--all", "--home", home)

    assert told.code == 0
    assert "\\x1b]0;owned\\x07" in told.out
    assert "\x1b" not in told.out
