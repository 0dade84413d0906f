"""A worker: an arena in a process of its own, which plays the phases that it is ordered to.

    python -m harness.workers.worker DESCRIPTOR

It lives as long as the other end of the socket in DESCRIPTOR: once the run closes that, the worker ends its bots and
itself. Where the run ends without a word, the kernel ends the worker at once, and with it its bots.
"""

import asyncio
import signal
import socket
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from harness.arena import Arena
from harness.arena.specs import MatchEnd, Played, TableSpec, Witness
from harness.errors import HarnessError
from harness.sandbox import kernel
from harness.workers.link import Ended, Handed, Link, Opening, Order, Refusal, open_link


class Tables(Iterator[TableSpec | None]):
    """The tables of a phase, as `Arena.play` takes them: they come one by one."""

    def __init__(self, count: int) -> None:
        """`count`: how many will come."""
        self._coming = count
        self._here: deque[TableSpec] = deque()
        self.is_missed = False
        """Whether the arena has asked for one that was not here."""

    def add(self, handed: Handed) -> None:
        """One has come."""
        self._coming -= 1
        self._here.append(replace(handed.table, deck=handed.deck))

    def __next__(self) -> TableSpec | None:
        if self._here:
            return self._here.popleft()
        if not self._coming:
            raise StopIteration
        self.is_missed = True
        return None


async def serve(end: socket.socket, witness: Witness | None = None) -> None:
    """Plays what comes over `end` until its other end is gone."""
    if kernel.is_linux():  # lest a worker that is stopped, or stuck in a library, outlive a run that was killed
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # The run decides when its workers end. Not ignored, which the bots would inherit.
        loop.add_signal_handler(number, _stay)
    link = await open_link(end)
    opening = await link.receive()
    if not isinstance(opening, Opening):
        return
    time, jobs, sandbox = opening
    # A phase that fails ends the group, and the worker with it.
    arena = Arena(time_control=time, jobs=jobs, tcp=True, sandbox=sandbox, on_process_end=link.send, witness=witness)
    async with arena, asyncio.TaskGroup() as group:
        playing: asyncio.Task[None] | None = None
        tables = Tables(0)
        while (message := await link.receive()) is not None:
            if isinstance(message, Order):
                tables = Tables(message.table_count)
                playing = group.create_task(_play(arena, message, tables, link))
                await asyncio.sleep(0)  # it begins now, so that it hears what comes next
            elif isinstance(message, Handed):
                tables.add(message)
                if tables.is_missed:
                    tables.is_missed = False
                    arena.look_again()
            elif isinstance(message, MatchEnd):
                arena.ended_elsewhere(message)
        if playing is not None:
            playing.cancel()


def _stay() -> None:
    pass


async def _play(arena: Arena, order: Order, tables: Tables, link: Link) -> None:
    bots, _, withdrawn, conduct = order

    def ended(played: Played) -> None:
        link.send(Ended.of(played))

    try:
        report = await arena.play(bots, tables, ended, withdrawn=withdrawn, conduct=conduct, on_void=link.send)
    except HarnessError as error:
        link.send(Refusal(str(error)))
    else:
        link.send(report)


if __name__ == "__main__":
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1]))))
