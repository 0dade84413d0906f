"""The command `cardarena`: one file a verb, and the only place that prints."""

import sys
from collections.abc import Sequence
from importlib import import_module

from harness.cli.codes import INTERRUPTED
from harness.interruption import heard


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one verb and returns the exit code. An operator's mistake is one line; a traceback is a bug of ours."""
    with heard(to_the_end=argv is None):
        try:
            command = import_module("harness.cli.command")  # here, since Ctrl-C may come while it is being loaded
        except KeyboardInterrupt:
            sys.stderr.write("cardarena: interrupted\n")
            return INTERRUPTED
        code: int = command.run_command(argv)
        return code
