"""The edge: bots as processes that dial in over gRPC, and the matches played with them.

`Arena` itself, and gRPC with it, is loaded when it is first asked for: a run with nothing to play needs the values
alone.
"""

from typing import TYPE_CHECKING

from harness.arena import grpc_settings  # noqa: F401  # before gRPC, which reads what it sets
from harness.arena.specs import BotSpec, PhaseReport, Played, ProcessEnd, TableSpec, Withdrawal, Witness

if TYPE_CHECKING:
    from harness.arena.arena import Arena

__all__ = ["Arena", "BotSpec", "PhaseReport", "Played", "ProcessEnd", "TableSpec", "Withdrawal", "Witness"]


def __getattr__(name: str) -> "type[Arena]":
    if name != "Arena":
        raise AttributeError(f"module {__name__} has no attribute {name}")
    from harness.arena.arena import Arena

    return Arena
