"""`cardarena verify`: silence about what is right, exit code 5 and a name for what is not."""

import json
import shutil
from pathlib import Path

import pytest

from harness.cli.app import Common
from harness.cli.pace import Pace
from harness.store.ledger import Ledger
from tests.cli.command import Cardarena, play_without_processes, write_cup


@pytest.fixture
def changed(home: Path, tmp_path: Path) -> Path:
    """A copy of the home whose ledger somebody has changed."""
    copy = Path(shutil.copytree(home, tmp_path / "changed"))
    with Ledger(copy / "arena.db") as ledger:
        ledger._database.execute("UPDATE match_seats SET points = points + 10 WHERE match_key = 1000000003")
    return copy


def test_an_honest_ledger_is_counted(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("verify", "--home", home)

    assert told == (0, "spring: 12 matches as they must be\n", "")
    assert cardarena("verify", "spring", "--home", home) == told
    assert json.loads(cardarena("verify", "--json", "--home", home).out) == {
        "matches": {"spring": 12},
        "remarks": {},
        "difference": None,
        "differences": [],
    }


def test_a_difference_is_named_with_its_match_and_ends_with_5(cardarena: Cardarena, changed: Path) -> None:
    told = cardarena("verify", "--home", changed)
    as_json = cardarena("verify", "--json", "--home", changed)

    assert told.code == as_json.code == 5
    assert told.out.startswith("difference: spring/1/000003, the rows that the ladder reads: points ")
    assert told.out.count("\n") == 1
    found = json.loads(as_json.out)
    assert [found["difference"]] == found["differences"] == [told.out.removeprefix("difference: ").rstrip("\n")]
    assert found["matches"] == {}


def test_people_are_told_twenty_differences_and_programs_all_of_them(
    cardarena: Cardarena, home: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(home, tmp_path / "changed"))
    with Ledger(copy / "arena.db") as ledger:
        ledger._database.execute("UPDATE match_seats SET points = points + 10")
        ledger._database.execute("PRAGMA foreign_keys = OFF")
        for number in range(1, 11):
            ledger._database.execute("INSERT INTO cups VALUES (?, 0)", (f"empty-{number:02d}",))

    told = cardarena("verify", "--home", copy)
    as_json = cardarena("verify", "--json", "--home", copy)

    differences = json.loads(as_json.out)["differences"]
    assert told.code == as_json.code == 5
    assert len(differences) == 22
    assert told.out.splitlines() == [*(f"difference: {each}" for each in differences[:20]), "... and 2 more"]


def test_a_cup_without_a_difference_is_told_beside_one_that_has_some(
    cardarena: Cardarena, home: Path, changed: Path, tmp_path: Path
) -> None:
    other = play_without_processes(write_cup(tmp_path / "other", name='"autumn"'))
    cardarena("import", other, "--home", changed)

    told = cardarena("verify", "--home", changed)

    assert told.code == 5
    assert [line.partition(":")[0] for line in told.out.splitlines()] == ["difference", "autumn"]


def test_a_published_folder_needs_no_home(cardarena: Cardarena, home: Path, tmp_path: Path) -> None:
    cardarena("publish", "site", "--home", home)

    honest = cardarena("verify", "site")
    page = tmp_path / "site/index.html"
    page.write_text(page.read_text().replace("Spring", "Summer"))
    changed = cardarena("verify", "site")

    assert honest == (0, "spring: 12 matches as they must be, and so is the ladder\n", "")
    assert changed == (5, "difference: index.html: its bytes are not those that were published\n", "")
    assert json.loads(cardarena("verify", "--json", "site").out)["difference"] == changed.out[len("difference: ") : -1]
    assert not (tmp_path / ".cardarena").exists()


def test_a_folder_that_is_no_site_is_one_line(cardarena: Cardarena) -> None:
    told = cardarena("verify", "./nowhere")

    assert told == (2, "", "cardarena: nowhere: no published site, for there is no site.json in it\n")


def test_a_cup_that_is_not_there_is_one_line(cardarena: Cardarena, home: Path) -> None:
    told = cardarena("verify", "autumn", "--home", home)

    assert told == (2, "", "cardarena: autumn: neither a cup nor the folder of a published site; there are spring\n")


def test_a_long_check_tells_its_pace_and_a_quiet_one_does_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now_ns = iter(range(0, 10**12, 4_000_000_000))
    monkeypatch.setattr("harness.cli.pace.time.monotonic_ns", lambda: next(now_ns))
    for quiet in (False, True):
        pace = Pace(Common(None, quiet=quiet, json=False, progress="none" if quiet else "lines"), "checked")
        for count in range(1, 5):
            pace(100 * count)

    assert capsys.readouterr().err == "300 matches checked, 25/s\n"


def test_where_it_is_known_how_many_there_are_the_pace_tells_how_long_it_will_take(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now_ns = iter(range(0, 10**12, 10_000_000_000))
    monkeypatch.setattr("harness.cli.pace.time.monotonic_ns", lambda: next(now_ns))
    pace = Pace(Common(None, quiet=False, json=False, progress="lines"), "opened")

    pace(500, 12_500)

    assert capsys.readouterr().err == "500 of 12,500 matches opened, 50/s, 4 min left\n"
