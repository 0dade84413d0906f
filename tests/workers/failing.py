"""Referees that a worker cannot have."""

from collections.abc import Sequence

from harness.errors import HarnessError
from harness.match import Match, TimeControl


def refused(clocks: Sequence[TimeControl | None]) -> Match:
    """A mistake of the operator."""
    raise HarnessError("no referee for you")


def broken(clocks: Sequence[TimeControl | None]) -> Match:
    """A mistake of ours."""
    raise AssertionError("broken")
