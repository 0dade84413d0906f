"""Single keys of a person at the terminal, and a screen of one's own that leaves the lines before it as they were."""

import os
import re
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from harness.cli.pausing import gives_terminal_back

_OWN_SCREEN, _THEIR_SCREEN = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _TO_END_OF_LINE, _TO_END = "\x1b[H", "\x1b[K", "\x1b[J"
_NAMES = {
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1b[A": "T",
    "\x1b[B": "t",
    "\x1b[5~": "D",
    "\x1b[6~": "d",
    "\x1b[H": "g",
    "\x1b[F": "G",
    "\x1b": "escape",
    " ": "right",
    "\r": "right",
    "\n": "right",
    "\x7f": "left",
}

_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|.", re.DOTALL)


def has_keys() -> bool:
    """Whether there is a person with a terminal on both sides."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb")


class Screen:
    """A screen of one's own, and keys that come one by one without being shown."""

    def __init__(self) -> None:
        self._before = termios.tcgetattr(0)
        self._lines: Sequence[str] = ()

    def show(self, lines: Sequence[str]) -> None:
        """Fills the screen with `lines`, without flicker."""
        self._lines = lines
        sys.stdout.write(_HOME + "".join(f"{line}{_TO_END_OF_LINE}\n" for line in lines) + _TO_END)
        sys.stdout.flush()

    def open(self) -> None:
        """Takes the terminal."""
        tty.setcbreak(0)
        sys.stdout.write(_OWN_SCREEN)

    def close(self) -> None:
        """Leaves the terminal as it was."""
        termios.tcsetattr(0, termios.TCSADRAIN, self._before)
        sys.stdout.write(_THEIR_SCREEN)
        sys.stdout.flush()

    def come_back(self) -> None:
        """Takes the terminal again, with what was on the screen."""
        self.open()
        self.show(self._lines)


@contextmanager
def own_screen() -> Iterator[Screen]:
    """The screen, for the block; the terminal is as it was afterwards, and while Ctrl-Z has stopped us."""
    screen = Screen()
    try:
        screen.open()
        with gives_terminal_back(screen.close, screen.come_back):
            yield screen
    finally:
        screen.close()


def keys() -> Iterator[str]:
    """Keys as they come: `right`, `left`, `escape`, or what they write; none any more at the end of the input."""
    while data := os.read(0, 256):
        for part in _KEY.findall(data.decode(errors="replace")):
            yield _NAMES.get(part, part)
