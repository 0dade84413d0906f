"""`[build]`: a bot's steps, run once for each tree inside the sandbox, and the read-only tree that they leave.

    BUILDS/fox-1.0.0-3f0a1b2c4d5e-9a8b7c6d/          what the bot is started in
    BUILDS/fox-1.0.0-3f0a1b2c4d5e-9a8b7c6d.sha256    the hash of that tree, told when it was made

The name holds the hash of the source tree, which is the bot's version, and one of all else that the result may depend
on and that can be known: steps, the programs that they and the bot are started by, machine. A tree that is not as it
was made is made again.
"""

import asyncio
import contextlib
import hashlib
import os
import platform
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.arena.specs import Unprepared
from harness.errors import HarnessError
from harness.printable import printable
from harness.sandbox.cell import Cell, Sandbox
from harness.sandbox.limits import ProcessLimits
from harness.sandbox.process import start_process
from harness.sandbox.remains import remove_tree
from harness.sandbox.runtime import Runtime, runtime_of
from harness.workshop.builds import SEAL_SUFFIX, locked, make_place
from harness.workshop.tree import MAX_PATH_BYTES, copy_tree, tree_sha256

STEP_S = 300.0
"""A step may take so long."""
LAST_LINES = 20
LIMITS = ProcessLimits(memory_mb=2048, processes=256, tmp_mb=512, log_kb=256, files=1024, cpus=os.cpu_count() or 1)
"""What a step may use: compilers need more than bots."""


@dataclass(frozen=True)
class Recipe:
    """How one tree becomes another, and where that is kept. Calling it makes that tree, unless it is there."""

    title: str
    """Name and version of the bot."""
    source: Path
    sha256: str
    """Of the tree in `source`."""
    steps: tuple[tuple[str, ...], ...]
    """Command lines, in which `{dir}` stands for the folder that is built in."""
    env: Mapping[str, str]
    runtime: Runtime | None
    """None: what each step's program needs."""
    builds: Path
    """The folder of all built trees."""
    has_network: bool = False
    tools: tuple[str, ...] = ()
    """What `tools_of` tells: found when the recipe is made, so that a program that is replaced while the bot plays does
    not take its folder away."""

    @property
    def folder(self) -> Path:
        """The built tree, whether it is there or not."""
        recipe = repr((self.steps, sorted(self.env.items()), platform.machine(), self.has_network, self.tools))
        key = hashlib.sha256(recipe.encode()).hexdigest()
        return self.builds / f"{self.title.replace(' ', '-')}-{self.sha256[:12]}-{key[:8]}"

    @property
    def is_built(self) -> bool:
        """Whether the tree is there, as it was made."""
        try:
            told = self._seal.read_text()
        except OSError:
            return False
        with contextlib.suppress(OSError):  # a home may be read where it cannot be written
            os.utime(self._seal)
        return self.folder.is_dir() and tree_sha256(self.folder) == told

    @property
    def _seal(self) -> Path:
        return self.folder.with_name(self.folder.name + SEAL_SUFFIX)

    def __str__(self) -> str:
        return ", ".join(shlex.join(step) for step in self.steps)

    async def __call__(self, sandbox: Sandbox) -> Unprepared | None:
        """Makes the tree at the level of `sandbox`. What the bot did wrong is returned.

        HarnessError where the machine has no room for it, or the source has changed.
        """
        if self.is_built:
            return None
        try:
            place, lock_fd = make_place(self.builds)
            try:
                work = place / "bot"
                self._copy(work)
                for step in self.steps:
                    if (problem := await self._run(step, work, place, sandbox) or _unfit(work)) is not None:
                        return problem
                return self._keep(work, place)
            finally:
                remove_tree(place)  # steps may leave folders too deep for shutil
                os.close(lock_fd)
        except OSError as error:
            raise HarnessError(f"{self.title} cannot be built in {printable(str(self.builds))}: {error}") from None

    def _copy(self, work: Path) -> None:
        if copy_tree(self.source, work) != self.sha256:
            raise HarnessError(f"{printable(str(self.source))}: changed while it was read; try again")
        for path in work.rglob("*"):
            path.chmod(path.stat().st_mode | 0o200)

    async def _run(self, step: tuple[str, ...], work: Path, place: Path, sandbox: Sandbox) -> Unprepared | None:
        argv = tuple(word.replace("{dir}", str(work)) for word in step)
        home = Path(tempfile.mkdtemp(prefix="home-", dir=place))
        env = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", **self.env}
        env |= {"HOME": str(home), "TMPDIR": str(home)}
        runtime = runtime_of(argv[0], env)
        cell = Cell(
            sandbox,
            home,
            runtime=runtime if self.runtime is None else self.runtime.with_(runtime),
            is_build=True,
            has_network=self.has_network,
        )
        process = start_process(argv, work, env, LIMITS, cell)
        try:
            await asyncio.wait_for(process.exited.wait(), STEP_S)
        except TimeoutError:
            how = f"took more than {STEP_S:g} s"
        else:
            how = str(process.exit)
        finally:
            process.kill()
            await process.gone()
        if process.exit is not None and process.exit.is_broken:
            raise HarnessError(f"{self.title} cannot be built: {process.exit}")
        if how == "exited with code 0":
            return None
        lines = tuple(process.last_lines(LAST_LINES))
        return Unprepared(f"could not be built: {printable(shlex.join(argv))} {how}", lines, argv)

    def _keep(self, work: Path, place: Path) -> Unprepared | None:
        """Puts what was built, read-only, where it belongs."""
        made = place / "made"
        try:
            sha256 = copy_tree(work, made)
        except HarnessError as error:
            return _leaves(work, error)
        seal = place / "seal"
        seal.write_text(sha256)
        with locked(self.builds):  # between tree and seal nobody else may look
            if self.is_built:  # another process was quicker, and bots may be playing from its tree: it is as good
                return None
            self._seal.unlink(missing_ok=True)
            if self.folder.exists():  # it is not as it was made
                remove_tree(self.folder)
            made.rename(self.folder)
            seal.rename(self._seal)
        return None


def tools_of(programs: Iterable[str], env: Mapping[str, str], runtime: Runtime | None) -> tuple[str, ...]:
    """What `programs`, the first words of command lines, are on this machine now; the bot's own are left out.

    A program that was replaced has another file behind its links, or one of another size or time: so ccache tells
    compilers apart. To ask for a version would be to start, at each look, what a stranger has named.
    """
    folders = () if runtime is None else runtime.search
    path = os.pathsep.join([*map(str, folders), env.get("PATH", os.environ.get("PATH", os.defpath))])
    named = {program for program in programs if os.sep not in program or os.path.isabs(program)}
    found = {os.path.realpath(file) for program in named if (file := shutil.which(program, path=path)) is not None}
    return tuple(sorted(map(_told, found)))


def _told(file: str) -> str:
    status = os.stat(file)
    return f"{file} {status.st_size} {status.st_mtime_ns}"


def _unfit(work: Path) -> Unprepared | None:
    """Why no further step can be run in `work`: folders so deep that what walks through them would fail."""
    pending = [str(work)]
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                if len(os.fsencode(entry.path)) > len(os.fsencode(work)) + MAX_PATH_BYTES:
                    return Unprepared(f"could not be built: it leaves paths of more than {MAX_PATH_BYTES} bytes")
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    return None


def _leaves(work: Path, error: HarnessError) -> Unprepared:
    left = str(error).replace(f"{work}/", "")
    return Unprepared(f"could not be built: it leaves what no bot's folder may hold: {left}")
