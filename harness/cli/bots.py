"""`cardarena bots`."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.homes import open_ledger
from harness.cli.tables import grid, output, print_json
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
    with_team = any(row.version.team != row.version.name for row in rows)
    headings = ("bot", "version", *(["team"] if with_team else []), "sha256", "stored", "state", "matches", "faults")
    last = len(headings) - 1
    cells = (_cells(row, with_team=with_team) for row in rows)
    output().print(grid(headings, cells, right=(last - 1, last), whole=(1, last - 4, last - 3)))


def _state(row: BotRow) -> str:
    version = row.version
    if version.retired_unix_ns is not None:
        return "retired"
    return "pinned" if version.submitted_unix_ns is None else version.verdict or "submitted"


def _cells(row: BotRow, *, with_team: bool) -> tuple[str, ...]:
    version = row.version
    stored = datetime.fromtimestamp(version.stored_unix_ns // NS_PER_S, UTC).strftime("%Y-%m-%d")
    return (
        version.name,
        version.version,
        *([version.team] if with_team else []),
        version.sha256[:12],
        stored,
        _state(row),
        str(row.match_count),
        str(row.fault_count),
    )


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
