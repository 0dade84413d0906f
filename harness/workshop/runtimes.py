"""`arena.toml`: what bots may use on this machine: the organiser's interpreters, and the network where they are built.

    [runtimes]
    python = "/usr/bin/python3"
    python-ml = { python = "/opt/envs/ml/bin/python" }
    julia = { paths = ["/opt/julia-1.10"] }

A runtime is visible to the bots that use it, read-only; nothing else of the machine is but its system's programs.
"""

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from harness.errors import HarnessError
from harness.names import did_you_mean
from harness.printable import printable
from harness.sandbox.runtime import SYSTEM, Runtime, is_python, program_runtime, python_runtime
from harness.store.home import Home
from harness.toml_file import Table, Texts, checked_by, read, shown
from harness.workshop.manifest import BotManifest, why_not_a_runtime

PLAIN_PYTHON = "python"
"""The runtime of bots that ask for none and are started by `{python}`."""


def _why_not_there(text: str) -> str | None:
    if not text.startswith("/"):
        return f"must be a path from / on, not {shown(text)}"
    return None if Path(text).exists() else f"{printable(text)} is not there"


def _program(value: object) -> object:
    if isinstance(value, str):
        return {"python" if is_python(Path(value)) else "program": value}
    return value


class RuntimeTable(Table):
    """One runtime: an interpreter of Python, another program, folders; as the organiser likes."""

    python: Annotated[str, checked_by(_why_not_there)] | None = None
    """What `{python}` stands for."""
    program: Annotated[str, checked_by(_why_not_there)] | None = None
    paths: Annotated[Texts, Field()] = ()
    """Folders that are visible besides; what lies in their `bin` is found by its name."""


class BuildRules(Table):
    """`[build]`: what build steps may do that matches may not."""

    network: bool = False


RuntimeName = Annotated[str, checked_by(lambda text: why_not_a_runtime(text))]


class ArenaFile(Table):
    """An `arena.toml`."""

    schema_number: Literal[1] = Field(default=1, alias="schema")
    runtimes: dict[RuntimeName, Annotated[RuntimeTable, BeforeValidator(_program)]] = Field(default_factory=dict)
    build: BuildRules = BuildRules()


class Runtimes:
    """What the bots of one home may use."""

    def __init__(self, file: ArenaFile | None = None, source: str = "arena.toml", builds: Path | None = None) -> None:
        """`builds`: the folder of built trees; absent: one in the user's cache."""
        self._file = file or ArenaFile()
        self._source = source
        self.builds = builds or _cache() / "builds"
        """Where built trees are kept."""

    @property
    def names(self) -> tuple[str, ...]:
        """Runtimes that the organiser names."""
        return tuple(self._file.runtimes)

    @property
    def builds_have_network(self) -> bool:
        """`[build] network`."""
        return self._file.build.network

    def of(self, manifest: BotManifest) -> tuple[str, Runtime | None]:
        """What `{python}` stands for in a bot's argv, and what the bot may read; None: what its program needs.

        HarnessError where it needs a runtime that is not there.
        """
        asked = manifest.needs.runtime
        first = manifest.run.argv[0]
        if asked is None:
            table = self._file.runtimes.get(PLAIN_PYTHON if "{python}" in first else first)
            return (sys.executable, None) if table is None else self._of(table)
        table = self._file.runtimes.get(asked)
        if table is None:
            raise HarnessError(
                f"{manifest.name} needs the runtime {asked}, which {self._source} does not name; "
                f"{did_you_mean(asked, self.names) if self.names else 'it names none'}"
            )
        if "{python}" in "".join(manifest.run.argv) and table.python is None:
            raise HarnessError(
                f"{self._source}: [runtimes] {asked} names no python, which {manifest.name} is started by"
            )
        return self._of(table)

    def table(self, name: str) -> tuple[str, Runtime]:
        """A runtime of the organiser by its name."""
        return self._of(self._file.runtimes[name])

    @staticmethod
    def _of(table: RuntimeTable) -> tuple[str, Runtime]:
        folders = tuple(map(Path, table.paths))
        runtime = Runtime(folders, tuple(folder / "bin" for folder in folders if (folder / "bin").is_dir()))
        if table.python is not None:
            runtime = runtime.with_(python_runtime(Path(table.python)))
        if table.program is not None:
            runtime = runtime.with_(program_runtime(Path(table.program)))
        return table.python or sys.executable, runtime


def read_runtimes(home: Home | None) -> Runtimes:
    """What `arena.toml` in `home` allows. TomlError where it cannot be used."""
    if home is None or not home.path.is_dir():
        return Runtimes()
    if not home.arena_toml.is_file():
        return Runtimes(builds=home.builds)
    file = read(home.arena_toml, ArenaFile)
    for name, table in file.runtimes.items():
        for path in table.paths:
            if (problem := _why_not_there(path)) is not None:
                raise HarnessError(f"{printable(str(home.arena_toml))}: [runtimes] {name}.paths: {problem}")
    return Runtimes(file, printable(str(home.arena_toml)), home.builds)


def _cache() -> Path:
    """Of this program, for this user, as the XDG Base Directory Specification places it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cardarena"


def refuse_visible(home: Home, runtimes: Runtimes) -> None:
    """HarnessError where bots would see the home, and with it the ledger, because it lies in what they may read."""
    seen = [python_runtime(Path(sys.executable)), *(runtimes.table(name)[1] for name in runtimes.names)]
    for place in (SYSTEM, *(path for runtime in seen for path in runtime.paths)):
        if Path(os.path.realpath(home.path)).is_relative_to(os.path.realpath(place)):
            raise HarnessError(
                f"{home} lies in {printable(str(place))}, which bots may read; keep the home elsewhere (--home DIR)"
            )
