"""Feeds of strangers, leaf by leaf: `import` refuses what is wrong in a line, and what it takes in blocks nobody."""

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.cup import from_pinned
from harness.errors import HarnessError
from harness.intake import take_in
from harness.printable import printable
from harness.publish import publish
from harness.sources import sources_at
from harness.store.ledger import Ledger
from harness.store.rows import Ruling, RulingKind
from harness.verify import LedgerDifference, verify_cup
from tests.played_cups import Skilled, played_cup

NASTY: list[object] = [None, True, -1, 10**30, 1e308, 0.5, "", "\ud800", "\x1b[2J\u202e", "../../x", [], {}, ["\ud800"]]
OF_SETTINGS: list[object] = [None, "\ud800", "\x1b[2J\u202e", {}]
Path_ = tuple[str | int, ...]
ROUNDS = "rounds.json"
RECORDS = "matches.jsonl.gz"


class Feeds:
    """A site with all that its feeds can tell: clocks, an anchor, a withdrawal, rulings, faults."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ledger, cup = played_cup(
            folder, ("amber", "birch", "cedar"), Skilled(fault_every=5), game="zhiletka", seats=2, matches=6
        )
        with ledger:
            ledger.rulings.add(
                [
                    Ruling(0, RulingKind.VOID, cup.name, 1, "the light went out", 5, number=1, block=0),
                    Ruling(0, RulingKind.WITHDRAW, cup.name, 1, "it reads cards", 6, undone_unix_ns=7, label="amber"),
                ]
            )
            ledger.withdraw(cup.name, 1, "birch", kind="timeout", detail="no answer in 5 s", at_unix_ns=8)
            publish(ledger, folder / "site", [cup])
        self.rounds = json.loads((folder / "site" / ROUNDS).read_text())
        self.rounds["rounds"][0]["entries"][0]["time_ns"] = [1, 2, 3]
        self.rounds["versions"] = [
            {
                **{key: self.rounds["rounds"][0]["entries"][0][key] for key in ("name", "version", "sha256", "team")},
                "bot": {
                    "name": "amber",
                    "version": "1.0",
                    "authors": ["A"],
                    "games": ["zhiletka"],
                    "notes": "public",
                },
                "submitted_unix_ns": 3,
                "verdict": "passed",
                "retired_unix_ns": None,
                "match_think_ns": 4,
            }
        ]
        self.records = gzip.decompress((folder / "site" / RECORDS).read_bytes()).splitlines()

    def outcome(self, rounds: object, record: object = None) -> str | None:
        """Why `import` refuses these feeds; None where it takes them in, and then everybody can work with them."""
        shutil.rmtree(self.folder / "home", ignore_errors=True)
        (self.folder / "home").mkdir()
        copy = self.folder / "copy"
        copy.mkdir(exist_ok=True)
        (copy / ROUNDS).write_text(json.dumps(rounds))
        lines = self.records if record is None else [json.dumps(record).encode(), *self.records[1:]]
        (copy / RECORDS).write_bytes(gzip.compress(b"\n".join(lines), 1))
        with Ledger(self.folder / "home" / "arena.db", create=True) as ledger:
            try:
                take_in(ledger, sources_at(copy))
            except HarnessError as error:
                assert not ledger.cups()
                assert not list(ledger.versions.rows())
                said = str(error)
                assert said
                assert said == printable(said)  # one line, too
                said.encode()
                return said
            for row in ledger.cups():
                if ledger.rounds(row.cup):
                    try:
                        verify_cup(ledger, row.cup)
                    except LedgerDifference as difference:
                        str(difference).encode()
                    cup = from_pinned(ledger.rounds(row.cup)[-1].settings, source="test")
                    publish(ledger, self.folder / "home" / "site", [cup])
        return None


@pytest.fixture(scope="module")
def feeds(tmp_path_factory: pytest.TempPathFactory) -> Feeds:
    return Feeds(tmp_path_factory.mktemp("feeds"))


def leaves(value: object, path: Path_ = ()) -> Iterator[Path_]:
    """Everything that stands in a JSON value, the first of each list alone."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, item in items:
        yield from leaves(item, (*path, key))


def changed(value: Any, path: Path_, new: object) -> Any:
    """`value` with `new` at `path`."""
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


def test_the_feeds_themselves_are_taken_in(feeds: Feeds) -> None:
    assert feeds.outcome(feeds.rounds) is None


@pytest.mark.parametrize(
    ("path", "new"),
    [
        (("versions", 0, "bot", "games"), 1e308),
        (("versions", 0, "bot", "name"), True),
        (("versions", 0, "bot", "notes"), "\ud800"),
        (("versions", 0, "bot", "version"), "\ud800"),
        (("versions", 0, "bot", "authors"), True),
        (("rounds", 0, "rulings", 0, "number"), None),
        (("rounds", 0, "rulings", 0, "number"), 10**30),
        (("rounds", 0, "rulings", 0, "block"), 10**30),
        (("rounds", 0, "budget"), {}),
        (("rounds", 0, "budget", "matches"), "6"),
    ],
    ids=ascii,
)
def test_rounds_that_nobody_could_work_with_are_refused(feeds: Feeds, path: Path_, new: object) -> None:
    refused = feeds.outcome(changed(feeds.rounds, path, new))

    assert refused is not None
    assert "rounds.json: " in refused or "round 1: " in refused


@pytest.mark.parametrize(
    ("path", "new"),
    [
        (("rotation",), 10**30),
        (("rotation",), -1),
        (("first_dealer",), 10**30),
        (("seats",), []),
        (("points",), []),
        (("places",), []),
        (("deals",), []),
        (("deals", 0, "actions"), []),
    ],
    ids=ascii,
)
def test_records_that_are_of_no_match_are_refused(feeds: Feeds, path: Path_, new: object) -> None:
    refused = feeds.outcome(feeds.rounds, changed(json.loads(feeds.records[0]), path, new))

    assert refused is not None
    assert "matches.jsonl.gz: line 1" in refused


@pytest.mark.slow
@pytest.mark.parametrize("new", NASTY, ids=ascii)
def test_no_leaf_of_the_rounds_gives_a_traceback_or_blocks_who_took_it_in(feeds: Feeds, new: object) -> None:
    for path in leaves(feeds.rounds):
        if "settings" in path and new not in OF_SETTINGS:  # keys of a cup file, whose own tests try the others
            continue
        feeds.outcome(changed(feeds.rounds, path, new))


@pytest.mark.slow
@pytest.mark.parametrize("new", NASTY, ids=ascii)
def test_no_leaf_of_a_record_gives_a_traceback_or_blocks_who_took_it_in(feeds: Feeds, new: object) -> None:
    record = json.loads(feeds.records[0])
    for path in leaves(record):
        if "meta" in path and new not in OF_SETTINGS:  # nothing is worked out from it
            continue
        feeds.outcome(feeds.rounds, changed(record, path, new))
