"""`cardarena demo`: both games, played now by separate processes, in a folder of its own."""

import errno
import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from harness.cli import demo
from harness.store.ledger import Ledger
from tests.cli.command import Cardarena, run_apart

GRADES = ("sharp", "steady", "novice", "random")


def test_a_demo_on_a_full_disk_leaves_no_empty_cup_file(
    cardarena: Cardarena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, _text: str) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    told = cardarena("demo")

    assert told.code == 2
    assert told.err == "cardarena: cardarena-demo: cannot be written: No space left on device; name another folder\n"
    assert list((tmp_path / "cardarena-demo").glob("*.toml")) == []


@pytest.mark.slow
def test_a_small_demo_prints_a_ladder_a_game_and_leads_on(
    cardarena: Cardarena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {game: re.sub(r"matches = \d+", "matches = 24", text) for game, text in demo.CUPS.items()}
    monkeypatch.setattr(demo, "CUPS", small)
    told = cardarena("demo", "my demo")
    again = cardarena("demo", "my demo", "--json")
    leads = re.findall(r"^  cardarena (.+)$", told.out, re.MULTILINE)

    assert told.code == 0
    assert told.out.count("Not enough data: nobody has the 30 matches that a rank asks for.") == 2
    assert [ladder["cup"] for ladder in json.loads(again.out)] == ["guillotine-demo", "zhiletka-demo"]
    assert [ladder["matches"] for ladder in json.loads(again.out)] == [24, 8 + 6 + 8]
    assert again.err == ""
    assert len(leads) == 3
    assert [cardarena(*shlex.split(words)).code for words in leads] == [0, 0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["my demo"]


@pytest.mark.wide
@pytest.mark.timeout(600)
def test_the_demo_shows_the_grades_of_the_house_bots_and_stays_what_it_was(tmp_path: Path) -> None:
    told = run_apart("demo", "--json", folder=tmp_path)
    ladders = {ladder["game"]: ladder for ladder in json.loads(told.out)}
    verified = run_apart("verify", "--home", tmp_path / "cardarena-demo" / ".cardarena", folder=tmp_path)

    assert told.code == 0
    assert verified.code == 0
    for ladder in ladders.values():
        rows = ladder["bots"]
        assert tuple(row["bot"] for row in rows) == GRADES
        assert all(better["elo_low"] > worse["elo_high"] for better, worse in pairwise(rows))
        assert all(row["faults"] == 0 for row in rows)
    with Ledger(tmp_path / "cardarena-demo" / ".cardarena" / "arena.db") as ledger:
        assert [row.cup for row in ledger.cups()] == ["guillotine-demo", "zhiletka-demo"]
