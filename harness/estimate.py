"""How long a round will take, by how long bots have thought before: in matches of the ledger, else in their checks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from harness.agenda import settings_of
from harness.cup import CupFile
from harness.round import RoundPlan
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Result, Role, Round

SAMPLE = 400
"""Matches of a round whose thinking times are looked at."""
FEW_MATCHES = 40
"""A round with fewer tells nothing of the pace."""
USUAL_PACE = 2.0
"""Time of a round over its bots' thinking time on all jobs, where no round has shown it: bots start, and the harness
has its own work. Fast bots come to 1.6 to 2.1 on two cores; bots that think long come nearer to 1."""

Bot = tuple[str, str]
"""Name and tree."""


@dataclass(frozen=True)
class Estimate:
    """What a match of a round takes, all its seats together and the jobs side by side."""

    match_s: float
    is_measured: bool
    """By rounds of this ledger; else by the checks of the bots, with the usual pace."""


class _Seen(NamedTuple):
    """What a round of the ledger tells."""

    think_ns: Mapping[Bot, tuple[int, int]]
    """Thinking time and matches, by bot, of the matches looked at."""
    pace: float | None


def estimate(plan: RoundPlan, ledger: Ledger, *, cores: int) -> Estimate | None:
    """What a match of `plan` will take; None where nothing is known of any of its bots.

    A bot of which nothing is known is taken to think as long as the others do on average.
    """
    seen = list(_seen(ledger, plan.cup, cores))
    known: dict[Bot, float] = {}
    for bot in {bot for each in seen for bot in each.think_ns}:
        sums = [each.think_ns[bot] for each in seen if bot in each.think_ns]
        known[bot] = sum(think for think, _ in sums) / sum(count for _, count in sums)
    is_measured = bool(known)
    for entry in plan.entries:
        version = ledger.versions.get(entry.name, entry.sha256)
        if version is not None and version.match_think_ns is not None:
            known.setdefault(_bot(entry), version.match_think_ns)
    found = [known[_bot(entry)] for entry in plan.entries if _bot(entry) in known and entry.role is not Role.FILL]
    if not found:
        return None
    usual = sum(found) / len(found)
    appearances = zip(plan.entries, plan.schedule.appearances(), strict=False)
    think_ns = sum(count * known.get(_bot(entry), usual) for entry, count in appearances)
    # A round that was interrupted shows a slower pace than it had: the best one tells most.
    pace = min((each.pace for each in seen if each.pace is not None), default=USUAL_PACE)
    match_s = pace * think_ns / 1e9 / _jobs(plan.cup, cores) / plan.schedule.match_count
    return Estimate(match_s, is_measured)


def _jobs(cup: CupFile, cores: int) -> int:
    return cup.limits.jobs or cores


def _bot(entry: Entry) -> Bot:
    return entry.name, entry.sha256


def _seen(ledger: Ledger, cup: CupFile, cores: int) -> Iterator[_Seen]:
    """Rounds of any cup that plays the same game by the same rules."""
    for row in (row for known in ledger.cups() for row in ledger.rounds(known.cup)):
        pinned = settings_of(row)
        if (pinned.cup.game, pinned.options) == (cup.cup.game, cup.options):
            results = list(ledger.results(row.cup, row.round))
            if results:
                yield _look(ledger, row, pinned, results, cores)


def _look(ledger: Ledger, row: Round, pinned: CupFile, results: list[Result], cores: int) -> _Seen:
    sample = results[:: max(1, len(results) // SAMPLE)]
    think_ns: dict[Bot, tuple[int, int]] = {}
    timed_count = total_ns = 0
    for result in sample:
        by_seat = [0] * len(result.entries)
        times = ledger.times(result.match)
        for time in times:
            by_seat[time.seat] += time.spent_ns
        if not times:  # from a published site
            continue
        timed_count += 1
        total_ns += sum(by_seat)
        for entry, spent_ns in zip(result.entries, by_seat, strict=True):
            spent, count = think_ns.get(_bot(entry), (0, 0))
            think_ns[_bot(entry)] = spent + spent_ns, count + 1
    pace = None
    if row.ended_unix_ns is not None and timed_count >= FEW_MATCHES and total_ns:
        on_all_jobs_ns = total_ns / timed_count * len(results) / _jobs(pinned, cores)
        pace = max(1.0, (row.ended_unix_ns - row.started_unix_ns) / on_all_jobs_ns)
    return _Seen(think_ns, pace)
