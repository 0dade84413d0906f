"""Ctrl-C, SIGTERM and a terminal that goes: each ends what is being done, once for however often it comes."""

import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BURST_NS = 500_000_000
"""What comes sooner after the last one is of one burst with it: an impatient finger, or a key that repeats itself."""


class Hearing:
    """The handler of the signals: the first of a burst calls `end`, the others do nothing."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self._last_ns: int | None = None
        self.end: Callable[[], None] | None = None
        """Ends what is being done in a way of its own, where it has one. It is asked once: the next burst is an
        exception, lest what does not end be heard no more."""

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        now_ns = self._now_ns()
        is_of_burst = self._last_ns is not None and now_ns - self._last_ns < BURST_NS
        self._last_ns = now_ns
        if is_of_burst:
            return
        if self.end is None:
            raise KeyboardInterrupt
        end, self.end = self.end, None
        end()


@contextmanager
def heard(*, to_the_end: bool = False, now_ns: Callable[[], int] = time.monotonic_ns) -> Iterator[Hearing]:
    """Has the signals raise KeyboardInterrupt in the block, once for all of a burst.

    What whoever started us has ignored, as nohup does, stays ignored. With `to_the_end` they all are ignored after the
    block: the process ends by its exit code, and not by a signal while the interpreter is being taken down.
    """
    before = {number: signal.getsignal(number) for number in SIGNALS}
    outer = next((handler for handler in before.values() if isinstance(handler, Hearing)), None)
    hearing = outer or Hearing(now_ns)
    if outer is not None or threading.current_thread() is not threading.main_thread():  # which alone may set handlers
        yield hearing
        return
    replaced = [number for number in SIGNALS if before[number] in (signal.SIG_DFL, signal.default_int_handler)]
    for number in replaced:
        signal.signal(number, hearing)
    try:
        yield hearing
    finally:
        for number in replaced:
            signal.signal(number, signal.SIG_IGN if to_the_end else before[number])


def run(main: Coroutine[None, None, T]) -> T:
    """As `asyncio.run`. A signal cancels `main`, and is a KeyboardInterrupt once that has ended.

    The next burst is one at once, whatever has not ended.
    """
    import asyncio  # here, as it takes longer to load than all that Ctrl-C should already be heard in
    import logging

    is_over = False
    wake: Callable[[], object] | None = None

    def end() -> None:
        nonlocal is_over
        is_over = True
        if wake is not None:
            wake()

    async def watched() -> T:
        nonlocal wake
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        wake = partial(loop.call_soon_threadsafe, task.cancel)
        try:
            if is_over:
                task.cancel()
            return await main
        finally:
            wake = None  # a loop that is closed hears nothing

    with heard() as hearing:
        hearing.end = end
        try:
            result = asyncio.run(watched())
        except asyncio.CancelledError:
            if not is_over:
                raise
        except KeyboardInterrupt:  # the next burst: the process ends, and what is left is nobody's news
            logging.getLogger("asyncio").disabled = True
            raise
        finally:
            hearing.end = None
    if is_over:
        raise KeyboardInterrupt
    return result
