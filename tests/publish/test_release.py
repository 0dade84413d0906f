"""Which matches may be seen, and which of them get pages."""

import asyncio
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from harness.counted import counted_rounds
from harness.cup import CupFile
from harness.publish.release import release_of, with_pages
from harness.store.ledger import Ledger
from harness.store.rows import match_id
from harness.tournament import play_cup
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file

FIELD = Bots("ant", "bee", "cat", "dog")


def _play(cup: CupFile, ledger: Ledger, stop_after: int | None = None) -> None:
    try:
        asyncio.run(play_cup(cup, ledger, FIELD, Notes(), InProcess(stop_after=stop_after).opener()))
    except Interrupted:
        assert stop_after is not None


def _shown(ledger: Ledger, cup: CupFile, replays: str) -> list[str]:
    published = cup.model_copy(update={"publish": cup.publish.model_copy(update={"replays": replays})})
    release = release_of(ledger, published)
    return [
        match_id(cup.name, counted.row.round, number)
        for counted in counted_rounds(ledger, published, ())
        for number in counted.number.tolist()
        if counted.row.round in release.rounds
    ]


@pytest.fixture
def stopped(tmp_path: Path) -> tuple[Ledger, CupFile]:
    """Round 1 of 12 matches has ended, round 2 was left in the last of its three rotations, with 10 matches of 12."""
    ledger = Ledger(tmp_path / "arena.db", create=True)
    _play(cup_file(tmp_path, matches=12), ledger)
    cup = cup_file(tmp_path, matches=24)
    _play(cup, ledger, stop_after=10)
    return ledger, cup


def test_now_shows_whole_blocks_of_a_running_round(stopped: tuple[Ledger, CupFile]) -> None:
    ledger, cup = stopped

    shown = _shown(ledger, cup, "now")

    assert ledger.match_count("test") == 22
    assert len(shown) == 18
    whole = Counter(result.block for result in ledger.results("test") if result.match in shown)
    assert set(whole.values()) == {3}


def test_round_shows_rounds_that_have_ended(stopped: tuple[Ledger, CupFile]) -> None:
    ledger, cup = stopped

    assert len(_shown(ledger, cup, "round")) == 12
    assert release_of(ledger, cup).notice == "The matches of round 2 can be seen when it has ended."


def test_end_shows_nothing_before_the_season_has_ended(stopped: tuple[Ledger, CupFile]) -> None:
    ledger, cup = stopped

    assert _shown(ledger, cup, "end") == []


def test_end_shows_all_when_all_is_played(tmp_path: Path) -> None:
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        cup = cup_file(tmp_path, matches=12)
        _play(cup, ledger)

        assert len(_shown(ledger, cup, "end")) == 12


def test_end_shows_a_season_when_another_has_begun(tmp_path: Path) -> None:
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        spring = cup_file(tmp_path, matches=12, season="spring")
        _play(spring, ledger)
        autumn = cup_file(tmp_path, matches=12, season="autumn")
        _play(autumn, ledger, stop_after=4)

        assert len(_shown(ledger, spring, "end")) == 12
        assert _shown(ledger, autumn, "end") == []


def test_faulted_featured_and_newest_matches_get_pages() -> None:
    matches = np.arange(1, 11)

    chosen = with_pages(matches, np.isin(matches, [2, 5]), 4)

    assert chosen.tolist() == [10, 9, 5, 2]


def test_the_newest_of_those_that_go_first_get_pages_where_there_is_no_room_for_all() -> None:
    matches = np.arange(1, 11)

    assert with_pages(matches, matches < 8, 3).tolist() == [7, 6, 5]


def test_all_get_pages_where_there_is_room() -> None:
    matches = np.arange(1, 4)

    assert with_pages(matches, matches > 3, 3).tolist() == [3, 2, 1]
    assert with_pages(matches, matches > 3, 0).tolist() == []
