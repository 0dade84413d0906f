"""What a process has started, directly or not, and what of it is still there."""

import os


def descendants(of_pid: int) -> list[int]:
    """Processes whose chain of parents leads to `of_pid`. None where the system does not list processes as files."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    parents: dict[int, int] = {}
    for name in names:
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    # The command, in brackets, may hold spaces and brackets itself.
                    parents[int(name)] = int(stat.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError):
                continue  # It has just ended.
    found: list[int] = []
    level = [of_pid]
    while level:
        level = [pid for pid, parent in parents.items() if parent in level]
        found += level
    return found


def family(pid: int) -> list[int]:
    """`pid` and its descendants, found by going down, not by looking at every process of the machine.

    Quicker than `descendants`, and less certain: what is started at this moment may be missed.
    """
    found = [pid]
    for parent in found:
        try:
            for task in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{task}/children", "rb") as children:
                    found.extend(map(int, children.read().split()))
        except OSError:
            continue  # It has just ended.
    return found


def task_count() -> int:
    """Processes and threads on this machine; 0 where it cannot be told."""
    try:
        with open("/proc/loadavg", "rb") as loadavg:
            return int(loadavg.read().split()[3].split(b"/")[1])
    except OSError:
        return 0
