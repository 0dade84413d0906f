"""What goes into the arena and what comes out of it: plain values."""

import struct
from array import array
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol, overload

from harness.faults import Fault, FaultKind, SeatFaulted
from harness.games.game import Deck, Event, Game, Seat
from harness.match import Match, TimeControl
from harness.sandbox.cell import Sandbox
from harness.sandbox.limits import ProcessLimits
from harness.sandbox.process import BotProcess
from harness.sandbox.runtime import Runtime


class Unprepared(NamedTuple):
    """Why a bot cannot be started at all."""

    detail: str
    last_lines: tuple[str, ...] = ()
    """The end of what was written about it, printable."""
    argv: tuple[str, ...] = ()
    """What failed."""


Invite = Callable[[Sequence[str], str], None]
"""Hears the addresses at which the arena listens, the unix socket first, and the token to come with."""


@dataclass(frozen=True)
class BotSpec:
    """One bot of a phase, and how to start it."""

    label: str
    """Its name in the results: `fox`, or `fox#2` where it is entered twice."""
    argv: tuple[str, ...]
    """Its own command line."""
    cwd: Path = Path()
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables besides those that every bot gets."""
    max_matches: int = 64
    """Most matches at once; its Hello may say fewer."""
    start_s: float = 10.0
    """From the start of its process to its Hello."""
    time: TimeControl | None = None
    """Its own clock; None: everybody's."""
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    tcp: bool = False
    """It cannot dial unix sockets and gets a loopback TCP address."""
    invite: Invite | None = None
    """Not started by us: told where and with what token, whoever plays dials in. No timer of any kind runs against it.
    """
    adapter: tuple[str, ...] = ()
    """What is started instead, with `argv` as its last arguments, for a bot that does not speak gRPC itself."""
    prepare: Callable[[Sandbox], Awaitable[Unprepared | None]] | None = None
    """What is to be done before its first start in a phase, at the level that it plays at."""
    runtime: Runtime | None = None
    """What it may read besides the system and `cwd`; None: what its program needs, found by looking at it."""


@dataclass(frozen=True)
class TableSpec:
    """One match to play."""

    match_id: str
    game: Game
    seats: tuple[str, ...]
    """Labels of the bots, by seat; no label twice."""
    first_dealer: Seat
    deck: Callable[[int], Deck]
    """The deck of the deal with that index."""
    bot_seeds: tuple[int, ...]
    """By seat; 64 bits each."""
    referee: Callable[[Sequence[TimeControl | None]], Match] | None = None
    """Makes the referee of the match, given the clocks by seat; None: a `Match` as any other."""
    on_told: Callable[[Sequence[Event | SeatFaulted]], None] | None = None
    """Hears what happens at the table as it happens, for all seats: whoever passes it on projects it first."""


class Thought(NamedTuple):
    """The time of one answer."""

    seat: Seat
    spent_ns: int
    """By the virtual clock of the bot's stream."""
    owed: int
    """Answers that the bot owed at that time, this one included."""
    cpu_ns: int = -1
    """Processor time that the bot used since its last message, this answer's share of it; -1: not known."""
    lag_ns: int = 0
    """Lag of the harness in that time, credited to the bot: the share of this answer."""


_FIELDS = len(Thought._fields)
thought_bytes = struct.Struct(f"={_FIELDS}q").pack
"""The fields of a `Thought`, as `Thoughts` keeps them."""


class Thoughts(Sequence[Thought]):
    """The times of a match's answers, in order.

    Kept as bytes: 256 matches at once have half a million numbers, each a value of its own somewhere in memory, and to
    visit those when the match is handed on takes longer than to write them down.
    """

    __slots__ = ("_packed",)

    def __init__(self, packed: bytes | bytearray) -> None:
        """`packed`: the `thought_bytes` of each."""
        self._packed = packed

    def columns(self) -> tuple[list[int], ...]:
        """All of each field, in order."""
        numbers = array("q", self._packed)
        return tuple(numbers[field::_FIELDS].tolist() for field in range(_FIELDS))

    def __iter__(self) -> Iterator[Thought]:
        return map(Thought._make, zip(*self.columns(), strict=True))

    def __len__(self) -> int:
        return len(self._packed) // (_FIELDS * 8)

    @overload
    def __getitem__(self, index: int) -> Thought: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Thought]: ...

    def __getitem__(self, index: int | slice) -> Thought | Sequence[Thought]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        return Thought(*array("q", self._packed)[_FIELDS * place : _FIELDS * (place + 1)])


class Note(NamedTuple):
    """What a bot noted for its author's eyes. The text is a stranger's: escape it where it is shown."""

    deal_index: int
    action_index: int
    seat: Seat
    text: str


class MatchEnd(NamedTuple):
    """Who was at fault in a match that has ended."""

    match_id: str
    seats: tuple[str, ...]
    """Labels of the bots, by seat."""
    faults: Mapping[str, FaultKind]
    """By label."""


class Played(NamedTuple):
    """A match that has ended."""

    table: TableSpec
    match: Match
    started_unix_ns: int
    wall_ns: int
    times: Sequence[Thought]
    """One for each answer, in order."""
    notes: Sequence[Note]

    @property
    def end(self) -> MatchEnd:
        """What matters of it for the matches to come."""
        seats = self.table.seats
        return MatchEnd(self.table.match_id, seats, {seats[at.seat]: at.fault.kind for at in self.match.faults})


class Void(NamedTuple):
    """A match that counts for nothing, because something of ours failed."""

    match_id: str
    seats: tuple[str, ...]
    """Labels of the bots, by seat."""
    reason: str
    """What failed, for people."""

    @property
    def end(self) -> MatchEnd:
        """It was nobody's fault."""
        return MatchEnd(self.match_id, self.seats, {})


OnVoid = Callable[[Void], None]


class ProcessEnd(NamedTuple):
    """A bot process has ended. All texts are printable but `output`."""

    label: str
    start_number: int
    """Counts the bot's starts in the phase, from 1; 0 for what should have prepared it."""
    how: str
    """`exited with code 0`, `was killed by signal 11 (SIGSEGV)`, ..."""
    fault: Fault | None
    """What it was ended for; None where it was told goodbye."""
    output: bytes
    """What it wrote on stdout and stderr, as it wrote it; a long middle is left out."""


class Witness(Protocol):
    """Who looks on while bots are started and spoken to. Times are monotonic."""

    def started(self, label: str, process: BotProcess, now_ns: int) -> None:
        """A process of the bot was started."""

    def sent(self, label: str, message: bytes, now_ns: int) -> None:
        """This is handed to gRPC now, for the bot."""

    def received(self, label: str, message: bytes, now_ns: int) -> None:
        """This came from the bot, and is not looked at yet."""


class Withdrawal(NamedTuple):
    """A bot that the arena gave up: the house plays what it would have played."""

    label: str
    fault: Fault
    """Why; of the kind of the last that it did."""
    last_lines: tuple[str, ...]
    """The end of what it wrote, printable."""

    @property
    def absence(self) -> Fault:
        """The fault of its seats in matches that begin afterwards."""
        return Fault(FaultKind.START, self.fault.detail)


class PhaseReport(NamedTuple):
    """What there is to say about a phase besides its matches."""

    withdrawn: tuple[Withdrawal, ...]
    start_count: int
    """Bot processes started."""
    lag_ns: int
    """Time in which the harness did not listen in time, summed; it is charged to nobody."""
