"""Cups for pages: played in process by made-up bots of different skill, with thinking times, notes and faults.

Everything follows from the seed in the cup file, so that the same cup is played every time.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from harness.arena.specs import BotSpec, Note, OnVoid, PhaseReport, Played, TableSpec, Thought, Withdrawal
from harness.bot.chance import SplitMix64
from harness.conduct import Conduct
from harness.cup import CupFile
from harness.faults import Fault, FaultKind
from harness.match import Ask, Finished, Match, NeedDeck
from harness.sandbox.cell import PLAIN
from harness.store.ledger import Ledger
from harness.tournament import Roster, play_cup
from tests.in_process import Bots, Notes, cup_file

START_UNIX_NS = 1_767_225_600_000_000_000


class Skilled:
    """An executor whose bots play their lowest action the more often the earlier they stand in the alphabet.

    Every `fault_every`th match (0: none) the bot in seat 0 runs out of time in the middle.
    """

    sandbox = PLAIN.sandbox
    worker_count = 1

    def __init__(
        self, *, fault_every: int = 0, notes: bool = False, withdraw: Mapping[str, Fault] | None = None
    ) -> None:
        self.fault_every = fault_every
        self.notes = notes
        self.withdraw = dict(withdraw or {})
        self.match_count = 0

    async def play(
        self,
        bots: Sequence[BotSpec],
        tables: Iterable[TableSpec],
        on_played: Callable[[Played], None],
        *,
        withdrawn: Mapping[str, Fault] | None = None,
        conduct: Conduct | None = None,
        on_void: OnVoid | None = None,
    ) -> PhaseReport:
        gone = dict(withdrawn or {})
        newly = {
            bot.label: self.withdraw[bot.label] for bot in bots if bot.label in self.withdraw and bot.label not in gone
        }
        gone |= newly
        for table in tables:
            self.match_count += 1
            on_played(self._played(table, gone))
        return PhaseReport(tuple(Withdrawal(label, fault, ()) for label, fault in newly.items()), len(bots), 0)

    def _played(self, table: TableSpec, gone: Mapping[str, Fault]) -> Played:
        match = Match(table.game, len(table.seats), table.first_dealer)
        chances = [SplitMix64(seed) for seed in table.bot_seeds]
        times: list[Thought] = []
        notes: list[Note] = []
        faulty = self.fault_every and self.match_count % self.fault_every == 0
        _, due = match.start()
        for seat, label in enumerate(table.seats):
            if label in gone:
                match.fault(seat, gone[label])
        while not isinstance(due, Finished):
            if isinstance(due, NeedDeck):
                _, due = match.deal(table.deck(due.deal_index))
                continue
            assert isinstance(due, Ask)
            chance = chances[due.seat]
            if faulty and due.seat == 0 and len(times) > 100:
                _, due = match.fault(0, Fault(FaultKind.TIMEOUT, "no answer in 5 s"))
                continue
            times.append(Thought(due.seat, 100_000 + chance.below(4_000_000), 1))
            if self.notes and chance.below(20) == 0:
                notes.append(Note(match.state.deal_index, len(match.deals[-1].actions), due.seat, "<b>hm</b> & so on"))
            skilled = chance.below(100) < 85 - 6 * (ord(table.seats[due.seat][0]) - ord("a"))
            _, due = match.answer(due.seat, due.actions[0 if skilled else chance.below(len(due.actions))])
        started_unix_ns = START_UNIX_NS + self.match_count * 1_000_000_000
        return Played(table, match, started_unix_ns, 210_000_000, times, notes)


def play(cup: CupFile, ledger: Ledger, roster: Roster, executor: Skilled) -> None:
    """Plays what is due of `cup`."""

    @asynccontextmanager
    async def opened(_: CupFile) -> AsyncIterator[Skilled]:
        yield executor

    asyncio.run(play_cup(cup, ledger, roster, Notes(), opened))


def played_cup(
    folder: Path, labels: Sequence[str], executor: Skilled | None = None, **keys: object
) -> tuple[Ledger, CupFile]:
    """An open ledger in `folder` that holds a cup played by `labels`; `keys` go into `[cup]`."""
    cup = cup_file(folder, **keys)
    ledger = Ledger(folder / "arena.db", create=True)
    play(cup, ledger, Bots(*labels), executor or Skilled())
    return ledger, cup
