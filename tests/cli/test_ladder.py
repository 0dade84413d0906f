"""`cardarena ladder`: a table, CSV, Markdown and JSON of one and the same; a results file gives the same ratings."""

import csv
import json
from pathlib import Path

import pytest

from harness.store.ledger import Ledger
from tests.cli.command import Cardarena, play_without_processes, write_cup

HEAD = ["cup", "game", "unit", "anchor", "matches", "connected", "sentence", "los", "bots", "void", "rulings", "season"]
ROW = [
    *("rank", "rank_low", "rank_high", "bot", "version", "team", "elo", "elo_low", "elo_high", "se", "matches"),
    *("blocks", "points_mean", "points_low", "points_high", "place_mean", "faults", "rated", "reason"),
]


def test_json_has_the_documented_members_and_nothing_stands_beside_it(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("ladder", "--json", "--home", home)
    ladder = json.loads(told.out)

    assert (told.code, told.err) == (0, "")
    assert list(ladder) == HEAD
    assert [list(row) for row in ladder["bots"]] == [ROW] * 4
    assert (ladder["cup"], ladder["game"], ladder["unit"], ladder["matches"]) == ("spring", "zhiletka", "elo", 12)
    assert [len(row) for row in ladder["los"]] == [4] * 4
    assert "NaN" not in told.out


def test_the_table_shows_every_bot_why_its_numbers_are_weak_and_the_sentence(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("ladder", "--home", home)
    ladder = json.loads(cardarena("ladder", "--json", "--home", home).out)

    lines = told.out.splitlines()
    assert lines[0].split() == ["bot", "Elo", "ranks", "chips", "place", "matches"]
    assert [line.split()[1] for line in lines[2:6]] == [row["bot"] for row in ladder["bots"]]
    assert lines[-2].endswith(": provisional: 3 blocks")
    assert lines[-1] == ladder["sentence"]
    assert max(map(len, lines[:6])) < 80


def test_csv_has_the_members_of_json_as_columns(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("ladder", "spring", "--csv", "--home", home)
    rows = list(csv.DictReader(told.out.splitlines()))
    ladder = json.loads(cardarena("ladder", "--json", "--home", home).out)

    assert list(rows[0]) == ROW
    assert [row["bot"] for row in rows] == [row["bot"] for row in ladder["bots"]]
    assert [float(row["elo"]) for row in rows] == [row["elo"] for row in ladder["bots"]]


def test_markdown_is_a_table_with_the_sentence(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("ladder", "spring", "--md", "--home", home)

    lines = told.out.splitlines()
    assert lines[2].startswith("| rank | bot | Elo |")
    assert len(lines) == 4 + 4


def test_the_exported_results_give_the_ratings_of_the_cup(cardarena: Cardarena, home: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text(cardarena("replay", "--all", "--results", "--home", home).out)
    of_cup = json.loads(cardarena("ladder", "--json", "--home", home).out)
    of_file = json.loads(cardarena("ladder", "--from", results, "--json").out)

    names = ("bot", "elo", "elo_low", "elo_high", "se", "rank", "matches", "points_mean", "faults", "place_mean")
    rows = [[{name: row[name] for name in names} for row in ladder["bots"]] for ladder in (of_cup, of_file)]
    assert sorted(rows[0], key=lambda row: str(row["bot"])) == sorted(rows[1], key=lambda row: str(row["bot"]))


def test_fill_unrated_and_house_bots_weigh_as_much_in_the_exported_results(
    cardarena: Cardarena, tmp_path: Path
) -> None:
    cup = write_cup(tmp_path / "cup", bots='["sample:stateless"]', house='["sample:raw-stub"]', seats="4")
    home = play_without_processes(cup)
    results = tmp_path / "results.jsonl"
    results.write_text(cardarena("replay", "--all", "--results", "--home", home).out)
    of_cup = json.loads(cardarena("ladder", "--json", "--home", home).out)["bots"]
    of_file = json.loads(cardarena("ladder", "--from", results, "--json").out)["bots"]

    assert {row["bot"]: row["elo"] for row in of_cup} == {row["bot"]: row["elo"] for row in of_file}
    reasons = {row["bot"]: row["reason"] for row in of_cup}
    assert reasons["random"].startswith("fills tables; not rated")
    assert reasons["raw-stub"].startswith("house bot: rated, not ranked")


def test_an_anchor_of_a_results_file_is_fixed(cardarena: Cardarena, home: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text(cardarena("replay", "--all", "--results", "--home", home).out)

    ladder = json.loads(cardarena("ladder", "--from", results, "--anchor", "raw-stub=1234", "--json").out)

    assert ladder["anchor"] == {"raw-stub": 1234.0}
    assert {row["bot"]: row["elo"] for row in ladder["bots"]}["raw-stub"] == 1234.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--csv", "--json"], "--csv, --md and --json: choose one"),
        (["--prior", "2"], "--prior and --anchor go with --from"),
        (["--from", "nowhere.jsonl"], "nowhere.jsonl: cannot be read (No such file or directory)"),
        (["--from", "results.jsonl", "--prior", "-1"], "--prior -1: 0, or from 0.001 to 1000"),
        (["--from", "results.jsonl", "--prior", "nan"], "--prior nan: 0, or from 0.001 to 1000"),
        (["--from", "results.jsonl", "--anchor", "fox"], "--anchor fox: write BOT=ELO"),
        (["--from", "results.jsonl", "--anchor", "fox=inf"], "--anchor fox=inf: write BOT=ELO"),
        (["--from", "results.jsonl", "--anchor", "fox=1500", "--anchor", "fox=1600"], "--anchor fox: given twice"),
        (["--from", "results.jsonl", "spring"], "--from rates a file"),
        (["--from", "results.jsonl"], "results.jsonl: line 1: "),
        (["--from", "results.jsonl.gz"], "results.jsonl.gz: compressed; a results file is plain text"),
    ],
)
def test_what_cannot_be_rated_is_one_line(
    cardarena: Cardarena, home: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    (tmp_path / "results.jsonl").write_text('{"match": "m", "bots": ["a", "b"]}\n')

    told = cardarena("ladder", *words, "--home", home)

    assert told.code == 2
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1


def test_which_cup_must_be_said_where_there_are_several(cardarena: Cardarena, tmp_path: Path) -> None:
    for name in ("spring", "autumn"):
        home = play_without_processes(write_cup(tmp_path / "cups", name=f'"{name}"', matches="3"))

    told = cardarena("ladder", "--home", home)
    by_file = cardarena("ladder", tmp_path / "cups" / "cup.toml", "--json", "--home", home)

    assert told.code == 2
    assert told.err == "cardarena: which cup? There are spring, autumn\n"
    assert json.loads(by_file.out)["cup"] == "autumn"


def test_a_replaced_version_is_in_the_fit_and_has_a_row_only_when_asked_for(
    cardarena: Cardarena, tmp_path: Path
) -> None:
    cup = write_cup(tmp_path / "cup", bots='["sample:random", "sample:stateless", "./fox"]')
    fox = tmp_path / "cup" / "fox"
    fox.mkdir()
    for version, matches in (("1.0", "6"), ("1.1", "12")):
        (fox / "bot.toml").write_text(
            f'schema = 1\n[bot]\nname = "fox"\nversion = "{version}"\ngames = ["zhiletka"]\n[run]\nargv = ["x"]\n'
        )
        home = play_without_processes(write_cup(tmp_path / "cup", cup.read_text(), matches=matches))
    ladder = json.loads(cardarena("ladder", "--json", "--home", home).out)
    complete = json.loads(cardarena("ladder", "--json", "--versions", "all", "--home", home).out)
    table = cardarena("ladder", "--versions", "all", "--home", home).out

    assert sorted((row["bot"], row["version"]) for row in ladder["bots"] if row["bot"] == "fox") == [("fox", "1.1")]
    assert sorted((row["bot"], row["version"]) for row in complete["bots"] if row["bot"] == "fox") == [
        ("fox", "1.0"),
        ("fox", "1.1"),
    ]
    assert ladder["matches"] == complete["matches"] == 12
    assert "fox 1.0" in table
    assert "fox 1.1" in table


def test_a_retired_bot_leaves_the_table(cardarena: Cardarena, tmp_path: Path) -> None:
    home = play_without_processes(write_cup(tmp_path / "cup"))
    with Ledger(home / "arena.db") as ledger:
        ledger._database.execute("UPDATE versions SET retired_unix_ns = 1 WHERE name = 'raw-stub'")

    ladder = json.loads(cardarena("ladder", "--json", "--home", home).out)

    assert "raw-stub" not in {row["bot"] for row in ladder["bots"]}
    assert ladder["matches"] == 12


def test_the_history_has_a_column_a_round_and_as_json_all_that_is_known(cardarena: Cardarena, tmp_path: Path) -> None:
    for matches in ("12", "24"):
        home = play_without_processes(write_cup(tmp_path / "cup", matches=matches))

    told = cardarena("ladder", "--history", "--home", home)
    moments = json.loads(cardarena("ladder", "--history", "--json", "--home", home).out)
    now = json.loads(cardarena("ladder", "--json", "--home", home).out)

    assert told.out.splitlines()[0].split() == ["bot", "round", "1", "round", "2"]
    assert len(told.out.splitlines()) == 2 + 4
    assert [moment["round"] for moment in moments] == [1, 2]
    assert [bot["matches"] for bot in moments[0]["bots"]] == [9] * 4
    assert [bot["elo"] for bot in moments[-1]["bots"]] == [bot["elo"] for bot in now["bots"]]
    assert cardarena("ladder", "--history", "--csv", "--home", home).code == 2
