"""Files that are no ledger, torn ones, full disks, other writers: each a line with the mend, never a traceback."""

import random
import resource
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store import database
from harness.store.ledger import Ledger
from harness.store.schema import SCHEMA_VERSION, migrate
from tests.store.made_up import BOTS, begin, begun, record, version


def complaint_of(path: Path) -> str:
    """What an operator reads who opens `path`; one line."""
    with pytest.raises(HarnessError) as caught, Ledger(path):
        pass
    text = str(caught.value)
    assert text.isprintable()
    assert path.name in text
    return text


def read_all(path: Path) -> None:
    """Reads whatever the ledger holds."""
    with Ledger(path) as ledger:
        for cup in ledger.cups():
            for round in ledger.rounds(cup.cup):
                ledger.entries(cup.cup, round.round)
                ledger.withdrawals(cup.cup, round.round)
                ledger.appearances.counts(cup.cup, round.round)
                len(ledger.finished_numbers(cup.cup, round.round))
            for match in ledger.records(cup.cup):
                ledger.times(match.match)
                ledger.notes(match.match)
            list(ledger.results(cup.cup))
        list(ledger.versions.rows())


@contextmanager
def reported(complaints: list[str]) -> Iterator[None]:
    """Notes what an operator would read."""
    try:
        yield
    except HarnessError as error:
        complaints.append(str(error))
        raise


def test_reading_makes_no_ledger(tmp_path: Path) -> None:
    assert "there is no ledger here" in complaint_of(tmp_path / "arena.db")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    assert "there is no ledger here" in complaint_of(tmp_path)


def test_a_file_of_something_else_is_no_ledger(tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_bytes(b"not a database, but long enough to be looked at " * 100)

    assert "not a ledger" in complaint_of(tmp_path / "arena.db")


def test_a_database_of_something_else_is_no_ledger_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()
    before = path.read_bytes()

    assert "a database of something else" in complaint_of(path)
    assert path.read_bytes() == before


def test_a_ledger_from_the_future_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    begun(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()

    assert "newer cardarena" in complaint_of(path)
    assert "upgrade cardarena" in complaint_of(path)


def test_a_path_with_odd_characters_is_a_path(tmp_path: Path) -> None:
    path = tmp_path / "a?b#c%41 «ж»&mode=ro.db"
    begun(path).close()
    with Ledger(path) as ledger:
        assert ledger.add_match(record())


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    (tmp_path / "arena.db").touch()
    with Ledger(tmp_path / "arena.db") as ledger:
        assert ledger.cups() == ()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "arena.db"
    with begun(path) as ledger:
        ledger.versions.add(version("ant"))
        for number in range(1, 60):
            ledger.add_match(record(number), times=[(0, 1000, 1)] * 50, notes=[(0, 0, 0, "x" * 200)])
        ledger.withdraw("cup", 1, "dog", kind="start", detail="", at_unix_ns=1)
    return path.read_bytes()


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_ledger_cut_short_is_torn(tmp_path: Path, whole: bytes, share: float) -> None:
    (tmp_path / "arena.db").write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(HarnessError) as caught:
        read_all(tmp_path / "arena.db")

    assert str(caught.value).isprintable()
    assert "from a copy" in str(caught.value)


@pytest.mark.slow
def test_a_ledger_overwritten_anywhere_is_torn_or_reads_as_something(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "arena.db"
    chance = random.Random(1)
    complaints: list[str] = []
    for _ in range(100):
        start, byte_count = chance.randrange(len(whole)), chance.choice([1, 8, 512, 4096])
        path.write_bytes(whole[:start] + chance.randbytes(byte_count) + whole[start + byte_count :])
        with suppress(HarnessError), reported(complaints):
            read_all(path)

    assert len(complaints) > 20
    assert all(complaint.isprintable() for complaint in complaints)


def test_a_table_that_is_missing_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    begun(path).close()
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE match_seats")
    connection.close()

    with Ledger(path) as ledger, pytest.raises(HarnessError, match="the ledger is torn"):
        list(ledger.results("cup"))


def test_another_writer_that_does_not_let_go_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arena.db"
    begun(path).close()
    monkeypatch.setattr(database, "BUSY_S", 0.0)
    other = sqlite3.connect(path, isolation_level=None)
    with Ledger(path) as ledger:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(HarnessError, match="another process has been writing"):
            ledger.add_match(record())
        other.execute("ROLLBACK")

        assert ledger.add_match(record())
    other.close()


@contextmanager
def disk_of(size_bytes: int) -> Iterator[None]:
    """Lets no file of this process grow beyond `size_bytes`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def test_a_full_disk_loses_the_match_at_hand_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with begun(path) as ledger:
        limit_bytes = (tmp_path / "arena.db-wal").stat().st_size + 40_000
        kept = 0
        complaints: list[str] = []
        with disk_of(limit_bytes), suppress(HarnessError), reported(complaints):
            for number in range(1, 100):
                ledger.add_match(record(number), notes=[(0, 0, 0, "x" * 200)])
                kept = number

        assert kept > 0
        assert "disk" in complaints[0]
        assert list(ledger.finished_numbers("cup", 1)) == list(range(1, kept + 1))
        assert ledger.add_match(record(kept + 1))
    with Ledger(path) as ledger:
        assert ledger.match_count("cup") == kept + 1


def test_an_iteration_left_half_way_holds_nothing(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        for number in range(1, 4):
            ledger.add_match(record(number))
        records = ledger.records("cup")
        next(records)
        del records

        assert ledger.add_match(record(4))
        begin(ledger, "zoo")
        assert {cup.cup for cup in ledger.cups()} == {"cup", "zoo"}


def test_matches_may_be_added_while_results_are_read(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        for number in range(1, 1200):
            ledger.add_match(record(number, labels=BOTS[:2], places=(1, 2)))
        results = ledger.results("cup")
        first = next(results)
        ledger.add_match(record(5000))

        assert first.match == "cup/1/000001"
        assert sum(1 for _ in results) in (1198, 1199)


def test_a_ledger_that_another_process_is_making_just_now_is_no_database_of_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "arena.db"
    statements: list[str] = []

    class Overtaken(sqlite3.Connection):
        """Sees another process make the ledger between its first statement and its second."""

        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            statements.append(sql)
            if len(statements) == 2:
                other = sqlite3.Connection(str(path), isolation_level=None)
                migrate(other)
                other.close()
            return super().execute(sql, *values)  # type: ignore[arg-type] # passed on

    monkeypatch.setattr("harness.store.database.sqlite3.connect", partial(sqlite3.connect, factory=Overtaken))

    with Ledger(path, create=True) as ledger:
        assert ledger.cups() == ()
