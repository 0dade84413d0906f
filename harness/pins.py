"""What a ledger says beside its matches, held to what it must follow from: entries, withdrawals, cups.

Each check names what cannot be so. What the settings of a round leave open is not held against it: a folder may hold a
bot of any name, and whose a bot is they say of few.
"""

import re
from collections.abc import Iterator, Sequence

from harness.conduct import LEAST_MATCHES
from harness.cup import CupFile, EntryTable, TimeException
from harness.faults import ABSENT, FOR_FAULTS, FaultKind
from harness.match import TimeControl
from harness.names import SUBMITTED
from harness.round import RoundPlan
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Role, Round, RulingKind, Withdrawal
from ladder.words import plural

_ORDER = tuple(Role)
_NO_WORD = re.compile(r"[/*?\[]|^\.|\.(zip|gz|tgz)$")
_COUNTS = re.compile(rf"{FOR_FAULTS}(\d{{1,9}}) of its first (\d{{1,9}}) matches, ")


def entry_differences(ledger: Ledger, row: Round, plan: RoundPlan) -> Iterator[str]:
    """What of the entries of a round does not follow from its settings."""
    if plan.replayed is not None:
        if list(map(vars, plan.entries)) != list(map(vars, plan.replayed.entries)):
            yield f"other entries than in round {plan.replayed.number}, which it plays again"
        return
    roles = [_ORDER.index(entry.role) for entry in plan.entries]
    if roles != sorted(roles):
        yield "entries are not in the order bots, house, fill"
    house_count = sum(entry.role is Role.HOUSE for entry in plan.entries)
    if house_count > len(plan.cup.cup.house):
        of_house = plural(house_count, "entry is", "entries are")
        yield f"{of_house} of the house, [cup] house names {len(plan.cup.cup.house)}"
    for entry in plan.entries:
        if entry.label.partition("#")[0] != entry.name:
            yield f"name of {entry.label} {entry.name} in the ledger"
        known = ledger.versions.get(entry.name, entry.sha256)
        if known is not None and known.version != entry.version:
            yield f"version of {entry.label} {entry.version} in the ledger, {known.version} in its bot.toml"
        due = _terms(plan.cup, plan.entries, entry)
        found = entry.rated, entry.time
        if found not in due:
            yield f"rated and clock of {entry.label} {_shown(found)} in the ledger, {_shown(due[0])} by the settings"
    yield from _anchor_differences(ledger, row, plan)


def _terms(cup: CupFile, entries: Sequence[Entry], entry: Entry) -> list[tuple[bool, TimeControl | None]]:
    """Whether `entry` is rated, and by what clock of its own: what the settings allow."""
    if entry.role is not Role.BOT:
        return [(entry.role is Role.HOUSE, None)]
    tables = [table for table in cup.bots if _may_mean(table.bot, entry, entries)]
    sure = [table for table in tables if _means(cup, table.bot, entry, entries)]
    if sure:
        return [_of_table(cup, sure[0])]
    return [(True, None), *(_of_table(cup, table) for table in tables)]


def _of_table(cup: CupFile, table: EntryTable) -> tuple[bool, TimeControl | None]:
    return table.rated, None if table.time == TimeException() else table.time.over(cup.time.control)


def _word(form: str) -> tuple[str, str] | None:
    """The name, and the version or "", that `form` says of a bot; None where it is a path or a pattern."""
    if _NO_WORD.search(form):
        return None
    name, _, version = form.removeprefix("sample:").partition("@")
    return name, version


def _may_mean(form: str, entry: Entry, entries: Sequence[Entry]) -> bool:
    """Whether `form` of the settings may have meant `entry`. What names nobody may be a folder, its bot of any name."""
    word = _word(form)
    if word is None or all(other.name != word[0] for other in entries):
        return True
    return entry.name == word[0] and word[1] in ("", entry.version)


def _means(cup: CupFile, form: str, entry: Entry, entries: Sequence[Entry]) -> bool:
    """Whether `form` can have meant nobody but `entry`."""
    forms = [*cup.cup.bots, *(table.bot for table in cup.bots)]
    if any(_word(other) is None for other in forms):
        return False
    named = {other.name for other in entries}
    if any((word := _word(other)) and word[0] not in named and other != SUBMITTED for other in forms):
        return False
    trees = {other.sha256 for other in entries if other.name == entry.name}
    word = _word(form)
    return word is not None and entry.name == word[0] and len(trees) == 1


def _anchor_differences(ledger: Ledger, row: Round, plan: RoundPlan) -> Iterator[str]:
    fixed = [entry for entry in plan.entries if entry.anchor_elo is not None]
    if not plan.cup.cup.anchor:
        for entry in fixed:
            yield f"anchor {entry.label} at {entry.anchor_elo:g} in the ledger, none by the settings"
        return
    ((form, elo),) = plan.cup.cup.anchor.items()
    for entry in fixed:
        if len(fixed) > 1 or entry.anchor_elo != elo or not _may_mean(form, entry, plan.entries):
            yield f"anchor {entry.label} at {entry.anchor_elo:g} in the ledger, {form} at {elo:g} by the settings"
    # An older program did not write it down, and the organiser may have withdrawn it before.
    may_be_gone = row.budget is None or any(
        ruling.kind is RulingKind.WITHDRAW and ruling.at_unix_ns <= row.started_unix_ns
        for ruling in ledger.rulings.of_cup(row.cup)
    )
    if not fixed and not may_be_gone:
        yield f"anchor none in the ledger, {form} at {elo:g} by the settings"


def _shown(terms: tuple[bool, TimeControl | None]) -> str:
    rated, time = terms
    clock = "the clock of the cup" if time is None else f"{time.bank_ns}+{time.increment_ns}/{time.decision_ns} ns"
    return f"{'rated' if rated else 'unrated'} with {clock}"


def withdrawal_differences(ledger: Ledger, row: Round, plan: RoundPlan) -> Iterator[str]:
    """Withdrawals of an ended round for which its records do not show what the rule needs (`harness.conduct`).

    Which fault was the last depends on how a round was shared out; that there are as many as its words say does not.
    """
    withdrawals = ledger.withdrawals(row.cup, row.round)
    # Of what is void not every match came to its end.
    void = (ruling.round == row.round and ruling.block is not None for ruling in ledger.rulings.of_cup(row.cup))
    if not withdrawals or (any(void) and ledger.match_count(row.cup, row.round) < plan.schedule.match_count):
        return
    faults: dict[str, list[str | None]] = {gone.label: [] for gone in withdrawals}
    at_fault: dict[str, list[str]] = {gone.label: [] for gone in withdrawals}
    for result in ledger.results(row.cup, row.round):
        for entry, fault in zip(result.entries, result.faults, strict=True):
            if entry.label in faults:
                faults[entry.label].append(fault)
                if fault is not None:
                    at_fault[entry.label].append(result.match)
    for gone in withdrawals:
        if gone.detail.startswith(FOR_FAULTS):
            if not _bears_out(gone, [fault for fault in faults[gone.label] if fault != ABSENT]):
                yield f"{gone.label} is {gone.detail}; its matches do not bear that out"
        elif not {FaultKind.START, ABSENT}.intersection(faults[gone.label]) and not any(
            gone.detail in _details(ledger, match, gone.label) for match in at_fault[gone.label]
        ):
            yield f"{gone.label} is withdrawn for {gone.kind} ({gone.detail}); no match of its bears that out"


def _bears_out(gone: Withdrawal, faults: Sequence[str | None]) -> bool:
    words = _COUNTS.match(gone.detail)
    if words is None:
        return False
    count, first = int(words[1]), int(words[2])
    own = sum(fault is not None for fault in faults)
    return first >= LEAST_MATCHES and 2 * count > first and own >= count and len(faults) >= first


def _details(ledger: Ledger, match: str, label: str) -> Iterator[str]:
    record = ledger.record(match)
    return (fault.detail for fault in record.faults if record.seats[fault.seat].bot == label)
