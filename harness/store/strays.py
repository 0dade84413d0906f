"""What stands in a ledger and belongs to nothing there: rounds without their cup, matches without their round."""

from collections.abc import Iterator

from harness.printable import printable
from harness.store.database import Database
from harness.store.schema import MATCHES_PER_ROUND

_STRAYS = (
    (
        "round {0} is of the cup {1}, which is not in the ledger",
        """
        SELECT round || ' ' || cup FROM rounds WHERE cup NOT IN (SELECT cup FROM cups) ORDER BY round_key
    """,
    ),
    ("the cup {0} has no round", "SELECT cup FROM cups WHERE cup NOT IN (SELECT cup FROM rounds) ORDER BY cup"),
    (
        "{0} is entered in a round that is not in the ledger",
        """
        SELECT label FROM entries WHERE round_key NOT IN (SELECT round_key FROM rounds) ORDER BY entry_key
    """,
    ),
    (
        "withdrawal {0} is of an entry that is not in the ledger",
        """
        SELECT CAST(withdrawal_key AS TEXT) FROM withdrawals
        WHERE entry_key NOT IN (SELECT entry_key FROM entries) ORDER BY withdrawal_key
    """,
    ),
    (
        "ruling {0} is on a round or an entry that is not in the ledger",
        """
        SELECT CAST(ruling AS TEXT) FROM rulings
        WHERE round_key NOT IN (SELECT round_key FROM rounds) OR entry_key NOT IN (SELECT entry_key FROM entries)
        ORDER BY ruling
    """,
    ),
    *(
        (
            f"a row of {table} is of a round that is not in the ledger",
            f"""
            SELECT CAST(match_key AS TEXT) FROM {table}
            WHERE match_key / {MATCHES_PER_ROUND} NOT IN (SELECT round_key FROM rounds) LIMIT 1
        """,
        )
        for table in ("matches", "match_seats", "records")
    ),
)


def strays(database: Database) -> Iterator[str]:
    """Each of them in words."""
    for words, sql in _STRAYS:
        for found in database.rows(str, sql):
            yield words.format(*map(printable, found.split(" ", 1)))
