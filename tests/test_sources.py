"""What lies at a path that `import` is given."""

from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.sources import sources_at


def test_the_folder_of_a_cup_is_its_ledger_and_not_the_site_beside_it(tmp_path: Path) -> None:
    (tmp_path / ".cardarena").mkdir()
    (tmp_path / "site").mkdir()
    (tmp_path / ".cardarena" / "arena.db").touch()
    (tmp_path / "site" / "rounds.json").touch()

    (source,) = sources_at(tmp_path)

    assert source.name == str(tmp_path / ".cardarena" / "arena.db")


def test_what_is_no_source_is_told(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="there is no such file or folder"):
        sources_at(tmp_path / "nowhere")
    with pytest.raises(HarnessError, match=r"no ledger \(arena.db\), no published site"):
        sources_at(tmp_path)
