"""Keeps a site up to date while a cup is being played, in a process of its own: no bot waits for a page."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from harness.own_program import own_program

NS_PER_S = 1_000_000_000
FIRST_AFTER_NS = 20 * NS_PER_S
AT_MOST_EVERY_NS = 60 * NS_PER_S
SHARE = 20
"""Publishing takes at most one part in so many of the time."""
_LOWEST_PRIORITY = 19


class SiteKeeper:
    """Publishes now and then. `look` is called often, and starts a process or sees to the one that runs."""

    def __init__(self, folder: Path, home: Path, cup: str, notice: Callable[[str], None]) -> None:
        """`notice` is told what goes wrong, once until it goes well again."""
        words = ("publish", str(folder.absolute()), cup, "--home", str(home), "--quiet")
        self._command = own_program("harness.cli", *words)
        self._notice = notice
        self._told: str | None = None
        self._running: subprocess.Popen[str] | None = None
        self._began_ns = time.monotonic_ns()
        self._next_ns = self._began_ns + FIRST_AFTER_NS

    def look(self) -> None:
        """Whole blocks may have been added."""
        now_ns = time.monotonic_ns()
        if self._running is not None:
            if self._running.poll() is None:
                return
            self._ended(now_ns)
        if now_ns >= self._next_ns:
            self._begin(now_ns)

    def __enter__(self) -> "SiteKeeper":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Waits for the process that runs, if one does; ends it where the cup was broken off."""
        if self._running is not None:
            if kind is not None:
                self._running.kill()
            self._running.wait()
            if kind is None:
                self._ended(time.monotonic_ns())

    def _begin(self, now_ns: int) -> None:
        self._began_ns = now_ns
        try:
            self._running = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
            os.setpriority(os.PRIO_PROCESS, self._running.pid, _LOWEST_PRIORITY)  # bots think meanwhile
        except OSError as error:
            self._next_ns = now_ns + AT_MOST_EVERY_NS
            self._tell(error.strerror or str(error))

    def _ended(self, now_ns: int) -> None:
        assert self._running is not None
        _, said = self._running.communicate()  # it says a line at most
        if self._running.returncode:
            self._tell(said.strip().partition("\n")[0].removeprefix("cardarena: "))
        else:
            self._told = None
        self._running = None
        self._next_ns = now_ns + max(AT_MOST_EVERY_NS, (SHARE - 1) * (now_ns - self._began_ns))

    def _tell(self, why: str) -> None:
        if why != self._told:
            self._told = why
            self._notice(f"the site was not brought up to date: {why}; the cup goes on")
