"""A worker that says when it ends what it took: a stand-in for `harness.workers.worker` in the benches.

    python -m tests.bench.measured_worker DESCRIPTOR

It plays as the worker does and looks on. What it has noted it writes as JSON to the file in `BENCH_FIGURES`; with
`BENCH_SAMPLE_S`, a time between samples, also in which layer of the harness its main thread was how often.
"""

import asyncio
import json
import os
import resource
import signal
import socket
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

from harness.sandbox.process import BotProcess
from harness.workers.worker import serve

MODULE = "tests.bench.measured_worker"
ROOT = Path(__file__).parent.parent.parent
CLEAR_REFS = Path("/proc/self/clear_refs")


def cpu_s() -> float:
    """Processor time of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Listener:
    """Looks on (`harness.arena.Witness`): counts bytes, and notes times where one decision is open at a time."""

    def __init__(self) -> None:
        self.bytes = 0
        self.round_trips_ns: list[int] = []
        self.turns_ns: list[int] = []
        self._asked_ns = 0

    def started(self, label: str, process: BotProcess, now_ns: int) -> None:
        """Nothing to note."""

    def sent(self, label: str, message: bytes, now_ns: int) -> None:
        self.bytes += len(message)
        if self._asked_ns:
            self.turns_ns.append(now_ns - self._asked_ns)
        self._asked_ns = now_ns

    def received(self, label: str, message: bytes, now_ns: int) -> None:
        self.bytes += len(message)
        self.round_trips_ns.append(now_ns - self._asked_ns)


def forget_peak() -> None:
    """Has Linux count this process's peak of memory anew."""
    if CLEAR_REFS.exists():
        CLEAR_REFS.write_text("5")


def peak_memory_mb() -> int:
    """This process's peak of memory, since `forget_peak` on Linux, else since its start."""
    if not CLEAR_REFS.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


LAYERS = {
    "harness/games": "rules",
    "harness/cards": "rules",
    "harness/match": "referee",
    "harness/wire": "encoding",
    "harness/session": "sessions: requests, answers, clocks",
    "harness/seating": "sessions: requests, answers, clocks",
    "harness/stream_clock": "sessions: requests, answers, clocks",
    "harness/arena/life": "transport: gRPC and the event loop",
    "harness/arena": "arena: tables, seats, jobs",
    "harness/workers": "what is sent to the run",
}
OTHER = "transport: gRPC and the event loop"
"""asyncio, and what runs below it without Python."""


def layer_of(frame: FrameType | None) -> str:
    """The layer of the innermost function that is one of ours."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(f"{ROOT}/"):
            path = name.removeprefix(f"{ROOT}/")
            for start, layer in LAYERS.items():
                if path.startswith(start):
                    return layer
        if "/asyncio/" in name:
            return OTHER
        frame = frame.f_back
    return OTHER


def main() -> None:
    """Plays, and writes down what that took."""
    samples: Counter[str] = Counter()

    def look(number: int, frame: FrameType | None) -> None:
        samples[layer_of(frame)] += 1

    if period_s := float(os.environ.get("BENCH_SAMPLE_S", "0")):
        signal.signal(signal.SIGPROF, look)
        signal.setitimer(signal.ITIMER_PROF, period_s, period_s)
    listener = Listener()
    before_s = cpu_s()
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1])), listener))
    figures = {
        "cpu_s": cpu_s() - before_s,
        "peak_memory_mb": peak_memory_mb(),
        "bytes": listener.bytes,
        "round_trips_ns": listener.round_trips_ns,
        "turns_ns": listener.turns_ns,
        "layers": samples,
    }
    signal.setitimer(signal.ITIMER_PROF, 0)
    Path(os.environ["BENCH_FIGURES"]).write_text(json.dumps(figures))


if __name__ == "__main__":
    main()
