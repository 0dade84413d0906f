"""Where the harness's time goes: a run of the throughput bench, sampled, by layer.

    python tests/bench/layers.py [--at-once 256] [--matches 1024] [--json]

Every 2 ms of processor time it is noted which function runs in the main thread, and to which layer it belongs; what the
standard library does is its caller's. Time of gRPC's own threads falls to whatever the main thread does meanwhile.
"""

import argparse
import json
import signal
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.bench.throughput import ROOT, in_folder, run_harness

PERIOD_S = 0.002
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
    "harness/deals": "decks",
    "harness/round": "decks",
    "harness/record": "records and ledger",
    "harness/store": "records and ledger",
    "tests/bench": "records and ledger",  # stands for the tournament's part
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


def sample(at_once: int, match_count: int) -> dict[str, float]:
    """Microseconds a decision by layer, the longest first, and all of them together."""
    samples: Counter[str] = Counter()

    def look(number: int, frame: FrameType | None) -> None:
        samples[layer_of(frame)] += 1

    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, PERIOD_S, PERIOD_S)
    try:
        run = in_folder(partial(run_harness, at_once, match_count))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    us_each = run.cpu_s * 1e6 / run.decisions / samples.total()
    return {layer: round(count * us_each, 2) for layer, count in samples.most_common()} | {
        "all": round(run.cpu_s * 1e6 / run.decisions, 2)
    }


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at-once", type=int, default=256, help="matches at once on a stream")
    parser.add_argument("--matches", type=int, default=1024)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    found = sample(options.at_once, options.matches)
    if options.json:
        print(json.dumps(found))
        return
    for layer, us in found.items():
        print(f"{layer:38} {us:6.2f} us a decision")


if __name__ == "__main__":
    main()
