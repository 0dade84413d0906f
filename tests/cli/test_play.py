"""`cardarena play`: a person at a table with bots, by scripted input; the deals are those of the seed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli import play
from tests.cli.command import COMMAND_TIMEOUT_S, ROOT, Cardarena, environment

SHORT = ("zhiletka", "--option", "hands_per_seat=1", "--seed", 3, "--quiet")


class Script:
    """Answers every prompt with the next of its words, then with nothing more."""

    words: tuple[str, ...] = ()
    asked: int = 0

    async def __call__(self, prompt: str) -> str | None:
        print(prompt)
        cls = type(self)
        cls.asked += 1
        return cls.words[cls.asked - 1] if cls.asked <= len(cls.words) else None


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> type[Script]:
    made = type("Made", (Script,), {})
    monkeypatch.setattr(play, "_Keyboard", made)
    return made


@pytest.mark.slow
def test_a_whole_match_is_played_and_the_result_told(cardarena: Cardarena, script: type[Script]) -> None:
    script.words = ("1",) * 100
    told = cardarena("play", *SHORT, "--seat", 1, "sample:random", "--sandbox", "none")
    lines = told.out.splitlines()

    assert (told.code, told.err) == (0, "")
    assert lines[:2] == ["seat 0  random", "seat 1  you"]
    assert "deal 2 of 2, " in told.out
    assert sorted(line.split()[1] for line in lines if line[:3] in ("1. ", "2. ")) == ["random", "you"]
    assert lines[-1] == (
        "the same deals again: cardarena play zhiletka sample:random --fill sample:stateless --seat 1 --seed 3 "
        "--option hands_per_seat=1 --sandbox none"
    )


@pytest.mark.slow
def test_the_same_answers_give_the_same_match(cardarena: Cardarena, script: type[Script]) -> None:
    script.words = ("?", "", "zz", *("1",) * 100)
    first = cardarena("play", *SHORT, "--seat", 0)
    script.asked = 0
    again = cardarena("play", *SHORT, "--seat", 0)

    assert first == again
    assert "Zhiletka: everybody pays an ante" in first.out
    assert "zz is no choice here" in first.out


@pytest.mark.slow
def test_an_opponent_that_fails_is_told_with_its_last_words_and_the_match_goes_on(
    cardarena: Cardarena, script: type[Script], tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "tests" / "fault_bots" / "crashed" / "crash_in_move", tmp_path / "crash")
    script.words = ("1",) * 100
    told = cardarena("play", *SHORT, "--seat", 1, "--sandbox", "limits", "./crash")

    assert told.code == 0
    assert "crash-in-move is at fault (crashed): from here the house plays for it" in told.out
    assert "crash-in-move exited with code 1\n  crash-in-move: " in told.out


@pytest.mark.slow
def test_the_level_of_the_sandbox_is_told(cardarena: Cardarena, script: type[Script]) -> None:
    told = cardarena("play", "zhiletka", "--seed", 3, "--sandbox", "none")

    assert told.err.startswith("sandbox none")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("q",), ()])
def test_one_may_leave_at_any_time(cardarena: Cardarena, script: type[Script], words: tuple[str, ...]) -> None:
    script.words = words
    told = cardarena("play", "guillotine", "--seed", 5)

    assert told.code == 0
    assert "\nyou have left the table\n" in told.out
    assert sum(line.startswith("seat ") for line in told.out.splitlines()) == 4


@pytest.mark.slow
def test_lines_are_read_from_stdin_and_its_end_leaves(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness.cli", "play", *map(str, SHORT), "--seat", "1"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment(),
        input=b"1\n1",
        capture_output=True,
        timeout=COMMAND_TIMEOUT_S,
        check=False,
    )

    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.count(b"? rules, q leaves > ") == 3
    assert "you have left the table" in done.stdout.decode()
    assert b"\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["chess"], "no game called 'chess'"),
        (["guillotine", *["sample:random"] * 4], "guillotine is played against 3 bots, not 4"),
        (["zhiletka", "--seat", "5"], "--seat 5: this table has the seats 0 to 1"),
        (["zhiletka", "--option", "hands"], "--option hands: write NAME=VALUE, such as hands_per_seat=2"),
        (["zhiletka", "--option", "hands_per_seat=lots"], "hands_per_seat"),
        (["zhiletka", "sample:randm"], "did you mean sample:random?"),
    ],
)
def test_what_cannot_be_played_is_told(cardarena: Cardarena, words: list[str], complaint: str) -> None:
    told = cardarena("play", *words)

    assert (told.code, told.out) == (2, "")
    assert complaint in told.err
