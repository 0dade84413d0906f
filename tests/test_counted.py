"""The columns of a cup read at once are those of its results read one by one."""

import asyncio
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from harness.counted import _as_text, columns_of, counted_rounds
from harness.cup import CupFile
from harness.faults import Fault, FaultKind
from harness.rulings import voids
from harness.standing import player_key
from harness.store.ledger import Ledger
from harness.tournament import play_cup
from ladder.columns import Columns
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file
from tests.one_by_one import columns, counted_results


def both(ledger: Ledger, cup: CupFile) -> tuple[Columns, Columns]:
    rulings = ledger.rulings.of_cup("test")
    return (
        columns_of(counted_rounds(ledger, cup, rulings), player_key),
        columns(counted_results(ledger, cup, rulings)),
    )


def differences(found: Columns, due: Columns) -> list[str]:
    pairs = [(field.name, getattr(found, field.name), getattr(due, field.name)) for field in fields(Columns)]
    return [
        f"{name}: {left} {right}"
        for name, left, right in pairs
        if (
            not np.array_equal(left, right) or left.dtype != right.dtype
            if isinstance(left, np.ndarray)
            else left != right
        )
    ]


def play(ledger: Ledger, cup: CupFile, executor: InProcess, *labels: str) -> None:
    asyncio.run(play_cup(cup, ledger, Bots(*labels), Notes(), executor.opener()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "keys", [{"duplicate": True}, {"duplicate": False, "seats": [2, 3]}], ids=["rotations", "sizes"]
)
def test_over_rounds_with_faults_withdrawals_voids_and_blocks_that_are_not_whole(
    tmp_path: Path, keys: dict[str, object]
) -> None:
    stumbling = InProcess(stumble_percent={"bee": 30, "cat": 5}, withdraw={"dog": Fault(FaultKind.START, "no")})
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        for number in range(1, 12):
            cup = cup_file(tmp_path, matches=12 * number, **keys)
            play(ledger, cup, stumbling, "ant", "bee", "cat", "dog")
        ledger.rulings.add(voids(ledger, ["test/2/000005", "test/10/000001"], "a bad day", at_unix_ns=1))
        with pytest.raises(Interrupted):
            play(ledger, cup, InProcess(stop_after=1), "ant", "bee", "cat", "dog")
        found, due = both(ledger, cup)

    assert due.match_count > 100
    assert {"crashed", "start"} < set(due.fault_kinds)
    assert differences(found, due) == []


def test_with_nothing_played_there_are_no_rows(tmp_path: Path) -> None:
    cup = cup_file(tmp_path)
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        with pytest.raises(Interrupted):
            play(ledger, cup, InProcess(stop_after=0), "ant", "bee", "cat")

        assert differences(*both(ledger, cup)) == []


def test_numbers_stand_as_texts_do() -> None:
    numbers = np.array([1, 99, 100_000, 1_000_000, 1_000_001, 999_999, 10_000_000, 100_001, 999_999_999, 2_000_000])

    by_text = sorted(numbers.tolist(), key=lambda number: f"{number:06d}")
    assert numbers[np.argsort(_as_text(numbers))].tolist() == by_text
