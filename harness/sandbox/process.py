"""One bot process: started under its keeper, watched, and ended with everything that it started."""

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from harness.errors import HarnessError
from harness.last_words import last_words
from harness.printable import printable
from harness.sandbox.cell import PLAIN, Cell
from harness.sandbox.confine import confine
from harness.sandbox.keeper_command import keeper_command, keeper_environment
from harness.sandbox.limits import KB, TAIL_KB, ProcessLimits
from harness.sandbox.plan import TOKEN_VARIABLE, Plan
from harness.sandbox.users import BotUser, runs_as_root, take_user

KEEPER_END_S = 2.0
"""The keeper has so long to kill what it keeps; then it is killed itself."""
POLL_S = 0.005
HUNT_ROUNDS = 200
QUIET_ROUNDS = 10
READ_BYTES = 64 * 1024


class Exit(NamedTuple):
    """How a process ended: by itself with a code, by a signal, or it could not be started (`error`)."""

    code: int | None = None
    signal: int | None = None
    error: str = ""
    excess: str = ""
    """What it used too much of, and was killed for: `used more than 512 MB of memory`."""
    is_broken: bool = False
    """The sandbox failed, and `error` says how: no fault of the bot."""

    def __str__(self) -> str:
        if self.excess:
            return self.excess
        if self.code is not None:
            return f"exited with code {self.code}"
        if self.signal is not None:
            return f"was killed by signal {self.signal} ({_signal_name(self.signal)})"
        return self.error


class BotProcess:
    """A bot process and its keeper. Belongs to the event loop that started it."""

    def __init__(
        self,
        keeper: subprocess.Popen[bytes],
        control_fd: int,
        status_fd: int,
        mark: bytes,
        user: BotUser | None,
        *,
        reaches_keeper: bool,
    ) -> None:
        """Use `start_process`."""
        assert keeper.stdout is not None
        self.exited = asyncio.Event()
        """Set when `exit` is known."""
        self.exit: Exit | None = None
        """How the bot's first process ended; None while it runs."""
        self.output = bytearray()
        """What the bot wrote on stdout and stderr, its middle left out where it is long."""
        self._keeper = keeper
        self._stdout = keeper.stdout
        self._control_fd = control_fd
        self._status_fd = status_fd
        self._status = b""
        self._mark = mark
        self._user = user
        # Where the bot cannot reach its keeper, it was not the bot that has ended it.
        self._keeper_gone = Exit(
            error="ended with its keeper" if reaches_keeper else "the sandbox failed: its keeper was killed",
            is_broken=not reaches_keeper,
        )
        self._loop = asyncio.get_running_loop()
        os.set_blocking(self._stdout.fileno(), False)
        self._loop.add_reader(self._stdout.fileno(), self._read_output)
        self._loop.add_reader(status_fd, self._read_status)

    @property
    def pid(self) -> int:
        """Process id of the keeper."""
        return self._keeper.pid

    def last_lines(self, count: int) -> list[str]:
        """The last lines that the bot wrote and those that tell of its failure, made printable."""
        text = self.output[-64 * 1024 :].decode(errors="replace")
        return [printable(line)[:500] for line in last_words(text.splitlines(), count)]

    def kill(self) -> None:
        """Ends the process and all that it started. Await `gone` to know that it is done."""
        if self._control_fd >= 0:
            os.close(self._control_fd)
            self._control_fd = -1
            if self._keeper.poll() is None:
                self._keeper.send_signal(signal.SIGCONT)  # a bot may have stopped it

    async def gone(self) -> None:
        """Waits until nothing of the process is left; call after `kill` or when it has ended."""
        for _ in range(round(KEEPER_END_S / POLL_S)):
            if self._keeper.poll() is not None:
                break
            await asyncio.sleep(POLL_S)
        else:
            self._keeper.kill()  # The kernel then kills the bot.
            while self._keeper.poll() is None:
                await asyncio.sleep(POLL_S)
        if self._keeper.returncode != 0:
            await self._hunt()
        self._close()

    async def _hunt(self) -> None:
        """Kills what a keeper that was killed itself has left: every process that has inherited the bot's token."""
        quiet = 0
        for _ in range(HUNT_ROUNDS):
            pids = _processes_with(self._mark) if self._mark else []
            # One that is just being executed has no environment for a moment: it is looked for again.
            quiet = 0 if pids else quiet + 1
            if quiet == QUIET_ROUNDS:
                return
            for pid in pids:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(POLL_S)

    def _close(self) -> None:
        self.kill()
        if self._status_fd >= 0:
            self._read_output()
            self._read_status()
        self._stop_reading()
        if self._user is not None:
            self._user.give_back()
        self._end(self._keeper_gone)

    def _stop_reading(self) -> None:
        if self._status_fd >= 0:
            self._loop.remove_reader(self._status_fd)
            os.close(self._status_fd)
            self._status_fd = -1
        if not self._stdout.closed:
            self._loop.remove_reader(self._stdout.fileno())
            self._stdout.close()

    def _read_output(self) -> None:
        if self._stdout.closed:
            return
        try:
            data = os.read(self._stdout.fileno(), READ_BYTES)
        except BlockingIOError:
            return
        self.output += data
        if not data:
            self._loop.remove_reader(self._stdout.fileno())
            self._stdout.close()

    def _read_status(self) -> None:
        try:
            data = os.read(self._status_fd, 4096)
        except BlockingIOError:
            return
        self._status += data
        if not data:
            self._loop.remove_reader(self._status_fd)
            self._end(self._keeper_gone)
        elif b"\n" in self._status:
            self._end(_parse_exit(self._status.partition(b"\n")[0].decode(errors="replace")))

    def _end(self, how: Exit) -> None:
        if self.exit is None:
            self.exit = how
            self.exited.set()


def start_process(
    argv: tuple[str, ...], cwd: Path, env: Mapping[str, str], limits: ProcessLimits, cell: Cell = PLAIN
) -> BotProcess:
    """Starts a bot process with exactly the environment `env`, in which `cell` may change where things are.

    HarnessError where the machine has no room for it. An argv that cannot be run is not an error here: the process
    ends with an `Exit` that says so.
    """
    user = take_user() if runs_as_root() else None
    control_read, control_write = os.pipe()
    status_read, status_write = os.pipe()
    plan = Plan()
    plan.argv, plan.cwd = argv, str(cwd)
    plan.control_fd, plan.status_fd = control_read, status_write
    plan.head_bytes, plan.tail_bytes = limits.log_kb * KB, TAIL_KB * KB
    try:
        if user is not None:
            plan.uid = user.uid
            if cell.directory is not None:
                os.chown(cell.directory, user.uid, user.uid)
            if cell.is_build:
                _give(cwd, user.uid)
        confine(plan, cell, env, limits)
        # No preexec_fn=, user= or group= here: they fork, and forked children of a process with a gRPC server crash.
        keeper = subprocess.Popen(
            keeper_command(plan),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(control_read, status_write),
            env=keeper_environment(env),
            start_new_session=True,
        )
    except OSError as error:
        os.close(control_write)
        os.close(status_read)
        if user is not None:
            user.give_back()
        raise HarnessError(f"no bot process can be started: {error} (fewer [limits] bots_alive may help)") from error
    finally:
        os.close(control_read)
        os.close(status_write)
    os.set_blocking(status_read, False)
    mark = f"{TOKEN_VARIABLE}={env[TOKEN_VARIABLE]}".encode() if TOKEN_VARIABLE in env else b""
    reaches_keeper = user is None and cell.sandbox.lets_signals_out
    return BotProcess(keeper, control_write, status_read, mark, user, reaches_keeper=reaches_keeper)


def _give(folder: Path, uid: int) -> None:
    """Makes all that is in `folder` that user's."""
    for parent, folders, files in os.walk(folder):
        for path in (parent, *(os.path.join(parent, name) for name in (*folders, *files))):
            os.chown(path, uid, uid, follow_symlinks=False)


def _processes_with(mark: bytes) -> list[int]:
    """Processes that still run and have `mark` in the environment that they were started with."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    found.append(int(process.name))
    return found


def _parse_exit(line: str) -> Exit:
    word, _, rest = line.partition(" ")
    if word == "exit" and rest.isdecimal():
        return Exit(code=int(rest))
    if word == "signal" and rest.isdecimal():
        return Exit(signal=int(rest))
    if word == "excess":
        return Exit(excess=rest)
    if word == "broken":
        return Exit(error=f"the sandbox failed: {printable(rest)}", is_broken=True)
    return Exit(error=f"could not be started: {printable(rest)}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
