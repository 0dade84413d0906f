"""The home: where it is looked for, and that looking makes nothing."""

from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.home import existing_home, find_home, make_home


def test_the_option_comes_before_the_variable_and_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".cardarena").mkdir()

    home = find_home(tmp_path / "mine", environment={"CARDARENA_HOME": "/other"}, folder=tmp_path)

    assert home.path == tmp_path / "mine"
    assert home.chosen_by == "--home"


def test_the_variable_comes_before_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".cardarena").mkdir()

    home = find_home(environment={"CARDARENA_HOME": "elsewhere"}, folder=tmp_path)

    assert home.path == tmp_path / "elsewhere"
    assert home.chosen_by == "CARDARENA_HOME"


def test_an_empty_variable_is_none(tmp_path: Path) -> None:
    home = find_home(environment={"CARDARENA_HOME": ""}, folder=tmp_path)

    assert home.path == tmp_path / ".cardarena"


def test_the_nearest_home_above_is_found(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    (tmp_path / ".cardarena").mkdir()
    (tmp_path / "a" / ".cardarena").mkdir()

    home = find_home(environment={}, folder=deep)

    assert home.path == tmp_path / "a" / ".cardarena"
    assert str(tmp_path / "a") in str(home)


def test_a_file_of_that_name_is_no_home(tmp_path: Path) -> None:
    (tmp_path / ".cardarena").mkdir()
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".cardarena").touch()

    home = find_home(environment={}, folder=tmp_path / "a")

    assert home.path == tmp_path / ".cardarena"


def test_looking_makes_nothing_and_reading_says_what_to_do(tmp_path: Path) -> None:
    home = find_home(environment={}, folder=tmp_path)
    with pytest.raises(HarnessError) as caught:
        existing_home(home)

    assert "cardarena run" in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_what_writes_makes_the_folders(tmp_path: Path) -> None:
    home = make_home(find_home(tmp_path / "x" / "home", environment={}, folder=tmp_path))

    assert sorted(path.name for path in home.path.iterdir()) == ["bots", "logs"]
    assert existing_home(home) is home
    assert home.ledger == home.path / "arena.db"
    assert home.arena_toml == home.path / "arena.toml"


def test_a_home_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(HarnessError, match=r"no home can be made at .*--home DIR names another"):
        make_home(find_home(tmp_path / "file" / "home", environment={}, folder=tmp_path))


@pytest.mark.parametrize("is_there", [True, False])
def test_a_ledger_that_was_emptied_or_deleted_is_not_taken_for_a_new_one(tmp_path: Path, is_there: bool) -> None:
    home = make_home(find_home(tmp_path / "home"))
    (home.bots / "fox").mkdir()
    if is_there:
        home.ledger.touch()

    for opened in (existing_home, make_home):
        with pytest.raises(
            HarnessError, match="empty or gone, though bots were stored for it; put it back from a copy"
        ):
            opened(home)


def test_a_run_that_was_killed_while_it_made_its_ledger_goes_on(tmp_path: Path) -> None:
    home = make_home(find_home(tmp_path / "home"))
    home.ledger.touch()

    assert make_home(home) == existing_home(home) == home
