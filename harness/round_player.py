"""Plays what is missing of one round: heat after heat, the rulings heard between phases, each match kept as it ends."""

import asyncio
import platform
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence

from harness import deals
from harness.agenda import banned
from harness.arena.specs import BotSpec, Played, TableSpec, Void, Withdrawal
from harness.conduct import Conduct
from harness.cup import CupFile
from harness.executor import Executor, OpenExecutor
from harness.faults import Fault, FaultKind, absence_by_organiser
from harness.moment import utc_text
from harness.names import MAX_REASON_CHARACTERS
from harness.observer import Observer
from harness.printable import printable
from harness.recollection import Recollection
from harness.record import JsonValue, SeatEntry, record_of
from harness.round import RoundPlan, block_name, parts, waves
from harness.schedule import Table
from harness.shard import WHOLE, Shard
from harness.standing import settled_first_places
from harness.store.ledger import Ledger
from harness.store.rows import Entry, FinishedNumbers, Ruling, RulingKind
from harness.store.rulings import standing
from ladder.words import plural

NS_PER_S = 1_000_000_000


class RoundPlayer:
    """Plays what is missing of one round. The caller holds the cup's run lock."""

    def __init__(
        self,
        plan: RoundPlan,
        secret: bytes,
        ledger: Ledger,
        spec_of: Callable[[Entry, CupFile], BotSpec],
        observer: Observer,
        open_executor: OpenExecutor,
        shard: Shard,
    ) -> None:
        self.plan = plan
        self.shard = shard
        self.open_executor = open_executor
        self.secret = secret
        self.ledger = ledger
        self.spec_of = spec_of
        self.observer = observer
        self.match_count = 0
        withdrawals = ledger.withdrawals(plan.cup.name, plan.number)
        self.withdrawn = [row.label for row in withdrawals]
        """Labels of those withdrawn for their faults."""
        self.stopped: str | None = None
        """The rule of `[stop]` that ended the round early."""
        self.entries = {entry.label: entry for entry in plan.entries}
        self.finished: FinishedNumbers = ledger.finished_numbers(plan.cup.name, plan.number)
        self.gone = {row.label: Fault(FaultKind.START, row.detail) for row in withdrawals}
        self.banned: set[str] = set()
        """Those of the `gone` whom the organiser has withdrawn: they come back when that is undone."""
        self.conduct = Conduct(self.gone)
        self.recollection = Recollection(plan, ledger)
        self.void_blocks: set[int] = set()
        self.tables: dict[str, Table] = {}
        self.sandbox = ""

    async def play(self) -> None:
        cup = self.plan.cup
        row = self.ledger.round(cup.name, self.plan.number)
        done, due = self._counts()
        self.observer.round_begins(self.plan, row.commitment, done, due)
        replay = self.plan.budget.replay
        if replay is not None:
            blocks = plural(len(replay.blocks), "void block")
            self.observer.notice(f"it plays {blocks} of round {replay.round} again, with new deals")
        if len(self.finished) < self.plan.schedule.match_count:
            self.stopped = await self._play_heats()
        if self.shard == WHOLE:
            now_ns = time.time_ns()
            self.ledger.end_round(cup.name, self.plan.number, at_unix_ns=now_ns)
            self.ledger.reveal(cup.name, self.plan.number, at_unix_ns=now_ns)
        elif self.stopped is None:
            self.observer.notice(
                f"{self.shard} is played; once `cardarena import` has brought the others here, `cardarena run` without "
                "--shard ends the round"
            )
        self.observer.round_ends(self.plan, stopped=self.stopped)

    def _counts(self) -> tuple[int, int]:
        """Matches that are played, and all; in a shard, of its own."""
        schedule = self.plan.schedule
        if self.shard == WHOLE:
            return len(self.finished), schedule.match_count
        blocks = range(self.shard.index, schedule.block_count + 1, self.shard.count)
        done = sum(self.shard.has(schedule.table(number).block) for number in self.finished)
        return done, sum(map(schedule.rotations_of, blocks))

    async def _play_heats(self) -> str | None:
        """Plays heat after heat; returns the rule of `[stop]` that ended it early."""
        cup = self.plan.cup
        started_ns = time.monotonic_ns()
        reached = max(self.finished, default=0)
        async with self.open_executor(cup) as arena:
            self.sandbox = arena.sandbox.level
            if arena.sandbox.says:
                self.observer.notice(arena.sandbox.says)
            for heat in self.plan.schedule.heats():
                played_any = False
                for phase in heat.phases:
                    self._hear_rulings()
                    due = self._due(phase)
                    if due:
                        await self._play_phase(arena, due)
                        played_any = True
                if played_any:
                    self.observer.heat_ends()
                # Also after a heat that an earlier run finished, unless that run looked and went on.
                last = max(map(max, heat.phases))
                if reached <= last < self.plan.schedule.match_count:
                    rule = self._stop_rule(time.monotonic_ns() - started_ns if played_any else 0)
                    if rule is not None:
                        return rule
        return None

    def _stop_rule(self, played_ns: int) -> str | None:
        """The rule of `[stop]` that holds now, between heats."""
        stop = self.plan.cup.stop
        if stop.hours is not None and played_ns >= stop.hours * 3600 * NS_PER_S:
            return f"hours = {stop.hours:g}"
        if stop.separated is not None and self.shard == WHOLE:
            settled = settled_first_places(self.ledger, self.plan.cup, stop.separated)
            if settled >= stop.separated:
                return f"separated = {stop.separated}"
        return None

    def _hear_rulings(self) -> None:
        """What the organiser has decided, and what was void before."""
        for ruling in standing(self.ledger.rulings.of_cup(self.plan.cup.name)):
            if ruling.round == self.plan.number and ruling.block is not None:
                self.void_blocks.add(ruling.block)
        out = banned(self.ledger, self.plan.cup)
        for label, entry in self.entries.items():
            decided = out.get((label, entry.sha256))
            if decided is not None and label not in self.gone:
                self.gone[label] = absence_by_organiser(decided.reason)
                self.banned.add(label)
                self.conduct.leave(label)
            elif decided is None and label in self.banned:
                del self.gone[label]
                self.banned.remove(label)
                self.conduct.come_back(label)

    def _due(self, phase: Sequence[int]) -> list[Table]:
        """What is still to be played here of a phase; `conduct` hears of that, and of what was played before."""
        tables = list(map(self.plan.schedule.table, phase))
        finished = [table for table in tables if table.number in self.finished]
        due = [table for table in tables if table.number not in self.finished and self._is_due(table.block)]
        for withdrawal in self.recollection.tell(self.conduct, finished, due):
            self._withdraw(withdrawal)
        return due

    def _is_due(self, block: int) -> bool:
        return block not in self.void_blocks and self.shard.has(block)

    async def _play_phase(self, arena: Executor, tables: Sequence[Table]) -> None:
        """Plays these tables of a phase, cut into waves; with several workers as many of them side by side."""
        lanes = arena.worker_count
        found = parts(waves(tables, self.plan.cup.limits.bots_alive // lanes), lanes)
        self.tables = {self.plan.match_id(table): table for wave in found for table in wave}
        waiting = iter(found)

        async def lane() -> None:
            for wave in waiting:
                await self._play_wave(arena, wave)

        await _side_by_side([lane() for _ in range(lanes)])

    async def _play_wave(self, arena: Executor, tables: Sequence[Table]) -> None:
        seated = {index for table in tables for index in table.seats}
        bots = [self.spec_of(self.plan.entries[index], self.plan.cup) for index in sorted(seated)]
        report = await arena.play(
            bots,
            [self._table_spec(table) for table in tables],
            self._keep,
            withdrawn=self.gone,
            conduct=self.conduct,
            on_void=self._void,
        )
        for withdrawal in report.withdrawn:
            self._withdraw(withdrawal)
        self.observer.phase_ends(report)

    def _table_spec(self, table: Table) -> TableSpec:
        match = self.plan.match_id(table)
        seat_count = len(table.seats)
        return TableSpec(
            match_id=match,
            game=self.plan.game,
            seats=self.plan.labels(table),
            first_dealer=deals.first_dealer(self.secret, block_name(table.block), seat_count),
            deck=self.plan.deck_of(table, self.secret),
            bot_seeds=tuple(deals.bot_seed(self.secret, match, seat) for seat in range(seat_count)),
        )

    def _keep(self, played: Played) -> None:
        """A match has ended: it is in the ledger before anything else happens."""
        table = self.tables[played.table.match_id]
        record = record_of(
            played.match,
            match_id=played.table.match_id,
            seats=[self._seat_entry(label) for label in played.table.seats],
            cup=self.plan.cup.name,
            round=self.plan.number,
            block=block_name(table.block),
            rotation=table.rotation,
            meta=self._meta(played),
        )
        self.ledger.add_match(record, times=played.times, notes=played.notes)
        self.finished.add(table.number)
        self.match_count += 1
        self.observer.match_ends(record)

    def _void(self, void: Void) -> None:
        """A match has come to nothing, because something of ours failed: its block is played again in a later round."""
        table = self.tables[void.match_id]
        self.void_blocks.add(table.block)
        failure = Ruling(
            0,
            RulingKind.FAILURE,
            self.plan.cup.name,
            self.plan.number,
            reason=printable(void.reason).strip()[:MAX_REASON_CHARACTERS],
            at_unix_ns=time.time_ns(),
            number=table.number,
            block=table.block,
        )
        self.ledger.rulings.add([failure])
        self.observer.notice(f"{void.match_id} is void, with its block, and will be played again: {failure.reason}")

    def _seat_entry(self, label: str) -> SeatEntry:
        return SeatEntry(label, self.entries[label].version, self.entries[label].sha256)

    def _meta(self, played: Played) -> Mapping[str, JsonValue]:
        return {
            "started": utc_text(played.started_unix_ns),
            "wall_s": round(played.wall_ns / NS_PER_S, 6),
            "sandbox": self.sandbox,
            "machine": platform.node() or "unknown",
        }

    def _withdraw(self, withdrawal: Withdrawal) -> None:
        label, fault, last_lines = withdrawal
        if label in self.gone:  # another worker has said so before
            return
        self.gone[label] = withdrawal.absence
        self.withdrawn.append(label)
        self.conduct.leave(label)
        self.ledger.withdraw(
            self.plan.cup.name,
            self.plan.number,
            label,
            kind=str(fault.kind),
            detail=fault.detail,
            at_unix_ns=time.time_ns(),
        )
        self.observer.withdrawn(label, fault, last_lines)


async def _side_by_side(coroutines: Iterable[Coroutine[None, None, None]]) -> None:
    """Runs all to their ends; once one raises, the others are cancelled and waited for."""
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
