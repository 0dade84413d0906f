"""What bots run on: for authors who have not this machine. Every version is asked for inside the sandbox."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from harness.cup import LimitsTable, TimeTable
from harness.doctor.machine import clock_text, system_text
from harness.printable import printable
from harness.roster import MOST_START_S, START_S
from harness.sandbox.cell import Sandbox
from harness.sandbox.probe import run_at
from harness.sandbox.runtime import Runtime, is_python
from harness.workshop.runtimes import PLAIN_PYTHON, Runtimes
from ladder.words import plural

PROGRAMS = (
    "node",
    "java",
    "perl",
    "ruby",
    "lua",
    "php",
    "deno",
    "bun",
    "julia",
    "gcc",
    "g++",
    "make",
    "rustc",
    "dotnet",
)
"""Looked for on the organiser's PATH; each tells its version when it is asked for `--version`."""
_TELL = """
import json, sys
from importlib.metadata import distributions
found = {(item.metadata["Name"], item.version) for item in distributions() if item.metadata["Name"]}
print(json.dumps([sys.version.split()[0], sorted(found, key=lambda pair: pair[0].lower())]))
"""


class Package(NamedTuple):
    """A package of Python that bots can import."""

    name: str
    version: str


class RuntimeFacts(NamedTuple):
    """One program that bots may be started by."""

    name: str
    """What `[needs] runtime` calls it, or the word in `argv`."""
    version: str
    packages: tuple[Package, ...] = ()
    problem: str = ""
    """Why it does not run in the sandbox; "" where it does."""


class Sheet(NamedTuple):
    """All of it."""

    machine: str
    cores: int
    clock: str
    sandbox: str
    limits: LimitsTable
    time: TimeTable
    start_s: float
    most_start_s: float
    runtimes: tuple[RuntimeFacts, ...] = ()

    @property
    def limits_text(self) -> str:
        """The limits of a bot, for people."""
        limits = self.limits
        processes = plural(limits.processes, "process", "processes")
        used = f"{limits.memory_mb} MB of memory, {plural(limits.cpus, 'core')}, {processes}"
        return f"{used}, {limits.tmp_mb} MB of files, {limits.log_kb} KB of output"

    @property
    def time_text(self) -> str:
        """The clock of a seat and the time to start, for people."""
        bank_s, increment_s, decision_s = self.time.bank_s, self.time.increment_s, self.time.decision_s
        thinking = f"{bank_s:g} s a match, {increment_s:g} s more a decision, at most {decision_s:g} s for one"
        return f"{thinking}; {self.start_s:g} s to start, {self.most_start_s:g} s where a bot needs more"


def outline(sandbox: Sandbox, limits: LimitsTable | None = None, time: TimeTable | None = None) -> Sheet:
    """All but the runtimes, which costs nothing. Limits and clock not given are those of a cup that says nothing."""
    return Sheet(
        machine=system_text(),
        cores=os.cpu_count() or 1,
        clock=clock_text(),
        sandbox=printable(sandbox.says),
        limits=limits or LimitsTable(),
        time=time or TimeTable(),
        start_s=START_S,
        most_start_s=MOST_START_S,
    )


def ask_runtimes(sandbox: Sandbox, runtimes: Runtimes) -> Iterator[RuntimeFacts]:
    """Asks every runtime for its version, one after the other. Takes a tenth of a second for each."""
    yield from _named(sandbox, runtimes)
    yield from _found(sandbox, runtimes)


def _named(sandbox: Sandbox, runtimes: Runtimes) -> Iterator[RuntimeFacts]:
    """What arena.toml names, and what `{python}` stands for."""
    if PLAIN_PYTHON not in runtimes.names:
        yield _python(sandbox, PLAIN_PYTHON, sys.executable, None)
    for name in runtimes.names:
        python, runtime = runtimes.table(name)
        program = next((path for path in runtime.search if (path / name).is_file()), None)
        if program is not None and not is_python(Path(name)):
            yield _program(sandbox, name, str(program / name), runtime)
        else:
            yield _python(sandbox, name, python, runtime)


def _found(sandbox: Sandbox, runtimes: Runtimes) -> Iterator[RuntimeFacts]:
    for name in PROGRAMS:
        if name not in runtimes.names and shutil.which(name) is not None:
            yield _program(sandbox, name, name, None)


def _python(sandbox: Sandbox, name: str, program: str, runtime: Runtime | None) -> RuntimeFacts:
    ran = run_at(sandbox, (program, "-c", _TELL), runtime=runtime)
    try:
        version, packages = json.loads(ran.output.splitlines()[-1])
        found = tuple(Package(printable(str(package)), printable(str(number))) for package, number in packages)
    except (ValueError, IndexError, TypeError):
        return RuntimeFacts(name, "", problem=ran.problem)
    return RuntimeFacts(name, printable(str(version)), found)


def _program(sandbox: Sandbox, name: str, program: str, runtime: Runtime | None) -> RuntimeFacts:
    ran = run_at(sandbox, (program, "--version"), runtime=runtime)
    lines = [line.strip() for line in ran.output.splitlines() if line.strip()]
    if not ran.is_well or not lines:
        return RuntimeFacts(name, "", problem=ran.problem)
    # What they begin with is mostly their own name; perl says more than one would ask.
    version = next((line for line in lines if any(char.isdigit() for char in line)), lines[0])
    return RuntimeFacts(name, printable(version)[:80])
