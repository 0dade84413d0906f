"""The edge: bots as processes that dial in over gRPC, and the matches played with them."""

import os

# Before grpc is imported: it reads them then. Forks of a process with a gRPC server crash.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

from harness.arena.arena import Arena
from harness.arena.specs import BotSpec, PhaseReport, Played, ProcessEnd, TableSpec, Withdrawal, Witness

__all__ = ["Arena", "BotSpec", "PhaseReport", "Played", "ProcessEnd", "TableSpec", "Withdrawal", "Witness"]
