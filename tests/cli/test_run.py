"""`cardarena run` with real bots: a cup from its file to its ladder, and the same command again."""

import json
import re
from pathlib import Path

import pytest

from harness.record import MatchRecord, replay
from harness.store.ledger import Ledger
from tests.cli.command import Cardarena, play_without_processes, write_cup
from tests.in_process import InProcess, Interrupted


@pytest.mark.slow
def test_a_cup_is_played_told_kept_and_verified(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    run = cardarena("run", cup, "--json")
    ladder = cardarena("ladder", "--json")
    exported = [MatchRecord.from_json(line) for line in cardarena("replay", "--all", "--jsonl").out.splitlines()]
    again = cardarena("run", cup)
    verified = cardarena("verify")

    assert run.code == 0
    assert run.out == ladder.out
    assert json.loads(run.out)["matches"] == 12
    assert run.err.splitlines()[0] == "spring, round 1: 12 matches of 4 bots"
    assert re.fullmatch("commitment [0-9a-f]{64}", run.err.splitlines()[1])
    assert [record.match for record in exported] == [f"spring/1/{number:06d}" for number in range(1, 13)]
    for record in exported:
        replay(record)
        assert record.faults == ()
    assert (again.code, again.err) == (0, "")
    assert again.out.startswith("spring: nothing to play, the ledger holds all that is asked for\n")
    assert verified.out == "spring: 12 matches as they must be\n"


@pytest.mark.slow
def test_a_shard_that_was_played_does_not_say_that_the_round_was(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    cardarena("run", cup, "--begin")
    cardarena("run", cup, "--shard", "1/2", "--quiet", "--sandbox", "none")
    again = cardarena("run", cup, "--shard", "1/2", "--sandbox", "none")

    assert again.code == 0
    assert again.out.startswith("spring: nothing to play, the ledger holds all of shard 1 of 2\n")


@pytest.mark.slow
def test_an_interrupted_cup_goes_on_with_the_same_command(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    with pytest.raises(Interrupted):
        play_without_processes(cup, InProcess(stop_after=9))
    resumed = cardarena("run", cup, "--json")

    assert resumed.code == 0
    assert resumed.err.splitlines()[0] == "spring, round 1: 12 matches of 4 bots, 9 of them played before"
    assert json.loads(resumed.out)["matches"] == 12


@pytest.mark.slow
def test_quiet_is_the_result_alone(cardarena: Cardarena, tmp_path: Path) -> None:
    run = cardarena("--quiet", "run", write_cup(tmp_path, matches="3"))
    ladder = cardarena("ladder")

    assert (run.code, run.err) == (0, "")
    assert run.out == ladder.out


def test_with_nothing_to_play_no_process_is_started_and_json_is_the_ladder(
    cardarena: Cardarena, tmp_path: Path
) -> None:
    cup = write_cup(tmp_path)
    play_without_processes(cup)

    told = cardarena("run", cup, "--json")

    assert (told.code, told.err) == (0, "")
    assert told == cardarena("ladder", "--json")


def test_a_home_is_made_where_it_is_asked_for(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path / "cups")
    home = play_without_processes(cup)

    cardarena("run", cup, "--home", home)
    elsewhere = cardarena("ladder", "--home", tmp_path / "elsewhere")

    assert elsewhere.code == 2
    assert elsewhere.err.startswith(f"cardarena: no home at {tmp_path / 'elsewhere'} (--home); ")
    assert not (tmp_path / "elsewhere").exists()


def test_a_huge_round_robin_asks_first(cardarena: Cardarena, tmp_path: Path) -> None:
    bots = ", ".join(['"sample:random"'] * 40)
    cup = write_cup(tmp_path, format='"round-robin"', matches="", bots=f"[{bots}]", seats="4", same_team='"allowed"')

    told = cardarena("run", cup)

    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("cardarena: spring: this round-robin has ")
    assert "say --yes to play it" in told.err
    assert not (tmp_path / ".cardarena").exists()


def test_a_folder_that_changed_since_is_not_noticed_once_all_is_played(cardarena: Cardarena, tmp_path: Path) -> None:
    fox = tmp_path / "fox"
    fox.mkdir()
    manifest = 'schema = 1\n[bot]\nname = "fox"\nversion = "{}"\ngames = ["zhiletka"]\n[run]\nargv = ["x"]\n'
    (fox / "bot.toml").write_text(manifest.format("1.0"))
    cup = write_cup(tmp_path, bots='["sample:random", "sample:stateless", "./fox"]')
    home = play_without_processes(cup)
    (fox / "bot.toml").write_text(manifest.format("1.1"))

    told = cardarena("run", cup)

    assert told.out.startswith("spring: nothing to play")
    with Ledger(home / "arena.db") as ledger:
        assert len(ledger.rounds("spring")) == 1
