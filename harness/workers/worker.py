"""A worker: an arena in a process of its own, which plays the phases that it is ordered to.

    python -m harness.workers.worker DESCRIPTOR

It lives as long as the other end of the socket in DESCRIPTOR: once the run closes that or ends, however it does, the
worker ends its bots and itself.
"""

import asyncio
import signal
import socket
import sys

from harness.arena import Arena
from harness.arena.specs import MatchEnd
from harness.errors import HarnessError
from harness.workers.link import Link, Opening, Order, Refusal, open_link


async def serve(end: socket.socket) -> None:
    """Plays what comes over `end` until its other end is gone."""
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
    arena = Arena(time_control=time, jobs=jobs, tcp=True, sandbox=sandbox, on_process_end=link.send)
    async with arena, asyncio.TaskGroup() as group:
        playing: asyncio.Task[None] | None = None
        while (message := await link.receive()) is not None:
            if isinstance(message, Order):
                playing = group.create_task(_play(arena, message, link))
                await asyncio.sleep(0)  # it begins now, so that it hears what comes next
            elif isinstance(message, MatchEnd):
                arena.ended_elsewhere(message)
        if playing is not None:
            playing.cancel()


def _stay() -> None:
    pass


async def _play(arena: Arena, order: Order, link: Link) -> None:
    bots, tables, withdrawn, conduct = order
    try:
        report = await arena.play(bots, tables, link.send, withdrawn=withdrawn, conduct=conduct, on_void=link.send)
    except HarnessError as error:
        link.send(Refusal(str(error)))
    else:
        link.send(report)


if __name__ == "__main__":
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1]))))
