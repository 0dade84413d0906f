"""What a cup would play now, found without writing anything."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from harness.agenda import first_plan, next_plan, plan_of, replay_plan, season_remark
from harness.cup import CupFile, check_change, from_pinned
from harness.roster import HomeRoster
from harness.round import RoundPlan
from harness.store.home import Home
from harness.store.ledger import Ledger


class Due(NamedTuple):
    """A round to be played."""

    plan: RoundPlan
    played_count: int
    """Matches of it that are played already."""


def due_round(
    settings: CupFile, home: Home, folder: Path, notice: Callable[[str], None] = lambda text: None
) -> Due | None:
    """The round under way of a cup whose file lies in `folder`, else the one that `run` would start; None: neither.

    Writes nothing. HarnessError where the file cannot be played, or changed in a way that its cup does not accept.
    """
    if not home.ledger.is_file():
        return _begun(first_plan(settings, HomeRoster(home, None, folder, notice).forecast_entries(settings)))
    with Ledger(home.ledger) as ledger:
        rounds = ledger.rounds(settings.name)
        if rounds:
            begun = from_pinned(rounds[-1].settings, source=f"{settings.name}, round {rounds[-1].round}")
            check_change(begun, settings, source=settings.name)
            if (remark := season_remark(settings, rounds)) is not None:
                notice(remark)
            if rounds[-1].ended_unix_ns is None:
                return Due(plan_of(ledger, rounds[-1]), ledger.match_count(settings.name, rounds[-1].round))
        again = replay_plan(settings, ledger)
        if again is not None:
            return Due(again, 0)
        roster = HomeRoster(home, ledger.versions, folder, notice)
        return _begun(next_plan(settings, roster.forecast_entries(settings), ledger))


def _begun(plan: RoundPlan | None) -> Due | None:
    return None if plan is None else Due(plan, 0)
