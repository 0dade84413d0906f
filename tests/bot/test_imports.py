"""What importing the SDK brings into a bot's process."""

import json
import subprocess
import sys

import pytest

SERVER_SIDE = {"typer", "rich", "pydantic", "sqlite3", "numpy", "scipy"}
HARNESS_SIDE = {"harness.session", "harness.arena", "harness.store", "harness.cli", "harness.match", "harness.deals"}


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return set(json.loads(printed))


@pytest.mark.slow
def test_importing_the_sdk_loads_nothing_of_the_server() -> None:
    modules = modules_after("import harness.bot")

    assert not modules & (SERVER_SIDE | HARNESS_SIDE | {"grpc", "google", "asyncio"})


@pytest.mark.slow
def test_running_a_bot_loads_grpc_and_messages_only() -> None:
    modules = modules_after("import harness.bot.client")

    assert "grpc" in modules
    assert not modules & (SERVER_SIDE | HARNESS_SIDE)  # asyncio comes with grpc, which imports grpc.aio by itself


@pytest.mark.slow
def test_playing_in_process_loads_no_grpc() -> None:
    modules = modules_after("import harness.local")

    assert not modules & (SERVER_SIDE | {"grpc", "google", "asyncio"})
