"""A round played in shards on several machines and brought home is the round played on one."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cup import CupFile
from harness.errors import HarnessError
from harness.intake import take_in
from harness.shard import WHOLE, Shard, parse_shard
from harness.sources import LedgerSource
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.tournament import CupRun, begin_round, play_cup
from harness.verify import verify_cup
from ladder.export import to_json
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file

FIELD = Bots("ant", "bee", "cat", "dog")
SHARDS = (Shard(1, 3), Shard(2, 3), Shard(3, 3))


@pytest.fixture(params=[{"duplicate": True}, {"duplicate": False, "seats": [2, 3]}], ids=["rotations", "two sizes"])
def cup(request: pytest.FixtureRequest, tmp_path: Path) -> CupFile:
    return cup_file(tmp_path, matches=36, seed=None, **request.param)


@pytest.fixture
def begun(cup: CupFile, tmp_path: Path) -> Path:
    """A ledger in which the round has begun."""
    with Ledger(tmp_path / "begun.db", create=True) as ledger:
        begin_round(cup, ledger, FIELD, Notes())
        assert ledger.match_count("test") == 0
    return tmp_path / "begun.db"


def play(ledger: Ledger, cup: CupFile, shard: Shard = WHOLE, executor: InProcess | None = None) -> CupRun:
    arena = executor or InProcess()
    return asyncio.run(play_cup(cup, ledger, FIELD, Notes(), arena.opener(), shard=shard))


def state(ledger: Ledger, cup: CupFile) -> object:
    """All that a cup has come to, but for `meta`."""
    row = ledger.round("test", 1)
    digests = [record.digest() for record in ledger.records("test")]
    return digests, to_json(cup_standings(ledger, cup)), row.secret, row.ended_unix_ns is not None


@pytest.fixture
def whole(begun: Path, cup: CupFile, tmp_path: Path) -> object:
    """What the round comes to on one machine."""
    with Ledger(Path(shutil.copy(begun, tmp_path / "whole.db"))) as ledger:
        play(ledger, cup)
        return state(ledger, cup)


@pytest.fixture
def homes(begun: Path, cup: CupFile, tmp_path: Path) -> Iterator[list[Ledger]]:
    """The ledgers of three machines that have played a shard each."""
    ledgers = [Ledger(Path(shutil.copy(begun, tmp_path / f"{shard.index}.db"))) for shard in SHARDS]
    for ledger, shard in zip(ledgers, SHARDS, strict=True):
        play(ledger, cup, shard)
    yield ledgers
    for ledger in ledgers:
        ledger.close()


def test_shards_brought_home_are_the_round_played_on_one_machine(
    homes: list[Ledger], cup: CupFile, whole: object
) -> None:
    home, *others = homes
    assert sum(ledger.match_count("test") for ledger in homes) == 36
    assert home.round("test", 1).ended_unix_ns is None

    take_in(home, [LedgerSource(ledger.path) for ledger in others])
    last = play(home, cup)

    assert last == CupRun(0, ())
    assert state(home, cup) == whole
    assert verify_cup(home, "test") == 36


def test_a_shard_that_never_came_is_played_at_home(homes: list[Ledger], cup: CupFile, whole: object) -> None:
    home, other, lost = homes
    take_in(home, [LedgerSource(other.path)])

    last = play(home, cup)

    assert last.match_count == lost.match_count("test")
    assert state(home, cup) == whole


def test_a_shard_that_was_interrupted_goes_on_and_plays_no_other_block(
    begun: Path, cup: CupFile, homes: list[Ledger]
) -> None:
    expected = [record.digest() for record in homes[1].records("test")]
    with Ledger(begun) as ledger:
        with pytest.raises(Interrupted):
            play(ledger, cup, SHARDS[1], InProcess(stop_after=5))
        play(ledger, cup, SHARDS[1])

        assert [record.digest() for record in ledger.records("test")] == expected
        assert play(ledger, cup, SHARDS[1]) == CupRun(0, ())


def test_a_seeded_cup_needs_no_beginning_that_is_shared(tmp_path: Path) -> None:
    seeded = cup_file(tmp_path, matches=36)
    with Ledger(tmp_path / "1.db", create=True) as home, Ledger(tmp_path / "2.db", create=True) as other:
        play(home, seeded, Shard(1, 2))
        play(other, seeded, Shard(2, 2))
        take_in(home, [LedgerSource(other.path)])

        assert play(home, seeded) == CupRun(0, ())
        assert home.match_count("test") == 36


def test_without_a_seed_a_shard_of_a_round_that_has_not_begun_is_refused_with_the_mend(
    tmp_path: Path, cup: CupFile
) -> None:
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        with pytest.raises(HarnessError, match=r"begin it once with `cardarena run CUP.toml --begin`, then copy"):
            play(ledger, cup, Shard(1, 2))
        assert ledger.rounds("test") == ()


def test_shards_of_rounds_that_began_apart_are_refused_by_name(tmp_path: Path, begun: Path, cup: CupFile) -> None:
    with Ledger(begun) as ledger, Ledger(tmp_path / "apart.db", create=True) as apart:
        begin_round(cup, apart, FIELD, Notes())
        with pytest.raises(HarnessError, match=r"commitment is [0-9a-f]+ here and [0-9a-f]+ there"):
            take_in(ledger, [LedgerSource(apart.path)])


@pytest.mark.parametrize("text", ["", "1", "1/", "/2", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "²/3", "1/0"])
def test_what_is_no_shard_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(HarnessError, match=r"write I/N, such as 1/2 here and 2/2 on the other machine"):
        parse_shard(text)
