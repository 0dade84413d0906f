"""Bots in the ledger: which trees were stored, who owns a name, which versions play."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from harness.errors import HarnessError
from harness.faults import ABSENT
from harness.names import did_you_mean, in_one_form
from harness.printable import printable
from harness.store.database import Database
from harness.store.rows import Version

_COLUMNS = (
    "name, version, sha256, team, tree, manifest, stored_unix_ns, submitted_unix_ns, verdict, retired_unix_ns, "
    "match_think_ns"
)
_NEWEST_FIRST = "ORDER BY submitted_unix_ns IS NULL, submitted_unix_ns DESC, rowid DESC"


@dataclass(frozen=True)
class BotRow:
    """A stored version with what it has done, for listings."""

    version: Version
    match_count: int
    fault_count: int


class _Played(NamedTuple):
    name: str
    sha256: str
    match_count: int
    fault_count: int


class Versions:
    """The versions of a ledger. A version is a name and a tree; the same tree again is the same version."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, version: Version) -> Version:
        """Stores `version`, and gives back the row that stands for its tree, an earlier one if there is one.

        A pinned version becomes a submitted one, and one from elsewhere gets its files; nothing else of an earlier row
        changes. HarnessError where a submitted name belongs to another team, or the number of the version to another
        tree.
        """
        with self._database.transaction():
            if version.submitted_unix_ns is not None:
                self.check_submittable(version.name, version.version, version.sha256, version.team)
            earlier = self.get(version.name, version.sha256)
            if earlier is None:
                self._insert(version)
                return version
            kept = earlier
            if not earlier.is_here:
                kept = replace(
                    kept, tree=version.tree, manifest=version.manifest, stored_unix_ns=version.stored_unix_ns
                )
            if earlier.submitted_unix_ns is None and version.submitted_unix_ns is not None:
                kept = replace(
                    kept,
                    team=version.team,
                    submitted_unix_ns=version.submitted_unix_ns,
                    verdict=version.verdict,
                    match_think_ns=version.match_think_ns,
                )
            if kept != earlier:
                self._update(kept)
            return kept

    def learn(self, version: Version) -> bool:
        """Writes down a version from elsewhere, without its files; False, and nothing changed, where it is known here.

        It says whose the name is, whether it is retired, what is shown of it. It plays once its files are handed in.
        Its team is brought to the one form; entries of rounds keep theirs, from which their schedules follow.
        """
        with self._database.transaction():
            if self.get(version.name, version.sha256) is not None:
                return False
            self._insert(replace(version, tree="", team=in_one_form(version.team)))
            return True

    def check_submittable(self, name: str, version: str, sha256: str, team: str) -> None:
        """HarnessError where the name belongs to another team than `team`, or the version to another tree."""
        owner = self.owner_of(name)
        if owner is not None and owner != team:
            raise HarnessError(f"{name} belongs to {printable(owner)}, who submitted it first; take another name")
        same_number = self._database.row(
            int,
            "SELECT 1 FROM versions WHERE name = ? AND version = ? AND sha256 <> ? AND submitted_unix_ns IS NOT NULL",
            (name, version, sha256),
        )
        if same_number is not None:
            raise HarnessError(f"{name} {version} was submitted with other contents; raise `version` in its bot.toml")

    def _insert(self, version: Version) -> None:
        values = tuple(vars(version)[column] for column in _COLUMNS.split(", "))
        self._database.execute(f"INSERT INTO versions ({_COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)

    def _update(self, version: Version) -> None:
        columns = [column for column in _COLUMNS.split(", ") if column not in ("name", "sha256")]
        values = [vars(version)[column] for column in columns]
        self._database.execute(
            f"UPDATE versions SET {', '.join(f'{column} = ?' for column in columns)} WHERE name = ? AND sha256 = ?",
            (*values, version.name, version.sha256),
        )

    def get(self, name: str, sha256: str) -> Version | None:
        """The version with that tree."""
        sql = f"SELECT {_COLUMNS} FROM versions WHERE name = ? AND sha256 = ?"
        return self._database.row(Version, sql, (name, sha256))

    def find(self, name: str, version: str | None = None) -> Version | None:
        """The version that `name` or `name@version` means: the newest, submitted before pinned, playing before retired.

        Without `version` pinned ones are not meant.
        """
        found = [
            row
            for row in self.of_name(name)
            if (row.submitted_unix_ns is not None if version is None else row.version == version)
        ]
        return min(found, key=lambda row: row.retired_unix_ns is not None, default=None)

    def of_name(self, name: str) -> tuple[Version, ...]:
        """All of a name: submitted ones first, newest first."""
        sql = f"SELECT {_COLUMNS} FROM versions WHERE name = ? {_NEWEST_FIRST}"
        return tuple(self._database.rows(Version, sql, (name,)))

    def names(self) -> tuple[str, ...]:
        """Every submitted name, ascending."""
        sql = "SELECT DISTINCT name FROM versions WHERE submitted_unix_ns IS NOT NULL ORDER BY name"
        return tuple(self._database.rows(str, sql))

    def active(self) -> tuple[Version, ...]:
        """The version of each submitted name that plays: its newest that is not retired and is here. By name."""
        sql = f"""
            SELECT {_COLUMNS} FROM versions
            WHERE submitted_unix_ns IS NOT NULL AND retired_unix_ns IS NULL AND tree <> ''
            ORDER BY name, submitted_unix_ns DESC, rowid DESC
        """
        newest: dict[str, Version] = {}
        for version in self._database.rows(Version, sql):
            newest.setdefault(version.name, version)
        return tuple(newest.values())

    def owner_of(self, name: str) -> str | None:
        """The team that first submitted `name`; None where nobody has."""
        return self._database.row(
            str,
            "SELECT team FROM versions WHERE name = ? AND submitted_unix_ns IS NOT NULL "
            "ORDER BY submitted_unix_ns, rowid LIMIT 1",
            (name,),
        )

    def set_verdict(self, name: str, sha256: str, verdict: str) -> None:
        """Keeps what the last check of a version said."""
        self._database.execute("UPDATE versions SET verdict = ? WHERE name = ? AND sha256 = ?", (verdict, name, sha256))

    def retire(self, name: str, version: str | None = None, *, at_unix_ns: int | None) -> tuple[Version, ...]:
        """Takes the submitted versions of `name` (or the one) out of the ladders to come; `at_unix_ns` None undoes it.

        Gives back the versions meant. HarnessError where there are none.
        """
        meant = tuple(
            row for row in self.of_name(name) if row.submitted_unix_ns is not None and version in (None, row.version)
        )
        if not meant:
            names = self.names()
            hint = did_you_mean(name, names) if names and name not in names else "`cardarena bots` lists what was"
            what = name if version is None else f"{name}@{version}"
            raise HarnessError(f"{printable(what)} was never submitted; {hint}")
        with self._database.transaction():
            for row in meant:
                self._database.execute(
                    "UPDATE versions SET retired_unix_ns = ? WHERE name = ? AND sha256 = ?",
                    (at_unix_ns, row.name, row.sha256),
                )
        return tuple(replace(row, retired_unix_ns=at_unix_ns) for row in meant)

    def rows(self) -> Iterator[BotRow]:
        """Every version with its matches over all cups: by name, newest first."""
        sql = f"""
            SELECT name, sha256, sum(seats), sum(faults) FROM entries JOIN (
                SELECT entry_key, count(*) AS seats, count(nullif(fault, '{ABSENT}')) AS faults
                FROM match_seats GROUP BY entry_key
            ) USING (entry_key) GROUP BY name, sha256
        """
        played = {(row.name, row.sha256): row for row in self._database.rows(_Played, sql)}
        none = _Played("", "", 0, 0)
        sql = f"SELECT {_COLUMNS} FROM versions {_NEWEST_FIRST.replace('ORDER BY', 'ORDER BY name,')}"
        for version in self._database.rows(Version, sql):
            row = played.get((version.name, version.sha256), none)
            yield BotRow(version, row.match_count, row.fault_count)
