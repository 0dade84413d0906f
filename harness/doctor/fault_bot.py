"""A fault bot: a folder with one misbehaviour, and what must come of it.

    fault_bots/VERDICT/NAME/bot.toml
    fault_bots/VERDICT/NAME/expected.toml   where there is more to say than the verdict

VERDICT is a kind of fault, or `no_fault` for what is allowed or can be borne.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field

import harness
from harness.errors import HarnessError
from harness.faults import FaultKind
from harness.sandbox.cell import LEVELS, Sandbox
from harness.sandbox.landlock import SCOPES_ABI
from harness.sandbox.limits import ProcessLimits
from harness.toml_file import Table, Texts, read
from harness.workshop.manifest import FILE_NAME

NO_FAULT = "no_fault"
VERDICTS = (NO_FAULT, *FaultKind)
OLD_LANDLOCK = "old_landlock"
"""The level landlock, where the kernel's version of it does not rule signals."""


class LimitsAsked(Table):
    """`[limits]`: what the bot may use, where the misbehaviour is to use more."""

    memory_mb: int | None = None
    processes: int | None = None
    tmp_mb: int | None = None
    files: int | None = None


class Expected(Table):
    """An `expected.toml`."""

    detail: str | None = None
    """The detail of each of its faults; of those before a withdrawal, of the last."""
    start_s: float = 60.0
    decision_s: float | None = None
    """Of silence; absent: little for a bot that is to be silent, much for all others."""
    bank_s: float = 600.0
    limits: LimitsAsked = LimitsAsked()
    harness_is_killed: bool = False
    """Whether it plays once more, for a harness that is killed meanwhile and that nothing of it may outlive."""
    verdict: dict[str, str] = Field(default_factory=dict)
    """By level, where it is another than the folder's."""
    reaches: dict[str, Annotated[Texts, Field()]] = Field(default_factory=dict)
    """By level: all that it may reach, of what it says that it reached. A level that is absent promises nothing."""


class FaultBot(NamedTuple):
    """One of them."""

    folder: Path
    expected: Expected

    @property
    def name(self) -> str:
        """The folder's."""
        return self.folder.name

    @property
    def kind(self) -> str:
        """One of `VERDICTS`, by the folder above."""
        return self.folder.parent.name

    @property
    def decision_s(self) -> float:
        """So long a silence is one."""
        return self.expected.decision_s or (1.5 if self.kind == FaultKind.TIMEOUT else 60.0)

    @property
    def limits(self) -> ProcessLimits:
        """What it may use."""
        asked = {name: value for name, value in self.expected.limits.model_dump().items() if value is not None}
        return ProcessLimits()._replace(**asked)

    def verdict_at(self, level: str) -> str:
        """What must come of it at a level."""
        return self.expected.verdict.get(level, self.kind)

    def reachable(self, sandbox: Sandbox) -> tuple[str, ...] | None:
        """All that it may reach; None: whatever it likes."""
        reaches = self.expected.reaches
        if sandbox.level == "landlock" and sandbox.landlock_abi < SCOPES_ABI and OLD_LANDLOCK in reaches:
            return reaches[OLD_LANDLOCK]
        return reaches.get(sandbox.level)


def fault_bots_folder() -> Path:
    """Where they are: in the package that was installed, or in the checkout. HarnessError where they are not."""
    package = Path(harness.__file__).parent
    for folder in (package / "doctor" / "bots", package.parent / "tests" / "fault_bots"):
        if folder.is_dir():
            return folder
    raise HarnessError("the fault bots are not there; install cardarena again")


def find_fault_bots(folder: Path) -> tuple[FaultBot, ...]:
    """All of them, by verdict and name. HarnessError where one is not as it should be."""
    return tuple(_found(folder))


def _found(folder: Path) -> Iterator[FaultBot]:
    for manifest in sorted(folder.glob(f"*/*/{FILE_NAME}")):
        place = manifest.parent
        file = place / "expected.toml"
        bot = FaultBot(place, read(file, Expected) if file.is_file() else Expected())
        unknown = {bot.kind, *bot.expected.verdict.values()} - set(VERDICTS)
        levels = {*bot.expected.verdict, *bot.expected.reaches} - {*LEVELS, OLD_LANDLOCK}
        if unknown or levels:
            raise HarnessError(f"{place}: {', '.join(sorted(unknown | levels))}: no verdict and no level is called so")
        yield bot
