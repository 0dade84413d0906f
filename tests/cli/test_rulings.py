"""`void`, `withdraw` and `rulings`: what they print, and that a dry run decides nothing."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.command import Cardarena

MATCH = "spring/1/000002"
WHY = "the lights went out"


@pytest.fixture
def own(spring: Path, tmp_path: Path, cardarena: Cardarena) -> Path:
    """A copy of the cup that has been played, in which things may be decided: where commands run."""
    shutil.copytree(spring, tmp_path, dirs_exist_ok=True)
    return tmp_path


def listed(cardarena: Cardarena) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(cardarena("rulings", "--json").out)
    return found


def test_a_void_match_is_told_listed_and_marked_and_undone(cardarena: Cardarena, own: Path) -> None:
    before = cardarena("ladder", "--json").out
    told = cardarena("void", MATCH, "--reason", WHY)
    between = cardarena("ladder")
    shown = json.loads(cardarena("ladder", "--json").out)
    ignoring = cardarena("ladder", "--json", "--ignore-rulings").out
    replay = cardarena("replay", MATCH)
    table = cardarena("rulings")
    undo = cardarena("rulings", "--undo", "1")

    assert (told.code, told.err) == (0, "")
    assert told.out == (
        f"ruling 1: {MATCH} is void, with its block 1: {WHY}\n"
        "`cardarena run` plays what is void again, with new deals\n"
    )
    assert between.out.endswith(
        "1 block of matches void, 1 by the organiser and 0 where the harness failed; none of them played again yet; "
        "`cardarena rulings` tells why\n"
    )
    assert shown["void"] == [{"round": 1, "block": 1}]
    assert shown["rulings"] == [
        {"kind": "void", "round": 1, "block": 1, "match": MATCH, "bot": None, "reason": WHY},
    ]
    assert ignoring == before
    assert replay.out.splitlines()[1] == f"  void    by ruling 1: {WHY}"
    assert all(text in table.out for text in (MATCH, "organiser", WHY))
    assert undo.out == f"ruling 1: {MATCH} is void, with its block 1: {WHY}; undone\nits block counts again\n"
    assert cardarena("ladder", "--json").out == before
    assert listed(cardarena)[0]["undone"] is not None


def test_plan_says_that_void_blocks_are_played_again(cardarena: Cardarena, own: Path) -> None:
    cardarena("void", MATCH, "spring/1/000008", "--reason", WHY)
    told = cardarena("plan", "cup.toml")
    as_json = json.loads(cardarena("plan", "cup.toml", "--json").out)

    assert "plays again    2 void blocks of round 1, with new deals" in told.out.splitlines()
    assert (as_json["round"], as_json["replay"]) == (2, {"round": 1, "blocks": [1, 3]})
    assert as_json["matches"] == 6


def test_one_void_block_is_told_as_one(cardarena: Cardarena, own: Path) -> None:
    cardarena("void", MATCH, "--reason", WHY)

    told = cardarena("plan", "cup.toml").out.splitlines()

    assert "plays again    1 void block of round 1, with new deals" in told
    assert any(line.startswith("matches ") and line.endswith(" 3 in 1 block") for line in told)


def test_json_has_the_documented_members(cardarena: Cardarena, own: Path) -> None:
    void = json.loads(cardarena("void", MATCH, "--reason", WHY, "--json").out)
    withdrawn = json.loads(cardarena("withdraw", "raw-stub", "--reason", WHY, "--json").out)

    assert list(void) == ["dry_run", "rulings"]
    assert void["rulings"] + withdrawn["rulings"] == listed(cardarena)
    first, second = listed(cardarena)
    at = first.pop("at")
    assert str(at).endswith("Z")
    assert first == {
        "ruling": 1,
        "kind": "void",
        "cup": "spring",
        "round": 1,
        "match": MATCH,
        "block": 1,
        "bot": None,
        "reason": WHY,
        "undone": None,
    }
    assert (second["kind"], second["bot"], second["match"], second["block"]) == ("withdraw", "raw-stub", None, None)


@pytest.mark.parametrize("words", [("void", MATCH), ("withdraw", "raw-stub")])
def test_a_dry_run_shows_standings_before_and_after_and_decides_nothing(
    cardarena: Cardarena, own: Path, words: tuple[str, str]
) -> None:
    before = cardarena("ladder", "--json").out
    dry = cardarena(*words, "--reason", WHY, "--dry-run")
    as_json = json.loads(cardarena(*words, "--reason", WHY, "--dry-run", "--json").out)
    assert (listed(cardarena), cardarena("ladder", "--json").out) == ([], before)
    cardarena(*words, "--reason", WHY)
    after = cardarena("ladder", "--json").out
    undo = json.loads(cardarena("rulings", "--undo", "1", "--dry-run", "--json").out)

    lines = dry.out.splitlines()
    assert lines[0].startswith("would be: ")
    assert {"spring, before:", "spring, after:"} <= set(lines)
    assert as_json["standings"] == [{"cup": "spring", "before": json.loads(before), "after": json.loads(after)}]
    assert undo["standings"] == [{"cup": "spring", "before": json.loads(after), "after": json.loads(before)}]
    assert listed(cardarena)[0]["undone"] is None


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (["void", "spring/1/000099", "--reason", WHY], "there is no match spring/1/000099"),
        (["void", "17", "--reason", WHY], "not a match: '17'"),
        (["void", MATCH], "--reason"),
        (["void", MATCH, "--reason", " "], "--reason is empty; write why, for everybody to read"),
        (["void", MATCH, "--reason", "a\x1b[2Jb"], "--reason holds U+001B"),
        (["withdraw", "fox", "--reason", WHY], "fox does not play in spring"),
        (["withdraw", "raw-stub", "--reason", WHY, "--cup", "autumn"], "no cup called autumn"),
        (["rulings", "--undo", "3"], "there is no ruling 3"),
        (["rulings", "--dry-run"], "--dry-run goes with --undo"),
        (["ladder", "--ignore-rulings", "--history"], "--history goes with no other option"),
    ],
)
def test_a_mistake_is_told_in_a_line_and_decides_nothing(
    cardarena: Cardarena, own: Path, words: list[str], mistake: str
) -> None:
    told = cardarena(*words)

    assert (told.code, told.out) == (2, "")
    assert mistake in told.err
    assert listed(cardarena) == []
