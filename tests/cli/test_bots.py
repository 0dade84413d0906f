"""`cardarena bots`: what the home holds."""

import json
from pathlib import Path

from tests.cli.command import Cardarena


def test_every_version_is_listed_with_what_it_has_done(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("bots", "--home", home)
    rows = json.loads(cardarena("bots", "--json", "--home", home).out)

    assert (told.code, told.err) == (0, "")
    assert [line.split()[0] for line in told.out.splitlines()[2:]] == ["random", "raw-stub", "stateless"]
    assert [(row["bot"], row["matches"], row["faults"]) for row in rows] == [
        ("random", 18, 0),
        ("raw-stub", 9, 0),
        ("stateless", 9, 0),
    ]
    assert not any(row["submitted"] or row["retired"] for row in rows)


def test_one_bot_is_listed_alone_and_one_that_is_not_there_is_a_mistake(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("bots", "raw-stub", "--json", "--home", home)
    unknown = cardarena("bots", "raw-stop", "--home", home)

    assert [row["bot"] for row in json.loads(told.out)] == ["raw-stub"]
    assert unknown == (2, "", "cardarena: no bot called raw-stop; did you mean raw-stub?\n")
