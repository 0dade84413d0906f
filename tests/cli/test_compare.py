"""`cardarena compare`: what it says, by which exit code, and what it refuses."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.arena import Played
from harness.comparison import BlockResult, Gathering
from tests.cli.command import Cardarena

CALMLY = "--no-clock"
"""On a machine that has no time a clock would say which of two bots was unlucky."""
PAIR = ("compare", "sample:steady", "sample:novice", CALMLY)
SMALL = ("--game", "zhiletka", "--seats", 2, CALMLY)


@pytest.mark.slow
def test_a_better_bot_is_shown_to_be_better_in_both_games(cardarena: Cardarena) -> None:
    told = cardarena(*PAIR, "--seed", 1, "--sandbox", "none")

    assert told.code == 0, told.out
    assert told.out.count("steady is better than novice: shown") == 2
    assert re.search(
        r"^guillotine, 4 seats, against sharp, steady#2, novice#2: steady in place of novice$", told.out, re.M
    )
    again = "again: cardarena compare sample:steady sample:novice --no-clock --sandbox none --seed 1"
    assert told.out.splitlines()[-1] == again
    assert "lost by a fault" not in told.out


@pytest.mark.slow
def test_a_bot_and_itself_are_alike_and_nothing_is_shown(cardarena: Cardarena) -> None:
    words = (
        "compare",
        "sample:random",
        "sample:random",
        "--game",
        "zhiletka",
        "--seats",
        2,
        "--field",
        "sample:novice",
    )
    told = cardarena(*words, "--seed", 3)

    assert told.code == 6
    assert (
        "random is better than random#2: not shown; in all 100 blocks both came to the same: they play alike"
        in told.out
    )


@pytest.mark.slow
def test_what_is_not_shown_says_how_many_blocks_would_be_needed_and_the_same_seed_says_the_same(
    cardarena: Cardarena,
) -> None:
    words = (*SMALL, "--field", "sample:steady", "sample:sharp", "--blocks", 12, "--seed", 4, "--json")
    told, again = (cardarena("compare", "sample:sharp", "sample:steady", *words) for _ in range(2))
    (facts,) = json.loads(told.out)

    assert told.out == again.out
    assert (told.code, facts["shown"], facts["verdict"], facts["blocks"]) == (6, False, "open", 12)
    assert (facts["matches"], facts["field"]) == (24, ["steady#2", "sharp#2"])
    assert facts["margin_low"] < 0.0 < facts["margin"]
    assert facts["blocks_needed"] > 12


@pytest.mark.slow
def test_in_self_play_they_meet_at_one_table(cardarena: Cardarena) -> None:
    told = cardarena(*PAIR, "--self-play", *SMALL, "--expect", "ahead>=0.5", "--seed", 5)

    assert told.code == 0
    assert "zhiletka, 2 seats, against each other: steady in place of novice" in told.out
    assert "ahead>=0.5 for steady: shown" in told.out


@pytest.mark.slow
def test_a_bot_that_cannot_start_ends_it_with_4_and_its_last_words(cardarena: Cardarena, tmp_path: Path) -> None:
    folder = tmp_path / "fox"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'schema = 1\n[bot]\nname = "fox"\nversion = "1"\ngames = ["zhiletka"]\n[run]\nargv = ["{python}", "bot.py"]\n'
    )
    (folder / "bot.py").write_text('raise SystemExit("no model")\n')
    told = cardarena("compare", "./fox", "sample:novice")

    assert told.code == 4
    assert "no model" in told.out
    assert "fox is withdrawn" in told.out


@pytest.mark.slow
def test_an_interruption_tells_what_is_known_and_ends_with_130(
    cardarena: Cardarena, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Gathering.add

    def add_two_blocks(self: Gathering, played: Played) -> Iterator[BlockResult]:
        if played.table.match_id.startswith("2/"):
            raise KeyboardInterrupt
        return add(self, played)

    monkeypatch.setattr(Gathering, "add", add_two_blocks)
    told = cardarena(*PAIR, "--game", "zhiletka", "--seats", 2, "--field", "sample:random", "--seed", 6)

    assert told.code == 130
    assert re.search(r"^  \d blocks of two matches", told.out, re.M)
    assert "steady is better than novice: not shown; nothing is said before 10 blocks" in told.out
    assert told.err.splitlines()[-1] == "cardarena: interrupted"


@pytest.mark.parametrize(
    ("words", "mend"),
    [
        (("sample:novice",), "compare wants two bots, A and B"),
        (("sample:novice", "sample:steady", "sample:sharp"), "opponents stand behind --field"),
        (("sample:novice", "sample:steady", "--self-play", "--field", "sample:sharp"), "exclude each other"),
        (("sample:novice", "sample:steady", "--seats", 9), "not 9"),
        (("sample:novice", "sample:steady", "--game", "whist"), "whist"),
        (("sample:novice", "sample:steady", "--expect", "better"), "write ahead>=0.80"),
        (("sample:novice", "sample:stedy"), "did you mean sample:steady?"),
    ],
)
def test_a_mistake_is_told_in_a_line_with_the_mend(cardarena: Cardarena, words: tuple[str, ...], mend: str) -> None:
    told = cardarena("compare", *words)

    assert told.code == 2
    assert mend in told.err
    assert told.out == ""
