"""How long `check` takes to refuse each fault bot, and by which check: one after the other, at the best level here.

    python -m tests.bench.refusals [--kind timeout] [--all]

Prints a line a bot: its name, the check that is to refuse it, what came of it, and seconds. Exits with 1 where one was
not refused by its check, or not within 15 seconds. Those that are to pass are left out, but with --all.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from harness.doctor.fault_bot import VERDICTS, fault_bots_folder, find_fault_bots
from harness.sandbox.levels import choose
from tests.workshop.check.blame import check_fault_bot, refused_by

MOST_S = 15.0


def main() -> int:
    """Checks and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=VERDICTS, action="append", help="only those of this kind of fault")
    parser.add_argument("--all", action="store_true", help="those too that can be borne at this level")
    arguments = parser.parse_args()
    level = choose().level
    slowest_s, is_well = 0.0, True
    for bot in find_fault_bots(fault_bots_folder()):
        due = refused_by(bot, level)
        if bot.kind not in (arguments.kind or VERDICTS) or not (due or arguments.all):
            continue
        began_ns = time.monotonic_ns()
        with tempfile.TemporaryDirectory() as folder:
            report = check_fault_bot(bot, Path(folder))
        took_s = (time.monotonic_ns() - began_ns) / 1e9
        failures = [finding.name for finding in report.failures]
        is_well &= due in failures and took_s < MOST_S if due else not failures
        slowest_s = max(slowest_s, took_s)
        print(f"{bot.kind}/{bot.name:24s} {due or '-':10s} {report.summary:40s} {took_s:5.1f} s", flush=True)
    print(f"sandbox {level}: slowest {slowest_s:.1f} s; {'as it should be' if is_well else 'NOT as it should be'}")
    return int(not is_well)


if __name__ == "__main__":
    sys.exit(main())
