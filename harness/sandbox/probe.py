"""Whether a level works on this machine, found out by running something at it."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from harness.printable import printable
from harness.sandbox.cell import Cell, Sandbox
from harness.sandbox.confine import confine
from harness.sandbox.keeper_command import keeper_command, keeper_environment
from harness.sandbox.limits import ProcessLimits
from harness.sandbox.plan import Plan
from harness.sandbox.runtime import Runtime
from harness.sandbox.scratch import Scratch
from harness.sandbox.users import runs_as_root, take_user

TRIAL_S = 20.0


class Ran(NamedTuple):
    """What came of a program that was run at a level."""

    status: str
    """As the keeper told it: `exit 0`."""
    output: str

    @property
    def is_well(self) -> bool:
        """Whether it ended as if all were well."""
        return self.status == "exit 0"

    @property
    def problem(self) -> str:
        """Why not, in a line."""
        word, _, rest = self.status.partition(" ")
        last = next((line for line in reversed(self.output.splitlines()) if line.strip()), "")
        return printable(rest if word in ("failed", "broken") else f"{self.status}: {last}" if last else self.status)


def run_at(
    sandbox: Sandbox,
    argv: tuple[str, ...],
    *,
    cwd: Path = Path("/usr"),
    env: Mapping[str, str] | None = None,
    runtime: Runtime | None = None,
) -> Ran:
    """Runs a program at a level to its end and waits for it. For trials: what it writes is kept in memory.

    `runtime`: what it may read; None: what it needs, found by looking at it.
    """
    user = take_user() if runs_as_root() else None
    control_read, control_write = os.pipe()
    status_read, status_write = os.pipe()
    try:
        with Scratch("trial-") as folder:
            folder.chmod(0o711)  # the bot's user may go through
            directory = folder / "bot"
            directory.mkdir()
            plan = Plan()
            plan.argv, plan.cwd = argv, str(cwd)
            plan.control_fd, plan.status_fd = control_read, status_write
            if user is not None:
                plan.uid = user.uid
                os.chown(directory, user.uid, user.uid)
            given = {"PATH": os.environ.get("PATH", os.defpath), **(env or {})}
            confine(plan, Cell(sandbox, directory, runtime=runtime), given, ProcessLimits())
            ran = subprocess.run(
                keeper_command(plan),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(control_read, status_write),
                env=keeper_environment(given),
                timeout=TRIAL_S,
                check=False,
            )
        os.set_blocking(status_read, False)
        return Ran(_read(status_read).decode(errors="replace").strip() or "broken", ran.stdout.decode(errors="replace"))
    except (OSError, subprocess.TimeoutExpired) as error:
        return Ran(f"broken {error}", "")
    finally:
        for descriptor in (control_read, control_write, status_read, status_write):
            os.close(descriptor)
        if user is not None:
            user.give_back()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except BlockingIOError:
        return b""
