"""The sheet of what a round is played on, kept for its site: it tells no path, and no name of the machine."""

import platform
import re
from collections.abc import Callable

from harness.cup import CupFile
from harness.doctor.sheet import RuntimeFacts, Sheet, ask_runtimes, outline
from harness.errors import HarnessError
from harness.sandbox.cell import Sandbox
from harness.sandbox.levels import MEANS
from harness.store.rows import Round
from harness.store.sheets import KeptRuntime, KeptSheet, Sheets
from harness.workshop.runtimes import Runtimes

_PATH = re.compile(r"(?<![\w.])(?:file:)?/[^\s()\[\],;]+")


def keep_sheet(
    sheets: Sheets, row: Round, cup: CupFile, sandbox: Sandbox, runtimes: Runtimes, notice: Callable[[str], None]
) -> None:
    """Writes the sheet of a round that is about to be played, unless there is one of this machine.

    What goes wrong is told to `notice`, and the round goes on without.
    """
    try:
        sheet = outline(sandbox, cup.limits, cup.time)
        facts = _facts(sheet, sandbox)
        kept = sheets.read(row)
        if kept is None or kept.facts != facts:
            sheets.keep(row, KeptSheet(facts, tuple(map(_public, ask_runtimes(sandbox, runtimes)))))
    except (OSError, HarnessError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        notice(f"what bots run on is not kept for the site: {why}; the cup goes on")


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
