"""Progress of a cup on stderr: a table that redraws itself on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import TracebackType

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from harness.arena.specs import PhaseReport
from harness.cli.app import Common
from harness.cli.pausing import gives_terminal_back
from harness.cli.standings import fitted_table
from harness.cli.tables import duration, remarks
from harness.faults import Fault
from harness.printable import printable
from harness.record import MatchRecord
from harness.round import RoundPlan
from ladder.standings import Standings
from ladder.words import plural

NS_PER_S = 1_000_000_000
LINE_EVERY_NS = 10 * NS_PER_S
"""Plain progress prints a line about so often."""
LAG_WORTH_TELLING_S = 1.0
QUICK_NS = NS_PER_S
"""Standings that take no longer are shown after every heat."""
SHARE = 20
"""Others take at most one part in so many of the time."""


class CupProgress:
    """Watches a cup being played (`harness.observer.Observer`). Use in a `with` block around the play."""

    def __init__(self, common: Common, standings: Callable[[], Standings]) -> None:
        """`standings` gives those of the whole blocks in the ledger; asked once a heat, in long cups less often."""
        self._progress = common.progress
        self._quiet = common.quiet
        self._standings = standings
        self.after_match: Callable[[], None] = lambda: None
        """Called after each match; quick."""
        self._console = remarks()
        self._live: Live | None = None
        self._ends = ExitStack()
        self._plan: RoundPlan | None = None
        self._due = 0
        self._done = 0
        self._at_begin = 0
        self._began_ns = 0
        self._next_line_ns = 0
        self._next_standings_ns = 0
        self._table: RenderableType | None = None

    def __enter__(self) -> "CupProgress":
        if self._progress == "live":
            self._live = Live(console=self._console, refresh_per_second=4, get_renderable=self._screen, transient=True)
            self._live.start()
            cursor = self._console.show_cursor
            pausing = gives_terminal_back(lambda: cursor(True), lambda: cursor(False))
            self._ends.enter_context(pausing)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ends.close()
        if self._live is not None:
            self._live.stop()

    def notice(self, text: str) -> None:
        """One line that stays."""
        if not self._quiet:
            self._console.print(Text(printable(text)), soft_wrap=not self._console.is_terminal)

    def round_begins(self, plan: RoundPlan, commitment: str, done_count: int, match_count: int) -> None:
        self._plan = plan
        self._due = match_count
        self._done = self._at_begin = done_count
        self._began_ns = time.monotonic_ns()
        self._next_line_ns = self._began_ns + LINE_EVERY_NS
        resumed = f", {done_count:,} of them played before" if done_count else ""
        matches = f"{plural(match_count, 'match', 'matches')} of {plural(len(plan.entries), 'bot')}"
        season = f", season {plan.cup.cup.season}" if plan.cup.cup.season else ""
        self.notice(f"{plan.cup.name}{season}, round {plan.number}: {matches}{resumed}")
        self.notice(f"commitment {commitment}")

    def match_ends(self, record: MatchRecord) -> None:
        self._done += 1
        if self._progress == "lines" and time.monotonic_ns() >= self._next_line_ns:
            self._next_line_ns = time.monotonic_ns() + LINE_EVERY_NS
            self.notice(self._pace())
        self.after_match()

    def phase_ends(self, report: PhaseReport) -> None:
        lag_s = report.lag_ns / NS_PER_S
        if lag_s > LAG_WORTH_TELLING_S:
            self.notice(f"the harness lagged {lag_s:.1f} s in this phase; charged to nobody (fewer [limits] jobs?)")

    def withdrawn(self, label: str, fault: Fault, last_lines: Sequence[str]) -> None:
        self.notice(f"{label} is withdrawn: {fault.kind}: {fault.detail}")
        for line in last_lines[-5:]:
            self.notice(f"  {label}: {line}")

    def heat_ends(self) -> None:
        begin_ns = time.monotonic_ns()
        if self._progress == "none" or begin_ns < self._next_standings_ns:
            return
        standings = self._standings()
        end_ns = time.monotonic_ns()
        if end_ns - begin_ns > QUICK_NS:
            self._next_standings_ns = end_ns + (SHARE - 1) * (end_ns - begin_ns)
        if self._live is not None:
            self._table, _ = fitted_table(standings, self._console.width)
        elif self._progress == "lines":
            self.notice(f"{self._pace()}; {standings.sentence}")

    def round_ends(self, plan: RoundPlan, *, stopped: str | None) -> None:
        if stopped is not None:
            left = self._due - self._done
            self.notice(f"stopped by [stop] {stopped}: {plural(left, 'match was', 'matches were')} not played")

    def _pace(self) -> str:
        assert self._plan is not None
        elapsed_s = max(1e-9, (time.monotonic_ns() - self._began_ns) / NS_PER_S)
        per_s = (self._done - self._at_begin) / elapsed_s
        left = self._due - self._done
        remaining = f", {duration(left / per_s)} left" if per_s > 0 and left else ""
        return f"{self._done:,} of {plural(self._due, 'match', 'matches')}, {per_s:.1f}/s{remaining}"

    def _screen(self) -> RenderableType:
        if self._plan is None:
            return Text("")
        line = Table.grid(padding=(0, 1))
        line.add_row(ProgressBar(total=self._due, completed=self._done, width=30), Text(self._pace()))
        return line if self._table is None else Group(self._table, line)
