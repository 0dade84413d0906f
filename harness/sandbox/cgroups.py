"""Control groups of Linux, where this process can make some: then the kernel counts a bot's memory and its time.

Version 2 is used where a group above (or that of) this process is ours to divide: as root, or where systemd has
delegated it to the user. Version 1 is used as root.
"""

import os
import secrets
from pathlib import Path
from typing import NamedTuple

from harness.sandbox.limits import MB, ProcessLimits
from harness.sandbox.plan import Plan

PREFIX = "cardarena-"
ROOT = Path("/sys/fs/cgroup")
PERIOD_US = 20_000
"""A bot that used its share waits for the rest of this."""


class Cgroups(NamedTuple):
    """Where groups can be made."""

    version: int
    memory: Path
    """The group below which bots get theirs."""
    cpu: Path | None
    """The same for processor time; version 2 has one for both."""

    def confine(self, plan: Plan, limits: ProcessLimits) -> None:
        """Puts the bot of `plan` into a group of its own."""
        # By lot: it can be read in /proc/self/cgroup, and how many bots were started before is nobody's business.
        name = f"{PREFIX}{os.getpid()}-{secrets.token_hex(8)}"
        memory = self.memory / name
        memory_bytes = limits.memory_mb * MB
        quota_us = limits.cpus * PERIOD_US if self.cpu is not None and limits.cpus < (os.cpu_count() or 1) else 0
        groups = [memory]
        if self.version == 2:
            settings = [f"{memory}/memory.max {memory_bytes}"]
            if (self.memory / "memory.swap.max").exists():
                settings.append(f"{memory}/memory.swap.max 0")
            if quota_us:
                settings.append(f"{memory}/cpu.max {quota_us} {PERIOD_US}")
            plan.oom_file = f"{memory}/memory.events"
        else:
            settings = [f"{memory}/memory.limit_in_bytes {memory_bytes}"]
            if (self.memory / "memory.memsw.limit_in_bytes").exists():
                settings.append(f"{memory}/memory.memsw.limit_in_bytes {memory_bytes}")
            if self.cpu is not None and quota_us:
                cpu = self.cpu / name
                groups.append(cpu)
                settings += [f"{cpu}/cpu.cfs_period_us {PERIOD_US}", f"{cpu}/cpu.cfs_quota_us {quota_us}"]
            plan.oom_file = f"{memory}/memory.oom_control"
        plan.cgroups = tuple(map(str, groups))
        plan.cgroup_settings = tuple(settings)


def find_cgroups(root: Path = ROOT, membership: str | None = None) -> Cgroups | None:
    """Where this process can make groups, tried by making one; None: nowhere.

    `membership`: the text of /proc/self/cgroup.
    """
    if membership is None:
        try:
            membership = Path("/proc/self/cgroup").read_text()
        except OSError:
            return None
    own: dict[str, str] = {}
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        own.update(dict.fromkeys(controllers.split(","), path))
    return _version_1(root, own) or _version_2(root, own)


def _version_1(root: Path, own: dict[str, str]) -> Cgroups | None:
    memory = root / "memory" / own.get("memory", "/").lstrip("/")
    if "memory" not in own or not _can_divide(memory, "memory.limit_in_bytes"):
        return None
    cpu = root / "cpu" / own.get("cpu", "/").lstrip("/")
    return Cgroups(1, memory, cpu if "cpu" in own and _can_divide(cpu, "cpu.cfs_quota_us") else None)


def _version_2(root: Path, own: dict[str, str]) -> Cgroups | None:
    if "" not in own:
        return None
    # A group with processes of its own cannot be divided, so that it is mostly one above ours.
    place = root / own[""].lstrip("/")
    for group in (place, *place.parents):
        if _can_divide(group, "memory.max"):
            return Cgroups(2, group, group if _has(group, "cpu") else None)
        if group == root:
            break
    return None


def _has(group: Path, controller: str) -> bool:
    return controller in (group / "cgroup.subtree_control").read_text().split()


def _can_divide(group: Path, file: str) -> bool:
    """Whether a group below `group` can be made, and its members chosen; sweeps up what killed harnesses left."""
    _sweep(group)
    trial = group / f"{PREFIX}{os.getpid()}-trial"
    try:
        trial.mkdir()
    except OSError:
        return False
    try:
        return os.access(trial / file, os.W_OK) and os.access(group / "cgroup.procs", os.W_OK)
    finally:
        trial.rmdir()


def _sweep(group: Path) -> None:
    for left in group.glob(f"{PREFIX}*-*"):
        owner = left.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            try:
                left.rmdir()
            except OSError:
                continue  # A keeper is still at work in it.
