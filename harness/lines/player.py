"""One process of the author's program, and its two pipes."""

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterable, Sequence
from typing import NoReturn

from harness.lines.answers import LINE_BYTES, STDOUT_IS_FOR_ACTIONS, Unreadable, shown

READY_POLL_S = 0.005
END_POLL_S = 0.05
"""While it owes an answer, whether it has ended is looked at so often: what it started may hold its stdout open."""
NAMING_S = 0.5
"""After the end of its stdout a process has so long to end, so that it can be told how it ended."""
NOT_STARTED = 127
"""Exit code of one that could not be started, as shells give it."""


class PlayerEnded(BaseException):
    """A process of the author's program has ended before its time: the adapter is to end as it did."""

    def __init__(self, status: int, says: str = "") -> None:
        """`status`: its exit code, or minus the signal that killed it."""
        super().__init__(says)
        self.status = status
        self.says = says


class PlayerLeft(Exception):
    """A process closed its stdout and did not end."""


class Player:
    """A process that plays one match at a time. It inherits stderr, which is its log."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Starts it. PlayerEnded where that cannot be done."""
        # Where Python writes to a pipe it gathers what it writes; others have their own ways to say that they do not.
        environment = {"PYTHONUNBUFFERED": "1", **os.environ}
        try:
            self._process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
            )
        except OSError as error:
            raise PlayerEnded(NOT_STARTED, f"{argv[0]} could not be started: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin
        self._stdout = self._process.stdout
        self._read = bytearray()
        self.asked = 0
        """Asks of the match that it plays."""

    def fileno(self) -> int:
        """Of its stdout, to wait for."""
        return self._stdout.fileno()

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone; what it wrote may still lie in the pipe."""
        return self._process.poll() is not None

    def tell(self, line: bytes) -> None:
        """Writes `line`. A process that has ended hears nothing: its end shows when it is asked."""
        with contextlib.suppress(BrokenPipeError):
            self._stdin.write(line)

    def wait_until_it_reads(self) -> None:
        """Waits until all that it was told is read. PlayerEnded where it ends before."""
        while _unread_bytes(self._stdin.fileno()):
            if (status := self._process.poll()) is not None:
                raise PlayerEnded(status)
            time.sleep(READY_POLL_S)

    def ask(self, line: bytes) -> None:
        """Asks it. Unreadable where it has written what nobody asked for."""
        if select.select([self], [], [], 0)[0]:
            self._receive()
        if self._read:
            raise Unreadable(f"wrote {shown(self._first_line())} before it was asked; {STDOUT_IS_FOR_ACTIONS}")
        self.asked += 1
        self.tell(line)

    def answer(self) -> bytes | None:
        """The line that answers, without its end; None while it is not whole. To call when there is something to read.

        Unreadable where it is too long. PlayerEnded or PlayerLeft where the process wrote none and is at its end.
        """
        is_at_end = not self._receive()
        line, newline, rest = self._read.partition(b"\n")
        if newline:
            self._read = rest
            return bytes(line)
        if len(self._read) >= LINE_BYTES:
            raise Unreadable(
                f"wrote a line of over {LINE_BYTES} bytes: {shown(bytes(self._read))}; {STDOUT_IS_FOR_ACTIONS}"
            )
        if is_at_end:
            self._raise_end()
        return None

    def close(self) -> None:
        """Nothing more comes: the process is to end by itself."""
        self._stdin.close()

    def end(self) -> int:
        """Waits for its end. Its exit code, or minus the signal that killed it."""
        return self._process.wait()

    def kill(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()
        self._stdin.close()
        self._stdout.close()

    def _first_line(self) -> bytes:
        return bytes(self._read).partition(b"\n")[0]

    def _receive(self) -> bool:
        """Reads what is there, and waits for it while the process lives. False at the end of its stdout, or its own."""
        if self.has_ended and not select.select([self], [], [], 0)[0]:
            return False
        data = os.read(self._stdout.fileno(), LINE_BYTES)
        self._read += data
        return bool(data)

    def _raise_end(self) -> NoReturn:
        try:
            raise PlayerEnded(self._process.wait(NAMING_S))
        except subprocess.TimeoutExpired:
            raise PlayerLeft("closed its stdout") from None


def readable(players: Iterable[Player]) -> list[Player]:
    """Waits until some of `players` have written something or are at their end, and returns these."""
    waiting = list(players)
    while True:
        found = select.select(waiting, [], [], END_POLL_S)[0] or [player for player in waiting if player.has_ended]
        if found:
            return found


def end_as(status: int) -> None:
    """Ends this process as a player ended: by the exit code `status`, or by the signal `-status`."""
    sys.stdout.flush()
    sys.stderr.flush()
    if status < 0:
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _unread_bytes(descriptor: int) -> int:
    """What lies in a pipe; 0 where the system does not tell."""
    count = bytearray(4)
    try:
        fcntl.ioctl(descriptor, termios.FIONREAD, count)
    except OSError:
        return 0
    return int.from_bytes(count, sys.byteorder)
