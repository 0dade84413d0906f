"""Who watches a cup being played."""

from collections.abc import Sequence
from typing import Protocol

from harness.arena.specs import PhaseReport
from harness.faults import Fault
from harness.record import MatchRecord
from harness.round import RoundPlan


class Observer(Protocol):
    """Who watches a cup being played. Called from the loop that plays: quick, and never raising."""

    def round_begins(self, plan: RoundPlan, commitment: str, done_count: int, match_count: int) -> None:
        """A round starts, or goes on with `done_count` of its `match_count` matches played; in a shard, of its own."""

    def match_ends(self, record: MatchRecord) -> None:
        """A match is in the ledger."""

    def phase_ends(self, report: PhaseReport) -> None:
        """The processes of a phase are gone."""

    def withdrawn(self, label: str, fault: Fault, last_lines: Sequence[str]) -> None:
        """A bot plays no more in this round; the house plays in its seat."""

    def heat_ends(self) -> None:
        """Whole blocks were added: standings may have changed."""

    def round_ends(self, plan: RoundPlan, *, stopped: str | None) -> None:
        """The round is over; `stopped` says by which rule of `[stop]` before its last match."""

    def notice(self, text: str) -> None:
        """Something an organiser should know."""
