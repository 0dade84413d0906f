"""Keeps one bot process: starts it, reports how it ended, and leaves nothing of it alive.

Run as a script of its own, one for each bot process, never imported by the harness:

    python -I -S keeper.py CONTROL_FD STATUS_FD MEMORY PROCESSES FILES FILE_SIZE HEAD TAIL CWD ARG...

(limits in bytes and counts, then the bot's argv). The bot is the keeper's child in a session of its own. The
keeper is the sub-reaper of everything that the bot starts, so that a double fork with setsid does not
get away. When the bot's first process ends, or the harness closes the control pipe (its death
closes it too, by kill -9 as well), or SIGTERM comes, it kills all its descendants until none is left
and ends. Should the keeper itself be killed, the kernel kills the bot's first process.

On STATUS_FD it writes one line: `exit 3`, `signal 9` or `failed TEXT` (the argv could not be run). On
stdout it passes on what the bot writes on stdout and stderr: the first HEAD bytes at once, the
last TAIL bytes at the end, in between a line that counts what was left out. A flood is read
slowly, so that it holds up nobody but the bot.
"""

import ctypes
import errno
import os
import resource
import select
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
READ_BYTES = 64 * 1024
FLOOD_PAUSE_S = 0.001
KILL_PAUSE_S = 0.002
FLUSH_S = 1.0


def prctl(option: int, value: int) -> None:
    """The system call, where there is one (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def descendants(of_pid: int) -> list[int]:
    """Processes whose chain of parents leads to `of_pid`."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    # The command, in brackets, may hold spaces and brackets itself.
                    parents[int(name)] = int(stat.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError):
                continue  # It has just ended.
    found: list[int] = []
    level = [of_pid]
    while level:
        level = [pid for pid, parent in parents.items() if parent in level]
        found += level
    return found


class Keeper:
    """The state of one keeper."""

    def __init__(self, control_fd: int, status_fd: int, head_bytes: int, tail_bytes: int) -> None:
        self.control_fd = control_fd
        self.status_fd = status_fd
        self.head_left = head_bytes
        self.tail_bytes = tail_bytes
        self.out = bytearray()  # to pass on
        self.tail = bytearray()
        self.left_out_bytes = 0
        self.bot_pid = 0
        self.ended = False
        self.log_fd = -1

    def report(self, line: str) -> None:
        """Tells the harness how the bot ended, once."""
        if not self.ended:
            self.ended = True
            try:  # noqa: SIM105 - contextlib would slow every start by its import
                os.write(self.status_fd, line.encode(errors="replace") + b"\n")
            except OSError:
                pass  # The harness is gone: there is nobody to tell.

    def start(self, argv: list[str], cwd: str, limits: list[tuple[int, int]]) -> None:
        """Starts the bot."""
        self.log_fd, log_end = os.pipe()
        failed_fd, failed_end = os.pipe()  # closed by a successful exec
        keeper_pid = os.getpid()
        self.bot_pid = os.fork()
        if self.bot_pid == 0:
            try:
                self._become_bot(argv, cwd, limits, log_end, keeper_pid)
            except BaseException as error:
                os.write(failed_end, str(error).encode(errors="replace"))
            finally:
                os._exit(127)
        os.close(log_end)
        os.close(failed_end)
        os.set_blocking(self.log_fd, False)
        failure = os.read(failed_fd, 4096)
        os.close(failed_fd)
        if failure:
            self.report("failed " + " ".join(failure.decode(errors="replace").split()))

    def _become_bot(
        self, argv: list[str], cwd: str, limits: list[tuple[int, int]], log_end: int, keeper_pid: int
    ) -> None:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != keeper_pid:
            os._exit(127)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM, signal.SIGCHLD, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(log_end, 1)
        os.dup2(log_end, 2)
        os.chdir(cwd)
        for limit, value in limits:
            hard = resource.getrlimit(limit)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(limit, (value, value))
        os.execvp(argv[0], argv)

    def run(self, wake_fd: int) -> None:
        """Waits until the bot has ended or must end."""
        poll = select.poll()
        poll.register(self.control_fd, select.POLLIN)
        poll.register(wake_fd, select.POLLIN)
        poll.register(self.log_fd, select.POLLIN)
        while not self.ended:
            poll.register(1, select.POLLOUT if self.out else 0)
            events = dict(poll.poll())
            if self.control_fd in events:
                return
            if wake_fd in events and signal.SIGTERM in os.read(wake_fd, 4096):
                return
            if 1 in events:
                self.pass_on()
                if events[1] & (select.POLLERR | select.POLLHUP):
                    return  # Nobody reads any more: the harness is gone.
            if self.log_fd in events and not self.read_log():
                poll.unregister(self.log_fd)
            self.reap()

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
                code = os.waitstatus_to_exitcode(status)
                self.report(f"exit {code}" if code >= 0 else f"signal {-code}")

    def kill_all(self) -> None:
        """Kills every descendant until none is left."""
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
            time.sleep(KILL_PAUSE_S)

    def read_log(self) -> bool:
        """Takes one read of what the bot wrote. False at its end."""
        try:
            data = os.read(self.log_fd, READ_BYTES)
        except BlockingIOError:
            return True
        if self.head_left:
            self.out += data[: self.head_left]
            rest = data[self.head_left :]
            self.head_left = max(0, self.head_left - len(data))
        else:
            rest = data
            time.sleep(FLOOD_PAUSE_S)
        self.tail += rest
        excess = len(self.tail) - self.tail_bytes
        if excess > 0:
            self.left_out_bytes += excess
            del self.tail[:excess]
        return bool(data)

    def pass_on(self) -> None:
        """Writes what the harness's pipe takes."""
        try:
            del self.out[: os.write(1, self.out)]
        except BlockingIOError:
            pass
        except OSError:
            self.out.clear()

    def finish_log(self) -> None:
        """Passes on the rest, once nothing writes any more."""
        while self._unread():
            self.read_log()
        if self.left_out_bytes:
            self.out += f"\n[{self.left_out_bytes} bytes left out]\n".encode()
        self.out += self.tail
        deadline = time.monotonic() + FLUSH_S
        while self.out and time.monotonic() < deadline:
            self.pass_on()
            if self.out:
                time.sleep(KILL_PAUSE_S)

    def _unread(self) -> bool:
        poll = select.poll()
        poll.register(self.log_fd, select.POLLIN)
        return any(event & select.POLLIN for _, event in poll.poll(0))


def task_count() -> int:
    """Processes and threads on this machine."""
    try:
        with open("/proc/loadavg", encoding="ascii") as loadavg:
            return int(loadavg.read().split()[3].split("/")[1])
    except OSError:
        return 0


def main(args: list[str]) -> None:
    """Keeps the bot that `args` describe."""
    control_fd, status_fd, memory, processes, files, file_size, head, tail = (int(text) for text in args[:8])
    cwd, argv = args[8], args[9:]
    for fd in (control_fd, status_fd):
        os.set_inheritable(fd, False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    wake_fd, wake_end = os.pipe()
    for fd in (wake_fd, wake_end, 1):
        os.set_blocking(fd, False)
    signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    limits = [
        # Not RLIMIT_AS: Java and Node reserve far more address space than they use.
        (resource.RLIMIT_DATA, memory),
        # Counts every task of the user on the machine, not the bot's own: no more than a brake on fork bombs.
        (resource.RLIMIT_NPROC, task_count() + processes),
        (resource.RLIMIT_NOFILE, files),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_CORE, 0),
    ]
    keeper = Keeper(control_fd, status_fd, head, tail)
    keeper.start(argv, cwd, limits)
    try:
        keeper.run(wake_fd)
    finally:
        keeper.kill_all()
        keeper.finish_log()


if __name__ == "__main__":
    main(sys.argv[1:])
