"""Ctrl-Z: the shell has its terminal as it was, until it lets us go on."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def gives_terminal_back(leave: Callable[[], object], come_back: Callable[[], object]) -> Iterator[None]:
    """Has Ctrl-Z in the block stop us between `leave`, which makes the terminal as it was, and `come_back`."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)  # here we stand until the shell says `fg`
        signal.signal(signal.SIGTSTP, stop)
        come_back()

    if threading.current_thread() is not threading.main_thread():  # which alone may set handlers
        yield
        return
    before = signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)
