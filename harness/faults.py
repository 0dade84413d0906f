"""What a bot can do wrong. A fault is a value: it costs the bot its match and nobody else anything."""

from enum import StrEnum
from typing import NamedTuple


class FaultKind(StrEnum):
    """Kind of a fault, as records and the protocol name it."""

    ILLEGAL_ACTION = "illegal_action"
    """Chose an action that was not offered."""
    TIMEOUT = "timeout"
    """Ran out of thinking time, or was silent for too long."""
    DISCONNECTED = "disconnected"
    """Ended its stream during a match, its process still alive or not ours."""
    CRASHED = "crashed"
    """Its process ended during a match."""
    PROTOCOL = "protocol"
    """Sent a message that is not valid at that moment."""
    RESOURCES = "resources"
    """Used more memory, processes or output than it may."""
    START = "start"
    """Did not start, or never said Hello."""


class Fault(NamedTuple):
    """One fault. `detail` is for people: printable, one line, whoever wrote the bot."""

    kind: FaultKind
    detail: str


ABSENT = "withdrawn"
"""What results call a seat that the house played because its bot had been withdrawn: no fault of the bot's there."""

BY_ORGANISER = "withdrawn by the organiser: "
FOR_FAULTS = "withdrawn after faults in "


def absence_by_organiser(reason: str) -> Fault:
    """What a record says of a seat whose bot the organiser had withdrawn."""
    return Fault(FaultKind.START, f"{BY_ORGANISER}{reason}")


def result_fault(kind: str, detail: str) -> str:
    """What results call a fault of a record: its kind, or `ABSENT`.

    Records know no kind for an absence; they have START with one of two details, which only the harness writes. A bot
    that would not start is at fault in every match for which it did not, also once it is no longer waited for.

    >>> result_fault("start", "withdrawn by the organiser: it reads cards")
    'withdrawn'
    >>> result_fault("start", "exit code 1 before it said Hello")
    'start'
    """
    return ABSENT if kind == FaultKind.START and detail.startswith((BY_ORGANISER, FOR_FAULTS)) else str(kind)


class SeatFaulted(NamedTuple):
    """Told to every seat: this one is at fault, and the house plays for it until the match ends."""

    seat: int
    kind: FaultKind
