"""`cardarena publish`: which cup stands at the root, what is told, and what is refused in one line."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.command import Cardarena, play_without_processes, write_cup


@pytest.fixture
def two_cups(spring: Path, tmp_path: Path) -> Path:
    """A home that holds `spring` and a newer cup, `autumn`."""
    shutil.copytree(spring, tmp_path / "cups")
    return play_without_processes(write_cup(tmp_path / "cups", name='"autumn"', title='"Autumn Cup"', matches="6"))


def ladder_at(folder: Path) -> str:
    """Which cup's ladder lies in `folder`."""
    return str(json.loads((folder / "ladder.json").read_text())["cup"])


def test_the_newest_cup_stands_at_the_root_and_the_others_below(
    cardarena: Cardarena, two_cups: Path, tmp_path: Path
) -> None:
    told = cardarena("publish", "site", "--home", two_cups)

    assert told.code == 0
    assert told.out.splitlines()[0].endswith(" written")
    assert told.out.splitlines()[-1] == str(tmp_path / "site/index.html")
    assert ladder_at(tmp_path / "site") == "autumn"
    assert ladder_at(tmp_path / "site/cups/spring") == "spring"


def test_a_cup_that_is_named_is_published_alone(cardarena: Cardarena, two_cups: Path, tmp_path: Path) -> None:
    cardarena("publish", "site", "--home", two_cups)

    told = cardarena("publish", "site", "spring", "--home", two_cups)

    assert " removed" in told.out
    assert ladder_at(tmp_path / "site") == "spring"
    assert not (tmp_path / "site/cups").exists()
    assert sorted(path.name for path in (tmp_path / "site").iterdir() if path.is_file()) == [
        ".nojekyll",
        "how.html",
        "index.html",
        "ladder.csv",
        "ladder.json",
        "matches.html",
        "matches.jsonl.gz",
        "rounds.json",
        "site.json",
    ]


def test_a_second_time_nothing_is_written(cardarena: Cardarena, home: Path, tmp_path: Path) -> None:
    first = json.loads(cardarena("publish", "site", "--json", "--home", home).out)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "site").rglob("*") if path.is_file()}
    again = json.loads(cardarena("publish", "site", "--json", "--home", home).out)

    assert again == {**first, "changed_count": 0}
    assert first["index"] == str(tmp_path / "site/index.html")
    assert {path: path.stat().st_mtime_ns for path in before if path.name != "site.json"} == {
        path: time for path, time in before.items() if path.name != "site.json"
    }


def test_quiet_says_nothing(cardarena: Cardarena, home: Path) -> None:
    assert cardarena("publish", "site", "--quiet", "--home", home) == (0, "", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("site", "autum"), "no cup called autum; "),
        (("thesis",), "thesis: holds thesis.tex and is no site of cardarena; name an empty folder or a new one"),
        (("thesis/thesis.tex",), "thesis/thesis.tex: cannot be used as a site (Not a directory); name a folder"),
    ],
)
def test_what_cannot_be_published_is_one_line_and_changes_nothing(
    cardarena: Cardarena, home: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/thesis.tex").write_text("all of it")

    told = cardarena("publish", *words, "--home", home)

    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert told.err.startswith(f"cardarena: {said}")
    assert [path.name for path in tmp_path.rglob("*")] == ["thesis", "thesis.tex"]


def test_a_home_without_a_cup_is_told_how_to_begin(cardarena: Cardarena, tmp_path: Path) -> None:
    told = cardarena("publish", "site", "--home", tmp_path)

    assert told.code == 2
    assert "`cardarena run CUP.toml`" in told.err
    assert not (tmp_path / "site").exists()
