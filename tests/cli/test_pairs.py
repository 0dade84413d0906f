"""`cardarena ladder --pairs`: what two bots gain by each other, in words that accuse nobody."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ladder.results import Result
from tests.cli.command import Cardarena
from tests.ladder.made_up import ONE, OTHER, played_cup


def results_file(path: Path, results: Sequence[Result]) -> Path:
    members = ("match", "block", "bots", "places", "points")
    lines = [json.dumps({member: getattr(result, member) for member in members}) for result in results]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def helped(tmp_path: Path) -> Path:
    return results_file(tmp_path / "helped.jsonl", played_cup(blocks=1000, gains=(1.5, 1.5)))


@pytest.fixture
def honest(tmp_path: Path) -> Path:
    return results_file(tmp_path / "honest.jsonl", played_cup(blocks=400))


def test_the_ladder_names_who_stands_out_in_one_line_and_says_nothing_where_nobody_does(
    cardarena: Cardarena, helped: Path, honest: Path
) -> None:
    told, quiet = cardarena("ladder", "--from", helped), cardarena("ladder", "--from", honest)

    seen = f"bot{ONE} and bot{OTHER} did better at one table than apart: each by "
    assert told.out.splitlines()[-1].startswith(seen)
    assert told.out.count(" than apart") == 1
    assert "than apart" not in quiet.out
    assert "than elsewhere" not in quiet.out


def test_pairs_are_a_table_with_those_first_that_chance_explains_least(cardarena: Cardarena, helped: Path) -> None:
    lines = cardarena("ladder", "--from", helped, "--pairs").out.splitlines()

    assert lines[0].split() == ["one", "other", "blocks", "together", "the", "one", "the", "other", "chance"]
    assert lines[2].split()[:2] == [f"bot{ONE}", f"bot{OTHER}"]
    assert "8 more: --json has all." in lines


def test_json_holds_every_pair_and_how_many_cannot_be_judged(cardarena: Cardarena, helped: Path) -> None:
    told = json.loads(cardarena("ladder", "--from", helped, "--pairs", "--json").out)

    assert list(told) == ["unit", "pairs", "too_few"]
    assert (told["unit"], told["too_few"], len(told["pairs"])) == ("elo", 0, 28)
    first = told["pairs"][0]
    assert list(first) == ["bots", "blocks", "together", "one_with_other", "other_with_one"]
    assert first["bots"] == [f"bot{ONE}", f"bot{OTHER}"]
    assert list(first["together"]) == ["elo", "half_width", "chance"]


def test_a_cup_that_is_too_short_says_so(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("ladder", "--pairs", "--home", home)

    assert told.code == 0
    assert "No pair can be judged" in told.out


def test_pairs_go_with_no_other_form(cardarena: Cardarena, honest: Path) -> None:
    for form in ("--csv", "--md", "--history"):
        told = cardarena("ladder", "--from", honest, "--pairs", form)

        assert told.code == 2
        assert "--pairs" in told.err
