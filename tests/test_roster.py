"""The bots of a cup as they are entered, stored and started."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cup import CupFile, read_cup
from harness.errors import HarnessError
from harness.roster import MOST_START_S, START_S, HomeRoster, bot_spec
from harness.sandbox.limits import ProcessLimits
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.store.rows import Role
from harness.workshop.building import Recipe
from harness.workshop.manifest import read_manifest
from tests.workshop.folders import bot_folder

CUP = '[cup]\nname = "cup"\ngame = "zhiletka"\nmatches = 12\n'


class Workshop:
    """A folder with cup file and bots, and its home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = make_home(Home(folder / "home", "a test's own"))
        self.ledger = Ledger(self.home.ledger, create=True)
        self.remarks: list[str] = []
        self.roster = HomeRoster(self.home, self.ledger.versions, folder, self.remarks.append)
        for name in ("fox", "owl"):
            bot_folder(folder, name)

    def cup(self, text: str) -> CupFile:
        path = self.folder / "cup.toml"
        path.write_text(CUP + text)
        return read_cup(path)

    def stored(self) -> list[str]:
        return [row.version.name for row in self.ledger.versions.rows()]


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    opened = Workshop(tmp_path)
    with opened.ledger:
        yield opened


def test_bots_then_the_house_then_what_fills_a_table(workshop: Workshop) -> None:
    cup = workshop.cup('bots = ["./fox"]\nhouse = ["sample:stateless"]\nseats = 4\n')

    entries = workshop.roster.entries(cup)

    assert [(entry.label, entry.role, entry.rated) for entry in entries] == [
        ("fox", Role.BOT, True),
        ("stateless", Role.HOUSE, True),
        ("random", Role.FILL, False),
        ("random#2", Role.FILL, False),
    ]


@pytest.mark.parametrize(("bots", "fill_count"), [('"./fox"', 3), ('"./fox", "./owl", "./fox", "./owl"', 0)])
def test_a_table_is_filled_as_far_as_it_must_be(workshop: Workshop, bots: str, fill_count: int) -> None:
    entries = workshop.roster.entries(workshop.cup(f"bots = [{bots}]\nseats = [2, 4]\n"))

    assert sum(entry.role is Role.FILL for entry in entries) == fill_count


def test_a_gauntlet_is_filled_beside_its_house(workshop: Workshop) -> None:
    cup = workshop.cup('bots = ["./fox", "./owl"]\nhouse = ["sample:random"]\nseats = 3\nformat = "gauntlet"\n')

    entries = workshop.roster.entries(cup)

    assert [entry.label for entry in entries] == ["fox", "owl", "random", "random#2"]
    assert entries[3].role is Role.FILL


def test_every_entry_is_stored_once_and_looking_stores_nothing(workshop: Workshop) -> None:
    cup = workshop.cup('bots = ["./fox", "./owl", "./fox"]\nseats = 3\n')

    looked = workshop.roster.forecast_entries(cup)
    stored_by_looking = workshop.stored()
    entered = workshop.roster.entries(cup)
    again = workshop.roster.entries(cup)

    assert looked == entered == again
    assert stored_by_looking == []
    assert workshop.stored() == ["fox", "owl"]


def test_all_mistakes_are_told_and_nothing_is_stored(workshop: Workshop) -> None:
    (workshop.folder / "owl" / "bot.toml").write_text(
        'schema = 1\n[bot]\nname = "owl"\nversion = "1"\ngames = ["zhiletka"]\n'
        '[run]\nargv = ["x"]\nprotocol = "lines"\n[build]\nargv = [["make"]]\n'
    )
    cup = workshop.cup('bots = ["./fox", "./owl"]\nseats = 2\nanchor = { "sample:random" = 1500 }\n')

    with pytest.raises(HarnessError) as told:
        workshop.roster.entries(cup)

    assert all(line for line in str(told.value).splitlines())
    assert workshop.stored() == []


def test_a_ladder_without_submitted_bots_has_nobody_to_play(workshop: Workshop) -> None:
    with pytest.raises(HarnessError, match="cup: nobody plays; name bots in"):
        workshop.roster.entries(workshop.cup('bots = ["submitted"]\n'))


def test_who_is_left_out_is_told_once(workshop: Workshop) -> None:
    cup = workshop.cup('bots = ["./fox", "./owl"]\nexclude = ["elk"]\nseats = 2\n')

    for _ in range(3):
        workshop.roster.entries(cup)

    assert workshop.remarks == ["exclude: elk fits nobody who plays"]


def test_a_bot_is_started_from_its_stored_copy_under_the_limits_of_the_cup(workshop: Workshop) -> None:
    cup = workshop.cup('bots = ["./fox", "./owl"]\nseats = 2\n[limits]\nmemory_mb = 99\nprocesses = 7\nlog_kb = 5\n')
    fox, _ = workshop.roster.entries(cup)
    (workshop.folder / "fox" / "bot.py").write_text("changed afterwards\n")

    spec = workshop.roster.spec(fox, cup)

    assert spec.label == "fox"
    assert spec.argv == (sys.executable, "bot.py")
    assert spec.cwd.is_relative_to(workshop.home.bots)
    assert (spec.cwd / "bot.py").read_text() == "pass\n"
    assert (spec.limits.memory_mb, spec.limits.processes, spec.limits.log_kb) == (99, 7, 5)
    assert spec.time is None


def test_a_bot_with_a_clock_of_its_own_is_started_with_it(workshop: Workshop) -> None:
    cup = workshop.cup('bots = ["./fox", "./owl"]\nseats = 2\n[[bots]]\nbot = "./owl"\ntime = { bank_s = 60.0 }\n')
    _, owl = workshop.roster.entries(cup)

    spec = workshop.roster.spec(owl, cup)

    assert spec.time == owl.time
    assert spec.time is not None
    assert spec.time.bank_ns == 60_000_000_000
    assert spec.time.decision_ns == cup.time.control.decision_ns


@pytest.mark.parametrize("replaced", ["cook", "eat"])
def test_a_bot_is_built_anew_where_a_program_that_builds_or_runs_it_was_replaced(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: str
) -> None:
    for name in ("cook", "eat"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    (workshop.folder / "owl" / "bot.toml").write_text(
        'schema = 1\n[bot]\nname = "owl"\nversion = "1"\ngames = ["guillotine", "zhiletka"]\n'
        '[run]\nargv = ["eat", "x"]\nprotocol = "lines"\n[build]\nargv = [["cook"]]\n'
    )
    cup = workshop.cup('bots = ["./fox", "./owl"]\nseats = 2\n')
    _, owl = workshop.roster.entries(cup)

    first, again = (workshop.roster.spec(owl, cup) for _ in range(2))
    (tmp_path / replaced).write_text("#!/bin/sh\n# 2.0\n")
    later = workshop.roster.spec(owl, cup)

    assert first == again
    assert first.cwd != later.cwd
    for spec in (first, later):
        assert isinstance(spec.prepare, Recipe)
        assert spec.cwd == spec.prepare.folder


def test_a_copy_that_is_gone_is_named(workshop: Workshop) -> None:
    cup = workshop.cup('bots = ["./fox", "./owl"]\nseats = 2\n')
    fox, owl = workshop.roster.entries(cup)
    shutil.rmtree(workshop.home.bots / "fox")
    workshop.ledger._database.execute("DELETE FROM versions WHERE name = 'owl'")

    with pytest.raises(HarnessError, match=r"fox: its copy .* is gone; put it back to finish the round"):
        workshop.roster.spec(fox, cup)
    with pytest.raises(HarnessError, match=r"owl: version 1\.0 is not in .*; it was pinned elsewhere"):
        workshop.roster.spec(owl, cup)


@pytest.mark.parametrize(("needs", "start_s"), [("", START_S), ("start_s = 3", 3.0), ("start_s = 900", MOST_START_S)])
def test_a_bot_gets_the_time_to_start_that_it_asks_for_within_reason(
    tmp_path: Path, needs: str, start_s: float
) -> None:
    folder = bot_folder(tmp_path, "fox")
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text() + f"[needs]\n{needs}\n")

    assert bot_spec("fox", read_manifest(folder), folder, ProcessLimits()).start_s == start_s


def test_the_anchor_is_pinned_whatever_its_folder_is_called(workshop: Workshop) -> None:
    (workshop.folder / "owl").rename(workshop.folder / "nest")
    cup = workshop.cup('bots = ["./fox", "./nest", "./nest"]\nanchor = { "./nest" = 1400 }\nseats = 3\n')

    entries = workshop.roster.entries(cup)

    assert [(entry.label, entry.anchor_elo) for entry in entries] == [("fox", None), ("owl", 1400.0), ("owl#2", None)]
