"""How gRPC is to work in the harness. To be imported before gRPC, which reads it only then."""

import os
import re
import sys
from importlib.metadata import PackageNotFoundError, version

_WITHOUT_ENGINE = "-event_engine_client,-event_engine_listener"
"""Whoever waits for a message reads the socket itself. With gRPC's event engine some four threads more hand it on: a
message and its answer change threads nine times."""
_KNOWN = ((1, 81), (1, 85))
"""Versions, the oldest and the newest, that were seen to understand that. Others might complain of it on stderr."""


def settle() -> None:
    """Sets what gRPC reads; what is set already stands."""
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # Forks of a process with a gRPC server crash.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    if sys.platform == "linux" and _KNOWN[0] <= _installed() <= _KNOWN[1]:
        os.environ.setdefault("GRPC_EXPERIMENTS", _WITHOUT_ENGINE)


def _installed() -> tuple[int, int]:
    try:
        found = re.match(r"(\d+)\.(\d+)", version("grpcio"))
    except PackageNotFoundError:  # one that is called otherwise, or comes without its metadata
        return 0, 0
    return (int(found[1]), int(found[2])) if found else (0, 0)


settle()
