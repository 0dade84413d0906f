"""Work that falls into many equal parts, done by processes of our own on all cores, its results in order."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Parts that a process has been handed before it is done with the first."""


@contextmanager
def checkers(make: Callable[[], Callable[[T], R]], count: int) -> Iterator[Callable[[Iterable[T]], Iterator[R]]]:
    """Starts `count` processes, in each of which `make()` gives what does one part of the work.

    What comes back does many parts, and yields what came of each, in their order. RuntimeError where a process ended by
    a mistake of ours, which it has written on stderr. None of them outlives the block, or this process.
    """
    context = get_context("spawn")
    links: list[Connection] = []
    processes = []
    try:
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, make), daemon=True)
            with _kept_from_children():
                process.start()
            theirs.close()
            links.append(ours)
            processes.append(process)
        yield lambda parts: _spread(links, parts)
    finally:
        for link in links:
            link.close()
        for process in processes:
            process.terminate()
            process.join()


@contextmanager
def _kept_from_children() -> Iterator[None]:
    """Has whatever is started in the block never hear of Ctrl-C, or of a terminal that goes: they are for us.

    From its first instruction on: a Python that is hit while it is being loaded writes a traceback.
    """
    resource_tracker.ensure_running()  # which the first start would do, and let the signals in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _spread(links: Sequence[Connection], parts: Iterable[T]) -> Iterator[R]:
    waiting: deque[Connection] = deque()
    try:
        for link, part in zip(cycle(links), parts, strict=False):
            link.send(part)
            waiting.append(link)
            if len(waiting) == AHEAD * len(links):
                yield waiting.popleft().recv()
        while waiting:
            yield waiting.popleft().recv()
    except (EOFError, ConnectionError):
        raise RuntimeError("a process that shared the work has ended; what it wrote on stderr says why") from None


def _serve(link: Connection, make: Callable[[], Callable[[T], R]]) -> None:
    parts: SimpleQueue[T | None] = SimpleQueue()
    # What was handed ahead is taken in at once: we might be sending what came of another, while they wait for us.
    Thread(target=_take_in, args=(link, parts), daemon=True).start()
    do = make()
    while (part := parts.get()) is not None:
        try:
            link.send(do(part))
        except ConnectionError:
            return


def _take_in(link: Connection, parts: "SimpleQueue[T | None]") -> None:
    """Until there are no more; None stands for the end."""
    try:
        while True:
            parts.put(link.recv())
    except (EOFError, OSError):
        parts.put(None)
