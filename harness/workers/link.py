"""What runs between a run and one of its workers: values, one after another, over a socket pair.

Both ends are the same program on the same machine and nobody else holds the socket, so the values are pickled: a match
costs a tenth of a millisecond.
"""

import asyncio
import pickle
import socket
from collections.abc import Mapping
from typing import NamedTuple

from harness.arena.specs import BotSpec, MatchEnd, PhaseReport, Played, ProcessEnd, TableSpec, Void
from harness.conduct import Conduct
from harness.faults import Fault
from harness.match import TimeControl
from harness.sandbox.cell import Sandbox

_LENGTH_BYTES = 8


class Opening(NamedTuple):
    """The first thing that a worker is told: the arena that it is to open."""

    time_control: TimeControl | None
    jobs: int
    sandbox: Sandbox


class Order(NamedTuple):
    """A phase for a worker to play."""

    bots: tuple[BotSpec, ...]
    tables: tuple[TableSpec, ...]
    withdrawn: Mapping[str, Fault]
    conduct: Conduct | None
    """As of now. It stays up to date by the worker's own matches, and by `MatchEnd` of those of the others."""


class Refusal(NamedTuple):
    """A phase came to nothing by a mistake of the operator, or by a machine that is short of something."""

    text: str


Message = Opening | Order | MatchEnd | Played | Void | ProcessEnd | PhaseReport | Refusal


class Link:
    """One end. It is over when the other end is closed, or its process has ended, however that came."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Use `open_link`."""
        self._reader = reader
        self._writer = writer

    def send(self, message: Message) -> None:
        """Hands `message` on; one that comes after the end of the other side is lost."""
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        self._writer.write(len(data).to_bytes(_LENGTH_BYTES, "little") + data)

    async def receive(self) -> Message | None:
        """The next message; None where the other end is gone."""
        try:
            length = int.from_bytes(await self._reader.readexactly(_LENGTH_BYTES), "little")
            message: Message = pickle.loads(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return message

    def close(self) -> None:
        """Ends the link: what was sent is still delivered."""
        self._writer.close()


async def open_link(end: socket.socket) -> Link:
    """A link over `end`, which it closes with itself."""
    return Link(*await asyncio.open_unix_connection(sock=end))
