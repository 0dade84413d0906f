"""A record is opened once, and what was counted of it is what counting it again would give."""

from pathlib import Path

import numpy as np
import pytest

from harness.counted import CountedRound, counted_rounds
from harness.errors import HarnessError
from harness.publish import stretches as stretches_module
from harness.publish.record_counts import RecordCounts, record_counts
from harness.publish.stretches import Stretches
from harness.rulings import voids
from harness.store.ledger import Ledger
from tests.publish.conftest import Played

MATCHES = 20


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches_module, "STRETCH_BLOCKS", 4)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the matches that were opened in this process."""
    numbers: list[int] = []

    def noted(ledger: Ledger, counted: CountedRound, game: str) -> RecordCounts:
        numbers.extend(counted.number.tolist())
        return record_counts(ledger, counted, game)

    monkeypatch.setattr(stretches_module, "record_counts", noted)
    return numbers


def _round(played: Played) -> CountedRound:
    ledger, cup = played
    (counted,) = counted_rounds(ledger, cup, ledger.rulings.of_cup(cup.name))
    return counted


def _counts(played: Played, folder: Path | None, processes: int = 1) -> RecordCounts:
    ledger, cup = played
    return Stretches(ledger, folder, processes).counts(_round(played), cup.cup.game)


def _are_same(found: RecordCounts, due: RecordCounts) -> bool:
    """But for the order of rows and of contracts."""

    def members(counts: RecordCounts) -> tuple[object, ...]:
        rows = [(row[0], counts.contracts[row[1]], *row[2:]) for row in counts.by_contract.tolist()]
        return sorted(counts.sandboxes), counts.swings, sorted(rows), counts.thoughts.tolist(), counts.totals.tolist()

    return members(found) == members(due)


@pytest.mark.parametrize("name", ["guillotine", "zhiletka"])
def test_stretches_add_up_to_the_round(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    played: Played = request.getfixturevalue(name)
    whole = record_counts(played[0], _round(played), played[1].cup.game)

    assert len(whole.thoughts) > 4
    assert _are_same(_counts(played, None), whole)
    assert _are_same(_counts(played, tmp_path), whole)
    assert _are_same(_counts(played, tmp_path), whole)


def test_what_was_counted_is_not_opened_again(guillotine: Played, tmp_path: Path, opened: list[int]) -> None:
    _counts(guillotine, tmp_path)
    assert len(opened) == MATCHES
    opened.clear()

    _counts(guillotine, tmp_path)

    assert opened == []


def test_where_a_ruling_takes_a_match_away_its_stretch_alone_is_counted_again(
    guillotine: Played, tmp_path: Path, opened: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, cup = guillotine
    _counts(guillotine, tmp_path)
    opened.clear()
    (ruling,) = voids(ledger, [f"{cup.name}/1/000006"], "a bad day", at_unix_ns=1)
    (without,) = counted_rounds(ledger, cup, [ruling])

    found = Stretches(ledger, tmp_path, 1).counts(without, cup.cup.game)

    assert opened
    assert set(opened) < set(_round(guillotine).number.tolist())
    assert 6 not in opened
    assert _are_same(found, record_counts(ledger, without, cup.cup.game))


@pytest.mark.parametrize("damage", [b"", b"nothing of ours\n", None], ids=["empty", "strange", "torn"])
def test_a_damaged_file_is_counted_again(guillotine: Played, tmp_path: Path, damage: bytes | None) -> None:
    due = _counts(guillotine, tmp_path)
    path = min(path for path in tmp_path.rglob("*") if path.is_file())
    path.write_bytes(path.read_bytes()[:-20] if damage is None else damage)

    assert _are_same(_counts(guillotine, tmp_path), due)


def test_where_nothing_can_be_kept_all_is_counted_each_time(guillotine: Played, tmp_path: Path) -> None:
    (tmp_path / "counts").write_text("a file where the folder would be")

    assert _are_same(_counts(guillotine, tmp_path / "counts"), _counts(guillotine, None))


def test_two_processes_count_what_one_does(guillotine: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches_module, "FEW_STRETCHES", 1)

    assert _are_same(_counts(guillotine, None, processes=2), _counts(guillotine, None))


def test_a_record_that_does_not_fit_its_result_is_said_to_be_damaged(
    guillotine: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, cup = guillotine
    counted = _round(guillotine)
    halves = counted._replace(size=np.full(2 * len(counted.size), 2), number=np.repeat(counted.number, 2))

    with pytest.raises(HarnessError, match="is damaged"):
        record_counts(ledger, halves, cup.cup.game)
