"""What runs between a run and one of its workers: values, one after another, over a socket pair.

Both ends are the same program on the same machine and nobody else holds the socket, so the values are pickled: a match
costs a tenth of a millisecond.
"""

import asyncio
import pickle
import socket
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from harness.arena.specs import BotSpec, MatchEnd, Note, PhaseReport, Played, ProcessEnd, TableSpec, Thought, Void
from harness.conduct import Conduct
from harness.faults import Fault
from harness.games.game import Deck
from harness.match import Match, TimeControl
from harness.sandbox.cell import Sandbox

_LENGTH_BYTES = 8


class Opening(NamedTuple):
    """The first thing that a worker is told: the arena that it is to open."""

    time_control: TimeControl | None
    jobs: int
    sandbox: Sandbox


class Order(NamedTuple):
    """A phase for a worker to play. Its tables follow one by one."""

    bots: tuple[BotSpec, ...]
    table_count: int
    withdrawn: Mapping[str, Fault]
    conduct: Conduct | None
    """As of now. It stays up to date by the worker's own matches, and by `MatchEnd` of those of the others."""


class Handed(NamedTuple):
    """A table of the phase, with its first decks, a byte a card: to make them is left to the run."""

    table: TableSpec
    decks: tuple[bytes, ...]

    def deck(self, deal_index: int) -> Deck:
        """The deck of that deal."""
        return tuple(self.decks[deal_index]) if deal_index < len(self.decks) else self.table.deck(deal_index)


class Ended(NamedTuple):
    """A match that has ended: what `Played` says of it but for the table, which the run knows."""

    match_id: str
    match: Match
    started_unix_ns: int
    wall_ns: int
    times: Sequence[Thought]
    notes: Sequence[Note]

    @staticmethod
    def of(played: Played) -> "Ended":
        """What the run is to be sent of `played`."""
        return Ended(played.table.match_id, *played[1:])

    def at(self, table: TableSpec) -> Played:
        """The same at the table that it was played at."""
        return Played(table, *self[1:])


class Refusal(NamedTuple):
    """A phase came to nothing by a mistake of the operator, or by a machine that is short of something."""

    text: str


Message = Opening | Order | Handed | MatchEnd | Ended | Void | ProcessEnd | PhaseReport | Refusal


class Link:
    """One end. It is over when the other end is closed, or its process has ended, however that came."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Use `open_link`."""
        self._reader = reader
        self._writer = writer

    def send(self, message: Message) -> None:
        """Hands `message` on; one that comes after the end of the other side is lost."""
        if self._writer.is_closing():  # asyncio would complain of each on stderr
            return
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
