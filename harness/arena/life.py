"""One life of a bot: one process, one token, one stream, from the start to the last trace of it."""

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import grpc
import grpc.aio

from harness.arena.server import Context, Server
from harness.arena.specs import BotSpec, Invite, Witness
from harness.errors import HarnessError
from harness.faults import Fault, FaultKind
from harness.games.game import Seat
from harness.reports import Hello
from harness.sandbox.cell import Cell
from harness.sandbox.cpu import CpuMeter
from harness.sandbox.limits import scarcity
from harness.sandbox.process import BotProcess, start_process
from harness.sandbox.remains import remove_tree
from harness.session import Session, State

if TYPE_CHECKING:
    from harness.arena.table import Table

NAMING_S = 1.0
"""After the end of a stream the process's exit status is waited for so long, and the other way round. An interpreter
that ends takes some tens of milliseconds, many times that on a busy machine."""
LEAVE_S = 2.0
"""A process has so long to end after Goodbye."""
EXPLAIN_S = 0.25
"""A process whose stream was ended for a fault has so long to say what it has to say."""
FLUSH_S = 0.25
"""What is left to tell a bot has so long to get out."""
LATE_S = 0.1
"""A timer that rings so late shows that the harness was held up."""
WRITE_NS = 2_000_000_000
"""A bot that does not take a message in so long is at fault."""


class Listener(Protocol):
    """Who hears what a life reports, and says who may be asked."""

    def received(self, life: "Life", raw: bytes, now_ns: int) -> None:
        """`life` got a message."""

    def may_ask(self, life: "Life") -> bool:
        """Whether `life` may be handed requests now."""

    def wrote(self, life: "Life", *, has_room: bool) -> None:
        """`life` handed to gRPC what it had to say, or a part of it. `has_room`: matches are over, others may start."""

    def ended(self, life: "Life") -> None:
        """`life` takes part in nothing any more; `life.fault` says why."""

    def failed(self, error: BaseException) -> None:
        """A mistake of ours."""


class Life:
    """One process of a bot and its stream. `run` is its whole course."""

    def __init__(
        self,
        spec: BotSpec,
        number: int,
        session: Session,
        server: Server,
        listener: Listener,
        witness: Witness | None = None,
    ) -> None:
        self.spec = spec
        self.number = number
        self.session = session
        self.hello: Hello | None = None
        self.seats: dict[int, tuple[Table, Seat]] = {}
        """Where it sits, by match id of its stream: table and seat."""
        self.fault: Fault | None = None
        """Why it ended; None while it lasts, after an end in order and after a failure."""
        self.failure: HarnessError | None = None
        """What of ours failed, so that it ended; None: nothing."""
        self.is_over = False
        """It is ended or about to be: it takes no more matches."""
        self.process: BotProcess | None = None
        self.writing_since_ns = 0
        """When the write under way began; 0 while there is none."""
        self._server = server
        self._listener = listener
        self._witness = witness
        self._cpu: CpuMeter | None = None
        self._cpu_ns = 0  # as of its last message
        self._lag_ns = 0  # credited since its last message
        self._in_order = False
        self._ended = asyncio.Event()  # `is_over` was set
        self._stream_ended = asyncio.Event()
        self._status: tuple[grpc.StatusCode, str] | None = None
        self._finishing = asyncio.Event()  # the call is to end with `_status` once all is told
        self._served = asyncio.Event()
        self._served.set()
        self._reader_sleeps: asyncio.Future[None] | None = None
        self._writer_sleeps: asyncio.Future[None] | None = None
        self._reading = False

    # What others may ask and say ----------------------------------------------------------------

    @property
    def owed_count(self) -> int:
        """Answers that it owes."""
        return self.session.owed_count

    @property
    def waiting_since_ns(self) -> int | None:
        """When the oldest request that waits to be sent was made."""
        return None if self.is_over else self.session.waiting_since_ns

    @property
    def free_seats(self) -> int:
        """Matches more that it may be seated in now."""
        if self.hello is None or self.is_over:
            return 0
        return min(self.spec.max_matches, self.hello.match_count) - self.session.seat_count

    def credit(self, lag_ns: int, now_ns: int) -> None:
        """The harness was not listening for the last `lag_ns`: nothing of it is charged to the bot."""
        if self.session.owed_count:
            self.session.credit(lag_ns, now_ns)
            self._lag_ns += lag_ns

    def take_cost(self, answer_count: int, now_ns: int) -> tuple[int, int]:
        """Processor time (-1: not known) and lag since its last message, for each of the answers in this one."""
        shares = max(1, answer_count)
        lag_ns, self._lag_ns = self._lag_ns, 0
        cpu_ns = None if self._cpu is None else self._cpu.read_ns(now_ns)
        if cpu_ns is None:
            return -1, lag_ns // shares
        spent_ns, self._cpu_ns = cpu_ns - self._cpu_ns, cpu_ns
        return spent_ns // shares, lag_ns // shares

    def wake(self) -> None:
        """There may be something to send."""
        if self._writer_sleeps is None:
            return
        session = self.session
        if session.must_speak or self._finishing.is_set() or (not session.is_gathering and self._may_ask()):
            sleeps, self._writer_sleeps = self._writer_sleeps, None
            if not sleeps.done():
                sleeps.set_result(None)

    def _may_ask(self) -> bool:
        """Whether what waits to be sent may be sent; if not, who counts the bots that think wakes this life."""
        return self.waiting_since_ns is None or self._listener.may_ask(self)

    def end(self, fault: Fault) -> None:
        """Ends this life for a fault, unless it has ended already."""
        if not self.is_over:
            self.is_over = True
            self.fault = fault
            self.session.close(fault)
            self._ended.set()
            self._listener.ended(self)
            self.wake()

    def fail(self, error: HarnessError) -> None:
        """Ends this life because something of ours has failed, unless it has ended already. No fault of the bot."""
        if not self.is_over:
            self.is_over = True
            self.failure = error
            self.session.goodbye("the harness failed")
            self._ended.set()
            self._listener.ended(self)
            self.wake()

    def end_in_order(self, detail: str) -> None:
        """Says goodbye, unless this life has ended already."""
        if not self.is_over:
            self.is_over = self._in_order = True
            self.session.goodbye(detail)
            self._ended.set()
            self._listener.ended(self)
            self.wake()

    # The course of a life -----------------------------------------------------------------------

    async def run(self) -> None:
        """Starts the process, lives until the end, and leaves nothing. `fault` or `failure` says then how it went."""
        token = self._server.expect(self._serve)
        if self.spec.invite is not None:
            await self._visit(token, self.spec.invite)
            return
        directory = Path(tempfile.mkdtemp(prefix="bot-", dir=self._server.directory))
        self._expect_hello(self.spec.start_s)
        watch: asyncio.Task[None] | None = None
        try:
            spec, server = self.spec, self._server
            cell = Cell(server.sandbox, directory, server.socket, spec.runtime, spec.tcp)
            argv = (*spec.adapter, *spec.argv)
            self.process = start_process(argv, spec.cwd, self._environment(token, directory), spec.limits, cell)
            self._cpu = CpuMeter(self.process.pid)
            if self._witness is not None:
                self._witness.started(self.spec.label, self.process, time.monotonic_ns())
            watch = asyncio.create_task(self._watch(self.process))
            await self._ended.wait()
            await self._take_leave(self.process)
        except HarnessError as error:  # the machine has no room for it, or its sandbox cannot be made
            self.fail(error)
        finally:
            self._hello_timer.cancel()
            self.is_over = True
            self._server.forget(token)
            if watch is not None:
                watch.cancel()
            await _even_if_cancelled(self._leave_nothing(directory))

    async def _leave_nothing(self, directory: Path) -> None:
        if self.process is not None:
            self.process.kill()
            await self.process.gone()
        self._finish(grpc.StatusCode.UNAVAILABLE, "the arena is closing")
        await self._served.wait()
        remove_tree(directory)

    async def _visit(self, token: str, invite: Invite) -> None:
        """The same course for one that is not started by us."""
        invite(self._server.addresses, token)
        watch = asyncio.create_task(self._watch_stream())
        try:
            await self._ended.wait()
            if self.fault is None:
                self._finish(None, "")
                await _both_within(LEAVE_S, self._stream_ended)
            elif self.fault.kind is FaultKind.PROTOCOL:
                self._finish(grpc.StatusCode.INVALID_ARGUMENT, self.fault.detail)
        finally:
            self.is_over = True
            self._server.forget(token)
            watch.cancel()
            self._finish(grpc.StatusCode.UNAVAILABLE, "the arena is closing")
            await self._served.wait()

    async def _watch_stream(self) -> None:
        await self._stream_ended.wait()
        self.end(Fault(FaultKind.DISCONNECTED, "ended its stream"))

    def _expect_hello(self, within_s: float) -> None:
        loop = asyncio.get_running_loop()
        self._hello_timer = loop.call_later(within_s, self._start_is_over, loop.time() + within_s)

    def _start_is_over(self, due_s: float) -> None:
        late_s = asyncio.get_running_loop().time() - due_s
        if self.hello is not None:
            return
        if late_s > LATE_S:  # We were not there to hear it: that is charged to nobody.
            self._expect_hello(late_s)
        else:
            scarce = scarcity(self.spec.limits)
            self.end(Fault(FaultKind.START, f"did not say Hello within {self.spec.start_s:g} s of its start{scarce}"))

    async def _watch(self, process: BotProcess) -> None:
        """Ends this life when its stream or its process has ended, whichever is first."""
        await _first_of(self._stream_ended, process.exited)
        if not self._served.is_set():
            # The other is waited for: the stream's last answers count, and the exit status names the fault.
            await _both_within(NAMING_S, self._stream_ended, process.exited)
        if process.exit is not None and process.exit.is_broken:
            self.fail(HarnessError(f"{self.spec.label}: {process.exit}"))
        else:
            self.end(self._death(process))

    def _death(self, process: BotProcess) -> Fault:
        if self.hello is None:
            how = str(process.exit) if process.exit else "ended its stream"
            return Fault(FaultKind.START, f"{how} before it said Hello{scarcity(self.spec.limits)}")
        if process.exit is not None:
            kind = FaultKind.RESOURCES if process.exit.excess else FaultKind.CRASHED
            return Fault(kind, str(process.exit))
        return Fault(FaultKind.DISCONNECTED, "ended its stream")

    async def _take_leave(self, process: BotProcess) -> None:
        if self._in_order:
            self._finish(None, "")
            await _both_within(LEAVE_S, process.exited)
            return
        if self.failure is not None:
            return
        fault = self.fault
        assert fault is not None
        if fault.kind is FaultKind.PROTOCOL:
            self._finish(grpc.StatusCode.INVALID_ARGUMENT, fault.detail)
        elif fault.kind is FaultKind.START and self.hello is not None:
            self._finish(grpc.StatusCode.FAILED_PRECONDITION, fault.detail)
        else:
            return
        await _both_within(EXPLAIN_S, process.exited)

    def _environment(self, token: str, directory: Path) -> Mapping[str, str]:
        address = self._server.tcp_address if self.spec.tcp else self._server.unix_address
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            **self.spec.env,
            "HOME": str(directory),
            "TMPDIR": str(directory),
            "CARDARENA_ADDRESS": address,
            "CARDARENA_TOKEN": token,
        }

    # The stream ---------------------------------------------------------------------------------

    def _finish(self, code: grpc.StatusCode | None, detail: str) -> None:
        """Ends the call once what is left is told; `code` None: in order."""
        if not self._finishing.is_set():
            self._status = None if code is None else (code, detail)
            self._finishing.set()
            self.wake()
            self._wake_reader()

    async def _serve(self, context: Context) -> None:
        """Serves the bot's call: runs as its gRPC handler, and outlasts every read and write of it."""
        self._served.clear()
        reader = asyncio.create_task(self._read(context))
        writer = asyncio.create_task(self._write(context))
        for task in (reader, writer):
            task.add_done_callback(self._report_mistake)
        try:
            await self._finishing.wait()
            await asyncio.wait({writer}, timeout=FLUSH_S)
            if self._status is None and (self._reading or not writer.done()):
                self._status = (grpc.StatusCode.UNAVAILABLE, "the arena is closing")
            if self._status is not None:
                await context.abort(*self._status)
        except asyncio.CancelledError:
            self._stream_ended.set()  # The other end is gone. gRPC only cancels to say so: there is no more to do.
        finally:
            # A read or write left alone when the handler ends would reach into memory that gRPC has freed; one that is
            # cancelled, too. The end of the call completes both.
            self._stream_ended.set()
            self._finishing.set()
            self.wake()
            self._wake_reader()
            while not (reader.done() and writer.done()):
                with contextlib.suppress(asyncio.CancelledError):  # the other end may go at this moment, too
                    await asyncio.wait({reader, writer})
            self._served.set()

    def _report_mistake(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._listener.failed(error)

    async def _read(self, context: Context) -> None:
        session = self.session
        while True:
            # Only while it owes an answer: a flood then waits in the bot's own buffers.
            while not (session.owed_count or session.state is State.AWAITING_HELLO) or session.state is State.CLOSED:
                if self._finishing.is_set():
                    return
                self._reader_sleeps = asyncio.get_running_loop().create_future()
                await self._reader_sleeps
                self._reader_sleeps = None
            self._reading = True
            raw: object  # bytes, or EOF
            try:
                raw = await context.read()
            except grpc.aio.BaseError:
                raw = None
            self._reading = False
            if not isinstance(raw, bytes):
                self._stream_ended.set()
                return
            now_ns = time.monotonic_ns()
            if self._witness is not None:
                self._witness.received(self.spec.label, raw, now_ns)
            self._listener.received(self, raw, now_ns)

    async def _write(self, context: Context) -> None:
        session, listener = self.session, self._listener
        while True:
            may_ask = self._may_ask()
            now_ns = time.monotonic_ns()
            seat_count = session.seat_count
            message = session.to_send(now_ns, may_ask=may_ask)
            listener.wrote(self, has_room=session.seat_count < seat_count)
            if message is None:
                if self._finishing.is_set():
                    return
                self._writer_sleeps = asyncio.get_running_loop().create_future()
                await self._writer_sleeps
                continue
            if session.owed_count:
                self._wake_reader()
            if self._witness is not None:
                self._witness.sent(self.spec.label, message, now_ns)
            self.writing_since_ns = now_ns
            try:
                await context.write(message)
            except grpc.aio.BaseError:
                self._stream_ended.set()
                return
            finally:
                self.writing_since_ns = 0

    def _wake_reader(self) -> None:
        if self._reader_sleeps is not None and not self._reader_sleeps.done():
            self._reader_sleeps.set_result(None)


async def _even_if_cancelled(work: Coroutine[None, None, None]) -> None:
    """Does `work` to its end; a cancellation meanwhile counts afterwards."""
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError


async def _first_of(*events: asyncio.Event) -> None:
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


async def _both_within(span_s: float, *events: asyncio.Event) -> None:
    """Waits until all `events` are set, at most `span_s`."""
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, timeout=span_s)
    finally:
        for task in tasks:
            task.cancel()
