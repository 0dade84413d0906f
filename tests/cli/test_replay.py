"""`cardarena replay`: a match told to a person, its thinking times, and every record exported."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from harness.cli.thoughts import Thoughts
from harness.record import MatchRecord, replay
from harness.store.ledger import Ledger
from tests.cli.command import Cardarena

MATCH = "spring/1/000001"


def record_of(home: Path, match: str = MATCH) -> MatchRecord:
    with Ledger(home / "arena.db") as ledger:
        return ledger.record(match)


def test_a_match_is_told_from_its_deal_to_its_result(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("replay", MATCH, "--home", home)
    record = record_of(home)

    lines = told.out.splitlines()
    assert (told.code, told.err) == (0, "")
    assert lines[0] == f"{MATCH}: zhiletka"
    assert next(line for line in lines if line.startswith("deal ")).startswith("deal 0, dealer ")
    assert [line.split()[1] for line in lines[-3:]] == [
        record.seats[seat].bot for seat in sorted(range(3), key=lambda seat: (record.places[seat], seat))
    ]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_s_view_shows_its_own_hand_and_nobody_else_s(cardarena: Cardarena, home: Path, seat: int) -> None:
    told = cardarena("replay", MATCH, "--seat", seat, "--home", home)
    everything = cardarena("replay", MATCH, "--home", home)

    name = record_of(home).seats[seat].bot
    draws = re.findall(r"(\S+) draws ([^,\s]+)", told.out)
    assert hands(told.out) == [hands(everything.out)[seat]]
    assert hands(told.out)[0].split()[0] == name
    assert {who for who, what in draws if not what.isdecimal()} == {name}
    assert {who for who, what in draws if what.isdecimal()} == {entry.bot for entry in record_of(home).seats} - {name}


def hands(told: str) -> list[str]:
    """The hands that were dealt first."""
    lines = told.split("\ndeal 0")[1].splitlines()[1:]
    return lines[: next(at for at, line in enumerate(lines) if line.startswith("  points: "))]


def test_times_are_told_with_the_seat_they_belong_to(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("replay", MATCH, "--times", "--home", home)
    of_one = json.loads(cardarena("replay", MATCH, "--times", "--seat", 1, "--json", "--home", home).out)
    with Ledger(home / "arena.db") as ledger:
        times = ledger.times(MATCH)

    lines = told.out.splitlines()
    summary = next(number for number, line in enumerate(lines) if line.split()[:2] == ["bot", "decisions"])
    assert lines[0].split() == ["deal", "action", "bot", "chose", "ms", "owed", "note"]
    assert summary == 2 + len(times)
    assert lines[summary].split() == ["bot", "decisions", "p50", "ms", "p99", "all", "cpu", "lag"]
    assert sum(int(line.split()[1]) for line in lines[summary + 2 :]) == len(times)
    assert [time["spent_ns"] for time in of_one["times"]] == [time.spent_ns for time in times if time.seat == 1]
    rows = [json.loads(line) for line in cardarena("replay", "--all", "--decisions", "--home", home).out.splitlines()]
    asked = [(row["deal"], row["action"]) for row in rows if row["match"] == MATCH and row["seat"] == 1]
    assert [(time["deal"], time["action"]) for time in of_one["times"]] == asked


def test_processor_time_and_lag_are_told_where_they_are_known(home: Path) -> None:
    with Ledger(home / "arena.db") as ledger:
        record = ledger.record(MATCH)
        times = [time._replace(cpu_ns=1_500_000, lag_ns=20_000) for time in ledger.times(MATCH)]
    console = Console(width=200, file=io.StringIO())
    console.print(Thoughts(record, times, (), None).table())
    told = console.file.getvalue().splitlines()  # type: ignore[attr-defined]  # it is a StringIO

    assert told[0].split() == ["deal", "action", "bot", "chose", "ms", "owed", "cpu", "lag", "note"]
    assert all(line.split()[-2:] == ["1.50", "0.02"] for line in told[2:])


def test_beside_each_decision_of_a_seat_stands_what_it_knew(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("replay", MATCH, "--times", "--seat", 1, "--home", home)
    facts = json.loads(cardarena("replay", MATCH, "--times", "--seat", 1, "--json", "--home", home).out)

    assert told.out.count("\nchose    ") == told.out.count("\nlegal    ") == len(facts["times"])
    assert max(map(len, told.out.splitlines())) <= 80


def test_every_exported_record_is_read_and_replays(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("replay", "--all", "--jsonl", "--home", home)
    records = [MatchRecord.from_json(line) for line in told.out.splitlines()]

    for record in records:
        replay(record)
    assert [record.match for record in records] == [f"spring/1/{number:06d}" for number in range(1, 13)]
    assert [record.to_json() for record in records] == told.out.splitlines()
    assert told.err == ""


def test_one_record_as_json_is_the_line_of_the_export(cardarena: Cardarena, home: Path) -> None:
    line = cardarena("replay", MATCH, "--json", "--home", home).out

    assert line.splitlines() == cardarena("replay", "--all", "spring", "--jsonl", "--home", home).out.splitlines()[:1]


def test_a_decision_is_a_line_with_what_the_seat_knew(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("replay", "--all", "--decisions", "--home", home)
    assert cardarena("replay", "--all", "--decisions", "--jsonl", "--home", home) == told
    rows = [json.loads(line) for line in told.out.splitlines()]
    record = record_of(home)

    first = rows[0]
    assert first["match"] == MATCH
    assert first["chosen"] in first["legal"]
    assert first["place"] == record.places[first["seat"]]
    assert all(len(row["legal"]) > 1 and row["chosen"] in row["legal"] for row in rows)
    assert {row["match"] for row in rows} == {f"spring/1/{number:06d}" for number in range(1, 13)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "replay: name a match, such as spring-cup/1/000017, or say --all --jsonl"),
        (["--all"], "replay --all: say one of --jsonl, --results and --decisions"),
        (["--all", "--decisions", "--results"], "replay --all: say one of --jsonl, --results and --decisions"),
        (["--all", "--jsonl", "--seat", "0"], "replay --all: say one of --jsonl, --results and --decisions"),
        ([MATCH, "--jsonl"], "replay: --jsonl, --results and --decisions go with --all"),
        ([MATCH, "--seat", "3"], "spring/1/000001: there is no seat 3, it has seats 0 to 2"),
        (["spring/1/000099"], "there is no match spring/1/000099"),
        (["spring/9/000001"], "round 9 of spring is not in this ledger; its cups: spring"),
        (["autumn/1/000001"], "round 1 of autumn is not in this ledger; its cups: spring"),
        (["17"], "not a match: '17'"),
        (["spring/1/17"], "not a match: 'spring/1/17'; did you mean spring/1/000017?"),
        (["\x1b[31m"], "not a match: "),
        (["--all", "sprung", "--jsonl"], "no cup called sprung; did you mean spring?"),
    ],
)
def test_what_cannot_be_shown_is_one_line(cardarena: Cardarena, home: Path, words: list[str], said: str) -> None:
    told = cardarena("replay", *words, "--home", home)

    assert told.code == 2
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1
    assert "\x1b" not in told.err
