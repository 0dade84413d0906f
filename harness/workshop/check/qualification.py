"""Plays a bot as the ladder would, and notes what happens: alone first, then in many matches at once."""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness import deals
from harness.arena import Arena, BotSpec, Played, ProcessEnd, TableSpec
from harness.conduct import Conduct
from harness.faults import Fault, FaultKind
from harness.games import Game
from harness.last_words import last_words
from harness.match import SeatFault, TimeControl
from harness.printable import printable
from harness.roster import bot_spec
from harness.sandbox.cell import Sandbox
from harness.sandbox.memory import peak_bytes
from harness.sandbox.process import BotProcess
from harness.workshop.check.conditions import Conditions
from harness.workshop.check.pace import Haste, Pace
from harness.workshop.check.traffic import Talk, Traffic
from harness.workshop.entry import FoundBot, labels

SEED = 1
"""The same deals at every check, so that it can be repeated."""
AT_ONCE = 16
"""Matches more that are played at once; fewer for a bot that takes long."""
AT_ONCE_NS = 4_000_000_000
"""A slow bot gets only as many matches at once as should take it so long, and at least two."""
AT_INTERRUPTION = 4
LEAVES_AFTER = 4
"""The leaver is killed when it is asked for the fourth time, and so is a bot that is to be interrupted."""
LINGER_S = 0.5
"""After a fault that would only come again, what the process still writes is waited for so long."""
MEMORY_POLL_S = 0.05
LINE_COUNT = 12
_FUTILE = (FaultKind.START, FaultKind.TIMEOUT)
FAULTS_ENOUGH = 2
"""After so many matches with a fault of the bot there is nothing more to learn."""


@dataclass(frozen=True)
class QualifyingMatch:
    """One match that the bot under check played."""

    spec: TableSpec
    seat: int
    played: Played
    talk: Talk | None
    """None where it was never seated."""
    with_leaver: bool
    """Another bot was sent away in the middle of it."""

    @property
    def fault(self) -> SeatFault | None:
        """What the bot did wrong in it."""
        return next((at for at in self.played.match.faults if at.seat == self.seat), None)

    @property
    def after_another(self) -> bool:
        """The bot was at fault after another seat was."""
        return self.fault is not None and self.played.match.faults[0].seat != self.seat

    @property
    def actions(self) -> tuple[tuple[str, ...], ...]:
        """All actions at the table, deal by deal."""
        return tuple(tuple(deal.actions) for deal in self.played.match.deals)

    @property
    def answer_ns(self) -> tuple[int, ...]:
        """How long the bot thought about each of its answers."""
        return tuple(thought.spent_ns for thought in self.played.times if thought.seat == self.seat)

    def __str__(self) -> str:
        return f"{self.spec.game.name} at a table of {len(self.spec.seats)}"


@dataclass
class Observed:
    """What happened in one phase. It is filled while it lasts."""

    hello_s: float | None = None
    """From the start of the process to its Hello."""
    traffic: Traffic = field(default_factory=Traffic)
    matches: list[QualifyingMatch] = field(default_factory=list)
    ends: list[ProcessEnd] = field(default_factory=list)
    """Of the bot's processes."""
    peak_bytes: int = 0
    process: BotProcess | None = None
    wall_ns: int = 0
    was_interrupted: bool = False
    """The bot was killed by us, once."""
    broken_off: bool = False
    """It was ended early: what would have followed was sure to fail in the same way."""
    haste: Haste | None = None
    """The bot thought at a pace that cannot last, and what was done about it."""
    hasty: TableSpec | None = None
    """The match in which it did."""

    @property
    def last_lines(self) -> tuple[str, ...]:
        """The end of what the bot wrote: the process that was at fault first and not killed by us, or the last one."""
        outputs = [end.output for end in self.ends if end.fault is not None][self.was_interrupted :]
        if not outputs:
            return () if self.process is None else tuple(self.process.last_lines(LINE_COUNT))
        lines = outputs[0].decode(errors="replace").splitlines()
        return tuple(printable(line)[:500] for line in last_words(lines, LINE_COUNT))

    @property
    def turned_away(self) -> Fault | None:
        """What was wrong with its Hello; None where it sat at a table, or failed in another way before."""
        if self.traffic.talks:
            return None
        faults = (end.fault for end in self.ends if end.fault is not None)
        return next((fault for fault in faults if fault.kind is FaultKind.PROTOCOL), None)

    @property
    def faulted(self) -> tuple[QualifyingMatch, ...]:
        """The matches in which the bot was at fault, in the order of their ends."""
        return tuple(match for match in self.matches if match.fault is not None)

    def of(self, game: str) -> tuple[QualifyingMatch, ...]:
        """The matches of one game in which everybody stayed."""
        return tuple(match for match in self.matches if match.spec.game.name == game and not match.with_leaver)


class Qualification:
    """The phases of one check. Each starts all processes afresh."""

    def __init__(self, spec: BotSpec, conditions: Conditions, sandbox: Sandbox, opponent: FoundBot) -> None:
        """`spec` starts the bot; `opponent` sits in all other seats."""
        self._conditions = conditions
        self._sandbox = sandbox
        size = max(size for _, sizes in conditions.games for size in sizes)
        names = labels([spec.label, *[opponent.name] * size])
        self._bot, *others = names
        self._leaver = others.pop()
        self._others = tuple(others)
        self._spec = replace(spec, label=self._bot)
        self._opponents = [
            bot_spec(label, opponent.manifest, opponent.folder, conditions.limits) for label in (*others, self._leaver)
        ]

    async def alone(self) -> Observed:
        """One match after the other: each game at each table size, then each game with a seat that fails.

        A bot whose pace cannot last plays one match with little time instead. If it is at fault there, that is all;
        else it minds its clock, and is let alone.
        """
        bot, tables = replace(self._spec, max_matches=1), [*self._tables(), *self._leaver_tables()]
        seen = await self._play(bot, tables, mind_pace=True)
        if seen.haste is None or seen.hasty is None:
            return seen
        hurried = await self._play(replace(bot, time=seen.haste.time), [seen.hasty])
        hurried.haste = seen.haste
        return hurried if hurried.faulted else await self._play(bot, tables)

    async def again(self) -> Observed:
        """The matches of `alone` in which everybody stayed, once more."""
        return await self._play(replace(self._spec, max_matches=1), self._tables())

    async def together(self, alone: Observed) -> Observed:
        """The same matches and some more, all at once."""
        spent_ns = [sum(match.answer_ns) for match in alone.matches]
        count = min(AT_ONCE, max(2, AT_ONCE_NS * len(spent_ns) // (sum(spent_ns) + 1)))
        return await self._play(self._spec, [*self._tables(), *self._further_tables(count)])

    async def interrupted(self) -> Observed:
        """A few matches at once; the bot is killed in their midst, once, and started again."""
        return await self._play(self._spec, [*self._tables(), *self._further_tables(AT_INTERRUPTION)], interrupt=True)

    def _sized(self) -> list[tuple[Game, int]]:
        return [(game, size) for game, sizes in self._conditions.games for size in sizes]

    def _tables(self) -> list[TableSpec]:
        return [
            self._table(number, game, self._seats(size, number)) for number, (game, size) in enumerate(self._sized(), 1)
        ]

    def _further_tables(self, count: int) -> Iterator[TableSpec]:
        sized = self._sized()
        for number in range(count):
            game, size = sized[number % len(sized)]
            yield self._table(101 + number, game, self._seats(size, number))

    def _leaver_tables(self) -> Iterator[TableSpec]:
        for number, (game, sizes) in enumerate(self._conditions.games, 51):
            seats = self._seats(max(sizes), number)
            stays = next(seat for seat, label in enumerate(seats) if label != self._bot)
            yield self._table(number, game, (*seats[:stays], self._leaver, *seats[stays + 1 :]))

    def _seats(self, size: int, turn: int) -> tuple[str, ...]:
        seats = (self._bot, *self._others[: size - 1])
        turn %= size
        return seats[turn:] + seats[:turn]

    def _table(self, number: int, game: Game, seats: tuple[str, ...]) -> TableSpec:
        secret = deals.secret_from_seed(SEED, 1)
        block, match_id = f"{number:06d}", f"check/1/{number:06d}"
        return TableSpec(
            match_id=match_id,
            game=game,
            seats=seats,
            first_dealer=deals.first_dealer(secret, block, len(seats)),
            deck=lambda index: deals.deck(secret, block, index, game.pack),
            bot_seeds=tuple(deals.bot_seed(secret, match_id, seat) for seat in range(len(seats))),
        )

    async def _play(
        self, bot: BotSpec, tables: Sequence[TableSpec], *, interrupt: bool = False, mind_pace: bool = False
    ) -> Observed:
        needed = {label for table in tables for label in table.seats}
        bots = [bot, *(spec for spec in self._opponents if spec.label in needed)]
        paced = {spec.bot_seeds[spec.seats.index(bot.label)]: spec for spec in tables} if mind_pace else {}
        watch = _Watch(bot.label, self._leaver, self._conditions.time, paced, interrupt=interrupt)
        arena = Arena(
            time_control=self._conditions.time,
            jobs=self._conditions.jobs,
            sandbox=self._sandbox,
            tcp=any(spec.tcp for spec in bots),
            on_process_end=watch.ended,
            witness=watch,
        )
        began_ns = time.monotonic_ns()
        async with arena:
            turns = _Turns(tables) if bot.max_matches == 1 else None
            playing = asyncio.ensure_future(arena.play(bots, tables, watch.played, conduct=turns))
            helpers = [asyncio.ensure_future(watch.futile.wait()), asyncio.ensure_future(watch.measure_memory())]
            try:
                await asyncio.wait({playing, helpers[0]}, return_when=asyncio.FIRST_COMPLETED)
                watch.observed.broken_off = not playing.done()
                if playing.done():
                    playing.result()
            finally:
                for task in (playing, *helpers):
                    task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await playing
                await asyncio.gather(*helpers, return_exceptions=True)
        watch.observed.wall_ns = time.monotonic_ns() - began_ns
        return watch.observed


class _Turns(Conduct):
    """One match after the other, in their order; nobody is withdrawn."""

    def __init__(self, tables: Sequence[TableSpec]) -> None:
        super().__init__()
        self._to_come = [table.match_id for table in tables]

    def may_start(self, match: str, labels: Sequence[str]) -> bool:
        return match == self._to_come[0]

    def ended(self, match: str, labels: Sequence[str], faults: Mapping[str, FaultKind]) -> Mapping[str, Fault]:
        self._to_come.remove(match)
        return {}


class _Watch:
    """Looks on and notes; sends the leaver away."""

    def __init__(
        self, bot: str, leaver: str, time: TimeControl, paced: Mapping[int, TableSpec], *, interrupt: bool
    ) -> None:
        """`paced`: matches in which the pace of the bot is minded, by its seed; they are played one by one."""
        self.observed = Observed()
        self.futile = asyncio.Event()
        """Set when going on is of no use."""
        self._bot = bot
        self._leaver = leaver
        self._leaver_process: BotProcess | None = None
        self._leaver_asked = 0
        self._time = time
        self._paced = paced
        self._paces: dict[int, Pace] = {}
        self._interrupt = interrupt
        self._started_ns = 0

    # The arena's witness ------------------------------------------------------------------------

    def started(self, label: str, process: BotProcess, now_ns: int) -> None:
        if label == self._leaver:
            self._leaver_process, self._leaver_asked = process, 0
        elif label == self._bot:
            self.observed.process = process
            self.observed.traffic.begin()
            self._started_ns = now_ns

    def sent(self, label: str, message: bytes, now_ns: int) -> None:
        # Killed with an answer owed: that costs the match.
        if label == self._leaver and self._leaver_process is not None:
            self._leaver_asked += 1
            if self._leaver_asked == LEAVES_AFTER:
                self._leaver_process.kill()
        elif label == self._bot:
            traffic = self.observed.traffic
            traffic.sent(message, now_ns)
            self._mind_pace()
            if self._interrupt and traffic.running_count > 1 and len(traffic.batches) >= LEAVES_AFTER:
                self._interrupt, self.observed.was_interrupted = False, True
                assert self.observed.process is not None
                self.observed.process.kill()

    def received(self, label: str, message: bytes, now_ns: int) -> None:
        if label == self._bot:
            traffic = self.observed.traffic
            traffic.received(message, now_ns)
            if self.observed.hello_s is None and traffic.hello is not None:
                self.observed.hello_s = (now_ns - self._started_ns) / 1e9

    # Its other reports --------------------------------------------------------------------------

    def played(self, played: Played) -> None:
        """A match has ended."""
        spec = played.table
        seat = spec.seats.index(self._bot)
        talk = self.observed.traffic.talks.get(spec.bot_seeds[seat])
        match = QualifyingMatch(spec, seat, played, talk, self._leaver in spec.seats)
        self.observed.matches.append(match)
        if match.fault is None:
            return
        if match.fault.fault.kind in _FUTILE or len(self.observed.faulted) >= FAULTS_ENOUGH:
            self._give_up(LINGER_S)

    def ended(self, end: ProcessEnd) -> None:
        """A process has ended."""
        if end.label == self._bot:
            self.observed.ends.append(end)
            if end.fault is not None and (end.fault.kind is FaultKind.START or not self.observed.traffic.talks):
                self._give_up(0)

    def _mind_pace(self) -> None:
        """Ends the phase where the bot's pace cannot last."""
        talks = self.observed.traffic.talks
        if not self._paced or not talks:
            return
        seed, talk = next(reversed(talks.items()))  # the match under way
        if talk.request is None or talk.decision is not None:
            return
        spec = self._paced[seed]
        pace = self._paces.setdefault(seed, Pace(spec.game.deal_count(len(spec.seats)), self._time))
        haste = pace.asked(talk.fold.deal_index, talk.request.request.clock.ToNanoseconds())
        if haste is not None:
            self.observed.haste, self.observed.hasty = haste, spec
            self._give_up(0)

    def _give_up(self, after_s: float) -> None:
        asyncio.get_running_loop().call_later(after_s, self.futile.set)

    async def measure_memory(self) -> None:
        """Looks at the bot's memory now and then, for ever."""
        while True:
            if (process := self.observed.process) is not None:
                self.observed.peak_bytes = max(self.observed.peak_bytes, peak_bytes(process.pid))
            await asyncio.sleep(MEMORY_POLL_S)
