"""The sheet of what bots run on: versions as the sandbox shows them, and what does not run there."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.cup import LimitsTable, TimeTable
from harness.doctor import sheet as sheet_module
from harness.doctor.sheet import Package, RuntimeFacts, ask_runtimes, outline
from harness.sandbox.cell import Sandbox
from harness.sandbox.probe import Ran
from harness.sandbox.runtime import Runtime
from harness.store.home import Home
from harness.workshop.runtimes import Runtimes, read_runtimes


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What is run, on a machine with Python, a node that does not run, and no other program."""
    lines: list[tuple[str, ...]] = []

    def ran(
        sandbox: Sandbox,
        argv: tuple[str, ...],
        *,
        cwd: Path = Path("/"),
        env: Mapping[str, str] | None = None,
        runtime: Runtime | None = None,
    ) -> Ran:
        lines.append(argv[:1])
        if argv[0] == "node":
            return Ran("exit 127", "prlimit: failed to execute node\n")
        return Ran("exit 0", 'a warning\n["3.12.1", [["grpcio", "1.81.1"], ["evil\\u001b[31m", "1"]]]\n')

    monkeypatch.setattr(sheet_module, "run_at", ran)
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/node" if name == "node" else None)
    return lines


def test_each_runtime_tells_its_version_and_its_packages(asked: list[tuple[str, ...]], tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text(f'[runtimes]\npython-ml = {{ python = "{sys.executable}" }}\n')
    runtimes = read_runtimes(Home(tmp_path, "a test's own"))
    told = tuple(ask_runtimes(Sandbox("bwrap"), runtimes))

    packages = (Package("grpcio", "1.81.1"), Package("evil\\x1b[31m", "1"))
    assert told == (
        RuntimeFacts("python", "3.12.1", packages),
        RuntimeFacts("python-ml", "3.12.1", packages),
        RuntimeFacts("node", "", problem="exit 127: prlimit: failed to execute node"),
    )
    assert asked == [(sys.executable,), (sys.executable,), ("node",)]


def test_an_interpreter_that_says_something_else_is_no_traceback(
    asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_module, "run_at", lambda *_, **__: Ran("exit 1", "no module\n"))
    told = tuple(ask_runtimes(Sandbox("none"), Runtimes()))

    assert told[0] == RuntimeFacts("python", "", problem="exit 1: no module")


def test_limits_and_clock_not_given_are_those_of_a_cup_that_says_nothing() -> None:
    sheet = outline(Sandbox("none", "sandbox none"))

    assert (sheet.limits, sheet.time, sheet.sandbox) == (LimitsTable(), TimeTable(), "sandbox none")
    assert sheet.limits_text.startswith("512 MB of memory, 1 core, 64 processes")
