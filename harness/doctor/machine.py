"""What works on this machine, each thing tried, and what to install where it does not."""

import os
import platform
import time
from typing import NamedTuple

from harness.errors import HarnessError
from harness.printable import printable
from harness.sandbox.cell import LEVELS, Sandbox
from harness.sandbox.cgroups import find_cgroups
from harness.sandbox.kernel import is_linux
from harness.sandbox.levels import MEANS, choose, try_level
from harness.sandbox.users import FIRST, LAST, runs_as_root
from harness.sandbox.watch import PERIOD_S
from ladder.words import plural

LEAST_FILES = 4096
"""The harness needs some files for every bot that is alive."""
NAPS, NAP_S = 20, 0.002
LATE_S = 0.005
"""A machine that wakes a sleeping program later than this now and then is busy; lag is credited to bots."""
SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies")
CLOCK_SOURCE = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
DELEGATE = "where systemd runs: systemd-run --user --scope -p Delegate=yes cardarena run ..."


class Finding(NamedTuple):
    """One thing that was tried."""

    what: str
    works: bool
    says: str
    """How it stands, in a line; printable."""
    mend: str = ""
    """What to install or to do; "" where nothing need be, or nothing can be."""


class Machine(NamedTuple):
    """All of it."""

    findings: tuple[Finding, ...]
    sandbox: Sandbox | None
    """What `auto` takes; None where no bot can be started."""


def examine() -> Machine:
    """Tries everything. Takes a second or two: levels are tried by running programs at them."""
    levels = tuple(_level(name) for name in LEVELS)
    sandbox: Sandbox | None = None
    try:
        sandbox = choose()
        taken = Finding("auto", True, printable(sandbox.says))
    except HarnessError as error:
        taken = Finding("auto", False, printable(str(error)))
    return Machine(
        (Finding("system", True, system_text()), *levels, taken, _memory(sandbox), _users(), _files(), _clock()),
        sandbox,
    )


def system_text() -> str:
    """System, processor, cores and Python, in a line. Without the name of the machine."""
    return printable(
        f"{platform.system()} {platform.release()}, {platform.machine()}, {plural(os.cpu_count() or 1, 'core')}, "
        f"Python {platform.python_version()}"
    )


def _level(name: str) -> Finding:
    trial = try_level(name)
    if trial.problem:
        return Finding(name, False, printable(trial.problem), printable(trial.mend))
    version = f" (Landlock {trial.sandbox.landlock_abi})" if name == "landlock" else ""
    return Finding(name, True, f"works{version}: {MEANS[name]}")


def _memory(sandbox: Sandbox | None) -> Finding:
    groups = sandbox.cgroups if sandbox is not None else find_cgroups()
    if groups is None:
        says = f"no control group can be made here: a bot's memory is looked at every {PERIOD_S:g} s"
        return Finding("memory", False, says, DELEGATE if is_linux() else "")
    counted = "memory and cores" if groups.cpu is not None else "memory"
    return Finding("memory", True, f"control groups, version {groups.version}: the kernel limits {counted} of each bot")


def _users() -> Finding:
    if runs_as_root():
        return Finding("users", True, f"root: each bot is a user of its own, {FIRST} to {LAST}")
    uid = os.getuid() if hasattr(os, "getuid") else 0
    return Finding("users", True, f"bots are the same user as the harness, {uid}: the sandbox alone keeps them apart")


def _files() -> Finding:
    try:
        import resource
    except ImportError:
        return Finding("files", False, "this system does not tell how many files may be open")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard == resource.RLIM_INFINITY or hard >= LEAST_FILES:
        told = "any number of" if hard == resource.RLIM_INFINITY else f"up to {hard}"
        return Finding("files", True, f"{told} open at the same time")
    return Finding("files", False, f"only {hard} open at the same time", f"ulimit -Hn {LEAST_FILES}")


def _clock() -> Finding:
    late_s = max(_oversleep_s() for _ in range(NAPS))
    source = _clock_source()
    says = f"{clock_text()}; woken {late_s * 1e3:.1f} ms late at the worst of {NAPS}"
    if source in SLOW_CLOCKS:
        return Finding("clock", False, says, "this clock is slow to read: clocksource=tsc on the kernel's command line")
    if late_s > LATE_S:
        return Finding("clock", False, f"{says}: something else is at work here", "play cups on a quiet machine")
    return Finding("clock", True, says)


def clock_text() -> str:
    """The clock by which bots are timed, and how finely it tells."""
    resolution_ns = time.get_clock_info("monotonic").resolution * 1e9
    return f"{_clock_source() or 'monotonic'}, {resolution_ns:.0f} ns"


def _oversleep_s() -> float:
    began_s = time.monotonic()
    time.sleep(NAP_S)
    return time.monotonic() - began_s - NAP_S


def _clock_source() -> str:
    try:
        with open(CLOCK_SOURCE, encoding="ascii") as file:
            return printable(file.read().strip())
    except OSError:
        return ""
