"""Which season a verb speaks of is said by it, and an earlier one can be asked for."""

import json
from pathlib import Path

from tests.cli.command import Cardarena, play_without_processes, write_cup

AFTER = "spring: season two begins, after season one: its matches count from none"


def test_every_verb_says_which_season_it_shows_and_ladder_shows_any(cardarena: Cardarena, tmp_path: Path) -> None:
    one = write_cup(tmp_path, season='"one"')
    play_without_processes(one)
    first = cardarena("ladder")
    two = write_cup(tmp_path, season='"two"', matches="24")
    planned = cardarena("plan", two)
    play_without_processes(two)
    newest, asked, unknown = (cardarena("ladder", *words) for words in ([], ["--season", "one"], ["--season", "tow"]))
    as_json = [json.loads(cardarena("ladder", "--json", *words).out) for words in ([], ["--season", "one"])]
    back = cardarena("run", write_cup(tmp_path, season='"one"'))

    assert first.out.splitlines()[0] == "Spring Cup, season one"
    assert (planned.err, planned.out.splitlines()[0]) == (
        f"{AFTER}\n",
        "Spring Cup, season two: round 2, balanced, zhiletka",
    )
    assert newest.out.splitlines()[0] == "Spring Cup, season two"
    assert [told["season"] for told in as_json] == ["two", "one"]
    assert asked.out == first.out != newest.out
    assert (unknown.code, unknown.err) == (2, "cardarena: spring has no season tow; did you mean two?\n")
    assert back.err.splitlines()[0] == "the newest round of spring is of season two; this file goes on with season one"
    assert back.out.splitlines()[0] == "Spring Cup, season one"


def test_a_season_line_that_was_deleted_is_told(cardarena: Cardarena, tmp_path: Path) -> None:
    play_without_processes(write_cup(tmp_path, season='"one"'))
    planned = cardarena("plan", write_cup(tmp_path, season=""))

    assert planned.err == ("spring: a season without a name begins, after season one: its matches count from none\n")
