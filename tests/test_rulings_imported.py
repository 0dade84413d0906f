"""Rulings come with what is imported, the same in whatever order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.intake import take_in
from harness.sources import sources_at
from harness.store.ledger import Ledger
from harness.verify import verify_cup
from tests.in_process import cup_file
from tests.ruled_cups import NOW_NS, ladder, play, undo, void, withdraw


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def test_rulings_come_with_an_imported_ledger_once(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    void(ledger, 1)
    play(cup, ledger)
    void(ledger, 7)
    undo(ledger, 2)
    with Ledger(tmp_path / "copy.db", create=True) as copy:
        for _ in range(2):
            take_in(copy, list(sources_at(tmp_path / "arena.db")))

        assert copy.rulings.all() == ledger.rulings.all()
        assert ladder(copy, cup) == ladder(ledger, cup)
        assert verify_cup(copy, "test") == 15


@pytest.mark.parametrize("is_undone_first", [False, True])
def test_an_undo_known_anywhere_holds_in_whatever_order_sources_are_named(
    tmp_path: Path, ledger: Ledger, *, is_undone_first: bool
) -> None:
    cup = cup_file(tmp_path)
    play(cup, ledger)
    void(ledger, 1, 7)
    with Ledger(tmp_path / "old.db", create=True) as old:
        take_in(old, sources_at(ledger.path))
        undo(ledger, 1)
        withdraw(old, cup, "bee")
        paths = [ledger.path, old.path] if is_undone_first else [old.path, ledger.path]
    with Ledger(tmp_path / "new.db", create=True) as new:
        (taken,) = take_in(new, [source for path in paths for source in sources_at(path)])
        (again,) = take_in(new, [source for path in paths for source in sources_at(path)])

        assert [(one.match or one.label, one.undone_unix_ns) for one in new.rulings.all()] == [
            ("bee", None),
            ("test/1/000001", NOW_NS + 1),
            ("test/1/000007", None),
        ]
        assert (taken.match_count, taken.known_count) == (12, 0)
        assert (again.match_count, again.known_count) == (0, 12)


@pytest.mark.parametrize("is_undone_first", [False, True])
def test_an_undo_comes_with_what_is_imported_later_and_stays(
    tmp_path: Path, ledger: Ledger, *, is_undone_first: bool
) -> None:
    play(cup_file(tmp_path), ledger)
    void(ledger, 1)
    with Ledger(tmp_path / "old.db", create=True) as old:
        take_in(old, sources_at(ledger.path))
        undo(ledger, 1)
    with Ledger(tmp_path / "new.db", create=True) as new:
        for path in [ledger.path, old.path] if is_undone_first else [old.path, ledger.path]:
            take_in(new, sources_at(path))

        assert new.rulings.all() == ledger.rulings.all()


def test_a_reason_from_elsewhere_that_cannot_be_shown_is_refused(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)
    void(ledger, 1)
    ledger._database.execute("UPDATE rulings SET reason = 'a' || char(27) || '[2J'")
    with Ledger(tmp_path / "copy.db", create=True) as copy:
        with pytest.raises(HarnessError, match=r"round 1: a ruling whose reason holds U\+001B"):
            take_in(copy, list(sources_at(tmp_path / "arena.db")))

        assert copy.cups() == ()
