"""`cardarena match`: one practice match, repeated by its seed, the same over gRPC as in process."""

import re
from pathlib import Path

import pytest

from harness import local
from harness.record import MatchRecord, replay
from tests.cli.command import Cardarena
from tests.sample_bots.programs import bot_class
from tests.workshop.folders import bot_folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "names"),
    [("zhiletka", ["random", "stateless", "random"]), ("guillotine", ["stateless", "random", "stateless", "random"])],
)
def test_a_match_over_grpc_is_the_match_of_the_same_classes_in_process(
    cardarena: Cardarena, game: str, names: list[str]
) -> None:
    told = cardarena("match", game, *(f"sample:{name}" for name in names), "--seed", 5, "--json")
    record = MatchRecord.from_json(told.out)
    in_process = local.play(game, [bot_class(name) for name in names], seed=5)

    assert told.code == 0
    assert record.deals == in_process.deals
    assert (record.points, record.places) == (in_process.points, in_process.places)
    assert record.first_dealer == in_process.first_dealer
    assert [seat.bot.partition("#")[0] for seat in record.seats] == names


@pytest.mark.slow
def test_the_same_seed_gives_the_same_record_and_the_command_that_repeats_it_is_told(cardarena: Cardarena) -> None:
    first = cardarena("match", "zhiletka", "sample:stateless", "--fill", "sample:raw-stub")
    again = re.search(r"^seed (\d+); again: cardarena (.+)$", first.out, re.MULTILINE)
    assert again is not None
    records = [MatchRecord.from_json(cardarena(*again[2].split(), "--json").out) for _ in range(2)]

    assert records[0].digest() == records[1].digest()
    assert again[2] == f"match zhiletka sample:stateless --fill sample:raw-stub --seed {again[1]}"
    points = {line.split()[1]: int(line.split()[3]) for line in first.out.splitlines()[2:4]}
    assert points == {seat.bot: points for seat, points in zip(records[0].seats, records[0].points, strict=True)}
    replay(records[0])


@pytest.mark.slow
def test_watching_tells_the_cards(cardarena: Cardarena) -> None:
    words = ("--seed", 1, "--watch", "--no-clock", "--sandbox", "none")
    told = cardarena("match", "zhiletka", "sample:random", "sample:random", *words)

    assert told.code == 0
    assert "\ndeal 0, dealer random" in told.out
    assert told.out.splitlines()[-1].endswith("--seed 1 --no-clock --sandbox none")


@pytest.mark.slow
def test_the_folder_of_a_stranger_writes_nothing_but_text_on_the_terminal(cardarena: Cardarena, tmp_path: Path) -> None:
    bot_folder(tmp_path / "\x1b[2J\u202e", "fox")  # it does not play, and is told
    told = cardarena("match", "zhiletka", "\x1b[2J\u202e/fox", "sample:random", "--seed", 1)

    assert "again: cardarena match zhiletka '\\x1b[2J\\u202e/fox' sample:random --seed 1" in told.out
    assert "\x1b" not in told.out + told.err
    assert "\u202e" not in told.out + told.err


@pytest.mark.slow
def test_a_match_leaves_nothing_behind(cardarena: Cardarena, tmp_path: Path) -> None:
    cardarena("match", "zhiletka", "sample:random", "sample:random")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_bot_that_cannot_start_is_named_with_its_last_words_and_ends_with_4(
    cardarena: Cardarena, tmp_path: Path
) -> None:
    folder = tmp_path / "fox"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'schema = 1\n[bot]\nname = "fox"\nversion = "1"\ngames = ["zhiletka"]\n[run]\nargv = ["{python}", "bot.py"]\n'
    )
    (folder / "bot.py").write_text('raise SystemExit("no \\x1b[31mmodel\\x1b[0m [red]here[/red]")\n')
    told = cardarena("match", "zhiletka", "./fox", "sample:random", "--seed", 1)
    record = MatchRecord.from_json(cardarena("match", "zhiletka", "./fox", "sample:random", "--json").out)

    assert told.code == 4
    assert "\x1b" not in told.out + told.err
    assert "no \\x1b[31mmodel\\x1b[0m [red]here[/red]" in told.out
    assert re.search(r"^fox: start: .* exited with code 1 before it said Hello$", told.out, re.MULTILINE)
    assert told.out.count("\nfox exited with code 1\n") == 1
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, "start")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gilotine", "sample:random"], "gilotine"),
        (["guillotine", *["sample:random"] * 5], "guillotine seats 4, not 5"),
        (["zhiletka", *["sample:random"] * 7], "zhiletka seats 2 or 3 or 4 or 5 or 6, not 7"),
        (["zhiletka", "sample:randum"], "sample:randum: no such sample bot; did you mean sample:random?"),
        (
            ["zhiletka", "random"],
            "random: neither a folder with a bot.toml nor a submitted bot; did you mean sample:random?",
        ),
        (["zhiletka", "./nowhere"], "./nowhere: no such folder"),
        (["zhiletka", "wait:Fox"], "wait:Fox: a name must be 1 to 40 of a-z"),
        (["zhiletka", "wait:"], "wait:: a name must be 1 to 40 of a-z"),
        (["zhiletka", "fox.zip"], "fox.zip: no such archive"),
        (["guillotine", "GNU"], "gnu does not play guillotine: its bot.toml says zhiletka"),
        (["zhiletka", "\x1b[31mfox"], "\\x1b[31mfox: no folder with a bot.toml fits"),
    ],
)
def test_what_cannot_be_played_is_one_line(cardarena: Cardarena, tmp_path: Path, words: list[str], said: str) -> None:
    gnu = tmp_path / "gnu"
    gnu.mkdir()
    (gnu / "bot.toml").write_text(
        'schema = 1\n[bot]\nname = "gnu"\nversion = "1"\ngames = ["zhiletka"]\n[run]\nargv = ["x"]\n'
    )
    told = cardarena("match", *(word.replace("GNU", str(gnu)) for word in words))

    assert told.code == 2
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1
    assert "\x1b" not in told.err
