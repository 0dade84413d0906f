"""What holds for every test.

* The checkout is on the path, so that tests share code as `tests.games.contract` and the like.
* Hypothesis draws the same examples every time and has no deadline: no unseeded chance, no real time.
* With CARDARENA_NO_SKIP=1 a skipped test is a failed one: on a machine meant to have everything, what is
  missing must be seen.
* A hang-up and Ctrl-C end programs as they do by default, also where the tests were started in the background: what
  ignores them hands that on to whatever it starts.
"""

import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent.parent))

settings.register_profile(
    "cardarena", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("cardarena")

for number, usual in ((signal.SIGHUP, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not report.skipped or hasattr(report, "wasxfail") or os.environ.get("CARDARENA_NO_SKIP") != "1":
        return
    report.outcome = "failed"
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.longrepr = f"{reason}\nNothing may be skipped here: CARDARENA_NO_SKIP is set."


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fails a test that was skipped where nothing may be."""
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole file that was skipped."""
    report = yield
    _fail_if_skipped(report)
    return report
