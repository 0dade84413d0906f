"""What the keeper looks at while a bot runs: the memory of all its processes, and what it has put on disk."""

import os

from harness.sandbox.descendants import family
from harness.sandbox.plan import Plan

PERIOD_S = 0.25
"""A bot is looked at so often."""
FILE_COUNT = 10_000
"""Files that a bot may keep: names cost memory of the kernel that no size counts."""
MB = 1024 * 1024
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Watch:
    """Says when a bot has gone too far."""

    def __init__(self, plan: Plan, bot_pid: int) -> None:
        self._memory_bytes = plan.memory_bytes
        self._oom_file = plan.oom_file
        self._folder = plan.folder
        self._folder_bytes = plan.folder_bytes
        self._bot_pid = bot_pid
        self.inside_pid = 0
        """A process in the bot's own mount name space, where it has one."""

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to look at."""
        return bool(self._memory_bytes or self._folder)

    @property
    def memory_words(self) -> str:
        """What to say where it is memory that the bot used too much of."""
        return f"used more than {self._memory_bytes // MB} MB of memory"

    def excess(self) -> str:
        """What the bot used too much of, in words; "" where all is well."""
        if self._memory_bytes and self._is_over_memory():
            return self.memory_words
        if self.inside_pid and self._has_many_files(f"/proc/{self.inside_pid}/root/tmp"):
            return f"kept more than {FILE_COUNT} files"
        return self._excess_on_disk() if self._folder else ""

    def _is_over_memory(self) -> bool:
        if self._oom_file:
            return self.killed_for_memory()
        pids = family(self._bot_pid)
        if _unnamed_bytes(pids) > self._memory_bytes:
            return True
        if sum(map(_resident_bytes, pids)) <= self._memory_bytes:
            return False
        # Pages that several processes share were counted for each of them: look closer.
        return sum(map(_own_bytes, pids)) > self._memory_bytes

    def killed_for_memory(self) -> bool:
        """Whether the kernel has killed a process of the bot for its memory."""
        if not self._oom_file:
            return False
        try:
            with open(self._oom_file, encoding="ascii") as events:
                return any(line.startswith("oom_kill ") and line.split()[1] != "0" for line in events)
        except OSError:
            return False

    @staticmethod
    def _has_many_files(folder: str) -> bool:
        try:
            if os.path.samestat(os.stat(folder), os.stat("/tmp")):
                return False  # Its sandbox is still being made: this is everybody's.
            status = os.statvfs(folder)
        except OSError:
            return False  # It has just ended, or has no such folder yet.
        return status.f_files - status.f_ffree > FILE_COUNT

    def _excess_on_disk(self) -> str:
        file_count = disk_bytes = 0
        pending = [self._folder]
        while pending:
            try:
                with os.scandir(pending.pop()) as entries:
                    for entry in entries:
                        file_count += 1
                        if entry.is_dir(follow_symlinks=False):
                            pending.append(entry.path)
                        else:
                            disk_bytes += entry.stat(follow_symlinks=False).st_blocks * 512
                        if file_count > FILE_COUNT:
                            return f"kept more than {FILE_COUNT} files"
            except FileNotFoundError:
                continue  # It has just been removed.
            except OSError:
                # Closed to us, or too deep for a path: what it holds could be of any size.
                return "kept folders that cannot be looked into"
        return f"kept more than {self._folder_bytes // MB} MB of files" if disk_bytes > self._folder_bytes else ""


def _resident_bytes(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as statm:
            return int(statm.read().split()[1]) * _PAGE_BYTES
    except OSError:
        return 0  # It has just ended.


def _unnamed_bytes(pids: list[int]) -> int:
    """Files in memory that have no name, which need not be in the memory of any process."""
    sizes: dict[tuple[int, int], int] = {}
    for pid in pids:
        try:
            with os.scandir(f"/proc/{pid}/fd") as entries:
                for entry in entries:
                    if os.readlink(entry.path).startswith("/memfd:"):
                        status = os.stat(entry.path)
                        sizes[status.st_dev, status.st_ino] = status.st_blocks * 512
        except OSError:
            continue  # It has just ended, or closed the file.
    return sum(sizes.values())


def _own_bytes(pid: int) -> int:
    """Memory of a process, where what it shares with others counts in part; all of it where that cannot be told."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as rollup:
            rows = [line.split() for line in rollup]
    except OSError:
        return _resident_bytes(pid)
    return sum(int(row[1]) * 1024 for row in rows if row[0] in (b"Pss:", b"SwapPss:"))
