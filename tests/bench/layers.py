"""Where the harness's time goes: a run of the throughput bench, sampled, by layer.

    python tests/bench/layers.py [--at-once 256] [--matches 1024] [--json]

Every 2 ms of processor time it is noted which function runs in the main thread of the worker, and to which layer it
belongs; what the standard library does is its caller's. Time of gRPC's own threads falls to whatever the main thread
does meanwhile.
"""

import argparse
import json
import os
import sys
from collections import Counter
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.bench.throughput import in_folder, run_harness

PERIOD_S = 0.002
RUN = "the run: decks, records, ledger"


def sample(at_once: int, match_count: int) -> dict[str, float]:
    """Microseconds a decision by layer, the longest first, and all of them together."""
    os.environ["BENCH_SAMPLE_S"] = str(PERIOD_S)
    run = in_folder(partial(run_harness, at_once, match_count))
    samples = Counter(run.layers)
    us_each = run.worker_cpu_s * 1e6 / run.decisions / samples.total()
    return {layer: round(count * us_each, 2) for layer, count in samples.most_common()} | {
        RUN: round((run.cpu_s - run.worker_cpu_s) * 1e6 / run.decisions, 2),
        "all": round(run.cpu_s * 1e6 / run.decisions, 2),
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
