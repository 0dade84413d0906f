"""The executor of `run`: one arena, or N with `--workers N`, each in a process of its own with its own bots.

Bots are waited for by the process that plays and by nothing else: decks are made and matches kept by the run itself.
"""

import asyncio
import os
import signal
import socket
from asyncio.subprocess import DEVNULL, Process
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType

from harness.arena.specs import BotSpec, MatchEnd, OnVoid, PhaseReport, Played, ProcessEnd, TableSpec, Void, Withdrawal
from harness.conduct import Conduct
from harness.cup import CupFile
from harness.deals import DECKS_AT_ONCE
from harness.errors import HarnessError
from harness.faults import Fault
from harness.match import TimeControl
from harness.own_program import own_program
from harness.sandbox.cell import Sandbox
from harness.workers.link import Ended, Handed, Link, Message, Opening, Order, Refusal, open_link

MODULE = "harness.workers.worker"
TABLES_AT_A_WORKER = 640
"""Tables that a worker has at most and has not finished: as many as an arena plays at once or looks at for one that can
start. What a worker has played and the run not kept yet is bounded by it."""
END_S = 10.0
"""A worker has so long to end its bots; then it is killed, and the kernel ends them."""


def open_pool(
    worker_count: int, sandbox: Sandbox, cup: CupFile, on_process_end: Callable[[ProcessEnd], None] | None = None
) -> "WorkerPool":
    """Workers under the clock and the jobs of `cup` (`harness.executor.OpenExecutor`)."""
    return WorkerPool(
        worker_count,
        time_control=cup.time.control,
        jobs=_jobs(cup),
        sandbox=sandbox,
        on_process_end=on_process_end,
    )


def check_workers(worker_count: int, cup: CupFile) -> None:
    """HarnessError where what `cup` allows is too little for so many workers."""
    limits, seats = cup.limits, max(cup.cup.seats)
    if worker_count > _jobs(cup):
        raise HarnessError(
            f"--workers {worker_count}: each needs a job of its own, and there are {_jobs(cup)}; take fewer, or raise "
            "[limits] jobs"
        )
    if worker_count * seats > limits.bots_alive:
        raise HarnessError(
            f"--workers {worker_count}: each needs {seats} bots for a table, and [limits] bots_alive is "
            f"{limits.bots_alive}; take fewer"
        )


def _jobs(cup: CupFile) -> int:
    return cup.limits.jobs or os.cpu_count() or 1


class WorkerPool:
    """Plays phases with bot processes, as many at the same time as it has workers.

    Everything that is written down is written by whoever opened it: workers know no ledger. Leaving it, in whatever
    way, leaves no process behind; what ended a phase before its last match ends the pool.
    """

    def __init__(
        self,
        worker_count: int,
        *,
        time_control: TimeControl | None,
        jobs: int,
        sandbox: Sandbox,
        on_process_end: Callable[[ProcessEnd], None] | None = None,
        module: str = MODULE,
    ) -> None:
        """`jobs`, shared out to the workers, as many at least: bots that may owe answers at the same time.

        `module` is what a worker runs.
        """
        jobs_of = [jobs // worker_count + (worker < jobs % worker_count) for worker in range(worker_count)]
        self.sandbox = sandbox
        """At which level bots run."""
        self.worker_count = worker_count
        """Phases that are played at the same time; more of them wait."""
        self._on_process_end = on_process_end
        self._module = module
        self._openings = [Opening(time_control, count, sandbox) for count in jobs_of]
        self._workers: list[_Worker] = []
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._busy: set[_Worker] = set()
        self._withdrawn: dict[str, Fault] = {}
        """For faults, by a match that ended here; the report of its phase comes later."""

    async def __aenter__(self) -> "WorkerPool":
        try:
            for opening in self._openings:
                worker = await _start_worker(self._module, opening)
                self._workers.append(worker)
                self._idle.put_nowait(worker)
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._stop()

    async def _stop(self) -> None:
        for worker in self._workers:
            worker.link.close()
        await asyncio.gather(*[worker.gone() for worker in self._workers])

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
        """One phase, as `harness.arena.Arena.play`, at the next worker that is idle.

        HarnessError where the worker was killed: what was played until then has been told.
        """
        worker = await self._idle.get()
        waiting, at_worker = deque(tables), dict[str, TableSpec]()
        gone = {**(withdrawn or {}), **self._withdrawn}
        worker.link.send(Order(tuple(bots), len(waiting), gone, conduct))
        self._busy.add(worker)
        while True:
            while waiting and len(at_worker) < TABLES_AT_A_WORKER:
                table = waiting.popleft()
                at_worker[table.match_id] = table
                worker.link.send(handed(table))
                await asyncio.sleep(0)  # decks take their time, which is for others too
            message = await worker.receive()
            if isinstance(message, ProcessEnd):
                if self._on_process_end is not None:
                    self._on_process_end(message)
                continue
            if isinstance(message, Ended):
                played = message.at(at_worker.pop(message.match_id))
                on_played(played)
                end = played.end
            elif isinstance(message, Void):
                if on_void is None:
                    raise HarnessError(message.reason)
                del at_worker[message.match_id]
                on_void(message)
                end = message.end
            else:
                break
            if conduct is not None:
                self._tell(worker, end, conduct)
        if isinstance(message, Refusal):
            raise HarnessError(message.text)
        assert isinstance(message, PhaseReport)
        self._busy.discard(worker)
        self._idle.put_nowait(worker)
        return message

    def _tell(self, worker: "_Worker", end: MatchEnd, conduct: Conduct) -> None:
        """The other workers hear of a match that ends, and whoever plays next hears who was withdrawn for it."""
        for label, fault in conduct.ended(*end).items():
            self._withdrawn[label] = Withdrawal(label, fault, ()).absence
        for other in self._busy - {worker}:
            other.link.send(end)


def handed(table: TableSpec) -> Handed:
    """`table` with its first decks, which are made here, so that the worker has the more time for its bots."""
    deck_count = min(table.game.deal_count(len(table.seats)), DECKS_AT_ONCE)
    return Handed(table, tuple(bytes(table.deck(deal_index)) for deal_index in range(deck_count)))


class _Worker:
    """A worker process, from this side."""

    def __init__(self, process: Process, link: Link) -> None:
        self.process = process
        self.link = link

    async def receive(self) -> Message:
        """What it says next. HarnessError where it was killed, RuntimeError where it failed."""
        message = await self.link.receive()
        if message is not None:
            return message
        code = await self.process.wait()
        if code < 0:
            raise HarnessError(
                f"a worker, process {self.process.pid}, was killed by {signal.Signals(-code).name}; what was finished "
                "is kept, the same command goes on"
            )
        raise RuntimeError(f"a worker ended with code {code}; what it wrote on stderr says why")

    async def gone(self) -> None:
        """Waits until it has ended, once its link is closed."""
        try:
            await asyncio.wait_for(self.process.wait(), END_S)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


async def _start_worker(module: str, opening: Opening) -> _Worker:
    here, there = socket.socketpair()
    try:
        process = await asyncio.create_subprocess_exec(
            *own_program(module, str(there.fileno())),
            pass_fds=(there.fileno(),),
            stdin=DEVNULL,
            stdout=DEVNULL,
            # Ctrl-C is for the run, which then ends its workers.
            start_new_session=True,
        )
    except OSError as error:
        here.close()
        raise HarnessError(
            f"no worker process can be started: {error.strerror}; end other programs, or take fewer --workers"
        ) from error
    finally:
        there.close()
    link = await open_link(here)
    link.send(opening)
    return _Worker(process, link)
