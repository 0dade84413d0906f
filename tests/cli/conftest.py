"""Fixtures of the tests of the command."""

from pathlib import Path

import pytest

from harness.cli import main
from tests.cli.command import Cardarena, Outcome, play_without_processes, write_cup


@pytest.fixture
def cardarena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cardarena:
    """Runs command lines in this process, from a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CARDARENA_HOME", raising=False)
    monkeypatch.setattr("harness.doctor.sheet.PROGRAMS", ())  # each run would ask all of them for their versions

    def run(*words: str | Path) -> Outcome:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a cup that has been played, to look at: `cup.toml` and its home."""
    cup = write_cup(tmp_path_factory.mktemp("spring"))
    play_without_processes(cup)
    return cup.parent


@pytest.fixture
def home(spring: Path) -> Path:
    """The home of the cup that has been played."""
    return spring / ".cardarena"
