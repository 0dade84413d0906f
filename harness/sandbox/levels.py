"""The levels of the sandbox: which there are on this machine, and which is taken.

| level | keeps a bot from |
|---|---|
| `bwrap` | everything but its own folder, its runtime, the system's programs and one socket |
| `landlock` | files of others, the network, signals to others; it still sees which processes there are |
| `limits` | using too much, and surviving |
| `none` | surviving |

At every level the keeper stands outside, and bots of root are users of their own.
"""

import platform
from functools import cache
from typing import NamedTuple

from harness.errors import HarnessError
from harness.sandbox import bwrap, kernel
from harness.sandbox.cell import AUTO, LEVELS, Sandbox
from harness.sandbox.cgroups import find_cgroups
from harness.sandbox.landlock import LEAST_ABI, SCOPES_ABI, landlock_abi
from harness.sandbox.probe import run_at
from harness.sandbox.seccomp import MACHINES
from harness.sandbox.users import runs_as_root

MEANS = {
    "bwrap": "bots see their own folder, their runtime and the system's programs, and have no network",
    "landlock": "bots cannot read your files and have no network, but can dial unix sockets, your user's among them",
    "limits": "bots can read your files and use the network: run only those that you would run anyway",
    "none": "nothing keeps bots from your files, your network and your memory",
}
INSTALL_BWRAP = "apt install bubblewrap"
APPARMOR = "Ubuntu from 23.10 on: apt install apparmor-profiles, then copy bwrap-userns-restrict to /etc/apparmor.d"
UNPRIVILEGED = "allow user name spaces: sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces=10000"


class Trial(NamedTuple):
    """What came of trying a level."""

    sandbox: Sandbox
    problem: str = ""
    """Why it does not work; "" where it does."""
    mend: str = ""


@cache
def try_level(level: str) -> Trial:
    """Tries a level by running a program at it, once for each process of the harness."""
    if level not in LEVELS:
        raise ValueError(f"no level is called {level}")
    if level != "none" and not kernel.is_linux():
        return Trial(Sandbox(level), f"{platform.system()} is not Linux")
    trial = {"bwrap": _try_bwrap, "landlock": _try_landlock}.get(level, _no_trial)(level)
    return trial if trial.problem or not kernel.is_linux() else _run(trial.sandbox)


def _no_trial(level: str) -> Trial:
    return Trial(_sandbox(level))


def _try_bwrap(level: str) -> Trial:
    if bwrap.find_bwrap() is None:
        return Trial(Sandbox(level), "bubblewrap is not installed", INSTALL_BWRAP)
    if platform.machine() not in MACHINES:
        return Trial(Sandbox(level), f"there is no filter of system calls for {platform.machine()}")
    return Trial(_sandbox(level))


def _try_landlock(level: str) -> Trial:
    abi = landlock_abi()
    if abi < LEAST_ABI:
        has = f"has version {abi} of Landlock" if abi else "has no Landlock"
        return Trial(Sandbox(level), f"this kernel {has}; {LEAST_ABI} is needed (Linux 6.7)")
    if platform.machine() not in MACHINES:
        return Trial(Sandbox(level), f"there is no filter of system calls for {platform.machine()}")
    return Trial(_sandbox(level))


def _sandbox(level: str) -> Sandbox:
    abi = landlock_abi() if level == "landlock" else 0
    return Sandbox(level, landlock_abi=abi, cgroups=None if level == "none" else find_cgroups(), opens_ways=True)


def _run(sandbox: Sandbox) -> Trial:
    ran = run_at(sandbox, ("true",))
    if not ran.is_well and sandbox.cgroups is not None and "control group" in ran.problem:
        return _run(Sandbox(sandbox.level, "", sandbox.landlock_abi, None, sandbox.opens_ways))
    if not ran.is_well and sandbox.opens_ways and runs_as_root() and sandbox.level != "bwrap":
        # A container's root may not mount: its bots then reach only what every user of the container can reach.
        return _run(Sandbox(sandbox.level, "", sandbox.landlock_abi, sandbox.cgroups, opens_ways=False))
    if ran.is_well:
        return Trial(sandbox)
    return Trial(sandbox, ran.problem, _mend(ran.problem) if sandbox.level == "bwrap" else "")


def _mend(problem: str) -> str:
    if "prlimit" in problem or "setpriv" in problem:
        return "apt install util-linux"
    if "uid map" in problem or "loopback" in problem or "RTM_NEWADDR" in problem:
        return APPARMOR
    if "namespace" in problem:
        return UNPRIVILEGED
    return ""


def choose(asked: str = AUTO, *, require: bool = False) -> Sandbox:
    """The level to run bots at: the one that is asked for, or the best that works.

    `require`: the best there is, or none at all. HarnessError where it cannot be had.
    """
    if asked != AUTO:
        if require and asked != LEVELS[0]:
            raise HarnessError(f'a sandbox is required, and "{asked}" is asked for; ask for "{LEVELS[0]}" or "{AUTO}"')
        trial = try_level(asked)
        if trial.problem:
            raise HarnessError(f"level {asked} does not work here: {_told(trial)}")
        return _speaking(trial.sandbox, "asked for")
    reasons: list[str] = []
    for level in LEVELS:
        trial = try_level(level)
        if not trial.problem:
            return _speaking(trial.sandbox, "; ".join(reasons) or "the best there is, and it works here")
        if require:
            raise HarnessError(f"a sandbox is required, and level {level} does not work here: {_told(trial)}")
        reasons.append(f"{level} does not work here: {_told(trial)}")
    raise HarnessError(f"no bot can be started here: {'; '.join(reasons)}")


def _told(trial: Trial) -> str:
    return f"{trial.problem} ({trial.mend})" if trial.mend else trial.problem


def _speaking(sandbox: Sandbox, why: str) -> Sandbox:
    """`sandbox` with its line."""
    means = MEANS[sandbox.level]
    if sandbox.level == "landlock" and sandbox.landlock_abi < SCOPES_ABI:
        means += f"; Landlock {sandbox.landlock_abi} does not keep them from signals and abstract sockets"
    says = f"sandbox {sandbox.level} ({why}): {means}"
    return Sandbox(sandbox.level, says, sandbox.landlock_abi, sandbox.cgroups, sandbox.opens_ways)
