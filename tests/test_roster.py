"""The bots of a cup: stored, filled up to a table, started from their copies."""

from pathlib import Path

import pytest

from harness.cup import CupFile
from harness.errors import HarnessError
from harness.roster import HomeRoster
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.store.rows import Role
from harness.toml_file import parse
from tests.workshop.folders import bot_folder


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(make_home(Home(tmp_path / "home", "--home")).ledger, create=True)


@pytest.fixture
def roster(tmp_path: Path, ledger: Ledger) -> HomeRoster:
    for name in ("fox", "owl"):
        bot_folder(tmp_path, name)
    return HomeRoster(Home(tmp_path / "home", "--home"), ledger.versions, tmp_path)


def cup(keys: str) -> CupFile:
    return parse(f'[cup]\nname = "cup"\ngame = "guillotine"\nmatches = 10\n{keys}', CupFile, source="cup.toml")


def test_a_table_is_filled_with_unrated_bots(roster: HomeRoster) -> None:
    entries = roster.entries(cup('bots = ["fox", "owl"]'))

    assert [(entry.label, entry.role, entry.rated) for entry in entries] == [
        ("fox", Role.BOT, True),
        ("owl", Role.BOT, True),
        ("random", Role.FILL, False),
        ("random#2", Role.FILL, False),
    ]


def test_a_gauntlet_is_filled_by_the_house_first(roster: HomeRoster) -> None:
    entries = roster.entries(cup('format = "gauntlet"\nbots = ["fox", "owl"]\nhouse = ["sample:random", "owl"]'))

    assert [(entry.label, entry.role) for entry in entries] == [
        ("fox", Role.BOT),
        ("owl", Role.BOT),
        ("random", Role.HOUSE),
        ("owl#2", Role.HOUSE),
        ("random#2", Role.FILL),
    ]


def test_entries_are_stored_and_started_from_their_copies(tmp_path: Path, roster: HomeRoster, ledger: Ledger) -> None:
    entries = roster.entries(cup('bots = ["fox", "owl"]'))
    (tmp_path / "fox" / "bot.toml").write_text("changed")
    spec = roster.spec(entries[0], cup('bots = ["fox", "owl"]'))

    stored = ledger.versions.get("fox", entries[0].sha256)
    assert stored is not None
    assert stored.submitted_unix_ns is None
    assert spec.cwd == tmp_path / "home" / stored.tree
    assert spec.argv[1] == "bot.py"


def test_a_forecast_stores_nothing(tmp_path: Path, roster: HomeRoster, ledger: Ledger) -> None:
    stored = roster.forecast_entries(cup('bots = ["fox", "owl"]'))

    assert [entry.label for entry in stored][:2] == ["fox", "owl"]
    assert list(ledger.versions.rows()) == []
    assert list((tmp_path / "home" / "bots").iterdir()) == []


def test_a_cup_of_nobody_is_refused(roster: HomeRoster) -> None:
    with pytest.raises(HarnessError, match="nobody plays"):
        roster.entries(cup('bots = ["submitted"]'))


def test_a_bot_that_asks_for_what_is_not_offered_is_refused(tmp_path: Path, roster: HomeRoster) -> None:
    manifest = tmp_path / "fox" / "bot.toml"
    manifest.write_text(manifest.read_text() + 'protocol = "lines"\n')

    with pytest.raises(HarnessError, match=r'fox: \[run\] protocol = "lines" cannot be played yet'):
        roster.entries(cup('bots = ["fox", "owl"]'))
