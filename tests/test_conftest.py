"""The rules of tests/conftest.py hold."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SKIPS = {
    "mark": "import pytest\n\n@pytest.mark.skip(reason='no browser')\ndef test_it(): pass\n",
    "call": "import pytest\n\ndef test_it(): pytest.skip('no browser')\n",
    "fixture": "import pytest\n\n@pytest.fixture\ndef it(): pytest.skip('no browser')\n\ndef test_it(it): pass\n",
    "file": "import pytest\npytest.skip('no browser', allow_module_level=True)\n",
}


def _pytest(folder: Path, source: str, no_skip: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", "-rs", "test_it.py"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "CARDARENA_NO_SKIP": no_skip}
    env.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SKIPS)
def test_a_skip_is_a_failure_where_nothing_may_be_skipped(tmp_path: Path, kind: str) -> None:
    run = _pytest(tmp_path, SKIPS[kind], no_skip="1")

    assert run.returncode not in (0, 5), run.stdout
    assert "no browser" in run.stdout
    assert "CARDARENA_NO_SKIP" in run.stdout


@pytest.mark.slow
def test_a_skip_is_no_failure_elsewhere(tmp_path: Path) -> None:
    run = _pytest(tmp_path, SKIPS["call"], no_skip="")

    assert run.returncode == 0, run.stdout
    assert "1 skipped" in run.stdout


@pytest.mark.slow
def test_an_expected_failure_is_not_a_skip(tmp_path: Path) -> None:
    source = "import pytest\n\n@pytest.mark.xfail(reason='known')\ndef test_it(): assert False\n"

    run = _pytest(tmp_path, source, no_skip="1")

    assert run.returncode == 0, run.stdout
    assert "1 xfailed" in run.stdout
