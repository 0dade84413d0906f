"""A bot process under its keeper: its end is told exactly, its output is capped, and nothing of it survives."""

import asyncio
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.sandbox.limits import ProcessLimits
from harness.sandbox.process import BotProcess, Exit, start_process
from harness.sandbox.users import runs_as_root

ROOT = Path(__file__).parent.parent.parent
ENV = {"PATH": os.environ["PATH"], "CARDARENA_TOKEN": secrets.token_hex(8)}
LIMITS = ProcessLimits()


def start(*argv: str, limits: ProcessLimits = LIMITS) -> BotProcess:
    return start_process(argv, Path("/"), ENV, limits)


async def run(*argv: str, limits: ProcessLimits = LIMITS) -> BotProcess:
    """Lets the process come to its own end."""
    process = start(*argv, limits=limits)
    await asyncio.wait_for(process.exited.wait(), 60)
    await process.gone()
    return process


async def run_python(code: str, limits: ProcessLimits = LIMITS) -> BotProcess:
    return await run(sys.executable, "-I", "-S", "-c", code, limits=limits)


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and not yet reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


async def all_dead(pids: list[int], within_s: float = 60.0) -> bool:
    """Whether the processes are dead before long: a kill is not done when it returns."""
    deadline = time.monotonic() + within_s
    while any(is_alive(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True


@pytest.mark.parametrize(
    ("script", "how", "words"),
    [
        ("exit 0", Exit(code=0), "exited with code 0"),
        ("exit 3", Exit(code=3), "exited with code 3"),
        ("kill -SEGV $$", Exit(signal=11), "was killed by signal 11 (SIGSEGV)"),
        ("kill -9 $$", Exit(signal=9), "was killed by signal 9 (SIGKILL)"),
    ],
)
async def test_the_end_is_told_exactly(script: str, how: Exit, words: str) -> None:
    process = await run("sh", "-c", script)

    assert process.exit == how
    assert str(process.exit) == words


async def test_a_program_that_is_not_there_is_named() -> None:
    process = await run("no-such-program")

    assert str(process.exit) == "could not be started: [Errno 2] No such file or directory"


async def test_what_it_writes_is_kept_in_order() -> None:
    process = await run("sh", "-c", "echo one; echo two >&2; echo three")

    assert process.output == b"one\ntwo\nthree\n"
    assert process.last_lines(2) == ["two", "three"]


async def test_escape_codes_are_made_harmless() -> None:
    process = await run("printf", r"\033]0;owned\007\n\342\200\256x")

    assert process.last_lines(2) == ["\\x1b]0;owned\\x07", "\\u202ex"]


async def test_a_flood_keeps_its_beginning_and_its_end() -> None:
    limits = ProcessLimits(log_kb=8)
    process = await run_python("import os\nfor n in range(20000): os.write(1, b'line %07d\\n' % n)", limits)

    assert process.output.startswith(b"line 0000000\n")
    assert process.output.endswith(b"line 0019999\n")
    assert f"[{20000 * 13 - 8 * 1024 - 64 * 1024} bytes left out]" in process.output.decode()
    assert len(process.output) < 80 * 1024


async def test_the_environment_is_what_was_given() -> None:
    process = await run_python("import os; print(sorted(os.environ))")

    assert process.last_lines(1)[0].replace("'LC_CTYPE', ", "") == "['CARDARENA_TOKEN', 'PATH']"  # Python adds one


async def test_the_limits_hold() -> None:
    code = (
        "import resource as r\n"
        "for limit in (r.RLIMIT_DATA, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_CORE): print(*r.getrlimit(limit))"
    )
    process = await run_python(code, ProcessLimits(memory_mb=300, tmp_mb=16, files=64))
    rows = [tuple(map(int, line.split())) for line in process.output.decode().splitlines()]

    assert rows == [(300 << 20, 300 << 20), (64, 64), (16 << 20, 16 << 20), (0, 0)]


async def test_a_bot_that_wakes_up_waits_for_its_turn() -> None:
    process = await run_python("import os; print(os.sched_getscheduler(0) == os.SCHED_BATCH)")

    assert process.last_lines(1) == ["True"]


async def test_more_memory_than_allowed_is_not_to_be_had() -> None:
    process = await run_python("x = bytearray(400 << 20)", ProcessLimits(memory_mb=100))

    assert process.exit == Exit(code=1)
    assert process.last_lines(1) == ["MemoryError"]


async def test_it_has_a_session_of_its_own_and_no_open_files() -> None:
    process = await run_python("import os; print(os.getsid(0) == os.getpid(), sorted(os.listdir('/proc/self/fd'))[:4])")

    assert process.output.startswith(b"True ['0', '1', '2', '3']")  # 3: the directory that is listed


LINGER = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
heard, said = os.pipe()
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            print(os.getpid(), flush=True)
            os.write(said, b".")
            time.sleep(3600)
        os._exit(0)
for _ in range(2):
    os.read(heard, 1)
"""
"""A process that has two children hide, and goes on when both have told who they are."""


async def pids_of(process: BotProcess, count: int) -> list[int]:
    while process.output.count(b"\n") < count:
        await asyncio.sleep(0.01)
    return [int(line) for line in process.output.split()]


@pytest.mark.slow
async def test_children_that_hide_in_sessions_of_their_own_do_not_outlive_it() -> None:
    process = start(sys.executable, "-I", "-S", "-c", LINGER)
    pids = await pids_of(process, 3)
    await process.exited.wait()
    await process.gone()

    assert process.exit == Exit(code=0)
    assert not any(is_alive(pid) for pid in pids)


@pytest.mark.slow
async def test_kill_ends_it_and_all_that_it_started() -> None:
    process = start(sys.executable, "-I", "-S", "-c", LINGER + "time.sleep(3600)")
    pids = await pids_of(process, 3)
    process.kill()
    await process.gone()

    assert process.exit == Exit(signal=9)
    assert not any(is_alive(pid) for pid in pids)


@pytest.mark.slow
async def test_a_fork_bomb_is_put_out() -> None:
    bomb = "import os, time\nfor _ in range(6): os.fork()\nprint('.', flush=True)\ntime.sleep(3600)"
    process = start(sys.executable, "-I", "-S", "-c", bomb)
    while process.output.count(b".") < 64:
        await asyncio.sleep(0.01)
    process.kill()
    await process.gone()

    assert process.exit == Exit(signal=9)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
async def test_what_a_bot_does_to_its_keeper_does_not_save_it(number: signal.Signals) -> None:
    process = start(sys.executable, "-I", "-S", "-c", LINGER + "time.sleep(3600)")
    pids = await pids_of(process, 3)
    os.kill(process.pid, number)
    if number != signal.SIGSTOP:
        await process.exited.wait()
    process.kill()
    await process.gone()

    assert await all_dead(pids)
    by_whom = "the sandbox failed: its keeper was killed" if runs_as_root() else "ended with its keeper"
    assert str(process.exit) in (by_whom, "was killed by signal 9 (SIGKILL)")


HARNESS = """
import asyncio, sys
from pathlib import Path
from harness.sandbox.limits import ProcessLimits
from harness.sandbox.process import start_process

async def main():
    process = start_process((sys.executable, "-I", "-S", "-c", sys.argv[1]), Path("/"), {}, ProcessLimits())
    while process.output.count(b"\\n") < 3:
        await asyncio.sleep(0.01)
    print(process.output.decode(), flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_nothing_is_left_when_the_harness_is_killed(number: signal.Signals) -> None:
    harness = subprocess.Popen(
        [sys.executable, "-c", HARNESS, LINGER + "time.sleep(3600)"], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert harness.stdout is not None
    pids = [int(harness.stdout.readline()) for _ in range(3)]
    harness.send_signal(number)
    harness.wait()
    harness.stdout.close()

    assert await all_dead(pids)
