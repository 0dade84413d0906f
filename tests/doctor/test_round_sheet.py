"""The sheet of a round: of this machine and this cup, asked for once, fit for strangers, and never in the way."""

import platform
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from harness.cup import CupFile, LimitsTable, TimeTable
from harness.doctor.round_sheet import SheetKeeper
from harness.doctor.sheet import Package, RuntimeFacts
from harness.errors import HarnessError
from harness.sandbox.cell import Sandbox
from harness.store.rows import Round
from harness.store.sheets import KeptRuntime, Sheets
from harness.workshop.runtimes import Runtimes
from tests.in_process import cup_file

ROW = Round("test", 3, "{}", "5c", "c0", 0, None, None, None)
FOUND = (
    RuntimeFacts("python-ml", "3.12.1", (Package("numpy", "2.0.1"), Package("own", "0.1+file:///home/ann/own"))),
    RuntimeFacts("node", "v20 of den in /home/ann/bin"),
    RuntimeFacts("java", "", problem="exit 1: /home/ann/jdk is not there"),
)


class Bench:
    """A home of its own, and a machine that is made up."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sheets = Sheets(folder)
        self.asked = 0
        self.answers = 0
        self.stuck: Event | None = None
        """No program answers before it is set."""
        self.ended = Event()
        self.refuses: Exception | None = None
        self.notices: list[str] = []
        monkeypatch.setattr("harness.doctor.round_sheet.ask_runtimes", self.ask)
        monkeypatch.setattr(platform, "node", lambda: "den")

    def ask(self, sandbox: Sandbox, runtimes: Runtimes) -> Iterator[RuntimeFacts]:
        self.asked += 1
        if self.refuses is not None:
            raise self.refuses
        try:
            for found in FOUND:
                if self.stuck is not None:
                    self.stuck.wait()
                self.answers += 1
                yield found
        finally:
            self.ended.set()

    def keep(self, cup: CupFile, level: str = "bwrap", error: BaseException | None = None) -> None:
        sandbox = Sandbox(level, f"sandbox {level} (bwrap: /home/ann/bin/bwrap does not start)")
        with SheetKeeper(self.sheets, ROW, cup, sandbox, Runtimes(), self.notices.append):
            if error is not None:
                raise error


def _cup(folder: Path) -> CupFile:
    tables = {"limits": LimitsTable(memory_mb=777, cpus=2), "time": TimeTable(bank_s=33)}
    return cup_file(folder).model_copy(update=tables)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Nothing is kept yet."""
    return Bench(tmp_path / "sheets", monkeypatch)


def test_limits_and_clock_are_those_of_the_cup(bench: Bench, tmp_path: Path) -> None:
    bench.keep(_cup(tmp_path))

    sheet = bench.sheets.read(ROW)
    assert sheet is not None
    facts = dict(sheet.facts)
    assert list(facts) == ["machine", "clock", "sandbox", "limits", "time"]
    assert facts["limits"].startswith("777 MB of memory, 2 cores, ")
    assert facts["time"].startswith("33 s a match, ")


def test_no_path_and_no_name_of_the_machine_is_kept(bench: Bench, tmp_path: Path) -> None:
    bench.keep(_cup(tmp_path))

    sheet = bench.sheets.read(ROW)
    assert sheet is not None
    assert sheet.runtimes == (
        KeptRuntime("python-ml", "3.12.1", ("numpy 2.0.1", "own 0.1+...")),
        KeptRuntime("node", "v20 of ... in ...", ()),
        KeptRuntime("java", "", ()),
    )
    (path,) = (tmp_path / "sheets").rglob("*.*")
    assert "/home" not in path.read_text()


def test_a_machine_is_asked_once_for_each_round_and_again_where_it_changed(bench: Bench, tmp_path: Path) -> None:
    cup = _cup(tmp_path)
    bench.keep(cup)
    bench.keep(cup)
    assert bench.asked == 1

    bench.keep(cup, "limits")
    assert bench.asked == 2
    sheet = bench.sheets.read(ROW)
    assert sheet is not None
    assert dict(sheet.facts)["sandbox"].startswith("limits: ")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), HarnessError("no user is free")])
def test_a_problem_is_one_line_and_no_end_of_the_run(bench: Bench, tmp_path: Path, error: Exception) -> None:
    bench.refuses = error
    bench.keep(_cup(tmp_path))

    assert bench.sheets.read(ROW) is None
    (notice,) = bench.notices
    assert ("No space left" in notice) or ("no user is free" in notice)
    assert notice.endswith("; the cup goes on")


def test_an_interruption_waits_for_no_program_asks_no_further_one_and_keeps_nothing(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.doctor.round_sheet.GIVE_UP_S", 0)
    bench.stuck = Event()
    with pytest.raises(KeyboardInterrupt):
        bench.keep(_cup(tmp_path), error=KeyboardInterrupt())
    bench.stuck.set()
    bench.ended.wait()

    assert bench.answers == 1
    assert bench.sheets.read(ROW) is None
