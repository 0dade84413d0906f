"""What a cup would play now, found without writing anything."""

from collections.abc import Callable
from pathlib import Path

from harness.cup import CupFile, check_change, from_pinned
from harness.roster import HomeRoster
from harness.round import RoundPlan
from harness.store.home import Home
from harness.store.ledger import Ledger
from harness.tournament import first_plan, next_plan, plan_of


def due_round(
    settings: CupFile, home: Home, folder: Path, notice: Callable[[str], None] = lambda text: None
) -> RoundPlan | None:
    """The round under way of a cup whose file lies in `folder`, else the one that `run` would start; None: neither.

    Writes nothing. HarnessError where the file cannot be played, or changed in a way that its cup does not accept.
    """
    if not home.ledger.is_file():
        return first_plan(settings, HomeRoster(home, None, folder, notice).forecast_entries(settings))
    with Ledger(home.ledger) as ledger:
        rounds = ledger.rounds(settings.name)
        if rounds:
            begun = from_pinned(rounds[-1].settings, source=f"{settings.name}, round {rounds[-1].round}")
            check_change(begun, settings, source=settings.name)
            if rounds[-1].ended_unix_ns is None:
                return plan_of(ledger, rounds[-1])
        roster = HomeRoster(home, ledger.versions, folder, notice)
        return next_plan(settings, roster.forecast_entries(settings), ledger)
