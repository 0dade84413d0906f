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


class SeatFaulted(NamedTuple):
    """Told to every seat: this one is at fault, and the house plays for it until the match ends."""

    seat: int
    kind: FaultKind
