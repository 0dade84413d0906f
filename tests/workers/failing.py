"""Decks that a worker cannot have."""

from harness.errors import HarnessError
from harness.games.game import Deck


def refused(deal_index: int) -> Deck:
    """A mistake of the operator."""
    raise HarnessError("no deck for you")


def broken(deal_index: int) -> Deck:
    """A mistake of ours."""
    raise AssertionError("broken")
