"""Who sat where: of every match a row for each seat of the bots that are meant, without a value for the others."""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from harness.store.columns import LabelCount, RoundKeys
from harness.store.database import Database


class Appearance(NamedTuple):
    """A bot at a table."""

    label: str
    name: str
    sha256: str
    number: int
    """Of the match."""
    block: int
    seat: int
    fault: str | None
    """Kind of its fault, or `harness.faults.ABSENT`."""


class Appearances:
    """The seats of the matches of a ledger, by bot."""

    def __init__(self, database: Database, keys_of: Callable[[str, int], RoundKeys]) -> None:
        """`keys_of` gives the keys of a round."""
        self._database = database
        self._keys_of = keys_of

    def of(self, cup: str, round: int, bots: Collection[tuple[str, str]]) -> Iterator[Appearance]:
        """Every seat of `bots` (name and tree) in a round, by match and seat."""
        keys = self._keys_of(cup, round)
        of_round = self._database.rows(
            lambda *columns: columns,
            "SELECT entry_key, label, name, sha256 FROM entries WHERE round_key = ?",
            (keys.round_key,),
        )
        entries = {key: (label, name, sha256) for key, label, name, sha256 in of_round if (name, sha256) in bots}
        least, most = keys.matches
        sql = f"""
            SELECT entry_key, match_key - ?, block, seat, fault FROM match_seats JOIN matches USING (match_key)
            WHERE match_key BETWEEN ? AND ? AND entry_key IN ({", ".join("?" * len(entries))})
            ORDER BY match_key, seat
        """
        return self._database.rows(
            lambda entry_key, *columns: Appearance(*entries[entry_key], *columns), sql, (least, least, most, *entries)
        )

    def counts(self, cup: str, round: int, *, without: Collection[str] = ()) -> dict[str, int]:
        """How many matches of a round each label has played; a label that sits twice in one counts once a seat.

        Seats with a fault of the kinds `without` are left out.
        """
        keys = self._keys_of(cup, round)
        sql = f"""
            SELECT label, count(match_key) FROM entries LEFT JOIN (
                SELECT entry_key, match_key FROM match_seats WHERE match_key BETWEEN ? AND ?
                AND (fault IS NULL OR fault NOT IN ({", ".join("?" * len(without))}))
            ) USING (entry_key) WHERE round_key = ? GROUP BY entry_key ORDER BY position
        """
        rows = self._database.rows(LabelCount, sql, (*keys.matches, *without, keys.round_key))
        return {row.label: row.match_count for row in rows}

    def open_blocks(self, cup: str, round: int) -> set[int]:
        """Blocks of a round with rotations that have matches, and fewer than seats."""
        sql = """
            SELECT block FROM match_seats JOIN matches USING (match_key) WHERE match_key BETWEEN ? AND ?
            GROUP BY block HAVING count(DISTINCT match_key) * count(DISTINCT match_key) < count(*)
        """
        return set(self._database.rows(int, sql, self._keys_of(cup, round).matches))
