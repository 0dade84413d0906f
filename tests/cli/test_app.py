"""What holds for every verb: help, options before and after, one line for a mistake, nothing loaded in vain."""

import os
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from inspect import getdoc
from pathlib import Path

import pytest

from harness.cli import codes
from harness.cli.app import VERBS
from harness.store.ledger import Ledger
from tests.cli.command import COMMAND_TIMEOUT_S, ROOT, Cardarena, environment, run_apart, write_cup


def test_help_tells_every_verb_in_order(cardarena: Cardarena) -> None:
    told = cardarena("--help")

    places = [told.out.find(f"\n│ {name} ") for name in VERBS]
    assert told.code == 0
    assert told.err == ""
    assert -1 not in places
    assert places == sorted(places)


def test_the_version_is_that_of_the_distribution(cardarena: Cardarena) -> None:
    assert cardarena("--version").out == f"cardarena {version('cardarena')}\n"


def test_without_a_verb_there_is_help(cardarena: Cardarena) -> None:
    assert cardarena() == cardarena("--help")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example_and_says_what_the_list_of_verbs_says(
    cardarena: Cardarena, verb: str
) -> None:
    told = cardarena(verb, "--help")
    module = import_module(f"harness.cli.{verb}")
    function = getattr(module, verb, None) or getattr(module, f"{verb}_")  # a keyword is no name

    assert told.code == 0
    assert told.err == ""
    assert f"Example: cardarena {verb}" in told.out
    assert (getdoc(function) or "").partition("\n")[0] == VERBS[verb]


@pytest.mark.parametrize(
    "words",
    [
        ["--json", "--home", "HOME", "ladder"],
        ["ladder", "--json", "--home", "HOME"],
        ["--home=HOME", "ladder", "spring", "--json"],
        ["ladder", "--home=HOME", "spring", "--quiet", "--json", "--no-progress"],
    ],
)
def test_common_options_stand_before_or_after_the_verb(cardarena: Cardarena, home: Path, words: list[str]) -> None:
    told = cardarena(*(word.replace("HOME", str(home)) for word in words))

    assert told == cardarena("ladder", "spring", "--json", "--home", home)
    assert told.code == 0


def test_the_home_is_found_above_the_folder_or_named_by_the_environment(
    cardarena: Cardarena, spring: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = cardarena("ladder", "--home", home)
    monkeypatch.setenv("CARDARENA_HOME", str(home))
    by_environment = cardarena("ladder")
    monkeypatch.delenv("CARDARENA_HOME")
    (spring / "deep" / "er").mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(spring / "deep" / "er")

    assert named == by_environment == cardarena("ladder")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rnu"], ["rnu", "Did you mean 'run'?", "(cardarena --help)"]),
        (["--jsn", "ladder"], ["--jsn", "--json", "(cardarena --help)"]),
        (["run"], ["CUP.toml", "(cardarena run --help)"]),
        (["run", "--tempo"], ["--tempo", "(cardarena run --help)"]),
        (["ladder", "a", "b"], ["b", "(cardarena ladder --help)"]),
        (["match", "guillotine", "x", "--seed", "many"], ["--seed", "(cardarena match --help)"]),
        (["ladder", "--versions", "old"], ["--versions", "newest", "(cardarena ladder --help)"]),
        (["ladder", "--home"], ["--home", "(cardarena --help)"]),
    ],
)
def test_a_word_that_nobody_knows_is_one_line_with_the_way_to_help(
    cardarena: Cardarena, words: list[str], said: list[str]
) -> None:
    told = cardarena(*words)

    assert told.code == 2
    assert told.out == ""
    assert told.err.startswith("cardarena: ")
    assert all(part in told.err for part in said)
    assert told.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (["--help"], "grpc numpy pydantic scipy sqlite3"),
        (["run", "--help"], "google grpc jinja2 ladder.site scipy.sparse scipy.linalg"),
        (["plan", "--help"], "google grpc"),
        (["bots", "--home", "HOME"], "grpc numpy scipy"),
        (["ladder", "--home", "HOME"], "grpc harness.tournament"),
        (["replay", "spring/1/000001", "--home", "HOME"], "grpc harness.tournament"),
        (["verify", "--home", "HOME"], "scipy"),
    ],
)
def test_a_verb_loads_nothing_that_it_has_no_use_for(home: Path, words: list[str], refused: str) -> None:
    code = "import sys\nfrom harness.cli import main\nmain(sys.argv[1:])\nprint(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, *(word.replace("HOME", str(home)) for word in words)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=True, timeout=COMMAND_TIMEOUT_S
    )

    assert sorted(set(refused.split()) & set(done.stderr.split())) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["--help"], ["ladder"], ["replay", "--all", "--jsonl"], ["bots"], ["plan", "cup.toml"]]
)
def test_a_reader_who_leaves_early_is_no_mistake(spring: Path, words: list[str]) -> None:
    command = [sys.executable, "-m", "harness.cli", *words]
    with subprocess.Popen(
        command, cwd=spring, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()

    assert said == ""
    assert process.returncode == 0


@pytest.mark.slow
def test_a_full_disk_is_no_traceback(spring: Path) -> None:
    command = [sys.executable, "-m", "harness.cli", "replay", "--all", "--jsonl"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, cwd=spring, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert done.returncode == 2
    assert done.stderr == "cardarena: cannot write the output: No space left on device\n"


@pytest.mark.slow
@pytest.mark.parametrize("reader", ["a full disk", "nobody"])
def test_a_cup_is_played_though_its_remarks_cannot_be_written(tmp_path: Path, reader: str) -> None:
    cup = write_cup(tmp_path / "cup")
    if reader == "nobody":
        gone, end = os.pipe()
        os.close(gone)
    else:
        end = os.open("/dev/full", os.O_WRONLY)
    codes_ended_with = [
        subprocess.run(
            [sys.executable, "-m", "harness.cli", *words],
            cwd=cup.parent,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=end,
            check=False,
        ).returncode
        for words in (["run", cup.name], ["ladder", "winter"])
    ]
    os.close(end)

    assert codes_ended_with == [0, 2]
    with Ledger(cup.parent / ".cardarena" / "arena.db") as ledger:
        assert ledger.match_count("spring") == 12


@pytest.mark.slow
def test_a_text_that_the_terminal_cannot_show_is_escaped(spring: Path) -> None:
    told = run_apart("ladder", folder=spring, PYTHONIOENCODING="ascii")

    assert told.code == 0
    assert "\\xb1" in told.out


def test_exit_codes_are_told_by_help_and_documents(cardarena: Cardarena) -> None:
    helped = " ".join(cardarena("--help").out.split())
    document = (ROOT / "docs" / "README.md").read_text()

    for code, meaning in codes.MEANINGS.items():
        assert f"{code} {meaning}" in helped
        assert f"| {code} | {meaning} |\n" in document
    assert set(codes.MEANINGS) == {value for name, value in vars(codes).items() if isinstance(value, int)}
