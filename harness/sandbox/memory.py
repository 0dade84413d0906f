"""How much memory a bot holds, processes that it started included."""

import os
from pathlib import Path

_KB = 1024


def peak_bytes(keeper_pid: int) -> int:
    """The sum of the highest resident sizes of all that runs under a keeper now; 0 where it cannot be told."""
    return sum(_highest_bytes(pid) for pid in _below(keeper_pid))


def _below(pid: int) -> list[int]:
    found: list[int] = []
    level = [pid]
    while level:
        level = [child for parent in level for child in _children(parent)]
        found += level
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            children += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    except OSError:
        pass  # it has ended, or this system does not tell
    return children


def _highest_bytes(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KB
    except OSError:
        pass  # it has just ended
    return 0
