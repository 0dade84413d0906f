"""A cup played by several processes is the cup that one process plays."""

import asyncio
import shutil
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from harness import games
from harness.arena.specs import BotSpec, ProcessEnd, TableSpec
from harness.cup import CupFile, read_cup
from harness.errors import HarnessError
from harness.executor import Executor, open_arena
from harness.games.game import Deck
from harness.roster import HomeRoster
from harness.sandbox.cell import PLAIN
from harness.standing import cup_standings
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.store.rows import Entry
from harness.tournament import play_cup
from harness.workers.pool import WorkerPool, check_workers, open_pool
from ladder.export import to_json
from tests.arena.tables import sample_bot
from tests.cli.command import ROOT, write_cup
from tests.in_process import Notes
from tests.workers.failing import broken, refused

FAULTY = '["sample:random", "sample:stateless", "sample:raw-stub", "./card-not-offered"]'


class Cup(NamedTuple):
    """What a cup has come to, but for `meta`."""

    digests: list[str]
    ladder: str
    withdrawn: list[tuple[str, str]]


class Narrow(HomeRoster):
    """A roster whose bots play fewer matches at once than they would."""

    max_matches = 64

    def spec(self, entry: Entry, cup: CupFile) -> BotSpec:
        return replace(super().spec(entry, cup), max_matches=self.max_matches)


def opener(workers: int) -> Callable[[CupFile], AbstractAsyncContextManager[Executor]]:
    level = PLAIN.sandbox
    return partial(open_arena, sandbox=level) if workers == 1 else partial(open_pool, workers, level)


def play(folder: Path, workers: int = 1, max_matches: int = 64, **keys: str) -> Cup:
    """Plays the cup of `folder` in a home of its own."""
    path = write_cup(folder, **keys)
    path.write_text(path.read_text() + "[limits]\njobs = 2\n")
    cup = read_cup(path)
    home = make_home(Home(folder / f"home-{workers}-{max_matches}", "a test's own"))
    with Ledger(home.ledger, create=True) as ledger:
        roster = Narrow(home, ledger.versions, folder)
        roster.max_matches = max_matches
        notes = Notes()
        asyncio.run(play_cup(cup, ledger, roster, notes, opener(workers)))
        digests = [record.digest() for record in ledger.records("spring")]
        withdrawn = [(gone.label, gone.detail) for gone in ledger.withdrawals("spring", 1)]
        assert [line for line in notes.lines if line.endswith(" withdrawn")] == [
            f"{name} withdrawn" for name, _ in withdrawn
        ]
        return Cup(digests, to_json(cup_standings(ledger, cup)), withdrawn)


@pytest.mark.slow
def test_records_and_ladder_are_the_same_at_1_8_and_64_matches_a_bot_and_with_1_and_2_workers(tmp_path: Path) -> None:
    expected = play(tmp_path, 1, 64, matches="24")

    others = {how: play(tmp_path, *how, matches="24") for how in [(1, 1), (1, 8), (2, 8), (2, 64)]}

    assert len(set(expected.digests)) == 24
    assert {how for how, found in others.items() if found != expected} == set()


@pytest.mark.slow
def test_a_bot_with_too_many_faults_is_withdrawn_after_the_same_match_and_once(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests/fault_bots/illegal_action/card_not_offered", tmp_path / "card-not-offered")

    one = play(tmp_path, 1, 8, matches="90", bots=FAULTY)
    two = play(tmp_path, 2, 8, matches="90", bots=FAULTY)

    assert [name for name, _ in one.withdrawn] == ["card-not-offered"]
    assert two == one


@pytest.mark.slow
def test_what_bots_write_comes_from_workers_too(tmp_path: Path) -> None:
    cup = read_cup(write_cup(tmp_path, matches="3", bots='["./crash-at-start", "sample:random", "sample:stateless"]'))
    shutil.copytree(ROOT / "tests/fault_bots/start/crash_at_start", tmp_path / "crash-at-start")
    home = make_home(Home(tmp_path / "home", "a test's own"))
    ends: list[ProcessEnd] = []
    with Ledger(home.ledger, create=True) as ledger:
        roster = HomeRoster(home, ledger.versions, tmp_path)
        asyncio.run(play_cup(cup, ledger, roster, Notes(), lambda cup: open_pool(1, PLAIN.sandbox, cup, ends.append)))

    assert {end.label for end in ends} == {"crash-at-start", "random", "stateless"}
    assert all(b"Traceback" in end.output for end in ends if end.label == "crash-at-start")


@pytest.mark.slow
def test_with_fewer_bots_alive_than_play_each_worker_has_its_share_of_them(tmp_path: Path) -> None:
    path = write_cup(tmp_path, matches="9", duplicate="false")
    path.write_text(path.read_text() + "[limits]\njobs = 2\nbots_alive = 6\n")
    cup, home = read_cup(path), make_home(Home(tmp_path / "home", "a test's own"))
    with Ledger(home.ledger, create=True) as ledger:
        run = asyncio.run(play_cup(cup, ledger, HomeRoster(home, ledger.versions, tmp_path), Notes(), opener(2)))

        assert run.match_count == 9
        assert not any(record.faults for record in ledger.records("spring"))


def table(deck: Callable[[int], Deck]) -> TableSpec:
    return TableSpec("test/1/000001", games.game("zhiletka"), ("ant", "bee", "cat"), 0, deck, (1, 2, 3))


async def fail(deck: Callable[[int], Deck]) -> None:
    bots = [sample_bot("random", label) for label in ("ant", "bee", "cat")]
    async with WorkerPool(2, time_control=None, jobs=2, sandbox=PLAIN.sandbox) as pool:
        await pool.play(bots, [table(deck)], lambda played: None)


@pytest.mark.slow
def test_a_mistake_of_the_operator_in_a_worker_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    with pytest.raises(HarnessError, match=r"^no deck for you$"):
        asyncio.run(fail(refused))


@pytest.mark.slow
def test_a_mistake_of_ours_in_a_worker_ends_the_run_with_what_it_wrote(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    with pytest.raises(RuntimeError, match="a worker ended with code 1"):
        asyncio.run(fail(broken))

    assert "AssertionError: broken" in capfd.readouterr().err


def test_more_workers_than_jobs_or_than_bots_for_their_tables_are_refused_with_the_mend(tmp_path: Path) -> None:
    path = write_cup(tmp_path)
    path.write_text(path.read_text() + "[limits]\njobs = 4\nbots_alive = 8\n")
    cup = read_cup(path)

    check_workers(2, cup)
    with pytest.raises(HarnessError, match=r"needs 3 bots for a table, and \[limits\] bots_alive is 8; take fewer"):
        check_workers(3, cup)
    with pytest.raises(HarnessError, match=r"there are 4; take fewer, or raise \[limits\] jobs"):
        check_workers(5, cup)
