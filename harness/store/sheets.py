"""The sheets of a home: on what each round was played, as anybody may read it. A file `sheets/CUP/ROUND.json` each."""

import json
from pathlib import Path
from typing import NamedTuple

from harness.store.rows import Round


class KeptRuntime(NamedTuple):
    """One program that bots may be started by."""

    name: str
    version: str
    """"" where it does not run in the sandbox."""
    packages: tuple[str, ...]
    """Name and version of each package that bots can import."""


class KeptSheet(NamedTuple):
    """What bots run on, in words."""

    facts: tuple[tuple[str, str], ...]
    """Heading and text."""
    runtimes: tuple[KeptRuntime, ...]


class Sheets:
    """The sheets of a home. One says of which round it is by the commitment too: a ledger may be new, its names old."""

    def __init__(self, folder: Path) -> None:
        """`folder`: `Home.sheets`."""
        self._folder = folder

    def keep(self, row: Round, sheet: KeptSheet) -> None:
        """Keeps the sheet of a round in place of the one before. OSError where it cannot be written."""
        path = self._of(row)
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(".part")
        runtimes = [runtime._asdict() for runtime in sheet.runtimes]
        members = {"schema": 1, "commitment": row.commitment, "facts": sheet.facts, "runtimes": runtimes}
        half.write_text(json.dumps(members, indent=1) + "\n")
        half.replace(path)

    def read(self, row: Round) -> KeptSheet | None:
        """The sheet of a round; None where there is none, or none that can be read."""
        try:
            members = json.loads(self._of(row).read_text())
            if members["schema"] != 1 or members["commitment"] != row.commitment:
                return None
            return KeptSheet(
                tuple((str(heading), str(text)) for heading, text in members["facts"]),
                tuple(
                    KeptRuntime(str(found["name"]), str(found["version"]), tuple(map(str, found["packages"])))
                    for found in members["runtimes"]
                ),
            )
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def _of(self, row: Round) -> Path:
        return self._folder / row.cup / f"{row.round}.json"
