"""Rulings in the ledger: what takes a match or a bot out of the count, and why.

Rows are added and undone, never deleted. They change no result: what counts follows from them (`harness.counting`).
"""

from collections.abc import Iterable, Iterator

from harness.errors import HarnessError
from harness.names import MAX_REASON_CHARACTERS, why_not_a_reason
from harness.store.database import Database
from harness.store.rows import Ruling, RulingKind
from harness.store.schema import MATCHES_PER_ROUND

_SELECT = """
    SELECT ruling, kind, cup, round, reason, at_unix_ns, undone_unix_ns, rulings.number, rulings.block, label
    FROM rulings JOIN rounds USING (round_key) LEFT JOIN entries USING (entry_key)
"""


class Rulings:
    """The rulings of a ledger, numbered from 1 over all cups."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> tuple[Ruling, ...]:
        """Every ruling, undone ones too, oldest first."""
        return tuple(self._database.rows(_ruling, f"{_SELECT} ORDER BY ruling"))

    def of_cup(self, cup: str) -> tuple[Ruling, ...]:
        """Those of a cup, undone ones too, oldest first."""
        return tuple(self._database.rows(_ruling, f"{_SELECT} WHERE cup = ? ORDER BY ruling", (cup,)))

    def block_of(self, cup: str, round: int, number: int) -> int | None:
        """The block of a match that is kept; None where it is not."""
        sql = """
            SELECT block FROM matches JOIN rounds ON match_key = round_key * ? + ? WHERE cup = ? AND round = ?
        """
        return self._database.row(int, sql, (MATCHES_PER_ROUND, number, cup, round))

    def add(self, rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
        """Writes rulings down, all or none, and gives them back with their numbers. What is here is passed over.

        The same is what concerns the same, for the same reason, at the same moment. One that was undone anywhere is
        undone here, from when it first was: who undid it knew of the ruling, and who did not may not have heard of it.
        ValueError for a round or an entry that is not here.
        """
        with self._database.transaction(durable=True):
            return tuple(self._added(ruling) for ruling in rulings)

    def _added(self, ruling: Ruling) -> Ruling:
        why_not = why_not_a_reason(ruling.reason, MAX_REASON_CHARACTERS)
        if why_not is not None:
            raise HarnessError(f"{ruling.cup}, round {ruling.round}: a ruling whose reason {why_not}")
        sql = "SELECT round_key FROM rounds WHERE cup = ? AND round = ?"
        round_key = self._database.row(int, sql, (ruling.cup, ruling.round))
        sql = "SELECT entry_key FROM entries WHERE round_key = ? AND label = ?"
        entry_key = None if ruling.label is None else self._database.row(int, sql, (round_key, ruling.label))
        if round_key is None or (ruling.label is not None and entry_key is None):
            raise ValueError(f"round {ruling.round} of {ruling.cup}: a ruling on {ruling.label}, which is not here")
        what = (str(ruling.kind), round_key, ruling.number, ruling.block, entry_key, ruling.reason, ruling.at_unix_ns)
        sql = (
            "SELECT ruling FROM rulings WHERE kind = ? AND round_key = ? AND number IS ? AND block IS ? "
            "AND entry_key IS ? AND reason = ? AND at_unix_ns = ?"
        )
        known = self._database.row(int, sql, what)
        if known is not None:
            sql = "UPDATE rulings SET undone_unix_ns = min(ifnull(undone_unix_ns, ?1), ?1) WHERE ruling = ?2"
            if ruling.undone_unix_ns is not None:
                self._database.execute(sql, (ruling.undone_unix_ns, known))
            return ruling._replace(ruling=known)
        cursor = self._database.execute(
            "INSERT INTO rulings (kind, round_key, number, block, entry_key, reason, at_unix_ns, undone_unix_ns) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*what, ruling.undone_unix_ns),
        )
        assert cursor.lastrowid is not None
        return ruling._replace(ruling=cursor.lastrowid)

    def undoable(self, ruling: int) -> Ruling:
        """A ruling of the organiser that stands. HarnessError where there is none of that number, or it was undone."""
        found = next((row for row in self.all() if row.ruling == ruling), None)
        if found is None:
            raise HarnessError(f"there is no ruling {ruling}; `cardarena rulings` lists them")
        if found.undone_unix_ns is not None:
            raise HarnessError(f"ruling {ruling} was undone before")
        if found.kind is RulingKind.FAILURE:
            raise HarnessError(f"ruling {ruling} is no decision: {found.match} never came to an end")
        return found

    def undo(self, ruling: int, *, at_unix_ns: int) -> None:
        """Takes a ruling back: it stays in the ledger, marked so."""
        sql = "UPDATE rulings SET undone_unix_ns = ? WHERE ruling = ? AND undone_unix_ns IS NULL"
        self._database.execute(sql, (at_unix_ns, ruling))


def _ruling(ruling: int, kind: str, *rest: object) -> Ruling:
    return Ruling(ruling, RulingKind(kind), *rest)  # type: ignore[arg-type]  # the tables hold the columns to their types


def standing(rulings: Iterable[Ruling]) -> Iterator[Ruling]:
    """Those of `rulings` that are not undone."""
    return (ruling for ruling in rulings if ruling.undone_unix_ns is None)


def union(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """`rulings` of one round, of several ledgers, each once: undone where it was anywhere, oldest first."""
    found: dict[Ruling, list[int]] = {}
    for ruling in rulings:
        undone = found.setdefault(ruling._replace(ruling=0, undone_unix_ns=None), [])
        undone += () if ruling.undone_unix_ns is None else (ruling.undone_unix_ns,)
    once = [ruling._replace(undone_unix_ns=min(undone, default=None)) for ruling, undone in found.items()]
    return tuple(sorted(once, key=lambda one: (one.at_unix_ns, one.number or 0, one.label or "", one.kind, one.reason)))
