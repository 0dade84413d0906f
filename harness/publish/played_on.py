"""What the rounds of a season were played on, as the home keeps it."""

from collections.abc import Sequence

from harness.store.rows import Round
from harness.store.sheets import Sheets
from ladder.site import values


def newest_sheet(sheets: Sheets, rounds: Sequence[Round]) -> values.Sheet | None:
    """The sheet of the newest of `rounds`, which ascend; None where it was not played here."""
    kept = sheets.read(rounds[-1]) if rounds else None
    if kept is None:
        return None
    runtimes = tuple(values.Runtime(found.name, found.version, found.packages) for found in kept.runtimes)
    return values.Sheet(rounds[-1].round, kept.facts, runtimes)
