"""Standings while a cup is being played: after each heat, and never so often that they keep the cup waiting."""

from pathlib import Path

import pytest

from harness.cli.app import Common
from harness.cli.progress import SHARE, CupProgress
from harness.round import Budget, RoundPlan
from harness.store.rows import Entry
from ladder.columns import gather
from ladder.fit import fit
from ladder.standings import Standings, standings
from tests.in_process import cup_file

NS_PER_S = 1_000_000_000
NOTHING = gather([])


class Clock:
    """What the progress takes for the time."""

    now_ns = 0

    def monotonic_ns(self) -> int:
        return self.now_ns


@pytest.mark.parametrize(("takes_ns", "asked"), [(NS_PER_S // 2, 40), (2 * NS_PER_S, 40 // (SHARE - 1) + 1)])
def test_standings_that_take_long_are_not_asked_for_after_every_heat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, takes_ns: int, asked: int
) -> None:
    clock, asked_ns = Clock(), []
    monkeypatch.setattr("harness.cli.progress.time", clock)

    def slow() -> Standings:
        asked_ns.append(clock.now_ns)
        clock.now_ns += takes_ns
        return standings(NOTHING, fit(NOTHING))

    entries = tuple(Entry(name, name, "1.0", "0" * 64, name) for name in ("ant", "bee", "cat"))
    progress = CupProgress(Common(None, quiet=True, json=False, progress="lines"), slow)
    progress.round_begins(RoundPlan(cup_file(tmp_path), 1, entries, Budget(matches=12)), "", 0, 12)
    for _ in range(40):
        progress.heat_ends()
        clock.now_ns += 2 * NS_PER_S

    assert len(asked_ns) == asked


def test_one_match_is_not_told_as_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    progress = CupProgress(Common(None, quiet=False, json=False, progress="lines"), lambda: pytest.fail("asked for"))
    plan = RoundPlan(cup_file(tmp_path), 1, (Entry("ant", "ant", "1.0", "0" * 64, "ant"),), Budget(matches=1))
    progress.round_begins(plan, "", 0, 1)
    progress.round_ends(plan, stopped="hours")

    told = capsys.readouterr().err
    assert "round 1: 1 match of 1 bot\n" in told
    assert "stopped by [stop] hours: 1 match was not played\n" in told


def test_who_shows_no_progress_asks_for_no_standings() -> None:
    progress = CupProgress(Common(None, quiet=True, json=False, progress="none"), lambda: pytest.fail("asked for"))

    progress.heat_ends()
