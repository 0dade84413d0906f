"""What a bot process may use, and the level `limits`: resource limits, and nothing of it survives.

This level confines how much a bot uses, not what it sees: a bot runs as the harness's own user and can
read that user's files.
"""

from typing import NamedTuple

from harness.sandbox.plan import Plan

MB = 1024 * 1024
KB = 1024
TAIL_KB = 64
"""What is kept of the end of a bot's output, beyond `log_kb` of its beginning."""
PROCESS_SLACK = 32
"""The kernel counts processes and threads by user, so the limit must leave room for all the other bots' own."""


class ProcessLimits(NamedTuple):
    """What one bot process, with all that it starts, may use."""

    memory_mb: int = 512
    processes: int = 64
    """Processes and threads."""
    tmp_mb: int = 32
    """What it may write: its own temporary files."""
    log_kb: int = 256
    """What is kept of the beginning of its output."""
    files: int = 256
    """Files and sockets open at the same time."""
    cpus: int = 1
    """Cores kept busy, where control groups can be had."""


SDK_MEMORY_MB, SDK_PROCESSES = 96, 12
"""What a bot of the Python SDK starts within."""


def scarcity(limits: ProcessLimits) -> str:
    """Which limits may have kept a bot from starting, to stand behind how it failed; "" where there is room."""
    little = [
        f"{name} = {value}"
        for name, value, enough in (
            ("memory_mb", limits.memory_mb, SDK_MEMORY_MB),
            ("processes", limits.processes, SDK_PROCESSES),
        )
        if value < enough
    ]
    if not little:
        return ""
    needs = f"a bot of the Python SDK starts within {SDK_MEMORY_MB} MB and {SDK_PROCESSES} processes"
    return f"; [limits] {' and '.join(little)} may be too little: {needs}"


def limit_process(plan: Plan, limits: ProcessLimits) -> None:
    """Sets the limits that each process of the bot inherits."""
    plan.data_bytes = limits.memory_mb * MB
    plan.memory_bytes = limits.memory_mb * MB
    plan.files = limits.files
    plan.file_bytes = limits.tmp_mb * MB


def limit_user(plan: Plan, limits: ProcessLimits) -> None:
    """Limits the processes of the bot's user. To call when it is known who that is."""
    plan.processes = limits.processes * (1 if plan.uid else PROCESS_SLACK)
