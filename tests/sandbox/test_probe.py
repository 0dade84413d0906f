"""Programs run at a level: what they are given, and what they are not."""

import os
import sys

import pytest

from harness.sandbox.cell import LEVELS
from harness.sandbox.levels import try_level
from harness.sandbox.probe import run_at

WORKING = [level for level in LEVELS if not try_level(level).problem]


@pytest.mark.parametrize("level", WORKING)
def test_no_file_of_ours_is_open_at_any_level(level: str) -> None:
    """Nor any pipe or socket but its output: bubblewrap is told of some, and closes them."""
    code = "import os; print(*sorted(os.listdir('/proc/self/fd'), key=int))"
    inherited = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(inherited, True)
    try:
        ran = run_at(try_level(level).sandbox, (sys.executable, "-I", "-S", "-c", code))
    finally:
        os.close(inherited)

    assert ran.is_well
    assert ran.output.split() == ["0", "1", "2", "3"]  # 3: the directory that is listed


def test_a_program_that_is_not_there_is_a_problem_in_a_line() -> None:
    ran = run_at(try_level("none").sandbox, ("no-such-program",))

    assert not ran.is_well
    assert ran.problem == "[Errno 2] No such file or directory"
