"""What single statements of the ledger give back, on the way to a value of `harness.store.rows`."""

from collections.abc import Sequence
from typing import NamedTuple

from harness.match import TimeControl
from harness.store.rows import Entry, Role
from harness.store.schema import MATCHES_PER_ROUND


class EntryKey(NamedTuple):
    """An entry as records name it."""

    label: str
    entry_key: int
    version: str
    sha256: str


class RoundKeys(NamedTuple):
    """What every match of a round needs again and again."""

    round_key: int
    entries: dict[str, EntryKey]

    @property
    def matches(self) -> tuple[int, int]:
        """First and last match key that the round can have."""
        return self.round_key * MATCHES_PER_ROUND, (self.round_key + 1) * MATCHES_PER_ROUND - 1


class Secret(NamedTuple):
    """A round's secret; None where it is not known here."""

    secret: bytes | None


class LabelCount(NamedTuple):
    """Matches of an entry."""

    label: str
    match_count: int


class SeatRow(NamedTuple):
    """One seat of a match, as the ladder reads it."""

    match_key: int
    block: int
    entry_key: int
    place: int
    points: int
    fault: str | None


class SeatFaultRow(NamedTuple):
    """A seat at fault."""

    number: int
    seat: int
    kind: str


class SeatColumns(NamedTuple):
    """Every seat of the matches of a round, by match and seat: arrays of numbers of one length."""

    number: Sequence[int]
    """Of the match."""
    block: Sequence[int]
    entry_key: Sequence[int]
    place: Sequence[int]
    points: Sequence[int]
    faults: tuple[SeatFaultRow, ...]
    entries: dict[int, Entry]
    """By key."""


def match_number(number: int) -> int:
    """`number` itself; ValueError where no match can have it."""
    if not 1 <= number < MATCHES_PER_ROUND:
        raise ValueError(f"not the number of a match: {number}")
    return number


ENTRY_COLUMNS = "label, name, version, sha256, team, rated, role, anchor_elo, bank_ns, increment_ns, decision_ns"


def keyed_entry(
    entry_key: int,
    label: str,
    name: str,
    version: str,
    sha256: str,
    team: str,
    rated: int,
    role: str,
    anchor_elo: float | None,
    bank_ns: int | None,
    *rest_ns: int,
) -> tuple[int, Entry]:
    """An entry by its key, from that and `ENTRY_COLUMNS`."""
    time = None if bank_ns is None else TimeControl(bank_ns, *rest_ns)
    return entry_key, Entry(
        label, name, version, sha256, team, rated=bool(rated), role=Role(role), time=time, anchor_elo=anchor_elo
    )


def entry_columns(entry: Entry) -> tuple[str | int | float | None, ...]:
    """`ENTRY_COLUMNS` of `entry`."""
    return (
        entry.label,
        entry.name,
        entry.version,
        entry.sha256,
        entry.team,
        int(entry.rated),
        str(entry.role),
        entry.anchor_elo,
        *(entry.time or (None, None, None)),
    )
