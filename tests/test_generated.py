"""The protocol keeps its style, and the checked-in code is what the compiler makes of it."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUF = Path(sys.executable).parent / "buf"


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("grpc_tools") is None, reason="needs grpcio-tools: pip install '.[dev]'")
@pytest.mark.parametrize("name", ["arena_pb2.py", "arena_pb2.pyi"])
@pytest.mark.parametrize("place", ["harness/wire", "sample_bots/raw-stub"])
def test_checked_in_code_is_what_the_protocol_generates(tmp_path: Path, place: str, name: str) -> None:
    subprocess.run([sys.executable, str(ROOT / "protos/generate.py"), str(tmp_path)], check=True)

    generated = (tmp_path / place / name).read_text()
    assert generated == (ROOT / place / name).read_text(), "out of date: run `make proto`"


def test_folders_of_bots_get_the_protocol_as_it_is() -> None:
    copy = ROOT / "harness/workshop/scaffolds/arena.proto"

    assert copy.read_text() == (ROOT / "protos/cardarena/v1/arena.proto").read_text(), "run `make proto`"


@pytest.mark.slow
@pytest.mark.skipif(not BUF.exists(), reason="needs buf-bin: pip install '.[dev]'")
def test_protocol_passes_buf_lint() -> None:
    linted = subprocess.run([str(BUF), "lint"], cwd=ROOT, capture_output=True, text=True)

    assert linted.returncode == 0, linted.stdout + linted.stderr
