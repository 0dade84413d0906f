"""Two fault bots that break no rule: one signals where it sits, the other gives itself up for it. The ladder tells."""

import json
from pathlib import Path

import numpy as np
import pytest

from harness.doctor.fault_bot import fault_bots_folder
from harness.local import load, play
from tests.cli.command import Cardarena

FRIENDS = ("signals_to_a_friend", "loses_to_its_friend")
HONEST = ("novice", "novice#2", "novice#3", "novice#4", "novice#5")
MATCHES = 1000


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of four, drawn from the two and five honest bots, all alike."""
    folder = fault_bots_folder() / "no_fault"
    bots = {name: load(folder / name) for name in FRIENDS} | dict.fromkeys(HONEST, load("sample:novice"))
    chance = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("friends") / "results.jsonl"
    with path.open("w") as file:
        for number in range(MATCHES):
            table = [str(name) for name in chance.permutation(list(bots))[:4]]
            record = play("zhiletka", [bots[name] for name in table], seed=number)
            assert not record.faults
            result = {"match": f"{number:04d}", "bots": table, "places": record.places, "points": record.points}
            file.write(json.dumps(result) + "\n")
    return path


@pytest.mark.slow
def test_two_that_signal_and_give_way_are_named_and_nobody_else(results: Path, cardarena: Cardarena) -> None:
    told = cardarena("ladder", "--from", results)

    named = [line for line in told.out.splitlines() if "than elsewhere" in line or "than apart" in line]
    assert len(named) == 1
    assert named[0].startswith("signals_to_a_friend did better where loses_to_its_friend sat than elsewhere: by ")
