"""The command `cardarena`: one file a group of verbs, and the only place that prints."""

import os
import sys
from collections.abc import Sequence

import typer

from harness.cli import bots, cups, demo, ladders, matches, records  # noqa: F401  # each registers its verbs
from harness.cli.app import app, common_first
from harness.cli.codes import DONE, INTERRUPTED, OPERATOR_MISTAKE
from harness.errors import HarnessError
from harness.printable import printable
from ladder.errors import LadderError


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one verb and returns the exit code. An operator's mistake is one line; a traceback is a bug of ours."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        code = app(common_first(words), prog_name="cardarena", standalone_mode=False)
    except (HarnessError, LadderError) as error:
        for line in str(error).splitlines():
            print(f"cardarena: {printable(line)}", file=sys.stderr)
        return OPERATOR_MISTAKE
    except typer.TyperException as mistake:
        print(f"cardarena: {printable(mistake.format_message())} (cardarena --help)", file=sys.stderr)
        return OPERATOR_MISTAKE
    except (KeyboardInterrupt, typer.Abort):
        print("cardarena: interrupted; what was finished is kept, the same command goes on", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone: nothing is wrong with us
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    return code if isinstance(code, int) else DONE
