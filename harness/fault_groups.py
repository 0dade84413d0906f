"""What versions of bots have played, and their faults grouped by what went wrong. Read from a ledger.

While a round lasts, cards of a block that is under way have still to be played by others. What was seen of them, and
logs, where a bot may have written it down, are not for teams before the block, or the round, is over.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from harness.agenda import settings_of
from harness.faults import ABSENT
from harness.last_words import last_words
from harness.record import FaultRecord
from harness.store.bot_logs import BotLog, BotLogs
from harness.store.ledger import Ledger
from harness.store.rows import match_id

EXCERPT_LINES = 10

_LEGAL = re.compile(r"; legal were: .*")
_CARDS = re.compile(r" \((?:[6-9TJQKA2-5][CDHS] ?)+\)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


Bot = tuple[str, str]
"""Name and tree."""


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
    """What results call it: its kind, or `harness.faults.ABSENT`."""
    in_open_block: bool
    """Others have still to play these cards."""
    in_open_round: bool
    """The round is under way, and deals cards more than once."""

    @property
    def is_fault(self) -> bool:
        """Whether it was at fault there, and had not been withdrawn before."""
        return self.fault not in (None, ABSENT)


def played_by(ledger: Ledger, bots: Collection[Bot]) -> Iterator[tuple[Bot, Played]]:
    """Every match of `bots`, over all cups, a row a seat, by id."""
    for cup in ledger.cups():
        for row in ledger.rounds(cup.cup):
            is_open = row.ended_unix_ns is None and settings_of(row).cup.duplicate
            open_blocks = ledger.appearances.open_blocks(cup.cup, row.round) if is_open else ()
            for at in ledger.appearances.of(cup.cup, row.round, bots):
                match = match_id(cup.cup, row.round, at.number)
                yield (at.name, at.sha256), Played(match, at.label, at.seat, at.fault, at.block in open_blocks, is_open)


def teams(ledger: Ledger) -> dict[Bot, str]:
    """By name and tree of a bot: the team for which it was entered last (`[[bots]] team` of a cup may say another)."""
    rows = sorted((row for cup in ledger.cups() for row in ledger.rounds(cup.cup)), key=lambda row: row.started_unix_ns)
    return {(entry.name, entry.sha256): entry.team for row in rows for entry in ledger.entries(row.cup, row.round)}


def fault_groups(ledger: Ledger, logs: BotLogs, matches: Sequence[Played], *, for_team: bool) -> tuple[FaultGroup, ...]:
    """What one version did wrong in `matches`, the most frequent first. `for_team`: without logs of open rounds."""
    faults: dict[tuple[str, str], list[tuple[Played, FaultAt]]] = {}
    for played in matches:
        if played.is_fault:
            fault = next(at for at in ledger.record(played.match).faults if at.seat == played.seat)
            found_at = FaultAt(played.match, played.label, fault)
            faults.setdefault((str(fault.kind), gist_of(fault.detail)), []).append((played, found_at))
    groups = []
    for (kind, gist), found in faults.items():
        (played, first), (_, last) = found[0], found[-1]
        excerpt = () if for_team and played.in_open_round else _excerpt(logs, first)
        groups.append(FaultGroup(kind, gist, len(found), first, last, excerpt))
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
