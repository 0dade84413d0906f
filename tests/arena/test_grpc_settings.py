"""What gRPC is told before it is imported."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.arena import grpc_settings

ROOT = Path(__file__).parent.parent.parent
NAMES = ("GRPC_ENABLE_FORK_SUPPORT", "GRPC_EXPERIMENTS", "GRPC_VERBOSITY")


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setenv(name, "")  # so that it is restored afterwards
        del os.environ[name]


def stderr_of(code: str, **environment: str) -> str:
    """What Python says of `code`, with `environment` alone of gRPC's variables."""
    clean = {name: value for name, value in os.environ.items() if name not in NAMES}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**clean, **environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stderr


def test_the_installed_grpc_complains_of_nothing_that_it_is_told() -> None:
    assert stderr_of("import harness.arena.server, grpc; grpc.insecure_channel('unix:/nobody').close()") == ""


def test_grpc_reads_its_experiments_when_it_is_imported() -> None:
    said = stderr_of("import grpc", GRPC_EXPERIMENTS="-event_engine_that_never_was")

    assert "event_engine_that_never_was" in said, "a gRPC that complains of nothing needs no list of versions"


@pytest.mark.skipif(sys.platform != "linux", reason="the event engine is left alone elsewhere")
@pytest.mark.parametrize("version", ["1.81.1", "1.85.3"])
def test_versions_that_were_tried_do_without_the_event_engine(
    unset: None, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.setattr(grpc_settings, "version", {"grpcio": version}.__getitem__)
    grpc_settings.settle()

    assert os.environ["GRPC_EXPERIMENTS"] == "-event_engine_client,-event_engine_listener"


@pytest.mark.parametrize("version", ["1.80.1", "1.86.0", "2.0.0", "unknown", None])
def test_versions_that_were_not_tried_are_told_nothing(
    unset: None, monkeypatch: pytest.MonkeyPatch, version: str | None
) -> None:
    def installed(name: str) -> str:
        if version is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(grpc_settings, "version", installed)
    grpc_settings.settle()

    assert "GRPC_EXPERIMENTS" not in os.environ


def test_what_the_user_has_set_stands(unset: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRPC_EXPERIMENTS", "")
    grpc_settings.settle()

    assert os.environ["GRPC_EXPERIMENTS"] == ""
