"""One call of the command: from its words to its exit code."""

import errno
import os
import sys
from collections.abc import Sequence
from io import BufferedWriter, FileIO, TextIOWrapper

import typer

from harness.cli.app import VERBS, application, common_apart
from harness.cli.codes import DONE, INTERRUPTED, OPERATOR_MISTAKE
from harness.errors import HarnessError
from harness.printable import printable
from ladder.errors import LadderError

_GOING_ON = ("run", "demo", "submit", "import", "publish")
"""Verbs that find again what they had done before they were interrupted."""
_OF_PATHS = (errno.ENAMETOOLONG, errno.ELOOP, errno.EACCES)
"""What only whoever names a path, or owns it, can mend."""


def run_command(argv: Sequence[str] | None = None) -> int:
    """Runs one verb and returns the exit code. An operator's mistake is one line; a traceback is a bug of ours."""
    _open_closed_streams()
    if argv is None:  # the streams are the process's own
        _need_no_reader_of_remarks()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character is no mistake
    verb = None
    try:
        common, words = common_apart(sys.argv[1:] if argv is None else argv)
        verb = words[0] if words else None
        code = _run(verb, [*common, *(words or ["--help"])])
        sys.stdout.flush()
    except (HarnessError, LadderError) as error:
        _say(str(error))
        return OPERATOR_MISTAKE
    except typer.TyperException as mistake:
        _say(f"{mistake.format_message()} ({_help_for(verb)})")
        return OPERATOR_MISTAKE
    except KeyboardInterrupt:
        _say("interrupted" + ("; what was finished is kept, the same command goes on" if verb in _GOING_ON else ""))
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # whoever read our output has gone (SystemExit: so says rich): no harm done
        _write_no_more()
        return DONE
    except OSError as error:
        if error.errno in _OF_PATHS and error.filename is not None:
            _say(f"{os.fsdecode(error.filename)}: {error.strerror}")
            return OPERATOR_MISTAKE
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO) or error.filename is not None:
            raise
        _write_no_more()
        _say(f"cannot write the output: {error.strerror}")
        return OPERATOR_MISTAKE
    return code


def _open_closed_streams() -> None:
    """Has standard streams that the caller closed lead nowhere, before files of ours are given their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free: this one
    # Python has None for those that were closed when it started.
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 (for as long as the process lives)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115 (likewise)


class _Remarks(FileIO):
    """A standard error that takes what it can and drops the rest: no match is lost for a remark."""

    def write(self, data: object) -> int:
        assert isinstance(data, memoryview)  # so a BufferedWriter hands it over
        try:
            written: int | None = super().write(data)
        except OSError:  # whoever read it has gone, the terminal with it, or the disk that it went to is full
            return data.nbytes
        return data.nbytes if written is None else written  # None: the terminal is slow, and is not waited for


def _need_no_reader_of_remarks() -> None:
    raw = BufferedWriter(_Remarks(2, "w", closefd=False))
    sys.stderr = TextIOWrapper(raw, encoding=sys.stderr.encoding, line_buffering=True)


def _run(verb: str | None, words: list[str]) -> int:
    # Not `app(words)`: that turns an interruption and a closed pipe into exit codes of its own.
    command = typer.main.get_command(application(verb))
    try:
        with command.make_context("cardarena", words) as context:
            code = command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return code if isinstance(code, int) else DONE


def _write_no_more() -> None:
    """Lets what is still to be flushed go nowhere, so that the interpreter does not complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _help_for(verb: str | None) -> str:
    return f"cardarena {verb} --help" if verb in VERBS else "cardarena --help"


def _say(text: str) -> None:
    """Each line of `text` on stderr, with our name in front."""
    for line in text.splitlines():
        print(f"cardarena: {printable(line)}", file=sys.stderr)
