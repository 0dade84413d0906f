"""The tables of the ledger, and how a file written by an older program becomes one of today.

`MIGRATIONS[n]` takes a file from `user_version` n to n + 1; an empty file is at 0. A migration that
has been released is never edited: add another. Everything else in a ledger follows from these rows.
"""

import json
import sqlite3
from collections.abc import Sequence

from harness.faults import FaultKind, result_fault
from harness.store.unpacking import unpacked

APPLICATION_ID = 0x43415244
"""`CARD`: in the header of the file, so that a database of something else is not taken for a ledger."""

MATCHES_PER_ROUND = 1_000_000_000
"""A match's key is `round_key * MATCHES_PER_ROUND + number`: its rounds in order, its matches in order."""

Migration = tuple[str, ...]

FIRST: Migration = (
    """
    CREATE TABLE cups (
        cup TEXT PRIMARY KEY,
        created_unix_ns INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE versions (
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        version TEXT NOT NULL,
        team TEXT NOT NULL,
        tree TEXT NOT NULL,          -- the staged copy, relative to the home
        manifest TEXT NOT NULL,      -- bot.toml as canonical JSON
        stored_unix_ns INTEGER NOT NULL,
        submitted_unix_ns INTEGER,   -- NULL: only pinned by a cup
        verdict TEXT,
        retired_unix_ns INTEGER,
        PRIMARY KEY (name, sha256)
    ) STRICT
    """,
    """
    CREATE TABLE rounds (
        round_key INTEGER PRIMARY KEY,
        cup TEXT NOT NULL REFERENCES cups,
        round INTEGER NOT NULL CHECK (round >= 1),
        settings TEXT NOT NULL,      -- canonical JSON
        schedule_sha256 TEXT NOT NULL,
        commitment TEXT NOT NULL,
        secret BLOB,                 -- NULL: not known here
        started_unix_ns INTEGER NOT NULL,
        ended_unix_ns INTEGER,
        revealed_unix_ns INTEGER CHECK (revealed_unix_ns IS NULL OR ended_unix_ns IS NOT NULL),
        UNIQUE (cup, round)
    ) STRICT
    """,
    """
    CREATE TABLE entries (
        entry_key INTEGER PRIMARY KEY,
        round_key INTEGER NOT NULL REFERENCES rounds,
        position INTEGER NOT NULL,   -- the schedule's index
        label TEXT NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        team TEXT NOT NULL,
        rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
        role TEXT NOT NULL CHECK (role IN ('bot', 'house', 'fill')),
        bank_ns INTEGER,             -- NULL, as the next two: the cup's clock
        increment_ns INTEGER,
        decision_ns INTEGER,
        UNIQUE (round_key, label),
        UNIQUE (round_key, position)
    ) STRICT
    """,
    """
    CREATE TABLE withdrawals (
        withdrawal_key INTEGER PRIMARY KEY,
        entry_key INTEGER NOT NULL UNIQUE REFERENCES entries,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        at_unix_ns INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE matches (
        match_key INTEGER PRIMARY KEY,
        block INTEGER NOT NULL,
        rotation INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE match_seats (
        match_key INTEGER NOT NULL REFERENCES matches,
        seat INTEGER NOT NULL,
        entry_key INTEGER NOT NULL REFERENCES entries,
        place INTEGER NOT NULL,
        points INTEGER NOT NULL,
        fault TEXT,                  -- kind of the seat's fault
        PRIMARY KEY (match_key, seat)
    ) STRICT, WITHOUT ROWID
    """,
    # Apart from the small rows above: what reads a million results must not page through records.
    """
    CREATE TABLE records (
        match_key INTEGER PRIMARY KEY REFERENCES matches,
        record BLOB NOT NULL,        -- the JSON line: harness.store.kept
        sha256 BLOB NOT NULL,        -- of the record's identity
        times BLOB NOT NULL,         -- harness.store.times
        notes BLOB                   -- JSON, zlib; NULL: none
    ) STRICT
    """,
)

SECOND: Migration = (
    "ALTER TABLE rounds ADD COLUMN budget TEXT",  # JSON: how much the round plays; NULL: as its settings say
    "ALTER TABLE entries ADD COLUMN anchor_elo REAL",  # NULL: no anchor, or one that the settings name
)

THIRD: Migration = (
    "ALTER TABLE versions ADD COLUMN match_think_ns INTEGER",  # of its longest match in a check; NULL: not checked
)

FOURTH: Migration = (
    """
    CREATE TABLE rulings (
        ruling INTEGER PRIMARY KEY,  -- its number, as people name it
        kind TEXT NOT NULL CHECK (kind IN ('void', 'withdraw', 'failure')),
        round_key INTEGER NOT NULL REFERENCES rounds,
        number INTEGER,              -- void, failure: of the match that it is about
        block INTEGER,               -- void, failure: what counts no more
        entry_key INTEGER REFERENCES entries, -- withdraw
        reason TEXT NOT NULL,
        at_unix_ns INTEGER NOT NULL,
        undone_unix_ns INTEGER,
        CHECK ((kind = 'withdraw') = (block IS NULL) AND (kind = 'withdraw') = (entry_key IS NOT NULL)
            AND (block IS NULL) = (number IS NULL))
    ) STRICT
    """,
)

FIFTH: Migration = (
    # A seat that the house played because its bot had been withdrawn was told as a fault of the bot's.
    """
    UPDATE match_seats
    SET fault = fault_of_seat(seat, (SELECT record FROM records WHERE match_key = match_seats.match_key))
    WHERE fault = 'start'
    """,
)

SIXTH: Migration = ()  # Records are kept shorter (`harness.store.kept`): older programs would take them for damaged.

MIGRATIONS: tuple[Migration, ...] = (FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH)
SCHEMA_VERSION = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Brings the file up to date, all of it or nothing, and returns the version that it had.

    The connection must be in autocommit. Safe against another process that does the same.
    """
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found >= len(migrations):
        return int(found)
    connection.create_function("fault_of_seat", 2, _fault_of_seat, deterministic=True)
    connection.execute("BEGIN IMMEDIATE")
    try:
        (found,) = connection.execute("PRAGMA user_version").fetchone()  # the other process may have been quicker
        for version in range(found, len(migrations)):
            for statement in migrations[version]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return int(found)


def _fault_of_seat(seat: int, record: bytes) -> str:
    """What results call the fault of `seat` of a packed record; of a damaged one what they have called it."""
    try:
        faults = json.loads(unpacked(record))["faults"]
        (fault,) = (fault for fault in faults if fault["seat"] == seat)
        return result_fault(fault["kind"], fault["detail"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return FaultKind.START
