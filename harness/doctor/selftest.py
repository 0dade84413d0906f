"""The fault bots, played on this machine at one level of the sandbox: what came of each, and of everybody else.

Each plays `MATCHES` matches with a good bot, several of them at the same time. Between two such phases the harness
looks at itself: its memory, its files, its tasks, and whether anything of a bot is left.
"""

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from harness import deals, games
from harness.arena import Arena, BotSpec, Played, ProcessEnd, TableSpec, Withdrawal
from harness.doctor.bait import Bait
from harness.doctor.fault_bot import NO_FAULT, FaultBot
from harness.doctor.killed_harness import survivors_of
from harness.doctor.owing import Owing
from harness.errors import HarnessError
from harness.match import TimeControl
from harness.printable import printable
from harness.roster import bot_spec
from harness.sandbox.cell import Sandbox
from harness.sandbox.limits import ProcessLimits
from harness.workshop.entry import BotFinder
from harness.workshop.manifest import read_manifest
from harness.workshop.runtimes import Runtimes
from ladder.words import plural

GOOD = "good"
OTHER_GOOD = "good#2"
"""Labels of the bots that do no wrong; `OTHER_GOOD` sits in for a fault bot in the first match and in the last."""
MATCHES = 2
"""So many a bot: the second shows that there is a life after the first."""
AT_ONCE = 12
"""Fault bots of one phase."""
GROWTH_BYTES = 48 << 20
"""The harness's own memory may grow by so much from the first phase to any other, whatever bots send."""
REACHED = "reached: "
"""What a bot writes when it got at something."""
_SECRET = bytes(range(32))
_NS_PER_S = 1_000_000_000
_PATIENT = TimeControl(600 * _NS_PER_S, 0, 60 * _NS_PER_S)
_SETTLE_S = 2.0
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Measure(NamedTuple):
    """What the harness finds of itself and of bots between two phases."""

    open_files: int
    tasks: int
    resident_bytes: int
    survivors: tuple[int, ...]
    """Processes of bots."""
    left: tuple[str, ...]
    """What stands in the arena's folder besides its own."""


class Row(NamedTuple):
    """One line of the table: what had to be seen, and what was."""

    bot: str
    level: str
    expected: str
    seen: str

    @property
    def ok(self) -> bool:
        """Whether they are the same."""
        return self.seen == self.expected


@dataclass
class Selftest:
    """What came of it all at one level."""

    sandbox: Sandbox
    bots: tuple[FaultBot, ...]
    played: dict[str, list[Played]] = field(default_factory=dict)
    """By the bot's label."""
    ends: dict[str, list[ProcessEnd]] = field(default_factory=dict)
    """The same."""
    withdrawn: list[Withdrawal] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)
    """After each phase; the first was played by good bots alone."""
    broken: dict[str, str] = field(default_factory=dict)
    """Fault bots whose phase came to nothing, and why."""
    owing: Owing = field(default_factory=Owing)
    outlived: dict[str, str] = field(default_factory=dict)
    """Fault bots of a harness that was killed, and what was wrong then."""

    def charged_ns(self, label: str) -> int:
        """All that the clocks of a bot were charged."""
        matches = self.played.get(label, [])
        return sum(time.spent_ns for match in matches for time in match.times if match.table.seats[time.seat] == label)

    def rows(self) -> list[Row]:
        """A row for each fault bot, one for who played with them, and one for the harness."""
        return [*map(self.row, self.bots), self._others(), self._itself()]

    def row(self, bot: FaultBot) -> Row:
        """What came of one of them."""
        level = self.sandbox.level
        expected, detail = bot.verdict_at(level), bot.expected.detail
        if bot.name in self.broken:
            return Row(bot.name, level, expected, f"could not be played: {self.broken[bot.name]}")
        faults = [self._fault(bot.name, match) for match in self.played.get(bot.name, [])]
        kinds = sorted({kind for kind, _ in faults})
        seen = " and ".join(kinds) or "no match"
        if len(faults) != MATCHES:
            seen += f" in {len(faults)} of {MATCHES} matches"
        if seen == expected and detail is not None and expected != NO_FAULT:
            expected = f"{expected}: {detail}"
            seen = f"{seen}: {' and '.join(sorted({said for _, said in faults}))}"
        reached = self.reached(bot)
        allowed = bot.reachable(self.sandbox)
        if allowed is not None and (beyond := [what for what in reached if what not in allowed]):
            seen += f"; reached {', '.join(beyond)}"
        if bot.name in self.outlived:
            seen += f"; {self.outlived[bot.name]}"
        return Row(bot.name, level, expected, seen)

    def reached(self, bot: FaultBot) -> list[str]:
        """What it says that it got at, printable, in order, each once."""
        lines = (
            line.removeprefix(REACHED)
            for end in self.ends.get(bot.name, [])
            for line in map(printable, end.output.decode(errors="replace").splitlines())
            if line.startswith(REACHED)
        )
        return list(dict.fromkeys(lines))

    @staticmethod
    def _fault(label: str, match: Played) -> tuple[str, str]:
        seat = match.table.seats.index(label)
        for at in match.match.faults:
            if at.seat == seat:
                return at.fault.kind, at.fault.detail.rpartition("the last one: ")[2]
        return NO_FAULT, ""

    def _others(self) -> Row:
        wrong = [
            f"{at.fault.kind} ({at.fault.detail}) beside {next(name for name in match.table.seats if name != label)}"
            for label in (GOOD, OTHER_GOOD)
            for match in self.played.get(label, [])
            for at in match.match.faults
            if match.table.seats[at.seat] == label
        ]
        wrong += [
            f"{label} was charged {beyond_ns / 1e6:.3f} ms in which it owed nothing"
            for label in (GOOD, OTHER_GOOD)
            if (beyond_ns := self.charged_ns(label) - self.owing.owed_ns[label]) > 0
        ]
        return Row("(the others)", self.sandbox.level, NO_FAULT, "; ".join(wrong) or NO_FAULT)

    def _itself(self) -> Row:
        found = list(dict.fromkeys(self._traces()))
        return Row("(the harness)", self.sandbox.level, "as before", "; ".join(found) or "as before")

    def _traces(self) -> Iterator[str]:
        for measure in self.measures:
            base = self.measures[0]
            if measure.survivors:
                yield f"left: {plural(len(measure.survivors), 'process', 'processes')} of bots"
            if measure.left:
                yield f"files of bots are left: {', '.join(map(printable, measure.left))}"
            if measure.open_files > base.open_files:
                yield f"{plural(measure.open_files - base.open_files, 'more file')} open"
            if measure.tasks > base.tasks:
                yield plural(measure.tasks - base.tasks, "more task")
            if measure.resident_bytes > base.resident_bytes + GROWTH_BYTES:
                yield f"{(measure.resident_bytes - base.resident_bytes) >> 20} MB more memory"


async def run_selftest(
    bots: Sequence[FaultBot], sandbox: Sandbox, on_phase: Callable[[str], None] = lambda text: None
) -> Selftest:
    """Plays `bots` at the level of `sandbox`. `on_phase` hears what comes next."""
    test = Selftest(sandbox, tuple(bots))

    def note_end(end: ProcessEnd) -> None:
        test.ends.setdefault(end.label, []).append(end)

    with Bait() as bait:
        arena = Arena(
            time_control=_PATIENT, jobs=AT_ONCE * 2, sandbox=sandbox, on_process_end=note_end, witness=test.owing
        )
        async with arena:
            folder = Path(arena.unix_address.removeprefix("unix:")).parent
            own = set(os.listdir(folder))
            lasting = asyncio.all_tasks()
            phases: list[Sequence[FaultBot]] = [(), *_phases(test.bots), ()]
            for number, phase in enumerate(phases):
                on_phase(f"{sandbox.level}: {phase[0].kind if phase else 'good bots'}, phase {number + 1}")
                await _play(test, arena, phase, number, bait)
                if late := asyncio.all_tasks() - lasting:  # calls that ended just now
                    await asyncio.wait(late, timeout=_SETTLE_S)
                lasting |= asyncio.all_tasks()
                left = tuple(sorted(set(os.listdir(folder)) - own))
                test.measures.append(_measure(tuple(bait.marked_processes()), left))
    for bot in test.bots:
        if bot.expected.harness_is_killed:
            on_phase(f"{sandbox.level}: {bot.name}, under a harness that is killed")
            _play_to_the_death(test, bot)
    return test


def _play_to_the_death(test: Selftest, bot: FaultBot) -> None:
    try:
        survivor_count = survivors_of(bot.folder, test.sandbox.level)
    except TimeoutError as error:
        test.outlived[bot.name] = f"under a harness to be killed, {error}"
    else:
        if survivor_count:
            test.outlived[bot.name] = f"{plural(survivor_count, 'process', 'processes')} outlived the harness"


def _phases(bots: Sequence[FaultBot]) -> Iterator[Sequence[FaultBot]]:
    """Bots of one verdict play together, `AT_ONCE` at most."""
    for _, group in groupby(bots, lambda bot: bot.kind):
        together = list(group)
        for first in range(0, len(together), AT_ONCE):
            yield together[first : first + AT_ONCE]


async def _play(test: Selftest, arena: Arena, phase: Sequence[FaultBot], number: int, bait: Bait) -> None:
    labels = [bot.name for bot in phase] or [OTHER_GOOD]
    tables = [
        _table(f"{number:03d}{place:02d}{turn}", (label, GOOD))
        for turn in range(MATCHES)
        for place, label in enumerate(labels)
    ]

    def note(match: Played) -> None:
        for label in match.table.seats:
            test.played.setdefault(label, []).append(match)

    good = _good_bot()
    specs = [good, *(_spec(bot, bait) for bot in phase), *([] if phase else [replace(good, label=OTHER_GOOD)])]
    try:
        report = await arena.play(specs, tables, note)
    except HarnessError as error:
        test.broken.update(dict.fromkeys(labels, printable(str(error))))
        return
    test.withdrawn.extend(report.withdrawn)


def _good_bot() -> BotSpec:
    found = BotFinder(Path.cwd()).one("sample:random")
    return replace(bot_spec(GOOD, found.manifest, found.folder, ProcessLimits()), start_s=60.0)


def _spec(bot: FaultBot, bait: Bait) -> BotSpec:
    manifest = read_manifest(bot.folder)
    run = manifest.run.model_copy(update={"env": {**manifest.run.env, **bait.environment}})
    manifest = manifest.model_copy(update={"run": run})  # so that what builds it is told of it, too
    spec = bot_spec(bot.name, manifest, bot.folder.resolve(), bot.limits, Runtimes(builds=bait.builds))
    clock = TimeControl(round(bot.expected.bank_s * _NS_PER_S), 0, round(bot.decision_s * _NS_PER_S))
    return replace(spec, start_s=bot.expected.start_s, time=clock, max_matches=1)


def _table(block: str, seats: tuple[str, ...]) -> TableSpec:
    game = games.game("zhiletka", {"hands_per_seat": 3})
    return TableSpec(
        match_id=f"doctor/1/{block}",
        game=game,
        seats=seats,
        first_dealer=deals.first_dealer(_SECRET, block, len(seats)),
        deck=lambda deal_index: deals.deck(_SECRET, block, deal_index, game.pack),
        bot_seeds=tuple(deals.bot_seed(_SECRET, block, seat) for seat in range(len(seats))),
    )


def _measure(survivors: tuple[int, ...], left: tuple[str, ...]) -> Measure:
    with open("/proc/self/statm", "rb") as statm:
        resident_bytes = int(statm.read().split()[1]) * _PAGE_BYTES
    return Measure(len(os.listdir("/proc/self/fd")), len(asyncio.all_tasks()), resident_bytes, survivors, left)
