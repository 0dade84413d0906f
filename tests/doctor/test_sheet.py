"""The sheet of what bots run on: versions as the sandbox shows them, and what does not run there."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.doctor import sheet as sheet_module
from harness.doctor.machine import Finding, Machine
from harness.doctor.sheet import Package, RuntimeFacts, write_sheet
from harness.sandbox.cell import Sandbox
from harness.sandbox.probe import Ran
from harness.sandbox.runtime import Runtime
from harness.store.home import Home
from harness.workshop.runtimes import Runtimes, read_runtimes

FINDINGS = tuple(Finding(what, True, f"{what} is well; and more") for what in ("system", "clock", "auto"))


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
    sheet = write_sheet(Machine(FINDINGS, Sandbox("bwrap")), Sandbox("bwrap"), runtimes)

    packages = (Package("grpcio", "1.81.1"), Package("evil\\x1b[31m", "1"))
    assert sheet.runtimes == (
        RuntimeFacts("python", "3.12.1", packages),
        RuntimeFacts("python-ml", "3.12.1", packages),
        RuntimeFacts("node", "", problem="exit 127: prlimit: failed to execute node"),
    )
    assert asked == [(sys.executable,), (sys.executable,), ("node",)]
    assert (sheet.machine, sheet.clock) == ("system is well; and more", "clock is well")


def test_an_interpreter_that_says_something_else_is_no_traceback(
    asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_module, "run_at", lambda *_, **__: Ran("exit 1", "no module\n"))
    sheet = write_sheet(Machine(FINDINGS, Sandbox("none")), Sandbox("none"), Runtimes())

    assert sheet.runtimes[0] == RuntimeFacts("python", "", problem="exit 1: no module")
    assert json.dumps(sheet.limits.model_dump())
