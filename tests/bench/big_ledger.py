"""Makes a ledger with a round of very many matches, and measures what reads it.

    python tests/bench/big_ledger.py [--matches 1000000] [--bots 100] [--home DIR] [--json]

The schedule is the round's own and results are made up, of bots of different strength. The records are those of a few
matches that were played, over and over: of the right size, but not the ones of their ids, so that `verify` is measured
apart, on a round of a few thousand matches that were played (`--verified`). Each verb runs in a process of its own.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness import deals
from harness.arena.specs import TableSpec
from harness.cup import CupFile, read_cup
from harness.record import MatchRecord, SeatEntry, record_of
from harness.round import Budget, RoundPlan, block_name
from harness.store.kept import KeptMatch, kept_match
from harness.store.ledger import Ledger
from harness.store.rows import Entry
from harness.store.schema import MATCHES_PER_ROUND
from tests.in_process import played_at

SAMPLE_COUNT = 40
CHUNK_BLOCKS = 4096
SEATS = 4
START_NS = 1_767_225_600_000_000_000
SECRET = bytes(range(32))


def cup_in(folder: Path, matches: int, bots: int) -> CupFile:
    """The cup, its file written to `folder`."""
    path = folder / "cup.toml"
    path.write_text(
        f'[cup]\nname = "big"\ngame = "guillotine"\nmatches = {matches}\nduplicate = true\n'
        f"bots = {json.dumps(['sample:random'] * bots)}\n"
    )
    return read_cup(path)


def begin(ledger: Ledger, cup: CupFile, matches: int, bots: int) -> RoundPlan:
    """Begins the round."""
    entries = tuple(
        Entry(f"bot{number:03d}", f"bot{number:03d}", "1.0", f"{number:064x}", f"bot{number:03d}")
        for number in range(bots)
    )
    plan = RoundPlan(cup, 1, entries, Budget(matches=matches))
    ledger.start_round(
        cup.name,
        1,
        settings=cup.pinned(),
        budget=plan.budget.pinned(),
        schedule_sha256=plan.schedule.digest(),
        commitment=deals.commitment(SECRET).hex(),
        secret=SECRET,
        entries=entries,
        started_unix_ns=START_NS,
    )
    return plan


def played(plan: RoundPlan, number: int) -> tuple[MatchRecord, list[tuple[int, int, int]]]:
    """Match `number`, played at random, and its thinking times."""
    table = plan.schedule.table(number)
    match, block, labels = plan.match_id(table), block_name(table.block), plan.labels(table)
    seeds = tuple(deals.bot_seed(SECRET, match, seat) for seat in range(SEATS))
    dealer = deals.first_dealer(SECRET, block, SEATS)
    done = played_at(TableSpec(match, plan.game, labels, dealer, plan.deck_of(table, SECRET), seeds), {})
    entries = {entry.label: entry for entry in plan.entries}
    record = record_of(
        done.match,
        match_id=match,
        seats=[SeatEntry(label, "1.0", entries[label].sha256) for label in labels],
        cup=plan.cup.name,
        round=1,
        block=block,
        rotation=table.rotation,
        meta={"started": "2026-05-01T10:00:00Z", "wall_s": 0.21, "sandbox": "bwrap", "machine": "bench"},
    )
    chance = np.random.default_rng(number)
    spent = np.exp(chance.normal(13, 1, len(done.times))).astype(int).tolist()
    owed = chance.integers(1, 65, len(done.times)).tolist()
    return record, [(time[0], ns, count) for time, ns, count in zip(done.times, spent, owed, strict=True)]


def fill(path: Path, plan: RoundPlan) -> dict[str, object]:
    """Writes results of all matches past the harness, with the records of a few."""
    sample = [kept_match(0, *played(plan, number), ()) for number in range(1, SAMPLE_COUNT + 1)]
    with sqlite3.connect(path) as connection:
        (round_key,) = connection.execute("SELECT round_key FROM rounds").fetchone()
        keys = [key for (key,) in connection.execute("SELECT entry_key FROM entries ORDER BY position")]
        base = round_key * MATCHES_PER_ROUND
        for matches, seats, records in _rows(plan, base, keys, sample):
            connection.executemany("INSERT INTO matches VALUES (?, ?, ?)", matches)
            connection.executemany("INSERT INTO match_seats VALUES (?, ?, ?, ?, ?, NULL)", seats)
            connection.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?)", records)
            connection.commit()
        connection.execute("UPDATE rounds SET ended_unix_ns = ?, revealed_unix_ns = ?", (START_NS, START_NS))
    connection.close()
    return {
        "record_bytes": round(np.mean([len(kept.record) for kept in sample])),
        "times_bytes": round(np.mean([len(kept.times) for kept in sample])),
        "ledger_bytes_per_match": round(path.stat().st_size / plan.schedule.match_count),
    }


def _rows(
    plan: RoundPlan, base: int, keys: list[int], sample: list[KeptMatch]
) -> Iterator[tuple[list[tuple[int, ...]], list[tuple[int, ...]], list[tuple[int | bytes | None, ...]]]]:
    chance = np.random.default_rng(1)
    skill = chance.normal(size=len(keys))
    for first in range(1, plan.schedule.block_count + 1, CHUNK_BLOCKS):
        matches: list[tuple[int, ...]] = []
        seats: list[tuple[int, ...]] = []
        records: list[tuple[int | bytes | None, ...]] = []
        for block in range(first, min(first + CHUNK_BLOCKS, plan.schedule.block_count + 1)):
            for table in plan.schedule.tables_of(block):
                key = base + table.number
                scores = skill[list(table.seats)] + chance.normal(size=SEATS)
                order = (-scores).argsort().argsort().tolist()
                matches.append((key, block, table.rotation))
                points = (100 - 20 * scores).astype(int).tolist()
                seats += [
                    (key, seat, keys[label], place + 1, points[seat])
                    for seat, (label, place) in enumerate(zip(table.seats, order, strict=True))
                ]
                kept = sample[table.number % len(sample)]
                records.append((key, kept.record, kept.sha256, kept.times, kept.notes))
        yield matches, seats, records


def measured(*words: str, home: Path) -> dict[str, object]:
    """Seconds, processor seconds and peak memory of a verb."""
    command = [sys.executable, "-m", "harness.cli", *words, "--home", str(home), "--no-progress"]
    begin_s = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took_s = time.perf_counter() - begin_s
    assert os.waitstatus_to_exitcode(status) == 0, words
    return {
        "s": round(took_s, 2),
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 2),
        "peak_mb": round(usage.ru_maxrss / 1024),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--verified", type=int, default=2_000, help="matches of the round that `verify` checks")
    parser.add_argument("--publish", action="store_true", help="measure `publish` too")
    parser.add_argument("--home", type=Path, help="keep the ledger in DIR, or measure the one that is there")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        found: dict[str, object] = {"matches": options.matches, "bots": options.bots}
        home = options.home or Path(scratch) / "home"
        home.mkdir(exist_ok=True, parents=True)
        if not (home / "arena.db").exists():
            with Ledger(home / "arena.db", create=True) as ledger:
                plan = begin(ledger, cup_in(home, options.matches, options.bots), options.matches, options.bots)
            found |= fill(home / "arena.db", plan)
        small = Path(scratch) / "small"
        small.mkdir()
        with Ledger(small / "arena.db", create=True) as ledger:
            plan = begin(ledger, cup_in(small, options.verified, 20), options.verified, 20)
            for number in range(1, plan.schedule.match_count + 1):
                record, times = played(plan, number)
                ledger.add_match(record, times=times)
            ledger.end_round("big", 1, at_unix_ns=START_NS)
            ledger.reveal("big", 1, at_unix_ns=START_NS)
        middle = f"big/1/{options.matches // 2:06d}"
        found["ladder"] = measured("ladder", "--json", home=home)
        found["replay"] = measured("replay", middle, home=home)
        found[f"verify_{options.verified}"] = measured("verify", home=small)
        if options.publish:
            found["publish"] = measured("publish", str(Path(scratch) / "site"), home=home)
    if options.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:24} {value}")


if __name__ == "__main__":
    main()
