"""Kept sheets: what was kept comes back, for its own round alone, and nothing else does."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness.store.rows import Round
from harness.store.sheets import KeptRuntime, KeptSheet, Sheets

ROW = Round("test", 3, "{}", "5c", "c0", 0, None, None, None)
SHEET = KeptSheet((("machine", "Linux"),), (KeptRuntime("python", "3.12.1", ("numpy 2.0.1",)),))


def test_what_was_kept_comes_back_for_the_round_of_that_commitment_alone(tmp_path: Path) -> None:
    sheets = Sheets(tmp_path)
    sheets.keep(ROW, SHEET)

    assert sheets.read(ROW) == SHEET
    assert sheets.read(replace(ROW, round=4)) is None
    assert sheets.read(replace(ROW, commitment="another ledger's")) is None
    assert [path.name for path in (tmp_path / "test").iterdir()] == ["3.json"]


@pytest.mark.parametrize("text", ["", "{}", "[]", "[" * 100_000, '{"schema": 1, "commitment": "c0", "facts": [1]}'])
def test_a_damaged_sheet_is_none(tmp_path: Path, text: str) -> None:
    sheets = Sheets(tmp_path)
    sheets.keep(ROW, SHEET)
    (tmp_path / "test" / "3.json").write_text(text)

    assert sheets.read(ROW) is None
