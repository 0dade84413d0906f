"""The arena: where bots play. It listens while it is open; each phase starts its bots afresh."""

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType

from harness.arena.phase import Phase
from harness.arena.server import Server
from harness.arena.specs import BotSpec, MatchEnd, OnVoid, PhaseReport, Played, ProcessEnd, TableSpec, Witness
from harness.conduct import Conduct
from harness.faults import Fault
from harness.match import TimeControl
from harness.sandbox.cell import PLAIN, Sandbox


class Arena:
    """Plays tables with bot processes.

        async with Arena(time_control=TimeControl(...)) as arena:
            report = await arena.play(bots, tables, on_played)

    Leaving it, in whatever way, leaves no process and no file behind.
    """

    def __init__(
        self,
        *,
        time_control: TimeControl | None,
        jobs: int | None = None,
        tcp: bool = False,
        guests: bool = False,
        sandbox: Sandbox = PLAIN.sandbox,
        on_process_end: Callable[[ProcessEnd], None] | None = None,
        witness: Witness | None = None,
    ) -> None:
        """`jobs`: bots that may owe answers at the same time (the cores of the machine). `tcp`: listen there, too, for
        bots that it starts; `guests`: for those that it invites.

        `sandbox`: the level at which bots run, as `harness.sandbox.levels.choose` finds it.
        """
        self._time = time_control
        self._jobs = jobs or os.cpu_count() or 1
        self._on_process_end = on_process_end
        self._witness = witness
        self._server = Server(tcp=tcp, guests=guests, sandbox=sandbox)
        self._phase: Phase | None = None

    async def __aenter__(self) -> "Arena":
        try:
            await self._server.start()
        except BaseException:
            await self._server.stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._server.stop()

    @property
    def unix_address(self) -> str:
        """Where bots dial in; they are told by `CARDARENA_ADDRESS`."""
        return self._server.unix_address

    async def play(
        self,
        bots: Sequence[BotSpec],
        tables: Iterable[TableSpec | None],
        on_played: Callable[[Played], None],
        *,
        withdrawn: Mapping[str, Fault] | None = None,
        conduct: Conduct | None = None,
        on_void: OnVoid | None = None,
    ) -> PhaseReport:
        """One phase: every process started afresh, every table played, every process ended.

        `tables` are taken as they are needed; a None among them: no more for the moment, until `look_again`.

        `on_played` is called the moment a match ends; what it raises ends the phase. `withdrawn`: labels
        that are not started; the house plays for them from the start, and their seats are at that fault.
        `conduct`, which expects `tables`, says who is withdrawn for too many faults; None: nobody is. `on_void` is
        called the moment a match is given up because harness, sandbox or machine failed in it: nobody is at fault, and
        the phase goes on, unless one bot fails so again and again (HarnessError). None: the first ends the phase.
        """
        phase = self._phase = Phase(
            self._server,
            bots,
            tables,
            on_played,
            time_control=self._time,
            jobs=self._jobs,
            withdrawn=withdrawn or {},
            conduct=conduct,
            on_void=on_void,
            on_process_end=self._on_process_end,
            witness=self._witness,
        )
        with _collecting_seldom():
            return await phase.run()

    def look_again(self) -> None:
        """Tells the last phase that `tables` has more, where it gave None."""
        if self._phase is not None:
            self._phase.look_again()

    def ended_elsewhere(self, end: MatchEnd) -> None:
        """Tells the `conduct` of the last phase of a match that another arena has played."""
        if self._phase is not None:
            self._phase.ended_elsewhere(end)


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Lets Python look for garbage in cycles less often: a referee makes tuples by the million and hardly a cycle."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
