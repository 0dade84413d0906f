"""The processor time of a bot counts all its processes, and stands while they sleep."""

import asyncio
import sys
import time
from pathlib import Path

from harness.sandbox.cpu import LOOK_NS, CpuMeter
from harness.sandbox.descendants import family
from harness.sandbox.process import BotProcess
from tests.sandbox.test_process import start

BURN = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        break
until = time.process_time() + 0.1
while time.process_time() < until:
    pass
print(".", flush=True)
time.sleep(3600)
"""


async def all_sleep(process: BotProcess, count: int) -> None:
    """Waits until it has written so many dots and no process of it runs any more."""
    while process.output.count(b".") < count or any(map(runs, family(process.pid)[1:])):
        await asyncio.sleep(0.01)


def runs(pid: int) -> bool:
    return not Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].startswith(" S")


async def test_processor_time_is_that_of_all_processes_of_a_bot() -> None:
    process = start(sys.executable, "-I", "-S", "-c", BURN)
    try:
        await all_sleep(process, 3)
        meter = CpuMeter(process.pid)
        now_ns = time.monotonic_ns()
        first = meter.read_ns(now_ns)
        again = meter.read_ns(now_ns + 1)
        later = meter.read_ns(now_ns + LOOK_NS)
    finally:
        process.kill()
        await process.gone()
    ended = meter.read_ns(now_ns + 2 * LOOK_NS)

    assert first is not None
    assert first >= 3 * 100_000_000
    assert first == again == later == ended, "they sleep, and what has ended still counts"
