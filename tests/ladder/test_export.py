"""JSON, CSV and Markdown of a ladder."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from ladder.export import elo_text, points_text, to_csv, to_json, to_markdown
from ladder.fit import fit
from ladder.standings import Entry, Ruling, Standings, standings
from tests.ladder.made_up import played_cup, series

MEMBERS = [
    "rank",
    "rank_low",
    "rank_high",
    "bot",
    "version",
    "team",
    "elo",
    "elo_low",
    "elo_high",
    "se",
    "matches",
    "blocks",
    "points_mean",
    "points_low",
    "points_high",
    "place_mean",
    "faults",
    "rated",
    "reason",
]
NOT_COUNTED = ["void", "rulings"]


def _board() -> Standings:
    games = played_cup(bots=6)
    entries = [Entry("bot0", "=cmd()", "1.0", "@team"), Entry("bot1", "a|b*_", reason="-late"), Entry("zed", "zed")]
    return standings(games, fit(games), entries=entries, cup="spring", game="guillotine")


def test_json_has_the_documented_members_in_order() -> None:
    value = json.loads(to_json(_board()))

    assert list(value) == [
        "cup",
        "game",
        "unit",
        "anchor",
        "matches",
        "connected",
        "sentence",
        "los",
        "bots",
        *NOT_COUNTED,
        "season",
    ]
    assert (value["cup"], value["game"], value["unit"], value["anchor"]) == ("spring", "guillotine", "elo", None)
    assert (value["matches"], value["connected"]) == (60, True)
    assert all(list(row) == MEMBERS for row in value["bots"])
    assert len(value["los"]) == len(value["los"][0]) == len(value["bots"]) == 7


def test_json_tells_what_does_not_count_and_why() -> None:
    board = _board()
    rulings = (
        Ruling("void", 1, 4, "spring/1/000013", None, "wrong file"),
        Ruling("failure", 1, 4, "spring/1/000014", None, "no room"),
        Ruling("withdraw", 2, None, None, "bot0", "two teams"),
    )

    plain, told = json.loads(to_json(board)), json.loads(to_json(replace(board, rulings=rulings)))

    assert (plain["void"], plain["rulings"]) == ([], [])
    assert told["void"] == [{"round": 1, "block": 4}]
    assert told["rulings"] == [ruling._asdict() for ruling in rulings]


def test_json_floats_have_six_decimals() -> None:
    without_texts = re.sub(r'"[^"]*"', "", to_json(_board()))
    numbers = re.findall(r"-?\d+\.\d+(?:e-?\d+)?", without_texts)

    assert numbers
    assert all(re.fullmatch(r"-?\d+\.\d{6}", number) for number in numbers)


def test_json_has_no_negative_zero() -> None:
    games = series(*["(ab)"] * 20)

    assert "-0.000000" not in to_json(standings(games, fit(games, pool_mean=0)))


def test_json_names_the_anchors() -> None:
    games = played_cup(bots=6)

    value = json.loads(to_json(standings(games, fit(games, anchors={"bot2": 1600}))))

    assert value["anchor"] == {"bot2": 1600}


def test_json_of_nothing_is_json() -> None:
    value = json.loads(to_json(standings([], fit([]))))

    assert (value["bots"], value["los"], value["matches"]) == ([], [], 0)


def test_csv_cells_are_no_formulas() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(_board()))))

    by_bot = {row["bot"]: row for row in rows}
    assert list(rows[0]) == MEMBERS
    assert by_bot["'=cmd()"]["team"] == "'@team"
    assert by_bot["a|b*_"]["reason"].startswith("'-late")
    assert by_bot["zed"]["elo"] == ""


def test_csv_numbers_stay_numbers() -> None:
    games = played_cup(bots=6)

    rows = list(csv.DictReader(io.StringIO(to_csv(standings(games, fit(games, pool_mean=0))))))

    assert min(float(row["elo"]) for row in rows) < 0
    assert min(float(row["points_mean"]) for row in rows) < 0


def test_markdown_escapes_what_would_break_the_table() -> None:
    text = to_markdown(_board())

    assert "a\\|b\\*\\_" in text
    assert {re.sub(r"\\\|", "", line).count("|") for line in text.splitlines()[2:]} == {10}


def test_texts_for_people() -> None:
    row = _board().rows[0]

    assert elo_text(row._replace(elo=1612.3, elo_low=1578.3, elo_high=1646.3)) == "1612 ± 34"
    assert elo_text(row._replace(bound="at least", elo_low=1823.0, elo_high=None)) == "at least 1823"
    assert elo_text(row._replace(bound="at most", elo_low=None, elo_high=1201.0)) == "at most 1201"
    assert elo_text(row._replace(elo=1612.3, elo_low=None, elo_high=None)) == "1612"
    assert elo_text(row._replace(elo=None)) == "–"
    assert points_text(row._replace(points_mean=98.22, points_low=94.2, points_high=102.3)) == "98.2 ± 4.1"
    assert points_text(row._replace(points_mean=98.22, points_low=None, points_high=None)) == "98.2"
    assert points_text(row._replace(points_mean=None)) == "–"


@pytest.mark.parametrize("shown", [to_json, to_csv, to_markdown])
def test_nothing_is_ever_nan(shown: object) -> None:
    assert callable(shown)
    assert not re.search(r"\b(nan|inf|infinity)\b", shown(_board()).lower())
