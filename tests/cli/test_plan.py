"""`cardarena plan`: who would meet whom, without a trace."""

import json
from pathlib import Path

import pytest

from tests.cli.command import SPRING, Cardarena, play_without_processes, write_cup
from tests.in_process import InProcess, Interrupted
from tests.workshop.folders import bot_folder


def everything_in(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def test_a_plan_is_told_and_nothing_is_written(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    before = everything_in(tmp_path)

    told = cardarena("plan", cup)

    assert (told.code, told.err) == (0, "")
    assert told.out.splitlines()[0] == "Spring Cup: round 1, balanced, zhiletka"
    assert "random, stateless, raw-stub, random#2" in told.out
    assert everything_in(tmp_path) == before


def test_json_counts_what_run_would_play(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path, matches="13")

    told = cardarena("plan", cup, "--json")
    facts = json.loads(told.out)

    assert (facts["round"], facts["requested_matches"], facts["matches"], facts["blocks"]) == (1, 13, 12, 4)
    assert facts["bots"] == ["random", "stateless", "raw-stub", "random#2"]
    assert "13 matches; 12 make whole blocks" in cardarena("plan", cup).out
    assert not (tmp_path / ".cardarena").exists()


def test_one_of_a_thing_is_not_told_as_many(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path, seats="2", matches="1", duplicate="false", bots='["sample:random", "sample:stateless"]')

    told = cardarena("plan", cup).out

    assert "matches        1\n" in told
    assert "a bot plays    1 match\n" in told
    assert "two bots meet  1 time, 1.00 on average\n" in told
    assert "tables of 2    1 match, 1 a bot, seats within 1; each has each at its left 1 time\n" in told


@pytest.mark.slow
def test_five_hundred_bots_and_twenty_thousand_matches_are_planned_evenly(cardarena: Cardarena, tmp_path: Path) -> None:
    for number in range(500):
        bot_folder(tmp_path / "bots", f"b{number:03d}")
    cup = write_cup(tmp_path, game='"guillotine"', seats="4", matches="20000", duplicate="false", bots='["bots/*"]')

    balance = json.loads(cardarena("plan", cup, "--json").out)["balance"]
    told = cardarena("plan", cup).out

    assert balance["appearances"]["high"] - balance["appearances"]["low"] <= 1
    assert balance["pairs"]["high"] - balance["pairs"]["low"] <= 1
    assert [size["seat_spread"] for size in balance["sizes"]] == [0]
    assert "b029 and 470 more\n" in told


def test_the_plan_of_a_cup_that_has_been_played_is_what_is_missing(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    play_without_processes(cup)
    done = cardarena("plan", cup)
    none = json.loads(cardarena("plan", cup, "--json").out)
    more = json.loads(cardarena("plan", write_cup(tmp_path, matches="18"), "--json").out)

    assert (done.code, done.out) == (0, "spring: nothing to play, the ledger holds all that is asked for\n")
    assert none == {"cup": "spring", "matches": 0}
    assert (more["round"], more["matches"]) == (2, 6)


def test_a_change_that_run_would_refuse_is_refused(cardarena: Cardarena, tmp_path: Path) -> None:
    play_without_processes(write_cup(tmp_path))

    told = cardarena("plan", write_cup(tmp_path, duplicate="false"))

    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("cardarena: spring: [cup] duplicate: true before, false now; put it back")


def test_who_is_left_out_is_said(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path, exclude='["owl"]')

    told = cardarena("plan", cup, "--json")

    assert json.loads(told.out)["matches"] == 12
    assert told.err == "exclude: owl fits nobody who plays\n"
    assert cardarena("plan", cup, "--quiet").err == ""


def test_an_uneven_plan_says_that_there_is_not_enough_data(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path, SPRING, matches="3")

    told = cardarena("plan", cup)

    assert "not enough data: each bot needs at least two blocks" in told.out


def test_the_plan_of_a_round_under_way_says_how_much_of_it_is_played(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    with pytest.raises(Interrupted):
        play_without_processes(cup, InProcess(stop_after=5))

    told = cardarena("plan", cup)

    assert "played before  5 of them\n" in told.out
    assert json.loads(cardarena("plan", cup, "--json").out)["played"] == 5


def test_the_labels_of_a_plan_stand_in_one_column(cardarena: Cardarena, tmp_path: Path) -> None:
    lines = cardarena("plan", write_cup(tmp_path, matches="13")).out.splitlines()[1:]

    assert all(line[13:15].isspace() and not line[15].isspace() for line in lines)


def test_what_fits_into_some_hours_is_told_in_whole_blocks(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    before = json.loads(cardarena("plan", cup, "--hours", "2", "--json").out)
    unknown = cardarena("plan", cup, "--hours", "2").out
    play_without_processes(cup)
    longer = write_cup(tmp_path, matches="600")
    facts = json.loads(cardarena("plan", longer, "--hours", "2", "--json").out)
    told = cardarena("plan", longer, "--hours", "2").out

    assert before["expected_time_s"] is None
    assert before["fits"]["matches"] is None
    assert "expected time  unknown until one of these bots has played" in unknown
    assert "in 2 h         nobody knows how many matches fit; " in unknown
    fits = facts["fits"]
    assert fits["matches"] % 3 == fits["matches_at_worst"] % 3 == 0
    assert fits["matches"] > fits["matches_at_worst"] > 0
    assert fits["matches_per_bot"] == fits["matches"] * 3 // 4
    assert fits["elo_half_width"] < facts["elo_half_width"]
    assert facts["expected_time_s"] < facts["worst_time_s"]
    assert f"in 2 h         about {fits['matches']:,} matches fit" in told
    assert ", by rounds that were played here" in told
