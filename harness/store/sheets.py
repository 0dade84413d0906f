"""The sheets of a home: on what each round was played, as anybody may read it. A file `sheets/CUP/ROUND.json` each.

A published site has that of its newest round in `sheet.json`, so that whoever imports the site can publish it again.
"""

import json
from pathlib import Path
from typing import NamedTuple

from harness.store.rows import Round
from harness.whole_file import whole_file


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


SHEET_NAME = "sheet.json"
"""On a published site."""
MOST_BYTES = 4 << 20
"""Of a sheet."""


def sheet_text(row: Round, sheet: KeptSheet) -> str:
    """The sheet of a round as a file; `read_sheet` reads it back."""
    runtimes = [runtime._asdict() for runtime in sheet.runtimes]
    members = {"schema": 1, "commitment": row.commitment, "facts": sheet.facts, "runtimes": runtimes}
    return json.dumps(members, indent=1) + "\n"


def read_sheet(path: Path, row: Round) -> KeptSheet | None:
    """The sheet in the file `path`; None where there is none, or that of another round, or none that can be read."""
    try:
        if not path.is_file():  # a pipe would keep us waiting for ever
            return None
        with path.open("rb") as file:
            members = json.loads(file.read(MOST_BYTES))
        if members["schema"] != 1 or members["commitment"] != row.commitment:
            return None
        return KeptSheet(
            tuple((_text(heading), _text(text)) for heading, text in members["facts"]),
            tuple(
                KeptRuntime(_text(found["name"]), _text(found["version"]), tuple(map(_text, found["packages"])))
                for found in members["runtimes"]
            ),
        )
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _text(found: object) -> str:
    """`found` itself. TypeError, or UnicodeEncodeError (a ValueError) where no page could show it."""
    if not isinstance(found, str):
        raise TypeError(found)
    found.encode()
    return found


class Sheets:
    """The sheets of a home. One says of which round it is by the commitment too: a ledger may be new, its names old."""

    def __init__(self, folder: Path) -> None:
        """`folder`: `Home.sheets`."""
        self._folder = folder

    def keep(self, row: Round, sheet: KeptSheet) -> None:
        """Keeps the sheet of a round in place of the one before. OSError where it cannot be written."""
        path = self._of(row)
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as unfinished:
            unfinished.write_text(sheet_text(row, sheet))

    def read(self, row: Round) -> KeptSheet | None:
        """The sheet of a round; None where there is none, or none that can be read."""
        return read_sheet(self._of(row), row)

    def _of(self, row: Round) -> Path:
        return self._folder / row.cup / f"{row.round}.json"
