"""The ladder as a table: all columns where there is room, and no broken names where there is little."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from harness.cli.standings import NAME_WIDTH, fitted_table
from harness.store.rows import Entry, Result
from ladder.export import elo_text
from ladder.standings import Standings
from tests.in_process import cup_file
from tests.one_by_one import rate

BOTS = [
    Entry(name, name, "1.0", "0" * 64, name)
    for name in ("guillotine-counter", "card-not-offered", "x" * NAME_WIDTH, "fox")
]
KINDS = (None, "illegal_action", "crashed", None)


@pytest.fixture
def faulty(tmp_path: Path) -> Standings:
    """Standings of four bots, two of which commit faults."""
    results = [
        Result(f"test/1/{n:06d}", f"test/1/{n:06d}", tuple(BOTS), (1, 4, 3, 2), (10, 200, 100, 20), KINDS)
        for n in range(40)
    ]
    return rate(cup_file(tmp_path, game="guillotine", seats=4), results, BOTS)


def shown(standings: Standings, width: int) -> list[str]:
    text = io.StringIO()
    console = Console(file=text, width=width)
    console.print(fitted_table(standings, width)[0])
    return [line.rstrip() for line in text.getvalue().splitlines()]


def test_with_room_every_column_is_there(faulty: Standings) -> None:
    lines = shown(faulty, 120)

    assert lines[0].split("  ")[-1].strip() == "faults"
    assert lines[0].split() == ["bot", "Elo", "ranks", "points", "(low)", "place", "matches", "faults"]
    assert len(lines) == 2 + len(BOTS)
    assert any(line.endswith("40 illegal_action") for line in lines)


@pytest.mark.parametrize("width", [80, 90, 100, 110])
def test_what_says_least_gives_way_before_a_name_is_broken(faulty: Standings, width: int) -> None:
    lines = shown(faulty, width)

    assert max(map(len, lines)) <= width
    for bot in BOTS:
        assert any(f" {bot.label} " in line for line in lines)
    assert any("illegal_action" in line for line in lines)


@pytest.mark.parametrize("width", [24, 40, 60])
def test_where_no_table_has_room_each_bot_has_lines_of_its_own(faulty: Standings, width: int) -> None:
    lines = shown(faulty, width)

    assert fitted_table(faulty, width)[1] == ()
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    for row in faulty.rows:
        assert f"{row.rank} {row.bot} Elo {elo_text(row)} " in text
    for said in ("place 1.00", "matches 40", "faults 40 crashed", "faults 40 illegal_action"):
        assert said in text


def test_what_had_no_room_is_named(faulty: Standings) -> None:
    assert fitted_table(faulty, 120)[1] == ()
    assert fitted_table(faulty, 80)[1] == ("place", "ranks")


def test_without_faults_there_is_no_column_for_them(tmp_path: Path) -> None:
    results = [Result(f"m{n}", f"m{n}", tuple(BOTS), (1, 2, 3, 4), (1, 2, 3, 4), (None,) * 4) for n in range(40)]

    lines = shown(rate(cup_file(tmp_path, game="guillotine", seats=4), results, BOTS), 80)

    assert lines[0].split() == ["bot", "Elo", "ranks", "points", "(low)", "place", "matches"]
    assert len(lines) == 2 + len(BOTS)
