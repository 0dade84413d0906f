"""Makes a ledger with a round of very many matches, and measures what reads it.

    python tests/bench/big_ledger.py [--matches 1000000] [--bots 100] [--home DIR] [--verbs ladder,publish,...] [--json]

The schedule is the round's own, and some bots are stronger than others. The records are those of some hundred blocks
that were played, told again under other ids: whatever reads a record finds one that follows the rules and agrees with
its result. Only the cards are not those of a secret, so that the round has none: `verify` checks all but the decks
there, and all on a round of a few thousand matches that were played (`--verified`). Each verb runs in a process of its
own. A million matches take 5 GB of disk, and their site 2 GB more.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness import deals
from harness.agenda import plan_of
from harness.arena.specs import TableSpec
from harness.checkers import checkers
from harness.cup import CupFile, read_cup
from harness.record import MatchRecord, SeatEntry, record_of
from harness.round import Budget, RoundPlan, block_name
from harness.store.kept import KeptMatch, kept_match
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Version
from harness.store.schema import MATCHES_PER_ROUND
from harness.store.times import pack_times
from tests.in_process import played_at

SAMPLE_BLOCKS = 192
CHUNK_BLOCKS = 256
FAULT_PERCENT = 1
"""Of the bots in the first seat."""
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


def begin(ledger: Ledger, cup: CupFile, matches: int, bots: int, secret: bytes | None = SECRET) -> RoundPlan:
    """Begins the round."""
    entries = tuple(
        Entry(f"bot{number:03d}", f"bot{number:03d}", "1.0", f"{number:064x}", f"bot{number:03d}")
        for number in range(bots)
    )
    for entry in entries:
        manifest = json.dumps({"bot": {"name": entry.name, "version": "1.0", "games": ["guillotine"]}})
        ledger.versions.learn(Version(entry.name, "1.0", entry.sha256, entry.team, "", manifest, START_NS))
    plan = RoundPlan(cup, 1, entries, Budget(matches=matches))
    ledger.start_round(
        cup.name,
        1,
        settings=cup.pinned(),
        budget=plan.budget.pinned(),
        schedule_sha256=plan.schedule.digest(),
        commitment=deals.commitment(SECRET).hex(),
        secret=secret,
        entries=entries,
        started_unix_ns=START_NS,
    )
    return plan


def played(plan: RoundPlan, number: int) -> tuple[MatchRecord, list[tuple[int, int, int]]]:
    """Match `number`, played at random, few with a fault; and its thinking times."""
    table = plan.schedule.table(number)
    match, block, labels = plan.match_id(table), block_name(table.block), plan.labels(table)
    seeds = tuple(deals.bot_seed(SECRET, match, seat) for seat in range(SEATS))
    dealer = deals.first_dealer(SECRET, block, SEATS)
    spec = TableSpec(match, plan.game, labels, dealer, plan.deck_of(table, SECRET), seeds)
    done = played_at(spec, {}, stumble_percent={labels[0]: FAULT_PERCENT})
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


class Sample(NamedTuple):
    """Blocks that were played, and in which order the bots of each came in: by its first table's seats, best first."""

    blocks: list[list[tuple[MatchRecord, bytes]]]
    """By rotation: record and packed times."""
    by_order: dict[tuple[int, ...], list[int]]


def sample_of(plan: RoundPlan) -> Sample:
    """Plays the first blocks of `plan`."""
    blocks: list[list[tuple[MatchRecord, bytes]]] = []
    by_order: dict[tuple[int, ...], list[int]] = {}
    for block in range(1, min(SAMPLE_BLOCKS, plan.schedule.block_count) + 1):
        tables = list(plan.schedule.tables_of(block))
        found = [played(plan, table.number) for table in tables]
        places: Counter[int] = Counter()
        for table, (record, _) in zip(tables, found, strict=True):
            seats = map(tables[0].seats.index, table.seats)
            places.update(dict(zip(seats, record.places, strict=True)))
        order = tuple(sorted(range(SEATS), key=places.__getitem__))
        by_order.setdefault(order, []).append(len(blocks))
        blocks.append([(record, pack_times(times)) for record, times in found])
    return Sample(blocks, by_order)


Row = tuple[int, int, int, list[tuple[int, int, int, str | None]], KeptMatch]
"""Number, block and rotation of a match; by seat bot, place, points and fault; and what is kept of it."""


class _Writer:
    """Tells the sample again as the blocks of a round."""

    def __init__(self, ledger: Path) -> None:
        with Ledger(ledger) as opened:
            self.plan = plan_of(opened, opened.round("big", 1))
        self.sample = sample_of(self.plan)
        self.skill = np.random.default_rng(1).normal(size=len(self.plan.entries))

    def rows(self, blocks: range) -> list[Row]:
        """Every match of `blocks`."""
        return [row for block in blocks for row in self._block(block)]

    def _block(self, block: int) -> Iterator[Row]:
        chance = np.random.default_rng(block)
        tables = list(self.plan.schedule.tables_of(block))
        scores = self.skill[list(tables[0].seats)] + chance.normal(size=SEATS)
        fitting = self.sample.by_order.get(tuple((-scores).argsort().tolist())) or range(len(self.sample.blocks))
        found = self.sample.blocks[fitting[int(chance.integers(len(fitting)))]]
        for table, (record, times) in zip(tables, found, strict=True):
            kinds = {fault.seat: str(fault.kind) for fault in record.faults}
            seats = [self.plan.entries[index] for index in table.seats]
            told = replace(
                record,
                match=self.plan.match_id(table),
                block=block_name(block),
                rotation=table.rotation,
                seats=tuple(SeatEntry(entry.label, entry.version, entry.sha256) for entry in seats),
            )
            results = [
                (index, record.places[seat], record.points[seat], kinds.get(seat))
                for seat, index in enumerate(table.seats)
            ]
            kept = kept_match(0, told, (), ())._replace(times=times)
            yield table.number, block, table.rotation, results, kept


def _writer(ledger: Path) -> Callable[[range], list[Row]]:
    return _Writer(ledger).rows


def fill(path: Path, plan: RoundPlan) -> dict[str, object]:
    """Writes all matches past the harness; where it was broken off, those that are missing."""
    with sqlite3.connect(path) as connection:
        (filled,) = connection.execute("SELECT coalesce(max(block), 0) FROM matches").fetchone()
    starts = range(filled + 1, plan.schedule.block_count + 1, CHUNK_BLOCKS)
    chunks = [range(start, min(start + CHUNK_BLOCKS, plan.schedule.block_count + 1)) for start in starts]
    with sqlite3.connect(path) as connection, checkers(partial(_writer, path), os.cpu_count() or 1) as write:
        (round_key,) = connection.execute("SELECT round_key FROM rounds").fetchone()
        keys = [key for (key,) in connection.execute("SELECT entry_key FROM entries ORDER BY position")]
        base = round_key * MATCHES_PER_ROUND
        for rows in write(chunks):
            connection.executemany(
                "INSERT INTO matches VALUES (?, ?, ?)", [(base + number, *rest) for number, *rest, _, _ in rows]
            )
            connection.executemany(
                "INSERT INTO match_seats VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (base + number, seat, keys[index], *rest)
                    for number, _, _, seats, _ in rows
                    for seat, (index, *rest) in enumerate(seats)
                ],
            )
            connection.executemany(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?)", [(base + number, *kept[1:]) for number, *_, kept in rows]
            )
            connection.commit()
        sizes = "SELECT avg(length(record)), avg(length(times)) FROM (SELECT * FROM records LIMIT 10000)"
        record_bytes, times_bytes = connection.execute(sizes).fetchone()
        connection.execute("UPDATE rounds SET ended_unix_ns = ?", (START_NS,))
    connection.close()
    return {
        "record_bytes": round(record_bytes),
        "times_bytes": round(times_bytes),
        "ledger_bytes_per_match": path.stat().st_size // plan.schedule.match_count,
    }


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
    parser.add_argument("--verbs", default="ladder,replay,publish,publish_again,report,verify", help="some of these")
    parser.add_argument("--site", type=Path, help="keep what is published in DIR")
    parser.add_argument("--home", type=Path, help="keep the ledger in DIR, or go on with the one that is there")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        found: dict[str, object] = {"matches": options.matches, "bots": options.bots}
        home = options.home or Path(scratch) / "home"
        home.mkdir(exist_ok=True, parents=True)
        with Ledger(home / "arena.db", create=True) as ledger:
            if not ledger.cups():
                cup = cup_in(home, options.matches, options.bots)
                begin(ledger, cup, options.matches, options.bots, secret=None)
            row = ledger.round("big", 1)
            plan = plan_of(ledger, row)
        if row.ended_unix_ns is None:
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
        site = str(options.site or Path(scratch) / "site")
        calls = {
            "ladder": ("ladder", "--json"),
            "replay": ("replay", middle),
            "publish": ("publish", site),
            "publish_again": ("publish", site),
            "report": ("report", "bot001"),
            "verify": ("verify",),
        }
        for name, words in calls.items():
            if name in options.verbs.split(","):
                found[name] = measured(*words, home=home)
        found[f"verify_{options.verified}"] = measured("verify", home=small)
    if options.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:24} {value}")


if __name__ == "__main__":
    main()
