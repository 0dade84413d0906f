"""The private directory of an arena: its socket and its bots' temporary files."""

import tempfile
from pathlib import Path

from harness.sandbox.scratch import Scratch

MAX_PATH_BYTES = 80
"""Leaves room for a socket's name: its whole path has at most 107 bytes."""


def private_directory() -> Scratch:
    """A new one, at a path that is short enough for sockets."""
    root = Path(tempfile.gettempdir())
    return Scratch(root=Path("/tmp") if len(bytes(root)) > MAX_PATH_BYTES else root)
