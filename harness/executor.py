"""What plays the tables of a round, and the one that plays them in this process."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from harness.arena.specs import BotSpec, OnVoid, PhaseReport, Played, ProcessEnd, TableSpec
from harness.conduct import Conduct
from harness.cup import CupFile
from harness.faults import Fault
from harness.sandbox.cell import Sandbox
from harness.sandbox.levels import choose


class Executor(Protocol):
    """What plays tables: the arena, or anything that looks like it."""

    @property
    def sandbox(self) -> Sandbox:
        """At which level bots run."""

    @property
    def worker_count(self) -> int:
        """Phases that it plays at the same time."""

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
        """One phase, as `harness.arena.Arena.play`."""


OpenExecutor = Callable[[CupFile], AbstractAsyncContextManager[Executor]]


def open_arena(
    cup: CupFile, sandbox: Sandbox | None = None, on_process_end: Callable[[ProcessEnd], None] | None = None
) -> AbstractAsyncContextManager[Executor]:
    """An arena under the clock and the jobs of `cup`, at the level that it asks for or is given."""
    from harness.arena import Arena  # brings gRPC, which a run with nothing to play does without

    level = choose(cup.limits.sandbox) if sandbox is None else sandbox
    return Arena(
        time_control=cup.time.control,
        jobs=cup.limits.jobs,
        tcp=True,
        sandbox=level,
        on_process_end=on_process_end,
    )
