"""`cardarena bots`."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.homes import open_ledger
from harness.cli.tables import Column, grid, output, print_json
from harness.errors import HarnessError
from harness.names import did_you_mean
from harness.printable import printable
from harness.store.versions import BotRow

NS_PER_S = 1_000_000_000


@verb("cardarena bots")
def bots(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="Only the versions of this bot.", show_default=False)] = None,
) -> None:
    """List the bots of the home: versions, what they are kept for, matches and faults."""
    common: Common = context.obj
    with open_ledger(common) as ledger:
        rows = list(ledger.versions.rows())
    if name is not None:
        names = sorted({row.version.name for row in rows})
        if name not in names:
            hint = did_you_mean(name, names) if names else "there is none yet"
            raise HarnessError(f"no bot called {printable(name)}; {hint}")
        rows = [row for row in rows if row.version.name == name]
    if common.json:
        print_json([_members(row) for row in rows])
        return
    output().print(grid(list(_columns(rows)), rows))


def _columns(rows: Sequence[BotRow]) -> Iterator[Column[BotRow]]:
    yield Column("bot", lambda row: row.version.name)
    yield Column("version", lambda row: row.version.version, is_whole=True)
    if any(row.version.team != row.version.name for row in rows):
        yield Column("team", lambda row: row.version.team)
    yield Column("sha256", lambda row: row.version.sha256[:12], is_whole=True)
    yield Column("stored", _day, is_whole=True)
    yield Column("state", _state)
    yield Column("matches", lambda row: str(row.match_count), is_number=True)
    yield Column("faults", lambda row: str(row.fault_count), is_number=True)


def _day(row: BotRow) -> str:
    if not row.version.is_here:
        return ""
    return datetime.fromtimestamp(row.version.stored_unix_ns // NS_PER_S, UTC).strftime("%Y-%m-%d")


def _state(row: BotRow) -> str:
    version = row.version
    if version.retired_unix_ns is not None:
        return "retired"
    if not version.is_here:
        return "known by import"
    return "pinned" if version.submitted_unix_ns is None else version.verdict or "submitted"


def _members(row: BotRow) -> dict[str, object]:
    version = row.version
    return {
        "bot": version.name,
        "version": version.version,
        "team": version.team,
        "sha256": version.sha256,
        "submitted": version.submitted_unix_ns is not None,
        "retired": version.retired_unix_ns is not None,
        "verdict": version.verdict,
        "matches": row.match_count,
        "faults": row.fault_count,
    }
