"""The sheet of what a round is played on, kept for its site: it tells no path, and no name of the machine."""

import contextlib
import os
import platform
import re
import threading
from collections.abc import Callable
from types import TracebackType

from harness.cup import CupFile
from harness.doctor.sheet import RuntimeFacts, Sheet, ask_runtimes, outline
from harness.errors import HarnessError
from harness.sandbox.cell import Sandbox
from harness.sandbox.levels import MEANS
from harness.store.rows import Round
from harness.store.sheets import KeptRuntime, KeptSheet, Sheets
from harness.workshop.runtimes import Runtimes

NICE = 19
GIVE_UP_S = 1.0
"""One program that is being asked is waited for so long after an interruption."""
_PATH = re.compile(r"(?<![\w.])(?:file:)?/[^\s()\[\],;]+")


class SheetKeeper:
    """Writes the sheet of a round while it is played, in the time that bots leave, unless there is one of this machine.

        with SheetKeeper(sheets, row, cup, sandbox, runtimes, notice):
            ...

    Leaving the block waits for it; an exception that leaves it gives it up.
    """

    def __init__(
        self,
        sheets: Sheets,
        row: Round,
        cup: CupFile,
        sandbox: Sandbox,
        runtimes: Runtimes,
        notice: Callable[[str], None],
    ) -> None:
        """What goes wrong is told to `notice` in the end, and the round goes on without."""
        self._sheets = sheets
        self._row = row
        self._cup = cup
        self._sandbox = sandbox
        self._runtimes = runtimes
        self._notice = notice
        self._problem = ""
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)

    def __enter__(self) -> "SheetKeeper":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self._given_up.set()
        self._thread.join(None if kind is None else GIVE_UP_S)
        if self._problem:
            self._notice(f"what bots run on is not kept for the site: {self._problem}; the cup goes on")

    def _keep(self) -> None:
        with contextlib.suppress(OSError):  # Linux: of this thread alone, and of what it starts
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        try:
            self._write()
        except (OSError, HarnessError) as error:
            self._problem = (error.strerror if isinstance(error, OSError) else None) or str(error)

    def _write(self) -> None:
        facts = _facts(outline(self._sandbox, self._cup.limits, self._cup.time), self._sandbox)
        kept = self._sheets.read(self._row)
        if kept is not None and kept.facts == facts:
            return
        found = []
        for runtime in ask_runtimes(self._sandbox, self._runtimes):
            if self._given_up.is_set():
                return
            found.append(_public(runtime))
        self._sheets.keep(self._row, KeptSheet(facts, tuple(found)))


def _facts(sheet: Sheet, sandbox: Sandbox) -> tuple[tuple[str, str], ...]:
    # Why it is this level names what the organiser has installed, and where: that is for him.
    return (
        ("machine", _hidden(sheet.machine)),
        ("clock", _hidden(sheet.clock)),
        ("sandbox", f"{sandbox.level}: {MEANS[sandbox.level]}"),
        ("limits", f"{sheet.limits_text}; unless a bot is granted what it needs"),
        ("time", sheet.time_text),
    )


def _public(runtime: RuntimeFacts) -> KeptRuntime:
    packages = tuple(f"{package.name} {_hidden(package.version)}" for package in runtime.packages)
    return KeptRuntime(runtime.name, _hidden(runtime.version), packages)


def _hidden(text: str) -> str:
    """`text` without paths and without the name of the machine."""
    text = _PATH.sub("...", text)
    host = platform.node()
    return re.sub(rf"\b{re.escape(host)}\b", "...", text) if host else text
