"""Which interpreter the processes of ours are started in."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness.own_program import own_program

ROOT = Path(__file__).parent.parent
SAY = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from harness.own_program import own_program; "
COMMAND = SAY + "print(*own_program('this', 'word'), sep='\\n')"


def started_with(*flags: str) -> list[str]:
    """What a Python with these flags starts a process of ours with, the interpreter aside."""
    done = subprocess.run(
        [sys.executable, *flags, "-c", COMMAND], capture_output=True, text=True, check=True, timeout=60
    )
    program, *words = done.stdout.splitlines()
    assert program == sys.executable
    return words


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        ((), ["-P"]),
        (("-P",), ["-P"]),
        (("-E",), ["-P", "-E"]),
        (("-s",), ["-P", "-s"]),
        (("-E", "-s"), ["-P", "-E", "-s"]),
        (("-I",), ["-I"]),
    ],
)
def test_where_modules_are_looked_for_is_handed_on(flags: tuple[str, ...], kept: list[str]) -> None:
    assert started_with(*flags) == [*kept, "-m", "this", "word"]


def test_a_module_in_the_folder_that_it_is_started_in_stands_in_for_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("print('hostile')")
    done = subprocess.run(own_program("json.tool", "--help"), cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert done.returncode == 0
    assert "hostile" not in done.stdout
