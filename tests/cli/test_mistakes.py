"""An operator's mistakes: exit code 2, a line for each with the mend, nothing on stdout, nothing written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.store.ledger import Ledger
from tests.cli.command import Cardarena, Outcome, play_without_processes, write_cup


def assert_mistakes(told: Outcome, *said: str) -> None:
    lines = told.err.splitlines()
    assert (told.code, told.out) == (2, "")
    assert len(lines) == len(said)
    for line, part in zip(lines, said, strict=True):
        assert line.startswith("cardarena: ")
        assert part in line


@pytest.mark.parametrize("verb", ["run", "plan"])
def test_a_cup_file_that_is_not_there(cardarena: Cardarena, verb: str) -> None:
    assert_mistakes(cardarena(verb, "nowhere.toml"), "nowhere.toml")


@pytest.mark.parametrize("words", [("ladder", "--home", "a" * 300), ("replay", "1", "--home", "b" * 5000)])
def test_a_path_that_no_system_takes(cardarena: Cardarena, words: tuple[str, ...]) -> None:
    assert_mistakes(cardarena(*words), "File name too long")


@pytest.mark.parametrize("verb", ["run", "plan"])
def test_a_file_that_is_no_toml(cardarena: Cardarena, tmp_path: Path, verb: str) -> None:
    (tmp_path / "cup.toml").write_text("[cup\n")

    assert_mistakes(cardarena(verb, "cup.toml"), "cup.toml")


@pytest.mark.parametrize("verb", ["run", "plan"])
def test_keys_that_nobody_knows_are_told_all_at_once_with_the_ones_meant(
    cardarena: Cardarena, tmp_path: Path, verb: str
) -> None:
    cup = write_cup(tmp_path, maches="12", duplicat="true")

    assert_mistakes(cardarena(verb, cup), "did you mean matches?", "did you mean duplicate?")
    assert not (tmp_path / ".cardarena").exists()


def test_bots_that_cannot_be_found_are_told_all_at_once_and_no_home_is_made(
    cardarena: Cardarena, tmp_path: Path
) -> None:
    cup = write_cup(
        tmp_path, bots='["sample:randum", "./nowhere", "sample:random"]', anchor='{ "sample:stateles" = 1500 }'
    )

    told = cardarena("run", cup)

    assert_mistakes(told, "did you mean sample:random?", "./nowhere: no such folder", "did you mean sample:stateless?")
    assert not (tmp_path / ".cardarena").exists()


def test_bots_that_cannot_play_are_told_all_at_once_and_nothing_is_stored(cardarena: Cardarena, tmp_path: Path) -> None:
    for name in ("gnu", "elk"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text(
            f'schema = 1\n[bot]\nname = "{name}"\nversion = "1"\ngames = ["guillotine"]\n[run]\nargv = ["x"]\n'
        )
    cup = write_cup(tmp_path, bots='["sample:random", "./gnu", "sample:stateless", "./elk"]')

    told = cardarena("run", cup)

    assert_mistakes(told, "gnu does not play zhiletka", "elk does not play zhiletka")
    assert not (tmp_path / ".cardarena").exists()


def test_a_sandbox_that_is_required_and_not_asked_for(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    cup.write_text(cup.read_text() + '[limits]\nsandbox = "limits"\n')

    assert_mistakes(cardarena("run", cup, "--require-sandbox"), 'a sandbox is required, and "limits" is asked for')
    assert not (tmp_path / ".cardarena").exists()


@pytest.mark.parametrize(
    "words", [["ladder"], ["bots"], ["verify"], ["replay", "--all", "--jsonl"], ["replay", "a/1/000001"]]
)
def test_a_home_that_is_not_there_is_not_made(cardarena: Cardarena, tmp_path: Path, words: list[str]) -> None:
    assert_mistakes(cardarena(*words), "no home at")
    assert_mistakes(cardarena(*words, "--home", tmp_path / "x"), "no home at")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["ladder"], ["bots"], ["verify"], ["run", "cup.toml"], ["plan", "cup.toml"]])
def test_a_ledger_that_is_a_text_file(cardarena: Cardarena, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / ".cardarena").mkdir()
    (tmp_path / ".cardarena" / "arena.db").write_text("Dear diary, today I played cards.\n" * 100)
    write_cup(tmp_path)

    assert_mistakes(cardarena(*words), "not a ledger")


def test_a_home_without_a_ledger(cardarena: Cardarena, tmp_path: Path) -> None:
    (tmp_path / ".cardarena").mkdir()

    assert_mistakes(cardarena("ladder"), "no ledger in")


def test_a_home_where_nothing_can_be_written(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)

    assert_mistakes(cardarena("run", cup, "--home", "/proc/home"), "no home can be made at /proc/home (--home): ")


def test_a_home_below_a_file(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)

    assert_mistakes(cardarena("run", cup, "--home", cup / "home"), "no home can be made at")


def test_a_second_run_of_a_cup_that_is_being_run(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    home = play_without_processes(cup)
    with Ledger(home / "arena.db") as ledger, ledger.run_lock("spring"):
        told = cardarena("run", cup)

    assert_mistakes(told, f"spring is being run by process {os.getpid()}; wait for it, or stop it")


def test_changed_keys_of_a_cup_that_has_begun(cardarena: Cardarena, tmp_path: Path) -> None:
    play_without_processes(write_cup(tmp_path))

    told = cardarena("run", write_cup(tmp_path, duplicate="false", matches="6"))

    assert_mistakes(
        told,
        "spring: [cup] matches: 12 before, 6 now; it may only grow",
        "spring: [cup] duplicate: true before, false now; put it back, or give the cup another name",
    )


def test_a_cup_that_the_ledger_does_not_hold(cardarena: Cardarena, home: Path) -> None:
    assert_mistakes(cardarena("ladder", "sprin", "--home", home), "no cup called sprin; did you mean spring?")


def test_a_table_that_nobody_can_fill(cardarena: Cardarena, tmp_path: Path) -> None:
    bots = ("sample:stateless", "sample:raw-stub")
    cup = write_cup(tmp_path, bots="", seats="2")
    cup.write_text(cup.read_text() + "".join(f'[[bots]]\nbot = "{bot}"\nteam = "T"\n' for bot in bots))

    assert_mistakes(cardarena("run", cup), "spring: ")


@pytest.mark.parametrize("folder", ["cup.toml", "\x1b[31mnowhere"])
def test_a_demo_where_it_cannot_be(cardarena: Cardarena, tmp_path: Path, folder: str) -> None:
    write_cup(tmp_path)
    if folder.isprintable():
        assert_mistakes(cardarena("demo", folder), "cannot be written")
    else:
        assert_mistakes(cardarena("demo", f"cup.toml/{folder}"), "\\x1b[31mnowhere")


@pytest.mark.parametrize(
    ("key", "value"),
    [("anchor", '{ "sample:random" = 100001 }'), ("limits.tmp_mb", "0"), ("limits.memory_mb", "1")],
)
def test_what_no_cup_can_be_played_with_is_told_by_its_key(
    cardarena: Cardarena, tmp_path: Path, key: str, value: str
) -> None:
    table, _, name = key.rpartition(".")
    cup = write_cup(tmp_path, **({} if table else {name: value}))
    if table:
        cup_file = tmp_path / cup
        cup_file.write_text(f"{cup_file.read_text()}\n[{table}]\n{name} = {value}\n")

    assert_mistakes(cardarena("run", cup), name)


def test_more_hours_than_there_are_to_play_are_refused(cardarena: Cardarena, tmp_path: Path) -> None:
    assert_mistakes(cardarena("plan", write_cup(tmp_path), "--hours", "1e308"), "--hours")


def test_a_ladder_takes_no_language_for_its_bot(cardarena: Cardarena, tmp_path: Path) -> None:
    assert_mistakes(cardarena("new", "spring", "--ladder", "--lang", "node"), "leave --lang and --lines out")
    assert_mistakes(cardarena("new", "spring", "--ladder", "--lines"), "leave --lang and --lines out")
    assert not (tmp_path / "spring").exists()


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_closed_stream_is_no_mistake_and_no_file_of_ours_takes_its_place(tmp_path: Path, closed: str) -> None:
    command = f'exec "$0" -m harness.cli new fox --lines {closed}'

    ended = subprocess.run(["sh", "-c", command, sys.executable], cwd=tmp_path, check=False)

    assert ended.returncode == 0
    assert (tmp_path / "fox" / "bot.toml").is_file()
