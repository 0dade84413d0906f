"""Migrations: every older file becomes one of today, all of it or nothing."""

import sqlite3
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from harness.faults import ABSENT, FaultKind
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Note, Ruling, RulingKind
from harness.store.schema import APPLICATION_ID, FIRST, MIGRATIONS, SCHEMA_VERSION, Migration, migrate
from harness.store.times import DecisionTime
from tests.store.made_up import NOW_NS, SECRET, begin, entry, record

OLD_LEDGERS = Path(__file__).parent / "old_ledgers"
SECOND: Migration = (
    "CREATE TABLE rulings (ruling_key INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT",
    "ALTER TABLE cups ADD COLUMN place TEXT",
)


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def tables(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    connection = connect(tmp_path / "arena.db")
    found = migrate(connection)

    assert found == 0
    assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    connection.close()


def test_only_what_is_missing_is_done_and_rows_stay(tmp_path: Path) -> None:
    connection = connect(tmp_path / "arena.db")
    migrate(connection, [FIRST])
    connection.execute("INSERT INTO cups VALUES ('cup', 1)")
    found = migrate(connection, [FIRST, SECOND])
    again = migrate(connection, [FIRST, SECOND])

    assert (found, again) == (1, 2)
    assert connection.execute("SELECT * FROM cups").fetchall() == [("cup", 1, None)]
    assert "rulings" in tables(connection)
    connection.close()


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    connection = connect(tmp_path / "arena.db")
    migrate(connection, [FIRST])
    before = tables(connection)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, [FIRST, SECOND, ("ALTER TABLE nothing ADD COLUMN x TEXT",)])

    assert tables(connection) == before
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()


def test_the_process_that_comes_second_finds_the_work_done(tmp_path: Path) -> None:
    first, second = connect(tmp_path / "arena.db"), connect(tmp_path / "arena.db")
    migrate(first)
    migrate(second)

    assert tables(first) == tables(second)
    first.close()
    second.close()


def test_every_table_is_strict(tmp_path: Path) -> None:
    connection = connect(tmp_path / "arena.db")
    migrate(connection)

    loose = connection.execute("SELECT name FROM pragma_table_list WHERE NOT strict AND name NOT LIKE 'sqlite_%'")
    assert loose.fetchall() == []
    connection.close()


def restored(dump: Path, path: Path) -> Path:
    """The ledger that was dumped with `sqlite3 arena.db .dump`, pragmas included."""
    connection = connect(path)
    connection.executescript(dump.read_text())
    connection.close()
    return path


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_a_ledger_of_every_released_version_is_read(tmp_path: Path, version: int) -> None:
    path = restored(OLD_LEDGERS / f"version_{version}.sql", tmp_path / "arena.db")
    with Ledger(path) as ledger:
        kept = ledger.round("cup", 1)
        match = ledger.record("cup/1/000001")

        assert (kept.started_unix_ns, kept.secret) == (NOW_NS + 1, SECRET)
        assert ledger.entries("cup", 1)[0] == Entry(**vars(entry("ant")))
        assert match.faults[0].detail == "exit code 1"
        assert match.deals[0].actions == ("contract:royalty", "play:QS")
        assert [result.places for result in ledger.results("cup")] == [(1, 2, 3, 4)]
        assert ledger.times("cup/1/000001") == (DecisionTime(0, 5_000, 1),)
        assert ledger.notes("cup/1/000001") == (Note(0, 1, 2, "ducks"),)
        assert [row.label for row in ledger.withdrawals("cup", 1)] == ["dog"]
        assert kept.budget == (None if version < 2 else '{"matches":12}')
        anchors = {row.label: row.anchor_elo for row in ledger.entries("cup", 1) if row.anchor_elo is not None}
        assert anchors == ({} if version < 2 else {"bee": 1500.0})
        assert [row.version.match_think_ns for row in ledger.versions.rows()] == [None if version < 3 else 125]
        assert [(row.version.name, row.match_count) for row in ledger.versions.rows()] == [("ant", 1)]
        void = Ruling(1, RulingKind.VOID, "cup", 1, "cards were seen", NOW_NS, None, 1, 1, None)
        assert ledger.rulings.all() == (() if version < 4 else (void,))


@pytest.mark.parametrize(
    ("kind", "detail", "called"),
    [
        (FaultKind.START, "withdrawn by the organiser: by mistake", ABSENT),
        (FaultKind.START, "withdrawn after faults in 20 of its first 20 matches, the last one crashed", ABSENT),
        (FaultKind.START, "withdrawn after 3 starts in a row that came to nothing; the last one: exit code 1", "start"),
        (FaultKind.CRASHED, "withdrawn by the organiser: says the bot", "crashed"),
    ],
)
def test_seats_that_the_house_played_are_no_faults_in_older_ledgers_either(
    tmp_path: Path, kind: FaultKind, detail: str, called: str
) -> None:
    path = tmp_path / "arena.db"
    with Ledger(path, create=True) as ledger:
        begin(ledger)
        made = record(faulted=(3,), detail=detail)
        ledger.add_match(replace(made, faults=tuple(fault._replace(kind=kind) for fault in made.faults)))
        (before,) = ledger.results("cup")
        line = ledger.record_line("cup/1/000001")
    connection = connect(path)
    connection.execute("UPDATE records SET record = ?", (zlib.compress(line.encode()),))
    connection.execute("UPDATE match_seats SET fault = ? WHERE fault IS NOT NULL", (str(kind),))
    connection.execute("PRAGMA user_version = 4")
    connection.close()

    with Ledger(path) as ledger:
        assert list(ledger.results("cup")) == [before]
    assert called in before.faults
