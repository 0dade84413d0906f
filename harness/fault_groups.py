"""The faults of one version of a bot, grouped by what went wrong. Read from a ledger; nothing is written."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from harness.last_words import last_words
from harness.record import FaultRecord
from harness.store.bot_logs import BotLog, BotLogs
from harness.store.ledger import Ledger
from harness.store.rows import Version

EXCERPT_LINES = 10

_LEGAL = re.compile(r"; legal were: .*")
_CARDS = re.compile(r" \((?:[6-9TJQKA2-5][CDHS] ?)+\)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class FaultAt(NamedTuple):
    """One fault, and in which match."""

    match: str
    label: str
    fault: FaultRecord


class FaultGroup(NamedTuple):
    """Faults of one kind with the same detail, but for numbers and cards."""

    kind: str
    gist: str
    fault_count: int
    first: FaultAt
    last: FaultAt
    excerpt: tuple[str, ...]
    """The last lines of a process that was ended for it, else those that tell of it, else the last; as written."""


class Played(NamedTuple):
    """A match in which the version sat."""

    match: str
    label: str
    seat: int
    fault: str | None


def played_by(ledger: Ledger, version: Version) -> Iterator[Played]:
    """Every match of `version`, over all cups, a row a seat, by id."""
    for cup in ledger.cups():
        for result in ledger.results(cup.cup):
            for seat, entry in enumerate(result.entries):
                if (entry.name, entry.sha256) == (version.name, version.sha256):
                    yield Played(result.match, entry.label, seat, result.faults[seat])


def fault_groups(ledger: Ledger, logs: BotLogs, version: Version) -> tuple[FaultGroup, ...]:
    """What `version` did wrong, the most frequent first."""
    faults: dict[tuple[str, str], list[FaultAt]] = {}
    for played in played_by(ledger, version):
        if played.fault is not None:
            fault = next(at for at in ledger.record(played.match).faults if at.seat == played.seat)
            faults.setdefault((str(fault.kind), gist_of(fault.detail)), []).append(
                FaultAt(played.match, played.label, fault)
            )
    groups = [
        FaultGroup(kind, gist, len(found), found[0], found[-1], _excerpt(logs, found[0]))
        for (kind, gist), found in faults.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.fault_count, group.kind, group.gist)))


def gist_of(detail: str) -> str:
    """A fault's detail without what differs from case to case.

    >>> gist_of("chose 12 (AC); legal were: play:QS play:KS")
    'chose N'
    """
    return _NUMBER.sub("N", _CARDS.sub("", _LEGAL.sub("", detail)))


def _excerpt(logs: BotLogs, at: FaultAt) -> tuple[str, ...]:
    cup, round_number, _ = at.match.split("/")
    kept = list(logs.read(cup, int(round_number), at.label))
    same = [log for log in kept if log.kind and log.detail in at.fault.detail]  # a withdrawal names the last failure
    for log in same:
        return last_words(_lines(log), EXCERPT_LINES)
    for lines in map(_lines, kept):
        told = [number for number, line in enumerate(lines, 1) if at.fault.detail in line]
        if told:  # a fault of one match alone: the SDK prints it, and the process goes on
            return lines[max(0, told[0] - EXCERPT_LINES) : told[0]]
    return next((last_words(_lines(log), EXCERPT_LINES) for log in kept if not log.kind), ())


def _lines(log: BotLog) -> tuple[str, ...]:
    return tuple(log.output.decode(errors="replace").splitlines())
