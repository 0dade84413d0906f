"""Which check is to refuse each fault bot, and how it is checked: as in a cup that grants what it may use."""

from pathlib import Path

from harness.cup import read_cup
from harness.doctor.fault_bot import NO_FAULT, FaultBot
from harness.workshop.check import CheckReport, check_bot
from harness.workshop.entry import BotFinder

BLAMED = {
    "illegal_action": "legal",
    "protocol": "protocol",
    "crashed": "alive",
    "disconnected": "alive",
    "timeout": "in-time",
    "resources": "memory",
}
"""By the kind of its fault."""
BLAMED_AT_START = {
    "crash_at_start": "start",
    "exit_at_start": "start",
    "daemonises_at_start": "start",
    "killed_at_start": "start",
    "no_such_program": "runtime",
    "plays_another_game": "guillotine",
}
ADVISED = {"double_answers": "protocol", "stale_answers": "protocol", "stderr_flood": "output"}
"""Which check has advice for one that can be borne."""
REFUSED = {"ignores_sigterm": "goodbye"}
"""Costs no match, and is not taken in all the same."""


def blamed_for(folder: Path) -> str:
    """The check that is about the bot in `folder`; empty where what it does can be borne."""
    if "CARDARENA_TRIAL" in (folder / "bot.py").read_text():
        return "start"  # it looks for what `doctor` lays out for it
    if folder.parent.name == "start":
        return BLAMED_AT_START.get(folder.name, "hello")
    return BLAMED.get(folder.parent.name, "")


def refused_by(bot: FaultBot, level: str) -> str:
    """The check that must refuse `bot` at a level of the sandbox; empty where it is to pass."""
    name = blamed_for(bot.folder)
    if bot.verdict_at(level) != NO_FAULT or name == "start":
        return name
    return REFUSED.get(bot.name, "")


def check_fault_bot(bot: FaultBot, folder: Path) -> CheckReport:
    """Checks `bot`; the cup that asks for its limits is written into `folder`."""
    asked = {name: value for name, value in bot.expected.limits.model_dump(exclude={"files"}).items() if value}
    tables = ["[limits]", *(f"{name} = {value}" for name, value in asked.items())]
    file = folder / "cup.toml"
    rules = ['[cup]\nname = "c"\ngame = "guillotine"\nmatches = 1\nbots = ["x"]', *tables]
    file.write_text("\n".join(rules) + "\n")
    return check_bot(str(bot.folder), BotFinder(bot.folder.parent), cup=read_cup(file) if asked else None)
