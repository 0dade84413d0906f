"""The SQLite file under the ledger: opening it, transactions, and its failures as an operator reads them."""

import os
import sqlite3
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from harness.errors import HarnessError
from harness.printable import printable
from harness.store.schema import APPLICATION_ID, SCHEMA_VERSION, migrate

BUSY_S = 10.0
"""How long a statement waits for another process that writes."""
OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables."""

_TORN = "the ledger is torn; take it from a copy, or save what is left with `sqlite3 FILE .recover`"
_SIGNS_OF_TEARING = (
    "no such table",
    "no such column",
    "column not present",
    "unsupported file format",
    "Could not decode to UTF-8",
)
"""In messages of errors that have no code of their own."""

_NO_WAL_MADE = ("SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY", "SQLITE_READONLY_CANTINIT")
"""What SQLite says where it cannot make the files beside a ledger that it works with."""

CHUNK_ROWS = 1000

T = TypeVar("T")
SqlValue = str | int | float | bytes | None


class Database:
    """One connection. Every sqlite3 error that is not a bug of ours leaves as a HarnessError with the mend."""

    def __init__(self, path: Path, *, create: bool) -> None:
        self.path = path
        self.name = printable(str(path))
        self._writing = False
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise HarnessError(
                f"SQLite {sqlite3.sqlite_version} is too old for the ledger; Python needs one from 3.37 on"
            )
        if create:
            self._create()
        elif not path.is_file():
            raise HarnessError(f"{self.name}: there is no ledger here; `cardarena run CUP.toml` begins one")
        with self._explained():
            try:
                self._connection = self._opened("mode=rw")
            except sqlite3.OperationalError as error:
                if create or getattr(error, "sqlite_errorname", "") not in _NO_WAL_MADE:
                    raise
                self._check_is_whole()
                self._connection = self._opened("mode=ro&immutable=1")

    def _opened(self, how: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(os.fsencode(self.path))}?{how}", uri=True, isolation_level=None, timeout=BUSY_S
        )
        try:
            self._prepare(connection, is_fixed="immutable" in how)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_is_whole(self) -> None:
        """HarnessError unless all is in the file itself, so that it can be read where no -wal file can be made.

        SQLite then takes no locks. Who might be writing keeps both files beside it, and with them it would be read.
        """
        beside = self.path.with_name(f"{self.path.name}-wal")
        if beside.exists() and beside.stat().st_size:
            raise HarnessError(
                f"{self.name}: whoever wrote last left its end in {printable(beside.name)}, and nothing can be written "
                "here; copy the whole folder to where it can be, and name the copy by --home"
            )

    def _create(self) -> None:
        # Never opened by us when it is there: closing such a descriptor would drop the locks that another
        # connection of this process holds (POSIX locks belong to process and file).
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            pass
        except OSError as error:
            raise HarnessError(f"{self.name}: cannot be made: {error.strerror}") from None

    def _prepare(self, connection: sqlite3.Connection, *, is_fixed: bool) -> None:
        """`is_fixed`: it is read from where nothing can be written."""
        # One statement, so that all three are of one moment: another process may be making the ledger just now.
        application_id, version, object_count = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        is_empty = (application_id, version, object_count) == (0, 0, 0)
        if application_id != APPLICATION_ID and not is_empty:
            raise HarnessError(f"{self.name}: not a ledger but a database of something else; name another home")
        if version < 0:
            raise HarnessError(f"{self.name}: {_TORN}")
        if version > SCHEMA_VERSION:
            raise HarnessError(
                f"{self.name}: written by a newer cardarena (ledger format {version}, this one knows "
                f"{SCHEMA_VERSION}); upgrade cardarena"
            )
        if is_fixed:
            if version < SCHEMA_VERSION:
                raise HarnessError(
                    f"{self.name}: written by an older cardarena and to be brought up to date, but nothing can be "
                    "written here; copy the whole folder to where it can be, and name the copy by --home"
                )
            return
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise HarnessError(f"{self.name}: its file system cannot share a ledger; put the home on a local disk")
        # In WAL mode a killed process loses nothing that was committed, synced or not; a power failure may lose
        # the last commits (never the file), and their matches are played again.
        connection.execute("PRAGMA synchronous = NORMAL")
        # To fold the -wal file in waits for the disk, and the bots' answers wait meanwhile: seldom, at some 16 MB.
        connection.execute("PRAGMA wal_autocheckpoint = 4000")
        connection.execute("PRAGMA foreign_keys = ON")
        migrate(connection)

    def close(self) -> None:
        """Ends the connection; the last one to close folds the -wal file in."""
        with self._explained():
            self._connection.close()

    def execute(self, sql: str, values: Sequence[SqlValue] = ()) -> sqlite3.Cursor:
        """Runs one statement that writes."""
        with self._explained():
            return self._connection.execute(sql, values)

    def execute_many(self, sql: str, rows: Sequence[Sequence[SqlValue]]) -> None:
        """Runs one statement that writes for each of `rows`."""
        with self._explained():
            self._connection.executemany(sql, rows)

    def row(self, make: Callable[..., T], sql: str, values: Sequence[SqlValue] = ()) -> T | None:
        """`make` of the columns of the first row; None where there is no row."""
        with self._explained():
            row = self._connection.execute(sql, values).fetchone()
        with self._made():
            return None if row is None else make(*row)

    def rows(self, make: Callable[..., T], sql: str, values: Sequence[SqlValue] = ()) -> Iterator[T]:
        """`make` of the columns of each row, fetched as asked for. What others write meanwhile is not among them."""
        with self._explained():
            cursor = self._connection.execute(sql, values)
        while True:
            with self._explained():
                rows = cursor.fetchmany(1000)
            if not rows:
                return
            with self._made():
                made = [make(*row) for row in rows]
            yield from made

    def columns(self, count: int, sql: str, values: Sequence[SqlValue] = ()) -> tuple["array[int]", ...]:
        """The `count` columns of all rows, whole numbers all of them: of millions, without a value for each."""
        columns = tuple(array("q") for _ in range(count))
        with self._explained():
            cursor = self._connection.execute(sql, values)
        while True:
            with self._explained():
                rows = cursor.fetchmany(CHUNK_ROWS)
            if not rows:
                return columns
            with self._made():
                for column, part in zip(columns, zip(*rows, strict=True), strict=True):
                    column.extend(part)

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[None]:
        """All of the block is written, or nothing. `durable`: it survives a power failure from here on too.

        A transaction within another is part of it.
        """
        if self._writing:
            yield
            return
        if durable:
            self.execute("PRAGMA synchronous = FULL")
        try:
            self.execute("BEGIN IMMEDIATE")
            self._writing = True
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                self._rollback()
                raise
            finally:
                self._writing = False
        finally:
            if durable:
                self.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read in the block is of one moment, whoever writes meanwhile."""
        self.execute("BEGIN")
        try:
            yield
        finally:
            self._rollback()

    def _rollback(self) -> None:
        if self._connection.in_transaction:  # a full disk has rolled back already
            with self._explained():
                self._connection.execute("ROLLBACK")

    @contextmanager
    def _made(self) -> Iterator[None]:
        """A torn file can hold what its tables forbid: nothing where a number is due."""
        try:
            yield
        except (TypeError, ValueError) as error:
            raise HarnessError(f"{self.name}: {_TORN}") from error

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:  # sqlite3 could not even say what is wrong
            raise HarnessError(f"{self.name}: {_TORN}") from error
        except sqlite3.Error as error:
            mend = _mend(error, self.path)
            if mend is None:
                raise
            raise HarnessError(f"{self.name}: {mend}") from error


def _mend(error: sqlite3.Error, path: Path) -> str | None:
    """What happened and the mend; None for what only a bug of ours can cause."""
    code = getattr(error, "sqlite_errorname", "")
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"another process has been writing to the ledger for {BUSY_S:.0f} s; try again when it has finished"
    if code.startswith("SQLITE_FULL"):
        return "no room left on the disk; make some, and the same command goes on where it stopped"
    if code.startswith("SQLITE_NOTADB"):
        return "not a ledger, or one whose beginning was overwritten; take it from a copy, or name another home"
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_TOOBIG")) or any(sign in str(error) for sign in _SIGNS_OF_TEARING):
        return _TORN
    if code.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN", "SQLITE_AUTH")):
        if not os.access(path, os.R_OK):
            return "you may not read it; `chmod u+rw` it where it is yours, else ask its owner"
        return "cannot be written; look at the owner and permissions of the file and its folder"
    if code.startswith("SQLITE_IOERR"):
        return f"the disk failed ({code}); look at its room and health"
    return None
