"""The private directory of an arena."""

from pathlib import Path

import pytest

from harness.arena.directory import private_directory


def test_a_long_temporary_path_is_not_used_for_sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long_path = tmp_path / ("x" * 90)
    long_path.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long_path))
    directory = private_directory()

    assert directory.path.parent == Path("/tmp")
    directory.remove()
