"""The course of a check: from BOT as it was written to a report, no further than the bot comes."""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from pathlib import Path

from harness import interruption
from harness.arena import BotSpec
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.names import did_you_mean
from harness.roster import bot_spec
from harness.sandbox.cell import Cell, Sandbox
from harness.sandbox.levels import choose
from harness.sandbox.limits import ProcessLimits
from harness.sandbox.process import start_process
from harness.sandbox.scratch import Scratch
from harness.toml_file import TomlError
from harness.workshop.check.checks import CHECKS
from harness.workshop.check.conditions import DEFAULTS, conditions_of
from harness.workshop.check.facts import UNREACHED, Facts, Stage
from harness.workshop.check.play import first_difference
from harness.workshop.check.qualification import Qualification
from harness.workshop.check.runtime import TELLS_VERSION, Program, examine
from harness.workshop.check.verdict import CheckReport, Circumstances, Finding, Status, failed
from harness.workshop.entry import BotFinder, FoundBot
from harness.workshop.manifest import FILE_NAME
from harness.workshop.runtimes import Runtimes, read_runtimes
from harness.workshop.tree import copy_tree, tree_sha256

OPPONENT = "sample:random"
VERSION_S = 2.0
CHECK_NAMES = tuple(check.name for check in CHECKS)


def check_bot(
    form: str,
    finder: BotFinder,
    *,
    cup: CupFile | None = None,
    only: Collection[str] = (),
    on_stage: Callable[[str], None] = lambda _: None,
    open_sandbox: Callable[[str], Sandbox] = choose,
) -> CheckReport:
    """Checks the bot that `form` names, as if it played in `cup`. `only`: names of checks; else all.

    `on_stage` is told what begins; `open_sandbox` finds the level that the cup asks for, or another. HarnessError where
    `form` names no bot, a check is not known, or the machine has no room for the processes.
    """
    for name in only:
        if name not in CHECK_NAMES:
            raise HarnessError(f"no check is called {name}; {did_you_mean(name, CHECK_NAMES)}")
    try:
        found = finder.one(form)
    except TomlError as error:
        return unreadable(form, error, cup, only)
    return check_found(form, found, finder, cup=cup, only=only, on_stage=on_stage, open_sandbox=open_sandbox)


def check_found(
    form: str,
    found: FoundBot,
    finder: BotFinder,
    *,
    cup: CupFile | None = None,
    only: Collection[str] = (),
    on_stage: Callable[[str], None] = lambda _: None,
    open_sandbox: Callable[[str], Sandbox] = choose,
) -> CheckReport:
    """The same for a bot that `form` was found to mean."""
    runtimes = Runtimes() if finder.home is None else read_runtimes(finder.home)
    course = _Course(form, found, finder.one(OPPONENT), runtimes, cup, only, on_stage, open_sandbox)
    return interruption.run(course.run())


def unreadable(form: str, error: TomlError, cup: CupFile | None = None, only: Collection[str] = ()) -> CheckReport:
    """The report on a bot whose bot.toml cannot be used."""
    conditions = DEFAULTS if cup is None else cup.name
    mistakes = "; ".join(map(_from_its_name, error.mistakes))
    return CheckReport(form, form, None, conditions, tuple(_refused(mistakes, only)), None)


def _refused(why: str, only: Collection[str]) -> list[Finding]:
    """The findings about a bot whose bot.toml leads nowhere."""
    first, *others = (check for check in CHECKS if not only or check.name in only or check.name == "manifest")
    return [
        Finding(first.name, first.proves, failed(why)),
        *(Finding(check.name, check.proves, UNREACHED) for check in others),
    ]


def _from_its_name(mistake: str) -> str:
    """A line about a bot.toml, without its folder."""
    _, found, rest = mistake.partition(f"/{FILE_NAME}: ")
    return f"{FILE_NAME}: {rest}" if found else mistake


class _Course:
    def __init__(
        self,
        form: str,
        found: FoundBot,
        opponent: FoundBot,
        runtimes: Runtimes,
        cup: CupFile | None,
        only: Collection[str],
        on_stage: Callable[[str], None],
        open_sandbox: Callable[[str], Sandbox],
    ) -> None:
        self.form = form
        self.found = found
        self.opponent = opponent
        self.runtimes = runtimes
        self.only = only
        self.checks = [check for check in CHECKS if not only or check.name in only]
        self.last_stage = max(check.stage for check in self.checks)
        self.on_stage = on_stage
        self.open_sandbox = open_sandbox
        self.conditions = conditions_of(found.manifest, cup)

    @property
    def _title(self) -> str:
        return f"{self.found.name} {self.found.version}"

    async def run(self) -> CheckReport:
        """Copies the bot, plays it, and judges what was seen."""
        with Scratch("check-") as parent:
            return await self._run(parent / self.found.name)

    async def _run(self, folder: Path) -> CheckReport:
        conditions = self.conditions.source
        if copy_tree(self.found.folder, folder) != self.found.sha256:
            raise HarnessError(f"{self.form}: changed while it was read; try again")
        try:
            spec = bot_spec(self.found.name, self.found.manifest, folder, self.conditions.limits, self.runtimes)
        except HarnessError as error:  # it needs a runtime that is not there
            findings = tuple(_refused(str(error), self.only))
            return CheckReport(self.form, self._title, self.found.sha256, conditions, findings, None)
        facts = Facts(self.found.manifest, self.conditions, spec.start_s, spec.max_matches)
        reached = Stage.MANIFEST
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", **spec.env}
        if self._goes_on(facts, reached):
            reached = Stage.BUILD
            await self._build(spec, facts)
        if self._goes_on(facts, reached):
            reached = Stage.RUNTIME
            program = facts.program = examine(spec.argv, spec.cwd, environment["PATH"])
            facts.interpreter = await _interpreter(program, spec.cwd, self.sandbox)
        if self._goes_on(facts, reached):
            sandbox = self.sandbox
            conditions = f"{conditions}, sandbox {sandbox.level}"
            qualification = Qualification(spec, self.conditions, sandbox, self.opponent)
            before = tree_sha256(spec.cwd)
            reached = await self._play(qualification, facts)
            facts.tree_changed = tree_sha256(spec.cwd) != before
        shown_environment = environment | {
            "HOME": "(a folder of its own)",
            "TMPDIR": "(the same)",
            "CARDARENA_ADDRESS": "(where the harness listens)",
            "CARDARENA_TOKEN": "(hidden)",
        }
        return CheckReport(
            form=self.form,
            title=self._title,
            sha256=self.found.sha256,
            conditions=conditions,
            findings=tuple(self._findings(facts, reached)),
            circumstances=Circumstances(
                facts.unbuilt.argv if facts.unbuilt else spec.argv, folder, shown_environment, facts.interpreter
            ),
        )

    async def _build(self, spec: BotSpec, facts: Facts) -> None:
        if spec.prepare is None:
            return
        self.on_stage("its build")
        began_ns = time.monotonic_ns()
        facts.unbuilt = await spec.prepare(self.sandbox)
        facts.build_s = (time.monotonic_ns() - began_ns) / 1e9

    @cached_property
    def sandbox(self) -> Sandbox:
        """Where it is built and plays."""
        return self.open_sandbox(self.conditions.sandbox)

    def _findings(self, facts: Facts, reached: Stage) -> Iterator[Finding]:
        """Those asked for; and where one of them was not reached, what stood in the way."""
        verdicts = {check.name: check.judge(facts) if check.stage <= reached else UNREACHED for check in CHECKS}
        asked = {check.name for check in self.checks}
        blocked = any(verdicts[name] == UNREACHED for name in asked)
        for check in CHECKS:
            verdict = verdicts[check.name]
            if check.name in asked or (blocked and verdict.status is Status.FAILED):
                yield Finding(check.name, check.proves, verdict)

    async def _play(self, qualification: Qualification, facts: Facts) -> Stage:
        self.on_stage("one match after the other")
        alone = facts.alone = await qualification.alone()
        if alone.faulted or alone.broken_off or self.last_stage < Stage.TOGETHER:
            return Stage.TOGETHER  # what is judged by more than there is says so itself
        self.on_stage("many matches at once")
        together = facts.together = await qualification.together(alone)
        if not together.faulted and facts.max_matches > 1:
            self.on_stage("killed in their midst, and told again")
            facts.interrupted = await qualification.interrupted()
        if not together.faulted and first_difference(alone, together) is not None:
            self.on_stage("the first matches once more")
            facts.again = await qualification.again()
        return Stage.TOGETHER

    def _goes_on(self, facts: Facts, reached: Stage) -> bool:
        """Whether there is more to find out, and the bot has passed what it came to so far."""
        if self.last_stage <= reached:
            return False
        return all(check.judge(facts).status is not Status.FAILED for check in CHECKS if check.stage is reached)


async def _interpreter(program: Program, folder: Path, sandbox: Sandbox) -> str:
    """Program and version, for people. Only a program that is not the bot's own is asked for its version.

    In the sandbox all the same, and without the bot's variables: a path may lead to the bot's own in many ways.
    """
    if program.path is None:
        return ""
    if program.path == Path(sys.executable):
        return f"{program.path} (Python {sys.version.split()[0]})"
    if program.path.is_relative_to(folder) or not program.path.name.startswith(TELLS_VERSION):
        return str(program.path)
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    process = start_process((str(program.path), "--version"), folder, environment, ProcessLimits(), Cell(sandbox))
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.exited.wait(), VERSION_S)
    process.kill()
    await process.gone()
    lines = process.last_lines(1)
    return f"{program.path} ({lines[0]})" if lines else str(program.path)
