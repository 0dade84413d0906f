"""What a bot process may use, and the level `limits`: resource limits, and nothing of it survives.

This level confines how much a bot uses, not what it sees: a bot runs as the harness's own user and can
read that user's files.
"""

import sys
from pathlib import Path
from typing import NamedTuple

KEEPER = Path(__file__).with_name("keeper.py")
LEVEL = "limits"
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
    """Size of a file that it writes."""
    log_kb: int = 256
    """What is kept of the beginning of its output."""
    files: int = 256
    """Files and sockets open at the same time."""


def keeper_argv(control_fd: int, status_fd: int, limits: ProcessLimits, cwd: Path, argv: tuple[str, ...]) -> list[str]:
    """The command line of the keeper of one bot process."""
    numbers = (
        control_fd,
        status_fd,
        limits.memory_mb * MB,
        limits.processes * PROCESS_SLACK,
        limits.files,
        limits.tmp_mb * MB,
        limits.log_kb * KB,
        TAIL_KB * KB,
    )
    # -I -S: no environment variable and no site-packages of a bot has a say in the keeper, and it starts quickly.
    return [sys.executable, "-I", "-S", str(KEEPER), *map(str, numbers), str(cwd), *argv]
