"""What a bot asks for in its environment acts on its own program, and on nothing that is run on the way to it."""

import asyncio
import os
from pathlib import Path

import pytest

from harness.sandbox.cell import LEVELS, Cell
from harness.sandbox.levels import try_level
from harness.sandbox.limits import ProcessLimits
from harness.sandbox.process import BotProcess, start_process

WORKING = [level for level in LEVELS if not try_level(level).problem]
PLAIN = {"PATH": os.defpath, "CARDARENA_TOKEN": "a-token"}


async def run(level: str, *argv: str, env: dict[str, str]) -> BotProcess:
    """Lets it come to its own end."""
    process = start_process(argv, Path("/usr"), PLAIN | env, ProcessLimits(), Cell(try_level(level).sandbox))
    await asyncio.wait_for(process.exited.wait(), 60)
    await process.gone()
    return process


@pytest.mark.parametrize("level", WORKING)
async def test_a_loader_that_a_bot_asks_for_loads_nothing_but_the_bot(level: str) -> None:
    """The loader of the C library says by itself whom it has loaded."""
    process = await run(level, "/usr/bin/true", env={"LD_DEBUG": "libs"})
    said = process.output.decode().splitlines()

    assert [line.rpartition(": ")[2] for line in said if "initialize program:" in line] == ["/usr/bin/true"]


@pytest.mark.parametrize("level", WORKING)
async def test_variables_reach_the_bot_as_they_are(level: str) -> None:
    asked = {"ODD": "a=b\nc 'd' \u00e9", "EMPTY": "", "LANG": "C"}
    process = await run(level, "/usr/bin/env", "-0", env=asked)
    told = dict(line.split("=", 1) for line in process.output.decode().split("\0") if line)

    assert {name: told[name] for name in asked} == asked
    assert told["CARDARENA_TOKEN"] == "a-token"
    assert set(told) - set(asked) - set(PLAIN) <= {"HOME", "TMPDIR"} | ({"PWD"} if level == "bwrap" else set())


@pytest.mark.parametrize("level", WORKING)
async def test_no_command_line_shows_a_token(level: str) -> None:
    process = start_process(
        ("/usr/bin/cat", "/proc/self/environ"), Path("/usr"), PLAIN, ProcessLimits(), Cell(try_level(level).sandbox)
    )
    lines = [path.read_bytes() for path in Path("/proc").glob(f"{process.pid}/cmdline")]
    await asyncio.wait_for(process.exited.wait(), 60)
    await process.gone()

    assert b"a-token" in process.output
    assert not [line for line in lines if b"a-token" in line]
