"""What it costs to keep matches, and to rate them."""

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from harness.bot import Action, Bot, View
from harness.bot.chance import SplitMix64
from harness.local import play
from harness.record import SeatEntry
from harness.store.kept import kept_match
from harness.store.ledger import Ledger
from ladder.columns import gather
from ladder.fit import fit
from ladder.standings import standings
from tests.bench.cup import SHA256, begin, labels_of, plan_in
from tests.bench.ladder_fit import random_results


class Kept(NamedTuple):
    """What a ledger makes of matches."""

    commits_per_s: float
    record_bytes: float
    """Of a match's record."""
    times_bytes: float
    """Of its thinking times."""
    file_bytes: float
    """Of the file, for each match."""


def keep_matches(match_count: int) -> Kept:
    """Keeps `match_count` matches with their thinking times, each in a transaction of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        labels = labels_of(4)
        plan = plan_in(folder, labels, match_count)
        chances = [SplitMix64(seat) for seat in range(4)]
        record = play("guillotine", [RandomBot] * 4, seed=1)
        record = replace(
            record,
            cup="bench",
            round=1,
            block="000001",
            rotation=1,
            seats=tuple(SeatEntry(label, "1.0.0", SHA256) for label in labels),
        )
        times = [(seat, 20_000 + chances[seat].below(400_000), 40) for seat in range(4) for _ in range(130)]
        with Ledger(folder / "arena.db", create=True) as ledger:
            begin(ledger, plan)
            records = [replace(record, match=f"bench/1/{number:06d}") for number in range(1, match_count + 1)]
            began_s = time.perf_counter()
            for record in records:
                ledger.add_match(record, times=times)
            commits_per_s = match_count / (time.perf_counter() - began_s)
        kept = kept_match(1, record, times, ())
        file_bytes = (folder / "arena.db").stat().st_size / match_count
        return Kept(commits_per_s, len(kept.record), len(kept.times), file_bytes)


class RandomBot(Bot):
    """As `sample:random`."""

    def choose(self, view: View) -> Action:
        return view.random.choice(view.actions)


def fit_s(bots: int, matches: int) -> float:
    """Seconds of a ladder with its intervals."""
    columns = gather(random_results(bots, matches, 1))
    began_s = time.perf_counter()
    standings(columns, fit(columns))
    return time.perf_counter() - began_s
