"""What a cup has played by its ledger, and what is due next. Looks and changes nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from harness.cup import CupFile, from_pinned
from harness.errors import HarnessError
from harness.round import Budget, Replay, RoundPlan, Season, due_budget
from harness.schedule import Table
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Round, Ruling, RulingKind
from harness.store.rulings import standing
from harness.voids import Voids


def season_of(ledger: Ledger, cup: CupFile, rounds: Sequence[Round]) -> Season:
    """What `rounds` have played that belong to the season of `cup`.

    What is void counts as played: it is played again, apart from all budgets.
    """
    by_version: dict[tuple[str, str], int] = {}
    round_count = match_count = 0
    for row in rounds:
        pinned = settings_of(row)
        if pinned.cup.season != cup.cup.season or replay_of(row) is not None:
            continue
        entries = ledger.entries(cup.name, row.round)
        plan = _stopped_plan(ledger, row, pinned) if pinned.stop == cup.stop else None
        skipped = list(_skipped(ledger, row))
        if plan is None:
            counts = Counter(ledger.appearances.counts(cup.name, row.round))
            counts.update(entries[index].label for table in skipped for index in table.seats)
        else:
            counts = Counter(dict(zip([entry.label for entry in entries], plan.schedule.appearances(), strict=False)))
        for entry in entries:
            key = entry.label, entry.sha256
            by_version[key] = by_version.get(key, 0) + counts[entry.label]
        round_count += 1
        played = ledger.match_count(cup.name, row.round) + len(skipped)
        match_count += played if plan is None else plan.schedule.match_count
    return Season(round_count, match_count, by_version)


def settings_of(row: Round) -> CupFile:
    """The settings that a round pinned."""
    return from_pinned(row.settings, source=f"{row.cup}, round {row.round}")


def season_remark(cup: CupFile, rounds: Sequence[Round]) -> str | None:
    """What to tell where the newest of `rounds` is of another season than the file names: a slip there looks like that.

    None where it is of the same.
    """
    seasons = [settings_of(row).cup.season for row in rounds[-1:]]
    if not seasons or cup.cup.season in seasons:
        return None
    newest = _season_words(seasons[0])
    if any(settings_of(row).cup.season == cup.cup.season for row in rounds):
        return f"the newest round of {cup.name} is of {newest}; this file goes on with {_season_words(cup.cup.season)}"
    return f"{cup.name}: {_season_words(cup.cup.season)} begins, after {newest}: its matches count from none"


def _season_words(season: str | None) -> str:
    return "a season without a name" if season is None else f"season {season}"


def is_present(ledger: Ledger, cup: CupFile) -> bool:
    """Whether the season of `cup` is the one that its newest round is of: in no other is anything played any more."""
    return settings_of(ledger.rounds(cup.name)[-1]).cup.season == cup.cup.season


def _stopped_plan(ledger: Ledger, row: Round, pinned: CupFile) -> RoundPlan | None:
    """The plan of a round that `[stop]` ended before its last match; None where it did not."""
    if row.ended_unix_ns is None or (pinned.stop.hours is None and pinned.stop.separated is None):
        return None
    plan = plan_of(ledger, row)
    played = ledger.match_count(row.cup, row.round) + len(list(_skipped(ledger, row)))
    return plan if played < plan.schedule.match_count else None


def _skipped(ledger: Ledger, row: Round) -> Iterator[Table]:
    """Tables of a round that were not played because their block is void."""
    void = {ruling.block for ruling in ledger.rulings.of_cup(row.cup) if ruling.round == row.round}
    blocks = sorted(block for block in void if block is not None)
    if blocks:
        schedule, finished = plan_of(ledger, row).schedule, ledger.finished_numbers(row.cup, row.round)
        for block in blocks:
            yield from (table for table in schedule.tables_of(block) if table.number not in finished)


def replay_of(row: Round) -> Replay | None:
    """What a round plays again; None where it does not."""
    return None if row.budget is None else Budget.from_pinned(row.budget, source=f"{row.cup}, {row.round}").replay


def voids_of(ledger: Ledger, cup: str, rulings: Iterable[Ruling] | None = None) -> Voids:
    """Which blocks of a cup count, by `rulings`; None: those of the ledger."""
    replays = {row.round: replay for row in ledger.rounds(cup) if (replay := replay_of(row)) is not None}
    return Voids(ledger.rulings.of_cup(cup) if rulings is None else rulings, replays)


def replay_plan(cup: CupFile, ledger: Ledger) -> RoundPlan | None:
    """The round that plays void blocks of an ended round of this season again, the same bots in the same seats.

    None where no block waits for it.
    """
    rounds, voids = ledger.rounds(cup.name), voids_of(ledger, cup.name)
    for row in rounds:
        blocks = voids.due(row.round) if settings_of(row).cup.season == cup.cup.season else ()
        if blocks and row.ended_unix_ns is not None:
            budget = Budget(replay=Replay(row.round, blocks))
            entries = ledger.entries(cup.name, row.round)
            return RoundPlan(cup, len(rounds) + 1, entries, budget, plan_of(ledger, row))
    return None


def next_plan(cup: CupFile, entries: tuple[Entry, ...], ledger: Ledger) -> RoundPlan | None:
    """The round that is due when every round in the ledger has ended and nothing waits to be played again.

    Without the bots that the organiser has withdrawn. None where nothing is due.
    """
    rounds = ledger.rounds(cup.name)
    out = banned(ledger, cup)
    playing = tuple(entry for entry in entries if (entry.label, entry.sha256) not in out)
    return _plan(cup, len(rounds) + 1, playing, season_of(ledger, cup, rounds))


def banned(ledger: Ledger, cup: CupFile, rulings: Iterable[Ruling] | None = None) -> dict[tuple[str, str], Ruling]:
    """Bots that the organiser has withdrawn in the season of `cup`, by label and tree."""
    found = {}
    for ruling in standing(ledger.rulings.of_cup(cup.name) if rulings is None else rulings):
        if ruling.kind is RulingKind.WITHDRAW:
            row = ledger.round(cup.name, ruling.round)
            if settings_of(row).cup.season == cup.cup.season:
                entries = ledger.entries(cup.name, ruling.round)
                (entry,) = (entry for entry in entries if entry.label == ruling.label)
                found[entry.label, entry.sha256] = ruling
    return found


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
        budget = Budget.from_pinned(row.budget, source=where)
        if budget.replay is None:
            return RoundPlan(pinned, row.round, entries, budget)
        if not 1 <= budget.replay.round < row.round:
            raise HarnessError(f"{where}: it plays round {budget.replay.round} again; the ledger was changed")
        replayed = plan_of(ledger, ledger.round(row.cup, budget.replay.round))
        return RoundPlan(pinned, row.round, entries, budget, replayed)
    due = budget_due_at(ledger, row)
    if due is None:
        raise HarnessError(f"{where}: nothing was due when it began; the ledger was changed")
    return RoundPlan(pinned, row.round, entries, due)


def budget_due_at(ledger: Ledger, row: Round) -> Budget | None:
    """What was due when the round of `row` began, by its settings and the rounds before it; None: nothing."""
    pinned = settings_of(row)
    replay = replay_of(row)
    if replay is not None:
        void = {
            ruling.block
            for ruling in ledger.rulings.of_cup(row.cup)
            if ruling.round == replay.round and ruling.at_unix_ns <= row.started_unix_ns
        }
        return Budget(replay=replay) if void.issuperset(replay.blocks) else None
    earlier = [other for other in ledger.rounds(row.cup) if other.round < row.round]
    return due_budget(pinned, ledger.entries(row.cup, row.round), season_of(ledger, pinned, earlier))
