"""`cardarena import`: what came in is told, for people and as JSON; what does not fit is one line."""

import importlib
import json
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.ledger import Ledger
from tests.cli.command import Cardarena
from tests.store.made_up import begun


def test_a_home_comes_into_another_and_the_ladders_are_the_same(
    cardarena: Cardarena, home: Path, tmp_path: Path
) -> None:
    here = tmp_path / "here"
    first = cardarena("import", home, "--home", here)
    again = cardarena("import", home / "arena.db", "--json", "--home", here)

    assert first == (0, "spring: 1 round and 12 matches added\n", "")
    assert json.loads(again.out) == [
        {"cup": "spring", "round_count": 0, "match_count": 0, "known_count": 12, "waiting": []}
    ]
    assert cardarena("ladder", "--json", "--home", here).out == cardarena("ladder", "--json", "--home", home).out


def test_a_published_site_comes_in(cardarena: Cardarena, home: Path, tmp_path: Path) -> None:
    cardarena("publish", tmp_path / "site", "--home", home)

    told = cardarena("import", tmp_path / "site", "--home", tmp_path / "here")

    assert told == (0, "spring: 1 round and 12 matches added\n", "")
    assert cardarena("verify", "--home", tmp_path / "here").code == 0


def test_what_does_not_fit_is_one_line(cardarena: Cardarena, home: Path, tmp_path: Path) -> None:
    records = tmp_path / "new.jsonl"
    records.write_text(cardarena("replay", "--all", "--jsonl", "--home", home).out)

    told = cardarena("import", records, "--home", tmp_path / "here")

    assert (told.code, told.out) == (2, "")
    assert told.err.startswith(f"cardarena: {records}: line 1: spring/1/000001: nothing of that cup is here; ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("where", ["here", "a/new/place"])
def test_what_fails_leaves_no_home_that_was_not_there(
    cardarena: Cardarena, home: Path, tmp_path: Path, where: str
) -> None:
    torn = tmp_path / "torn.db"
    torn.write_bytes((home / "arena.db").read_bytes()[:20_000])
    before = sorted(tmp_path.rglob("*"))
    told = cardarena("import", torn, "--home", tmp_path / where)

    assert (told.code, told.err.count("\n")) == (2, 1)
    assert sorted(tmp_path.rglob("*")) == before


def test_what_fails_takes_away_only_what_it_made(cardarena: Cardarena, home: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.db"
    torn.write_bytes((home / "arena.db").read_bytes()[:20_000])
    here = tmp_path / "here"
    here.mkdir()
    (here / "arena.toml").write_text("[runtimes]\n")
    cardarena("import", torn, "--home", here)
    left = list(here.iterdir())
    cardarena("import", home, "--home", here)
    whole = sorted(here.rglob("*"))
    cardarena("import", torn, "--home", here)

    assert left == [here / "arena.toml"]
    assert sorted(here.rglob("*")) == whole


@pytest.mark.parametrize("is_open", [False, True])
def test_a_home_that_another_process_uses_meanwhile_stays(
    cardarena: Cardarena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_open: bool
) -> None:
    path = tmp_path / "here" / "arena.db"
    others = []

    def fail_late(*_: object, **__: object) -> None:
        others.append(Ledger(path) if is_open else begun(path))
        if not is_open:
            others.pop().close()
        raise HarnessError("torn")

    monkeypatch.setattr(importlib.import_module("harness.cli.import"), "take_in", fail_late)
    (tmp_path / "new.jsonl").touch()
    told = cardarena("import", "new.jsonl", "--home", "here")

    assert told.err == "cardarena: torn\n"
    assert {path, path.parent / "bots", path.parent / "logs"} <= set(path.parent.iterdir())
    for other in others:
        other.close()


def test_a_file_without_a_match_is_said_to_hold_none(cardarena: Cardarena, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("\n")
    empty = tmp_path / "empty.jsonl.gz"
    empty.write_bytes(b"")

    told = cardarena("import", "none.jsonl", "empty.jsonl.gz", "--home", tmp_path / "new")

    assert (told.code, told.err) == (0, "")
    assert told.out == "nothing to add: no round and no match in none.jsonl, empty.jsonl.gz\n"
