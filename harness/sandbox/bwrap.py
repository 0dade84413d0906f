"""The level `bwrap`: a bot sees a system of its own, made for it by bubblewrap.

Its own processes, its own network with nothing in it, read-only files (the system's programs, its runtime, its
folder), a private /tmp of a size, a filter of system calls, and one socket. For an ordinary user
bubblewrap makes a user name space. Root gives the bot a user of its own instead: in a user name space of root's it
would be root outside, and could write what root can (/proc/sys, for one).
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from harness.sandbox.becoming import BLOCK_FD, SECCOMP_FD, STATUS_FD
from harness.sandbox.cell import Cell
from harness.sandbox.forwarder import PORT
from harness.sandbox.limits import MB, ProcessLimits
from harness.sandbox.plan import TOKEN_VARIABLE, Plan
from harness.sandbox.runtime import SYSTEM, Runtime

TMP = "/tmp"
SOCKET = "/run/cardarena/arena.sock"
SHM_MB = 8
LEAST_BYTES = 4096
"""A size of 0 would mean no limit."""
OWN_TASKS = 2
"""Of the processes inside: bubblewrap's own, which count for the bot's user."""
USER_INSIDE = 1000
SYSTEM_ROOTS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
SYSTEM_PLACES = ("/nix/store",)
ETC = (
    "alternatives",
    "ssl/openssl.cnf",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "timezone",
    "crypto-policies",
)
ETC_PATTERNS = ("java*", "python3*", "perl")
"""Of /etc: what programs need to find their libraries and to tell the time, and nothing about this machine."""
ETC_OF_NETWORK = tuple(
    path
    for path in ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl", "/etc/ca-certificates")
    if os.path.exists(path)
)
_HARMLESS = {"PATH": "", "HOME": "", "TMPDIR": "", "CARDARENA_ADDRESS": "", "LANG": "C.UTF-8"}
"""Variables that may stand while other programs than the bot's run, with any value ("") or this one."""
_BECOME_USER = ("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs")
_KEPT_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


def find_bwrap() -> str | None:
    """Path of bubblewrap; None: it is not installed."""
    return shutil.which("bwrap", path=f"{os.environ.get('PATH', '')}:{os.defpath}")


def enclose(plan: Plan, cell: Cell, env: Mapping[str, str], limits: ProcessLimits, runtime: Runtime) -> None:
    """Puts the bot of `plan`, whose user is chosen already, behind bubblewrap.

    What the bot asks for in `env` is set by the last step, which is the bot's user and has no capabilities: bubblewrap
    and `setpriv` are root's where the harness is, and a loader listens to variables.
    """
    program = find_bwrap()
    assert program is not None, "bubblewrap was there when it was tried"
    shown = [Path(plan.cwd), *runtime.paths]
    view = _View()
    view.show_system()
    view.add_devices_and_tmp(limits)
    for path in sorted(shown):  # after /tmp, below which it may lie
        view.show(path, writable=cell.is_build and path == shown[0])
    for name in ETC_OF_NETWORK if cell.has_network else ():
        view.show(Path(name))
    if cell.socket is not None:
        view.show(cell.socket, Path(SOCKET))
    argv = [
        program,
        *_name_spaces(plan, has_network=cell.has_network),
        *view.words,
        "--chdir",
        plan.cwd,
        "--remount-ro",
        "/",
    ]
    asked = _environment(cell, env, shown, runtime)
    asked.pop(TOKEN_VARIABLE, None)
    for name, value in _HARMLESS.items():
        if name in asked and value in ("", asked[name]):
            argv += ["--setenv", name, asked.pop(name)]
    argv += ["--seccomp", str(SECCOMP_FD), "--json-status-fd", str(STATUS_FD), "--block-fd", str(BLOCK_FD), "--"]
    if plan.uid:
        user = str(plan.uid)
        argv += [_helper("setpriv"), f"--reuid={user}", f"--regid={user}", "--clear-groups", *_BECOME_USER, "--"]
        plan.uid = 0  # bubblewrap itself is run by root
        tasks = limits.processes
    else:
        tasks = limits.processes + OWN_TASKS
    argv += [_helper("prlimit"), f"--nproc={tasks}", "--"]
    if asked:
        argv += [_helper("env"), *(f"{name}={value}" for name, value in asked.items())]
    plan.argv = (*argv, *plan.argv)
    plan.bwrap = 1
    plan.cwd = "/"
    if cell.tcp and cell.socket is not None:
        plan.forward = str(cell.socket)


@cache
def _helper(name: str) -> str:
    """Path of a program of the system's that is run on the way to the bot's: never looked for where the bot says."""
    return shutil.which(name, path=f"{os.defpath}:{os.environ.get('PATH', '')}") or name


def _name_spaces(plan: Plan, *, has_network: bool) -> Iterator[str]:
    if plan.uid:
        yield from ("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
        if not has_network:
            yield "--unshare-net"
        yield from ("--cap-drop", "ALL")
        for capability in _KEPT_CAPABILITIES:
            yield from ("--cap-add", capability)
    else:
        yield from ("--unshare-user", "--unshare-all", "--disable-userns")
        if has_network:
            yield "--share-net"
        yield from ("--uid", str(USER_INSIDE), "--gid", str(USER_INSIDE))
    yield from ("--die-with-parent", "--new-session", "--hostname", "bot")


class _View:
    """Options that make up the file system that the bot sees."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._folders = {Path("/"), Path(TMP)}

    def show_system(self) -> None:
        """The system's programs and libraries, and what they need of /etc."""
        self.show(SYSTEM)
        for name in SYSTEM_ROOTS:
            path = Path("/") / name
            if path.is_symlink():
                self.words += ["--symlink", os.readlink(path), str(path)]
            elif path.is_dir():
                self.show(path)
        for path in system_files():
            self.show(path)

    def show(self, source: Path, target: Path | None = None, *, writable: bool = False) -> None:
        """Shows what is at `source`, there or at `target`; read-only unless it is `writable`."""
        target = target or source
        if target.is_relative_to(SYSTEM) and target != SYSTEM:
            return
        # Bubblewrap would close the folders above to other users than root, and a bot of root's is one.
        for folder in reversed(target.parents):
            if folder not in self._folders:
                self._folders.add(folder)
                self.words += ["--perms", "0755", "--dir", str(folder)]
        self.words += ["--bind" if writable else "--ro-bind", str(source), str(target)]
        self._folders.add(target)

    def add_devices_and_tmp(self, limits: ProcessLimits) -> None:
        """What a bot may write to is in memory, and of a size."""
        self.words += ["--proc", "/proc", "--dev", "/dev"]
        size = max(limits.tmp_mb * MB, LEAST_BYTES)
        self.words += ["--size", str(min(size, SHM_MB * MB)), "--perms", "1777", "--tmpfs", "/dev/shm"]
        self.words += ["--remount-ro", "/dev", "--size", str(size), "--perms", "1777", "--tmpfs", TMP]


@cache
def system_files() -> tuple[Path, ...]:
    """What is shown of the system beside `SYSTEM` and its roots. Looked for once."""
    etc = Path("/etc")
    found = [etc / name for name in ETC]
    for pattern in ETC_PATTERNS:
        found += sorted(etc.glob(pattern))
    return tuple(path for path in (*found, *map(Path, SYSTEM_PLACES)) if path.exists())


def _environment(cell: Cell, env: Mapping[str, str], shown: list[Path], runtime: Runtime) -> dict[str, str]:
    roots = {SYSTEM, *(Path("/") / name for name in SYSTEM_ROOTS), *shown}
    search = [*map(str, runtime.search)]
    for folder in env.get("PATH", os.defpath).split(":"):
        if folder not in search and not roots.isdisjoint((Path(folder), *Path(folder).parents)):
            search.append(folder)
    inside = {**env, "PATH": ":".join(search), "HOME": TMP, "TMPDIR": TMP}
    if cell.socket is not None:
        inside["CARDARENA_ADDRESS"] = f"127.0.0.1:{PORT}" if cell.tcp else f"unix:{SOCKET}"
    return inside
