"""`wait:NAME`: a bot that the command does not start dials in with the address and the token that are printed."""

import json
import os
from pathlib import Path

import pytest

from harness import local
from harness.record import MatchRecord
from tests.cli.command import Cardarena, write_cup
from tests.cli.waiting import come, invitation, waiting
from tests.sample_bots.programs import bot_class


@pytest.mark.slow
def test_whoever_dials_in_plays_the_match_of_a_bot_that_was_started(tmp_path: Path) -> None:
    with waiting("match", "zhiletka", "wait:fox", "sample:random", "--seed", 5, "--json", folder=tmp_path) as running:
        assert running.stdout
        assert running.stderr
        asked = invitation(running.stderr)
        come(asked, "stateless")
        record = MatchRecord.from_json(running.stdout.read())

    assert (asked.label, asked.command) == ("fox", "python bot.py")
    assert running.returncode == 0
    assert record.deals == local.play("zhiletka", [bot_class("stateless"), bot_class("random")], seed=5).deals
    assert record.faults == ()
    assert record.seats[0] == ("fox", "awaited", "")
    assert not os.path.exists(asked.env["CARDARENA_ADDRESS"].removeprefix("unix:"))


@pytest.mark.slow
def test_it_may_be_compared_and_come_by_tcp(tmp_path: Path) -> None:
    words = ("compare", "wait:fox", "sample:random", "--game", "zhiletka", "--seats", 2, "--blocks", 10, "--seed", 1)
    with waiting(*words, "--field", "sample:random", "--json", folder=tmp_path) as running:
        assert running.stdout
        assert running.stderr
        asked = invitation(running.stderr)
        asked.env["CARDARENA_ADDRESS"] = asked.tcp
        come(asked, "stateless", to_goodbye=False)  # it ends as soon as enough is known
        (facts,) = json.loads(running.stdout.read())

    assert facts["a"] == "fox"
    assert facts["faults"] == {}


def test_a_cup_refuses_it_with_the_mend(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path, bots='["wait:fox", "sample:random", "sample:stateless"]')
    told = cardarena("run", cup)

    assert told.code == 2
    assert "wait:fox: a bot that is waited for plays practice matches only; name its folder" in told.err


@pytest.mark.parametrize("words", [("check", "wait:fox"), ("submit", "wait:fox")])
def test_what_is_checked_or_stored_must_be_there(cardarena: Cardarena, words: tuple[str, ...]) -> None:
    told = cardarena(*words)

    assert told.code in (2, 3)
    assert "a bot that is waited for plays practice matches only" in told.err + told.out
