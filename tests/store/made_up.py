"""A ledger's contents made up: records that nobody played, rounds, versions."""

from collections.abc import Sequence
from pathlib import Path

from harness.cards import parse_cards
from harness.faults import FaultKind
from harness.record import DealRecord, FaultRecord, MatchRecord, SeatEntry
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Role, Version, match_id

BOTS = ("ant", "bee", "cat", "dog")
SHA256 = "ab" * 32
SECRET = bytes(range(32))
NOW_NS = 1_777_000_000_000_000_000


def entry(label: str, **changed: object) -> Entry:
    """An entry called `label`."""
    members: dict[str, object] = {
        "label": label,
        "name": label.partition("#")[0],
        "version": "1.0",
        "sha256": SHA256,
        "team": label.partition("#")[0],
        "role": Role.BOT,
    }
    return Entry(**(members | changed))  # type: ignore[arg-type] # a test says what it changes


def record(
    number: int = 1,
    *,
    cup: str = "cup",
    round: int = 1,
    block: int | None = None,
    rotation: int = 1,
    labels: Sequence[str] = BOTS,
    places: Sequence[int] = (1, 2, 3, 4),
    faulted: Sequence[int] = (),
    detail: str = "exit code 1",
) -> MatchRecord:
    """A record that a ledger accepts and no referee would."""
    return MatchRecord(
        match=match_id(cup, round, number),
        cup=cup,
        round=round,
        block=f"{number if block is None else block:06d}",
        rotation=rotation,
        game="guillotine",
        rules_version="1",
        options={},
        seats=tuple(SeatEntry(label, "1.0", SHA256) for label in labels),
        first_dealer=0,
        deals=(DealRecord(parse_cards("7C 8D QS"), 0, ("contract:royalty", "play:QS"), (0, 30, 0, 0)),),
        points=tuple(10 * place for place in places),
        places=tuple(places),
        faults=tuple(FaultRecord(seat, FaultKind.CRASHED, 0, 1, detail) for seat in faulted),
        meta={"wall_s": 0.25},
    )


def begin(ledger: Ledger, cup: str = "cup", round: int = 1, entries: Sequence[Entry] | None = None) -> None:
    """Starts a round of four bots."""
    ledger.start_round(
        cup,
        round,
        settings='{"cup":{}}',
        schedule_sha256="cd" * 32,
        commitment="ef" * 32,
        secret=SECRET,
        entries=[entry(label) for label in BOTS] if entries is None else entries,
        started_unix_ns=NOW_NS + round,
    )


def begun(path: Path) -> Ledger:
    """A new ledger whose cup has begun."""
    ledger = Ledger(path, create=True)
    begin(ledger)
    return ledger


def version(name: str = "fox", number: str = "1.0", sha256: str = SHA256, **changed: object) -> Version:
    """A submitted version."""
    members: dict[str, object] = {
        "name": name,
        "version": number,
        "sha256": sha256,
        "team": name,
        "tree": f"bots/{name}/{number}-{sha256[:12]}",
        "manifest": "{}",
        "stored_unix_ns": NOW_NS,
        "submitted_unix_ns": NOW_NS,
    }
    return Version(**(members | changed))  # type: ignore[arg-type] # a test says what it changes
