"""Which processes of bots are alive."""

import asyncio
import os
import time
from pathlib import Path


def processes_with(text: str) -> list[str]:
    """Command lines of other processes that run with `text` in their environment or on that line."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and process.name != str(os.getpid()):
            try:
                environment, command = ((process / name).read_bytes() for name in ("environ", "cmdline"))
                if text.encode() in environment + command:
                    found.append(command.replace(b"\0", b" ").decode())
            except OSError:
                continue  # It has just ended.
    return found


async def all_gone(text: str, within_s: float = 60.0) -> bool:
    """Whether there are none before long."""
    deadline = time.monotonic() + within_s
    while processes_with(text):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True
