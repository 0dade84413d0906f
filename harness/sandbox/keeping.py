"""What a keeper does, from the start of its bot to the last trace of it.

The bot is the keeper's child, in a session of its own. The keeper is the sub-reaper of everything that the
bot starts, so that a double fork with setsid does not get away. When the bot's first process ends, when it uses too
much, when the harness closes the control pipe (its death closes it too, by kill -9 as well), or SIGTERM comes, the
keeper kills all its descendants until none is left, and ends. Should the keeper itself be killed, the kernel
kills the bot's first process.

On the status pipe it writes one line:

    exit 3            the bot ended by itself
    signal 9          it was killed
    failed TEXT       its argv could not be run
    excess TEXT       it used too much of something, and was killed for it
    broken TEXT       the sandbox did not come about: no fault of the bot

On stdout it passes on what the bot writes on stdout and stderr, as `CappedLog` says.
"""

import errno
import os
import select
import signal
import time

from harness.sandbox import kernel
from harness.sandbox.becoming import become
from harness.sandbox.capped_log import CappedLog
from harness.sandbox.descendants import descendants
from harness.sandbox.plan import Plan, plan_of
from harness.sandbox.watch import PERIOD_S, Watch

KILL_PAUSE_S = 0.002
BY_SIGNAL = 128
"""Bubblewrap gives the end by signal N as the exit code 128 + N, as shells do."""


class Keeper:
    """The state of one keeper."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.bot_pid = 0
        self.ended = False
        self.is_killing = False
        self.log: CappedLog
        self.watch = Watch(plan, 0)
        self.gate_end = -1
        """What is written here lets the bot in. Never closed before: bubblewrap takes that for leave to go on."""
        self.inner_fd = -1
        """Where bubblewrap writes how things stand."""
        self.inner = b""

    def report(self, line: str) -> None:
        """Tells the harness how the bot ended, once."""
        if not self.ended:
            self.ended = True
            try:  # noqa: SIM105 - contextlib would slow every start by its import
                os.write(self.plan.status_fd, " ".join(line.split()).encode(errors="replace") + b"\n")
            except OSError:
                pass  # The harness is gone: there is nobody to tell.

    def start(self) -> None:
        """Starts the bot, which is made ready while the kernel puts it into its groups, and is executed after that."""
        plan = self.plan
        log_fd, log_end = os.pipe()
        os.set_blocking(log_fd, False)
        self.log = CappedLog(log_fd, 1, plan.head_bytes, plan.tail_bytes)
        try:
            self._make_groups()
        except OSError as error:
            self.report(f"broken no control group can be made: {error}")
            return
        failed_fd, failed_end = os.pipe()  # closed by a successful exec
        gate_fd, self.gate_end = os.pipe()
        status_end = -1
        if plan.bwrap:
            self.inner_fd, status_end = os.pipe()
        keeper_pid = os.getpid()
        self.bot_pid = os.fork()
        if self.bot_pid == 0:
            try:
                os.close(self.gate_end)
                become(plan, log_end, keeper_pid, gate_fd, status_end)
            except BaseException as error:
                os.write(failed_end, str(error).encode(errors="replace"))
            finally:
                os._exit(127)
        for descriptor in (log_end, failed_end, gate_fd, status_end):
            if descriptor >= 0:
                os.close(descriptor)
        self.watch = Watch(plan, self.bot_pid)
        try:
            self._let_in()
        except (ProcessLookupError, BrokenPipeError):
            pass  # It says why, or its end does.
        except OSError as error:
            self.report(f"broken {error}")
            return
        failure = os.read(failed_fd, 4096)
        os.close(failed_fd)
        if failure:
            self.report(f"{'broken' if plan.bwrap else 'failed'} {failure.decode(errors='replace')}")

    def _make_groups(self) -> None:
        for folder in self.plan.cgroups:
            os.mkdir(folder)
        for setting in self.plan.cgroup_settings:
            path, _, value = setting.partition(" ")
            with open(path, "w", encoding="ascii") as file:
                file.write(value)

    def _let_in(self) -> None:
        """Opens the gate, once the bot's groups hold what waits at it.

        ProcessLookupError and BrokenPipeError: nothing waits, as it has failed before.
        """
        self._join_groups(self.bot_pid)
        if self.plan.bwrap:
            self.watch.inside_pid = self._inside_pid()
            self._join_groups(self.watch.inside_pid)
        if self.plan.forward:
            # Not above: most bots need none, and it brings Python's sockets, which would slow every start.
            from harness.sandbox.forwarder import start_forwarder

            start_forwarder(self.watch.inside_pid, self.plan.forward)
        os.write(self.gate_end, b".")
        os.close(self.gate_end)

    def _join_groups(self, pid: int) -> None:
        """Puts a process into the bot's groups; what it starts from then on is in them, too.

        The kernel takes some milliseconds over the first, in which the process goes on, and hardly any over the next.
        """
        try:
            for folder in self.plan.cgroups:
                with open(f"{folder}/cgroup.procs", "w", encoding="ascii") as members:
                    members.write(str(pid))
        except ProcessLookupError:
            raise
        except OSError as error:
            raise OSError(f"no control group takes the bot: {error}") from error

    def _inside_pid(self) -> int:
        """The process that bubblewrap makes its sandbox in, and that becomes the bot when it is let in."""
        while b"\n" not in self.inner:
            data = os.read(self.inner_fd, 4096)
            if not data:
                raise ProcessLookupError("bubblewrap has failed")
            self.inner += data
        os.set_blocking(self.inner_fd, False)
        return _number_after(self.inner, b'"child-pid":')

    def run(self, wake_fd: int) -> None:
        """Waits until the bot has ended or must end."""
        poll = select.poll()
        for descriptor in (self.plan.control_fd, wake_fd, self.log.source_fd):
            poll.register(descriptor, select.POLLIN)
        look_s = time.monotonic() + PERIOD_S if self.watch.is_needed else float("inf")
        while not self.ended:
            poll.register(1, select.POLLOUT if self.log.waiting else 0)
            wait_s = look_s - time.monotonic()
            events = dict(poll.poll(max(0.0, wait_s) * 1000 if self.watch.is_needed else None))
            if self.plan.control_fd in events:
                return
            if wake_fd in events and signal.SIGTERM in os.read(wake_fd, 4096):
                return
            if 1 in events:
                self.log.pass_on()
                if events[1] & (select.POLLERR | select.POLLHUP):
                    return  # Nobody reads any more: the harness is gone.
            if self.log.source_fd in events and not self.log.read():
                poll.unregister(self.log.source_fd)
            self.reap()
            if time.monotonic() >= look_s:
                look_s = time.monotonic() + PERIOD_S
                if excess := self.watch.excess():
                    self.report(f"excess {excess}")

    def reap(self) -> bool:
        """Takes note of every child that has ended. False: there is no child left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.bot_pid:
                self.report(self._end(os.waitstatus_to_exitcode(status)))

    def _end(self, code: int) -> str:
        if not self.is_killing and self.watch.killed_for_memory():
            return f"excess {self.watch.memory_words}"
        if self.plan.bwrap:
            if self.is_killing:
                return f"signal {signal.SIGKILL:d}"
            return self._end_within()
        return f"exit {code}" if code >= 0 else f"signal {-code}"

    def _end_within(self) -> str:
        """How the bot ended, as bubblewrap told; where it did not, bubblewrap itself has failed."""
        while data := _read_ready(self.inner_fd):
            self.inner += data
        if b'"exit-code":' not in self.inner:
            self.log.drain()
            return f"broken {self.log.last_line() or 'bubblewrap was killed'}"
        code = _number_after(self.inner, b'"exit-code":')
        if BY_SIGNAL < code < BY_SIGNAL + signal.NSIG:
            return f"signal {code - BY_SIGNAL}"
        return f"exit {code}"

    def kill_all(self) -> None:
        """Kills every descendant until none is left."""
        self.is_killing = True
        while self.reap():
            pids = descendants(os.getpid())
            # Stopped first, so that a bomb does not fork faster than it is killed.
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for pid in pids:
                    try:
                        os.kill(pid, number)
                    except OSError as error:
                        if error.errno != errno.ESRCH:
                            raise
            if not pids:
                _kill_session(self.bot_pid)
            time.sleep(KILL_PAUSE_S)
        for folder in self.plan.cgroups:
            _remove_cgroup(folder)


def _kill_session(pid: int) -> None:
    """Kills what is left of a bot's process group, where the system does not tell who started whom."""
    try:  # noqa: SIM105 - as above
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass  # There is none.


def _remove_cgroup(folder: str) -> None:
    for _ in range(100):
        try:
            os.rmdir(folder)
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(KILL_PAUSE_S)  # The kernel still counts what was killed.
        else:
            return


def _read_ready(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except BlockingIOError:
        return b""


def _number_after(text: bytes, mark: bytes) -> int:
    digits = text.partition(mark)[2].split(b"}")[0].split(b",")[0]
    return int(digits)


def main(words: list[str]) -> None:
    """Keeps the bot that `words` describe."""
    plan = plan_of(words)
    for descriptor in (plan.control_fd, plan.status_fd):
        os.set_inheritable(descriptor, False)
    if kernel.is_linux():
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    wake_fd, wake_end = os.pipe()
    for descriptor in (wake_fd, wake_end, 1):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    keeper = Keeper(plan)
    try:
        keeper.start()
        keeper.run(wake_fd)
    finally:
        keeper.kill_all()
        keeper.log.finish()
