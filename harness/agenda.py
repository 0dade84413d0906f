"""What a cup has played by its ledger, and what is due next. Looks and changes nothing."""

from collections.abc import Sequence

from harness.cup import CupFile, from_pinned
from harness.errors import HarnessError
from harness.round import Budget, RoundPlan, Season, due_budget
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Round


def season_of(ledger: Ledger, cup: CupFile, rounds: Sequence[Round]) -> Season:
    """What `rounds` have played that belong to the season of `cup`."""
    by_version: dict[tuple[str, str], int] = {}
    round_count = match_count = 0
    for row in rounds:
        pinned = settings_of(row)
        if pinned.cup.season != cup.cup.season:
            continue
        entries = ledger.entries(cup.name, row.round)
        plan = _stopped_plan(ledger, row, pinned) if pinned.stop == cup.stop else None
        if plan is None:
            counts = ledger.entry_match_counts(cup.name, row.round)
        else:
            counts = dict(zip([entry.label for entry in entries], plan.schedule.appearances(), strict=False))
        for entry in entries:
            key = entry.label, entry.sha256
            by_version[key] = by_version.get(key, 0) + counts.get(entry.label, 0)
        round_count += 1
        match_count += ledger.match_count(cup.name, row.round) if plan is None else plan.schedule.match_count
    return Season(round_count, match_count, by_version)


def settings_of(row: Round) -> CupFile:
    """The settings that a round pinned."""
    return from_pinned(row.settings, source=f"{row.cup}, round {row.round}")


def _stopped_plan(ledger: Ledger, row: Round, pinned: CupFile) -> RoundPlan | None:
    """The plan of a round that `[stop]` ended before its last match; None where it did not."""
    if row.ended_unix_ns is None or (pinned.stop.hours is None and pinned.stop.separated is None):
        return None
    plan = plan_of(ledger, row)
    return plan if ledger.match_count(row.cup, row.round) < plan.schedule.match_count else None


def next_plan(cup: CupFile, entries: tuple[Entry, ...], ledger: Ledger) -> RoundPlan | None:
    """The round that is due when every round in the ledger has ended; None where nothing is."""
    rounds = ledger.rounds(cup.name)
    return _plan(cup, len(rounds) + 1, entries, season_of(ledger, cup, rounds))


def first_plan(cup: CupFile, entries: tuple[Entry, ...]) -> RoundPlan | None:
    """The first round of a cup that no ledger holds."""
    return _plan(cup, 1, entries, Season())


def _plan(cup: CupFile, number: int, entries: tuple[Entry, ...], season: Season) -> RoundPlan | None:
    budget = due_budget(cup, entries, season)
    if budget is None:
        return None
    plan = RoundPlan(cup, number, entries, budget)
    return plan if plan.schedule.match_count else None


def plan_of(ledger: Ledger, row: Round) -> RoundPlan:
    """The plan of a round in the ledger, made again from what it pinned."""
    pinned = settings_of(row)
    entries = ledger.entries(row.cup, row.round)
    where = f"{row.cup}, round {row.round}"
    if row.budget is not None:
        return RoundPlan(pinned, row.round, entries, Budget.from_pinned(row.budget, source=where))
    budget = budget_due_at(ledger, row)
    if budget is None:
        raise HarnessError(f"{where}: nothing was due when it began; the ledger was changed")
    return RoundPlan(pinned, row.round, entries, budget)


def budget_due_at(ledger: Ledger, row: Round) -> Budget | None:
    """What was due when the round of `row` began, by its settings and the rounds before it; None: nothing."""
    pinned = settings_of(row)
    earlier = [other for other in ledger.rounds(row.cup) if other.round < row.round]
    return due_budget(pinned, ledger.entries(row.cup, row.round), season_of(ledger, pinned, earlier))
