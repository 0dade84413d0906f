"""What plays the tables of a round."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from harness.arena.specs import BotSpec, OnVoid, PhaseReport, Played, TableSpec
from harness.conduct import Conduct
from harness.cup import CupFile
from harness.faults import Fault
from harness.sandbox.cell import Sandbox


class Executor(Protocol):
    """What plays tables: workers on this machine (`harness.workers`), or anything that looks like them."""

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
