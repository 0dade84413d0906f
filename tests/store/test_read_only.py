"""A ledger where nothing can be written, on a read-only medium or in another's folder, is read all the same."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.ledger import Ledger
from tests.store.made_up import begun, record, version
from tests.store.test_schema import OLD_LEDGERS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of one match, beside which SQLite can make no file, whoever asks (not even root)."""
    with begun(tmp_path / "arena.db") as ledger:
        ledger.add_match(record())
    (tmp_path / "arena.db-shm").symlink_to("/nowhere/to/be/made")
    return tmp_path / "arena.db"


def test_all_of_it_is_read(path: Path) -> None:
    with Ledger(path) as ledger:
        assert [found.match for found in ledger.records("cup")] == ["cup/1/000001"]


def test_nothing_is_written(path: Path) -> None:
    before = path.read_bytes()
    with Ledger(path) as ledger, pytest.raises(HarnessError, match=r"cannot be written; look at the owner"):
        ledger.versions.add(version())

    assert path.read_bytes() == before


def test_what_was_written_last_is_not_passed_over(path: Path) -> None:
    writer = path.parent / "elsewhere.db"
    shutil.copy(path, writer)
    with closing(sqlite3.connect(writer)) as open_still:
        open_still.execute("UPDATE cups SET cup = cup")
        open_still.commit()
        shutil.copy(f"{writer}-wal", f"{path}-wal")

    with pytest.raises(HarnessError, match=r"left its end in arena.db-wal, .* copy the whole folder") as caught:
        Ledger(path)
    assert str(caught.value).isprintable()


def test_one_of_an_older_format_is_to_be_copied_first(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path.parent / "old.db")) as old:
        old.executescript((OLD_LEDGERS / "version_1.sql").read_text())
        old.execute("PRAGMA journal_mode = WAL")
    (path.parent / "old.db").rename(path)

    with pytest.raises(HarnessError, match=r"older cardarena and to be brought up to date, .* copy the whole folder"):
        Ledger(path)


def test_whoever_begins_one_is_told_that_it_cannot_be_written(path: Path) -> None:
    with pytest.raises(HarnessError, match=r"cannot be written; look at the owner"):
        Ledger(path, create=True)
