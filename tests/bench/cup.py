"""The cup of the benches: Guillotine between copies of a bot that plays at random."""

import time
from collections.abc import Sequence
from pathlib import Path

from harness.cup import read_cup
from harness.round import Budget, RoundPlan
from harness.store.ledger import Ledger
from harness.store.rows import Entry
from tests.bench.recording import SECRET

SHA256 = "0" * 64
CUP = """\
schema = 1
[cup]
name = "bench"
game = "guillotine"
matches = 100000
bots = ["sample:random"]
"""


def labels_of(bot_count: int) -> tuple[str, ...]:
    """Names of the bots."""
    return ("random", *(f"random#{number}" for number in range(2, bot_count + 1)))


def plan_in(folder: Path, labels: Sequence[str], match_count: int) -> RoundPlan:
    """The bench's round."""
    path = folder / "bench.toml"
    path.write_text(CUP)
    entries = tuple(Entry(label, "random", "1.0.0", SHA256, team=label) for label in labels)
    return RoundPlan(read_cup(path), 1, entries, Budget(matches=match_count))


def begin(ledger: Ledger, plan: RoundPlan) -> None:
    """Writes down that the bench's round starts."""
    ledger.start_round(
        "bench",
        1,
        settings=plan.cup.pinned(),
        schedule_sha256=plan.schedule.digest(),
        commitment="",
        secret=SECRET,
        entries=plan.entries,
        started_unix_ns=time.time_ns(),
    )
