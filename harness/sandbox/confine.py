"""From a level to the plan of one process: what is set, shown and filtered."""

import os
import platform
from collections.abc import Mapping
from pathlib import Path

from harness.sandbox import bwrap
from harness.sandbox.cell import Cell
from harness.sandbox.landlock import ANY_PORT
from harness.sandbox.limits import MB, ProcessLimits, limit_process, limit_user
from harness.sandbox.plan import TOKEN_VARIABLE, Plan
from harness.sandbox.runtime import PACKAGE, SYSTEM, Runtime, runtime_of
from harness.sandbox.seccomp import ANY_NETWORK, LOOPBACK_TCP, NO_NETWORK, seccomp_filter

PROC = "/proc"


def confine(plan: Plan, cell: Cell, env: Mapping[str, str], limits: ProcessLimits) -> None:
    """Completes `plan`, whose argv, folder and user are set, by what the level of `cell` does.

    `env`: the bot's environment, in which the level may change where things are. Levels build on each other, but for
    bubblewrap, which has its own ways.
    """
    sandbox = cell.sandbox
    runtime = runtime_of(plan.argv[0], env) if cell.runtime is None else cell.runtime
    if sandbox.level != "none":
        limit_process(plan, limits)
        if sandbox.cgroups is not None:
            sandbox.cgroups.confine(plan, limits)
        if cell.is_build:
            plan.folder, plan.folder_bytes = plan.cwd, limits.tmp_mb * MB
    if sandbox.level == "bwrap":
        plan.seccomp = seccomp_filter(platform.machine(), ANY_NETWORK).hex()
        bwrap.enclose(plan, cell, env, limits, runtime)
        return
    needed = [Path(plan.cwd), *runtime.paths, *(path for path in (cell.directory, cell.socket) if path is not None)]
    if plan.uid and sandbox.opens_ways:
        plan.way = tuple(sorted({str(path) for path in (*needed, *(path.resolve() for path in needed))}))
    if sandbox.level != "none":
        limit_user(plan, limits)
        plan.no_new_privileges = 1
        if cell.directory is not None and not cell.is_build:
            plan.folder, plan.folder_bytes = str(cell.directory), limits.tmp_mb * MB
    env = _with_search(env, runtime)
    if sandbox.level == "landlock":
        _give_up(plan, cell, env, runtime)
        if PACKAGE in runtime.paths and cell.directory is not None:
            env = _with_sdk(env, cell.directory)
    plan.variables = tuple(f"{name}={value}" for name, value in env.items() if name != TOKEN_VARIABLE)


def _give_up(plan: Plan, cell: Cell, env: Mapping[str, str], runtime: Runtime) -> None:
    """The level landlock."""
    plan.landlock = cell.sandbox.landlock_abi
    system = [SYSTEM, *(Path("/") / name for name in bwrap.SYSTEM_ROOTS), *bwrap.system_files()]
    plan.readable = tuple(map(str, (*system, PROC, plan.cwd, *runtime.paths)))
    plan.writable = () if cell.directory is None else (str(cell.directory),)
    network = NO_NETWORK
    if cell.tcp:
        plan.port = int(env["CARDARENA_ADDRESS"].rpartition(":")[2])
        network = LOOPBACK_TCP
    if cell.is_build:
        plan.writable += (plan.cwd,)
    if cell.has_network:
        plan.port, network = ANY_PORT, ANY_NETWORK
    # A build makes programs, which must be marked as such; it runs in a folder of its own, before any match.
    code = seccomp_filter(platform.machine(), network, among_others=True, keeps_attributes=not cell.is_build)
    plan.seccomp = code.hex()


def _with_sdk(env: Mapping[str, str], directory: Path) -> Mapping[str, str]:
    """Lets Python find the SDK of a checkout, whose folder it may not list, in a folder that it may."""
    folder = directory / "sdk"
    folder.mkdir()
    (folder / PACKAGE.name).symlink_to(PACKAGE)
    return {**env, "PYTHONPATH": ":".join(filter(None, (env.get("PYTHONPATH"), str(folder))))}


def _with_search(env: Mapping[str, str], runtime: Runtime) -> Mapping[str, str]:
    search = env.get("PATH", os.defpath).split(":")
    first = [str(folder) for folder in runtime.search if str(folder) not in search]
    return {**env, "PATH": ":".join([*first, *search])} if first else env
