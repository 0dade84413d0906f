"""What a ledger says beside its matches must follow from what its rounds pinned, and `verify` names what does not."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.publish import publish
from harness.published import SiteDifference, verify_site
from harness.store.ledger import Ledger
from harness.verify import verify_cup, verify_whole
from tests.played_cups import Skilled, played_cup

INSERT = "INSERT INTO withdrawals (entry_key, kind, detail, at_unix_ns) SELECT entry_key,"
FAULTS = "withdrawn after faults in 11 of its first 20 matches, the last one timeout"
CHANGES = [
    ("UPDATE entries SET rated = 0 WHERE name = 'birch'", "test, round 1: rated and clock of birch unrated "),
    ("UPDATE entries SET anchor_elo = 1800 WHERE name = 'birch'", "test, round 1: anchor birch at 1800 "),
    ("UPDATE entries SET bank_ns = 1 WHERE name = 'birch'", "test, round 1: rated and clock of birch "),
    (
        "UPDATE entries SET bank_ns = 1, increment_ns = 1, decision_ns = 1 WHERE name = 'birch'",
        "test, round 1: rated and clock of birch rated with 1+1/1 ns",
    ),
    ("UPDATE entries SET name = 'best' WHERE name = 'birch'", "test, round 1: name of birch best "),
    ("UPDATE entries SET role = 'house' WHERE name = 'cedar'", "test, round 1: 1 entry is of the house"),
    ("UPDATE entries SET role = 'house' WHERE name = 'amber'", "test, round 1: entries are not in the order "),
    (
        f"{INSERT} 'start', 'x', 1 FROM entries WHERE name = 'birch'",
        "test, round 1: birch is withdrawn for start (x); no match of its bears that out",
    ),
    (
        f"{INSERT} 'timeout', '{FAULTS}', 1 FROM entries LIMIT 1",
        f"test, round 1: amber is {FAULTS}; its matches do not bear that out",
    ),
    ("DELETE FROM cups", "round 1 is of the cup test, which is not in the ledger"),
    ("UPDATE cups SET cup = 'other'", "round 1 is of the cup test, which is not in the ledger"),
    ("INSERT INTO cups VALUES ('empty', 1)", "the cup empty has no round"),
    ("UPDATE rounds SET round_key = 7", "amber is entered in a round that is not in the ledger"),
]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger, _ = played_cup(tmp_path, ("amber", "birch", "cedar"), Skilled(), game="zhiletka", seats=2, matches=6)
    with ledger:
        yield ledger


def change(ledger: Ledger, sql: str) -> None:
    connection = sqlite3.connect(ledger.path)
    connection.execute(sql)
    connection.commit()
    connection.close()


def difference(ledger: Ledger) -> str | None:
    """The first; that the others are looked for breaks nothing."""
    heard: list[str] = []
    verify_whole(ledger, heard.append)
    verify_cup(ledger, "test", on_difference=heard.append)
    return heard[0] if heard else None


@pytest.mark.parametrize(("sql", "named"), CHANGES)
def test_whatever_does_not_follow_from_what_was_pinned_is_named(ledger: Ledger, sql: str, named: str) -> None:
    assert difference(ledger) is None
    change(ledger, sql)

    assert (difference(ledger) or "").startswith(named)


@pytest.mark.parametrize(("sql", "named"), CHANGES[:1] + CHANGES[3:4] + CHANGES[7:9])
def test_a_site_made_of_it_is_found_out_too(tmp_path: Path, sql: str, named: str) -> None:
    ledger, cup = played_cup(tmp_path, ("amber", "birch", "cedar"), Skilled(), game="zhiletka", seats=2, matches=6)
    with ledger:
        change(ledger, sql)
        publish(ledger, tmp_path / "site", [cup])

    with pytest.raises(SiteDifference) as told:
        verify_site(tmp_path / "site")

    assert str(told.value).startswith(named)
