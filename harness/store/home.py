"""The home: the folder where a ledger, submitted bots and logs live. Found as git finds its own, never guessed.

`find_home` only looks; what reads calls `existing_home`; only what writes calls `make_home`.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessError
from harness.printable import printable

FOLDER_NAME = ".cardarena"
VARIABLE = "CARDARENA_HOME"


@dataclass(frozen=True)
class Home:
    """A home and how it was chosen. The folder need not be there yet."""

    path: Path
    """Absolute."""
    chosen_by: str
    """`--home`, `CARDARENA_HOME`, or the folder in which it was found or would be made; for people."""

    @property
    def ledger(self) -> Path:
        """The ledger's file."""
        return self.path / "arena.db"

    @property
    def arena_toml(self) -> Path:
        """What bots may use here; may be absent."""
        return self.path / "arena.toml"

    @property
    def bots(self) -> Path:
        """The folder of stored bots."""
        return self.path / "bots"

    @property
    def builds(self) -> Path:
        """The folder of trees that `[build]` steps left; may be absent, and be deleted when nothing runs."""
        return self.path / "builds"

    @property
    def logs(self) -> Path:
        """The folder of logs."""
        return self.path / "logs"

    @property
    def sheets(self) -> Path:
        """The folder of sheets: on what each round was played; may be absent."""
        return self.path / "sheets"

    @property
    def counts(self) -> Path:
        """The folder of what records come to, for `publish`; may be absent, and be deleted at any time."""
        return self.path / "counts"

    def __str__(self) -> str:
        return f"{printable(str(self.path))} ({self.chosen_by})"


def find_home(
    option: Path | None = None, *, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Home:
    """The home that is meant, whether it is there or not.

    `option` (`--home`), else `CARDARENA_HOME`, else the nearest `.cardarena` in `folder` or above it, else one to be
    made in `folder`. `environment` and `folder` are those of the process where not given.
    """
    folder = Path.cwd() if folder is None else folder.absolute()
    if option is not None:
        return Home(folder / option, "--home")
    named = (os.environ if environment is None else environment).get(VARIABLE)
    if named:
        return Home(folder / named, VARIABLE)
    for parent in (folder, *folder.parents):
        if (parent / FOLDER_NAME).is_dir():
            return Home(parent / FOLDER_NAME, f"found in {printable(str(parent))}")
    return Home(folder / FOLDER_NAME, f"none found from {printable(str(folder))} up")


def existing_home(home: Home) -> Home:
    """`home` itself; HarnessError where it is not there: nothing that reads makes one."""
    if not home.path.is_dir():
        raise HarnessError(
            f"no home at {home}; `cardarena run CUP.toml` makes one, --home DIR or {VARIABLE} names another"
        )
    _refuse_without_its_ledger(home)
    return home


def make_home(home: Home) -> Home:
    """`home` itself, made with its folders where it was not there."""
    for path in (home.path, home.bots, home.logs):
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HarnessError(f"no home can be made at {home}: {error.strerror}; --home DIR names another") from None
    _refuse_without_its_ledger(home)
    return home


def _refuse_without_its_ledger(home: Home) -> None:
    """HarnessError where bots were stored for a ledger that is gone or empty: to begin another would hide the loss."""
    try:
        is_lost = not home.ledger.exists() or not home.ledger.stat().st_size
        is_used = home.bots.is_dir() and any(home.bots.iterdir())
    except OSError as error:
        raise HarnessError(f"the home at {home} cannot be read: {error.strerror}") from None
    if is_lost and is_used:
        raise HarnessError(
            f"{printable(str(home.ledger))}: empty or gone, though bots were stored for it; put it back from a copy, "
            f"or move {printable(str(home.bots))} away to begin anew"
        )
