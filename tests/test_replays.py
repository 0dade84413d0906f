"""Records from elsewhere are played again, and what comes of it is the same however many processes do it."""

import asyncio
import gzip
import json
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness import replays
from harness.errors import HarnessError
from harness.intake import OnMatch, Taken, take_in
from harness.local import play
from harness.record import MatchRecord
from harness.replays import Placed, refuse_unplayable
from harness.sources import RecordsSource, sources_at
from harness.store.ledger import Ledger
from harness.tournament import play_cup
from tests.bot.witness import RandomBot
from tests.in_process import Bots, InProcess, Notes, cup_file

RECORD = play("zhiletka", [RandomBot] * 2, seed=1)
WRONG = replace(RECORD, points=RECORD.points[::-1])

both = pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some eight records are many."""
    monkeypatch.setattr(replays, "CHUNK_RECORDS", 3)
    monkeypatch.setattr(replays, "FEW_CHUNKS", 2)


def placed(*records: MatchRecord) -> Iterator[Placed]:
    return ((f"line {number}", record) for number, record in enumerate(records, start=1))


def broken_off(records: Iterable[Placed]) -> Iterator[Placed]:
    yield from records
    raise HarnessError("no record")


def mistake(records: Iterable[Placed], processes: int) -> str:
    with pytest.raises(HarnessError) as refused:
        refuse_unplayable(records, processes)
    assert multiprocessing.active_children() == []
    return str(refused.value)


@both
def test_records_that_follow_the_rules_are_let_through_whatever_a_stranger_wrote_beside_them(processes: int) -> None:
    nested = replace(RECORD, meta=json.loads('{"x": ' + "[" * 700 + "]" * 700 + "}"))

    refuse_unplayable(placed(*[RECORD] * 8, nested), processes)

    assert multiprocessing.active_children() == []


@both
def test_the_first_record_that_does_not_follow_the_rules_is_named(processes: int) -> None:
    records = [RECORD] * 20
    records[8] = records[13] = WRONG

    said = mistake(placed(*records), processes)

    assert said.startswith("line 9: not by the rules, points ")
    assert said.endswith("; whoever sent it has to take it from the cup")


@both
def test_what_is_wrong_with_an_earlier_record_comes_before_what_broke_the_records_off(processes: int) -> None:
    assert mistake(broken_off(placed(*[RECORD] * 9, WRONG)), processes).startswith("line 10: not by the rules")
    assert mistake(broken_off(placed(*[RECORD] * 9)), processes) == "no record"
    assert mistake(broken_off(placed(WRONG)), processes).startswith("line 1: not by the rules")


def test_few_records_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(make: Callable[[], object], count: int) -> None:
        raise AssertionError(f"{count} processes for {make}")

    monkeypatch.setattr(replays, "checkers", started)

    refuse_unplayable(placed(*[RECORD] * 3), 4)
    with pytest.raises(AssertionError, match="4 processes"):
        refuse_unplayable(placed(*[RECORD] * 4), 4)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of 18 matches."""
    folder = tmp_path_factory.mktemp("there")
    with Ledger(folder / "arena.db", create=True) as ledger:
        cup = cup_file(folder, matches=18)
        asyncio.run(play_cup(cup, ledger, Bots("ant", "bee", "cat", "dog"), Notes(), InProcess().opener()))
    return folder / "arena.db"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "here.db", create=True) as ledger:
        yield ledger


@both
def test_a_ledger_comes_in_and_it_is_told_how_far_that_is(there: Path, here: Ledger, processes: int) -> None:
    told: dict[str, list[tuple[int, int]]] = {}

    def pace(done: str) -> OnMatch:
        heard = told[done] = []
        return lambda count, total: heard.append((count, total))

    taken = take_in(here, sources_at(there), pace, processes=processes)

    assert taken == (Taken("test", 1, 18),)
    with Ledger(there) as ledger:
        assert list(here.records("test")) == list(ledger.records("test"))
    each = [(count, 18) for count in range(1, 19)]
    assert told == {"looked at": each, "taken in": each}


@pytest.mark.slow
@pytest.mark.parametrize("during", ["looked at", "taken in"])
def test_an_import_that_is_interrupted_leaves_nothing(there: Path, here: Ledger, during: str) -> None:
    def pace(done: str) -> OnMatch:
        return interrupted if done == during else lambda count, total: None

    def interrupted(count: int, total: int) -> None:
        if count == 15:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take_in(here, sources_at(there), pace, processes=2)

    assert (here.cups(), list(here.versions.rows())) == ((), [])
    assert multiprocessing.active_children() == []
    with here.run_lock("test"):
        pass


def test_of_a_file_of_records_it_is_known_how_many_lines_of_it_can_be_read(tmp_path: Path) -> None:
    text = "\n".join(["{}"] * 7 + ["", "{}", ""]).encode()
    for name, data in (("plain", text), ("packed", gzip.compress(text)), ("torn", gzip.compress(text)[:-9])):
        (tmp_path / f"{name}.jsonl").write_bytes(data)

    counts = {name: RecordsSource(tmp_path / f"{name}.jsonl").match_count() for name in ("plain", "packed", "none")}

    assert counts == {"plain": 8, "packed": 8, "none": 0}
    assert RecordsSource(tmp_path / "torn.jsonl").match_count() <= 8
