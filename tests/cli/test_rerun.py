"""`cardarena rerun`: a recorded match again, with the version that played, another bot, or one that dials in.

The bots of the cup called `random` chose as the sample bot does with the same seed; `stateless` chose otherwise.
"""

import json
from pathlib import Path

import pytest

from harness.record import MatchRecord
from harness.store.ledger import Ledger
from tests.cli.command import Cardarena
from tests.cli.waiting import come, invitation, waiting

MATCH = "spring/1/000001"


def seat_of(home: Path, name: str, match: str = MATCH) -> int:
    return [seat.bot for seat in record_of(home, match).seats].index(name)


def record_of(home: Path, match: str = MATCH) -> MatchRecord:
    with Ledger(home / "arena.db") as ledger:
        return ledger.record(match)


@pytest.fixture(scope="module")
def stateless(spring: Path) -> str:
    """The first match in which `stateless` sits."""
    with Ledger(spring / ".cardarena" / "arena.db") as ledger:
        records = ledger.records("spring")
        return next(record.match for record in records if "stateless" in [seat.bot for seat in record.seats])


@pytest.mark.slow
def test_the_version_that_played_does_the_same_again_and_nothing_is_stored(cardarena: Cardarena, home: Path) -> None:
    before = (home / "arena.db").read_bytes()
    told = cardarena("rerun", MATCH, "--seat", seat_of(home, "random"), "--home", home)
    lines = told.out.splitlines()

    assert told.code == 0
    assert lines[0] == f"{MATCH}: zhiletka, seat {seat_of(home, 'random')}, random 1.0.0, the version that played"
    assert len(lines) == 3
    assert ", 0 otherwise; thought 0.000 s then, 0." in lines[2]
    assert int(lines[2].split()[0]) > 5
    assert (home / "arena.db").read_bytes() == before


@pytest.mark.slow
def test_every_difference_is_told_with_what_the_seat_knew(cardarena: Cardarena, home: Path, stateless: str) -> None:
    told = cardarena("rerun", stateless, "--bot", "sample:stateless", "--home", home)
    facts = json.loads(cardarena("rerun", stateless, "--bot", "sample:stateless", "--json", "--home", home).out)

    first = facts["differences"][0]
    assert (told.code, facts["decisions"], facts["not_compared"]) == (0, decision_count(cardarena, home, stateless), 0)
    assert facts["now"] == "sample:stateless for stateless 1.0.0"
    assert told.out.count("\nthen     ") == told.out.count("\nnow      ") == len(facts["differences"]) > 2
    assert f"\ndeal {first['deal']}, trick {first['trick']}, action {first['action']}\n" in told.out
    for difference in facts["differences"]:
        assert difference["then"] != difference["now"]
        assert {difference["then"], difference["now"]} <= set(difference["legal"])
        assert record_of(home, stateless).deals[difference["deal"]].actions[difference["action"]] == difference["then"]
        assert difference["then_ms"] == 0.001
        assert difference["now_ms"] > 0
    assert max(map(len, told.out.splitlines()[1:])) <= 80
    assert "\x1b" not in told.out


def decision_count(cardarena: Cardarena, home: Path, match: str) -> int:
    rows = map(json.loads, cardarena("replay", "--all", "spring", "--decisions", "--home", home).out.splitlines())
    return sum(row["match"] == match and row["bot"] == "stateless" for row in rows)


@pytest.mark.slow
def test_a_fork_stops_comparing_at_the_first_difference_and_tells_how_it_ended(
    cardarena: Cardarena, home: Path, stateless: str
) -> None:
    words = ("rerun", stateless, "--bot", "sample:stateless", "--fork", "--no-clock", "--home", home)
    facts = json.loads(cardarena(*words, "--json").out)
    told = cardarena(*words)

    (difference,) = facts["differences"]
    assert difference["now"] != difference["then"]
    assert isinstance(facts["points"]["now"], int)
    assert "from there on its own, the house playing the others: place " in told.out


@pytest.mark.slow
def test_what_a_bot_printed_is_kept_where_one_asks_for_it(
    cardarena: Cardarena, home: Path, stateless: str, tmp_path: Path
) -> None:
    folder = tmp_path / "stateless"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'schema = 1\n[bot]\nname = "stateless"\nversion = "2"\ngames = ["zhiletka"]\n'
        '[run]\nargv = ["{python}", "bot.py"]\n'
    )
    (folder / "bot.py").write_text(
        "import sys\nfrom harness.bot import Bot, run\n\nclass Fox(Bot):\n    def choose(self, view):\n"
        "        print('deal', view.deal_index, file=sys.stderr)\n        raise RuntimeError('lost \\x1b[31m')\n"
        "\nrun(Fox)\n"
    )
    told = cardarena("rerun", stateless, "--bot", "./stateless", "--log", "said.txt", "--home", home)

    assert told.code == 0
    assert (tmp_path / "said.txt").read_text().startswith("deal 0\n")
    assert "1 decision: 0 the same, 1 otherwise" in told.out
    assert "it was asked no more: " in told.out
    assert "now      crashed: exited with code 1" in told.out
    assert "RuntimeError: lost \\x1b[31m" in told.out
    assert "\x1b" not in told.out + told.err


@pytest.mark.slow
def test_a_bot_that_is_waited_for_meets_the_match_of_then(spring: Path, home: Path) -> None:
    seat = seat_of(home, "random")
    with waiting(
        "rerun", MATCH, "--bot", "wait:random", "--seat", seat, "--no-clock", "--json", folder=spring
    ) as running:
        assert running.stdout
        assert running.stderr
        asked = invitation(running.stderr)
        come(asked, "random")
        facts = json.loads(running.stdout.read())

    assert asked.command == "python bot.py"
    assert facts["decisions"] > 5
    assert facts["differences"] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([MATCH], "spring/1/000001: in which seat? --seat 0 ("),
        ([MATCH, "--bot", "sample:novice"], "spring/1/000001: in which seat? --seat 0 ("),
        ([MATCH, "--seat", "3"], "spring/1/000001: there is no seat 3, it has seats 0 to 2"),
        ([MATCH, "--bot", "./nowhere"], "./nowhere: no such folder"),
        (["spring/1/000099"], "there is no match spring/1/000099"),
        (["17"], "not a match: '17'"),
    ],
)
def test_what_cannot_be_played_again_is_one_line(cardarena: Cardarena, home: Path, words: list[str], said: str) -> None:
    told = cardarena("rerun", *words, "--home", home)

    assert told.code == 2
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1


def test_without_the_secret_of_its_round_that_is_said_and_a_version_elsewhere_names_the_mend(
    cardarena: Cardarena, home: Path, tmp_path: Path
) -> None:
    lines = tmp_path / "matches.jsonl"
    lines.write_text(cardarena("replay", "--all", "spring", "--jsonl", "--home", home).out)
    told = cardarena("import", home / "arena.db", "--home", tmp_path / "elsewhere")
    again = cardarena("rerun", MATCH, "--seat", "0", "--home", tmp_path / "elsewhere")

    assert told.code == 0
    assert again.code == 2
    assert "or name another bot for the seat: --bot ./FOLDER" in again.err
