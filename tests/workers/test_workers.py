"""A cup played by several processes is the cup that one process plays."""

import asyncio
import pickle
import shutil
import socket
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from harness import deals, games
from harness.arena.phase import LOOKAHEAD, MATCHES_AT_ONCE
from harness.arena.specs import BotSpec, Played, ProcessEnd, TableSpec
from harness.cup import CupFile, read_cup
from harness.errors import HarnessError
from harness.executor import Executor
from harness.faults import Fault, FaultKind
from harness.match import Match, TimeControl
from harness.record import MatchRecord, SeatEntry, record_of
from harness.roster import HomeRoster
from harness.sandbox.cell import PLAIN
from harness.standing import cup_standings
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.store.rows import Entry
from harness.tournament import play_cup
from harness.workers import pool
from harness.workers.link import Ended, Handed, open_link
from harness.workers.pool import WorkerPool, check_workers, open_pool
from ladder.export import to_json
from tests.arena.tables import sample_bot
from tests.cli.command import ROOT, write_cup
from tests.in_process import Notes, played_at
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
    return partial(open_pool, workers, PLAIN.sandbox)


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


BOTS = ("ant", "bee", "cat")


def table(number: int, referee: Callable[[Sequence[TimeControl | None]], Match] | None = None) -> TableSpec:
    game, block = games.game("zhiletka"), f"{number:06d}"
    deck = partial(deals.block_deck, bytes(32), block, game.pack, game.deal_count(len(BOTS)))
    return TableSpec(f"test/1/{block}", game, BOTS, 0, deck, (1, 2, 3), referee)


async def play_tables(tables: Sequence[TableSpec], on_played: Callable[[Played], None], workers: int = 1) -> None:
    async with WorkerPool(workers, time_control=None, jobs=2, sandbox=PLAIN.sandbox) as executor:
        await executor.play([sample_bot("random", label) for label in BOTS], tables, on_played)


def nothing(played: Played) -> None:
    raise AssertionError("no match ends here")


@pytest.mark.slow
def test_a_mistake_of_the_operator_in_a_worker_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    with pytest.raises(HarnessError, match=r"^no referee for you$"):
        asyncio.run(play_tables([table(1, refused)], nothing, workers=2))


@pytest.mark.slow
def test_a_mistake_of_ours_in_a_worker_ends_the_run_with_what_it_wrote(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    with pytest.raises(RuntimeError, match="a worker ended with code 1"):
        asyncio.run(play_tables([table(1, broken)], nothing, workers=2))

    assert "AssertionError: broken" in capfd.readouterr().err


@pytest.mark.parametrize("most", [1, 3])
def test_a_worker_plays_all_tables_and_never_has_more_than_it_may(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    handed: list[str] = []

    def noted(table: TableSpec) -> Handed:
        handed.append(table.match_id)
        return hand(table)

    hand = pool.handed
    monkeypatch.setattr(pool, "handed", noted)
    monkeypatch.setattr(pool, "TABLES_AT_A_WORKER", most)
    unfinished: list[int] = []
    ended: list[str] = []

    def note(played: Played) -> None:
        unfinished.append(len(handed) - len(ended))
        ended.append(played.table.match_id)

    asyncio.run(play_tables([table(number) for number in range(1, 9)], note))

    assert sorted(ended) == handed == [f"test/1/{number:06d}" for number in range(1, 9)]
    assert max(unfinished) == most


def test_a_worker_has_at_most_the_tables_that_an_arena_plays_or_looks_at() -> None:
    assert pool.TABLES_AT_A_WORKER == MATCHES_AT_ONCE + LOOKAHEAD


def test_decks_that_are_handed_on_are_those_of_the_table_and_so_are_the_others() -> None:
    long = replace(table(1), game=games.game("zhiletka", {"hands_per_seat": 30}))
    deal_count = long.game.deal_count(len(BOTS))
    long = replace(long, deck=partial(deals.block_deck, bytes(32), "000001", long.game.pack, deal_count))

    found = pool.handed(long)

    assert 0 < len(found.decks) < deal_count
    assert [found.deck(index) for index in range(deal_count)] == [long.deck(index) for index in range(deal_count)]


def test_what_a_worker_sends_of_a_match_is_the_match() -> None:
    match = played_at(table(1), {"bee": Fault(FaultKind.CRASHED, "gone")})

    assert record(pickle.loads(pickle.dumps(Ended.of(match))).at(match.table)) == record(match)


def record(played: Played) -> MatchRecord:
    return record_of(played.match, match_id="m", seats=[SeatEntry(label, "1", "") for label in BOTS])


def test_what_is_sent_to_one_who_is_gone_is_lost_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    async def send_many() -> None:
        here, there = socket.socketpair()
        link = await open_link(here)
        there.close()
        for number in range(1, 30):
            link.send(pool.handed(table(number)))
            await asyncio.sleep(0)
        assert await link.receive() is None
        link.close()

    asyncio.run(send_many())

    assert caplog.messages == []


def test_more_workers_than_jobs_or_than_bots_for_their_tables_are_refused_with_the_mend(tmp_path: Path) -> None:
    path = write_cup(tmp_path)
    path.write_text(path.read_text() + "[limits]\njobs = 4\nbots_alive = 8\n")
    cup = read_cup(path)

    check_workers(2, cup)
    with pytest.raises(HarnessError, match=r"needs 3 bots for a table, and \[limits\] bots_alive is 8; take fewer"):
        check_workers(3, cup)
    with pytest.raises(HarnessError, match=r"there are 4; take fewer, or raise \[limits\] jobs"):
        check_workers(5, cup)
