"""The way of a fork of the keeper to being the bot: every step takes something away, and the last is `exec`."""

import errno
import os
import resource
import signal

from harness.sandbox import kernel
from harness.sandbox.descendants import task_count
from harness.sandbox.landlock import restrict
from harness.sandbox.plan import TOKEN_VARIABLE, Plan
from harness.sandbox.way import open_way

SECCOMP_FD, STATUS_FD, BLOCK_FD = 97, 98, 99
"""Descriptors that bubblewrap is told of: the filter, where to write how things stand, what to wait for."""

_DEFAULT_SIGNALS = ("SIGPIPE", "SIGXFSZ", "SIGTERM", "SIGCHLD", "SIGINT", "SIGHUP")


def become(plan: Plan, log_end: int, keeper_pid: int, gate_fd: int, status_end: int) -> None:
    """Turns this process, a fork of the keeper, into what `plan` says. Raises OSError where it cannot.

    Whatever is read from `gate_fd` lets the bot in; bubblewrap waits for it in its own place. `status_end`: where
    bubblewrap writes how things stand.
    """
    os.setsid()
    signal.set_wakeup_fd(-1)
    for name in _DEFAULT_SIGNALS:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(log_end, 1)
    os.dup2(log_end, 2)
    if plan.way:
        open_way(plan.way)
    _limit(plan)
    _wait_for_turns()
    if plan.uid:
        os.setgroups([])
        os.setresgid(plan.uid, plan.uid, plan.uid)
        os.setresuid(plan.uid, plan.uid, plan.uid)
    if kernel.is_linux():
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)  # after the change of user, which clears it
        if os.getppid() != keeper_pid:
            os._exit(127)
    os.chdir(plan.cwd)
    if plan.no_new_privileges:
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if plan.landlock:
        restrict(plan.landlock, plan.readable, plan.writable, plan.port)
    if plan.bwrap:
        _hand_over(bytes.fromhex(plan.seccomp), status_end, gate_fd)
    elif plan.seccomp:
        kernel.set_filter(bytes.fromhex(plan.seccomp))
    environment = {} if TOKEN_VARIABLE not in os.environ else {TOKEN_VARIABLE: os.environ[TOKEN_VARIABLE]}
    for variable in plan.variables:
        name, _, environment[name] = variable.partition("=")
    if not plan.bwrap and not os.read(gate_fd, 1):
        return  # The keeper is gone.
    _execute(plan.argv, environment)


def _execute(argv: tuple[str, ...], environment: dict[str, str]) -> None:
    """Replaces this process. Not os.execvpe, which imports a module: Python's own files may be out of reach by now."""
    if "/" in argv[0]:
        os.execve(argv[0], argv, environment)
    problem: OSError = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    for folder in environment.get("PATH", os.defpath).split(":"):
        path = f"{folder or '.'}/{argv[0]}"
        if os.path.isfile(path):
            try:
                os.execve(path, argv, environment)
            except OSError as error:
                problem = error  # As a shell does: what may not be executed here is looked for further on.
    raise problem


def _limit(plan: Plan) -> None:
    limits = [
        # Not RLIMIT_AS: Java and Node reserve far more address space than they use.
        (resource.RLIMIT_DATA, plan.data_bytes),
        (resource.RLIMIT_NOFILE, plan.files),
    ]
    if plan.processes:
        # Counts every task of the user on the machine: where bots share one, no more than a brake on fork bombs.
        limits.append((resource.RLIMIT_NPROC, plan.processes + (0 if plan.uid else task_count())))
    if plan.file_bytes >= 0:
        limits.append((resource.RLIMIT_FSIZE, plan.file_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for limit, value in limits:
        if value or limit == resource.RLIMIT_FSIZE:
            hard = resource.getrlimit(limit)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(limit, (value, value))


def _wait_for_turns() -> None:
    """A bot that wakes up does not take the processor from the harness, which all other bots wait for."""
    if kernel.is_linux():
        try:  # noqa: SIM105 - contextlib would slow every start by its import
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        except OSError:
            pass  # Where a container forbids it, everything is a little slower.


def _hand_over(code: bytes, status_end: int, gate_fd: int) -> None:
    filter_fd = os.memfd_create("filter")
    os.write(filter_fd, code)
    os.lseek(filter_fd, 0, os.SEEK_SET)
    for descriptor, number in zip((filter_fd, status_end, gate_fd), (SECCOMP_FD, STATUS_FD, BLOCK_FD), strict=True):
        os.dup2(descriptor, number)
