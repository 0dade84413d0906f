"""Takes rounds and matches of cups from elsewhere into a ledger.

Everything is looked at before anything is written, and written all at once or not at all. What is here already is
passed over; a round or a match that is here and there and not the same is refused by name. A round ends here when all
the matches have come that it has there; until then no later one can begin.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from harness import deals
from harness.cup import CupFile, check_change, from_pinned
from harness.errors import HarnessError
from harness.games.game import OptionValue
from harness.printable import printable
from harness.record import MatchRecord
from harness.replays import Placed, refuse_unplayable
from harness.round import Budget, RoundPlan
from harness.store.ledger import Ledger
from harness.store.pinned import PinnedRound, pinned_round
from harness.store.rows import FinishedNumbers, Note, Round, Version, Withdrawal, parse_match_id
from harness.store.rulings import union
from harness.store.sheets import KeptSheet, Sheets
from harness.store.times import DecisionTime
from harness.toml_file import TomlError


class Incoming(NamedTuple):
    """A match from elsewhere; `where` names the file, and the line where there is one."""

    where: str
    record: MatchRecord
    times: Sequence[DecisionTime] = ()
    notes: Sequence[Note] = ()


class Source(Protocol):
    """Where rounds and matches come from."""

    name: str

    def rounds(self) -> Iterable[PinnedRound]:
        """The rounds that it knows, each with its secret where that is known, revealed or not."""

    def versions(self) -> Iterable[Version]:
        """The versions of bots that it knows."""

    def matches(self) -> Iterator[Incoming]:
        """Its matches, in any order. Asked for twice."""

    def match_count(self) -> int:
        """How many matches it has, as far as they can be read."""

    def sheet(self, row: Round) -> KeptSheet | None:
        """On what a round of its own was played; None where it does not know."""


@dataclass
class Taken:
    """What came in of one cup."""

    cup: str
    round_count: int = 0
    match_count: int = 0
    known_count: int = 0
    """Matches that were here already, each once however many sources have it."""
    waiting: list[int] = field(default_factory=list)
    """Rounds that did not end here, because matches are missing, and those after them, which did not come in."""


OnMatch = Callable[[int, int], None]
"""Told how many matches have been gone through, and how many there are."""


def take_in(
    ledger: Ledger,
    sources: Sequence[Source],
    pace: Callable[[str], OnMatch] = lambda done: lambda count, total: None,
    *,
    processes: int = 1,
) -> tuple[Taken, ...]:
    """Adds what `sources` hold to `ledger`; what came in, by cup.

    All matches are gone through twice: `pace` is asked whom to tell, each time with what is done to them. Many are
    played again in so many `processes`. HarnessError, and nothing written, where something does not fit, or a cup
    concerned is being run.
    """
    total = sum(source.match_count() for source in sources)

    def matches(done: str) -> Iterator[Incoming]:
        on_match = pace(done)
        every = (incoming for source in sources for incoming in source.matches())
        for count, incoming in enumerate(every, start=1):
            yield incoming
            on_match(count, max(count, total))

    with ExitStack() as held:
        intake = _Intake(ledger, held)
        rounds = [(source.name, pinned) for source in sources for pinned in source.rounds()]
        for name, pinned in sorted(rounds, key=lambda found: found[1].row.round):
            intake.look_at_round(pinned, name)
        refuse_unplayable(filter(None, map(intake.look_at_match, matches("looked at"))), processes)
        with ledger.all_or_nothing():
            for cup in intake.cups.values():
                cup.write_rounds()
            for version in (version for source in sources for version in source.versions()):
                ledger.versions.learn(version)
            for incoming in matches("taken in"):
                intake.write_match(incoming)
    return tuple(cup.taken for cup in intake.cups.values())


def take_sheets(ledger: Ledger, sheets: Sheets, sources: Sequence[Source]) -> None:
    """Keeps what `sources` tell of rounds that are in `ledger`, and of which `sheets` knows nothing yet."""
    for source in sources:
        for pinned in source.rounds():
            row = pinned.row
            known = {kept.round: kept.commitment for kept in ledger.rounds(row.cup)}
            if known.get(row.round) == row.commitment and sheets.read(row) is None:
                sheet = source.sheet(row)
                if sheet is not None:
                    sheets.keep(row, sheet)


class _Intake:
    """Looks at what comes, cup by cup."""

    def __init__(self, ledger: Ledger, held: ExitStack) -> None:
        self.ledger = ledger
        self.held = held
        self.cups: dict[str, _Cup] = {}
        self.digests: dict[str, str] = {}
        """Of every match that has been looked at."""

    def cup(self, name: str) -> "_Cup":
        if name not in self.cups:
            self.held.enter_context(self.ledger.run_lock(name))
            self.cups[name] = _Cup(self.ledger, name)
        return self.cups[name]

    def look_at_round(self, pinned: PinnedRound, source: str) -> None:
        row, where = pinned.row, f"{source}: {pinned.where}"
        if row.secret is not None and deals.commitment(row.secret).hex() != row.commitment:
            raise HarnessError(f"{where}: its secret is not the one that was committed to; one of them was changed")
        cup = self.cup(row.cup)
        cup.refuse_unschedulable(pinned, where)
        known = cup.known(row.round)
        if known is not None:
            _refuse_another(known, pinned, where)
        elif row.round > 1:
            before = cup.known(row.round - 1)
            if before is None:
                raise HarnessError(f"{where}: round {row.round - 1} is not here; import it first, or together with it")
            check_change(_settings(before), _settings(pinned), source=where)
        cup.there[row.round] = _further(pinned, cup.there.get(row.round))

    def look_at_match(self, incoming: Incoming) -> Placed | None:
        """What is still to be played again of it; None where it is here already, or came before."""
        record, where = incoming.record, f"{incoming.where}: {printable(incoming.record.match)}"
        try:
            name, round, number = parse_match_id(record.match)
        except ValueError as error:
            raise HarnessError(f"{incoming.where}: {printable(str(error))}") from None
        if name not in self.cups and not self.ledger.rounds(name):
            raise HarnessError(f"{where}: nothing of that cup is here; import the ledger or the site that has it")
        cup = self.cup(name)
        pinned = cup.known(round)
        if pinned is None:
            raise HarnessError(f"{where}: round {round} is not here; import the ledger or the site that has it")
        cup.refuse_stranger(record, pinned, where)
        digest = record.digest()
        kept = self.digests.get(record.match)
        is_new = kept is None and number not in cup.finished(round)
        if kept is None:
            kept = self.digests[record.match] = digest if is_new else self.ledger.record_digest(record.match)
            if is_new:
                cup.coming[round] = cup.coming.get(round, 0) + 1
            else:
                cup.taken.known_count += 1
        if kept != digest:
            raise HarnessError(
                f"{where}: another match has this id already; one of the two was changed, or both were played, as by "
                "two machines with the same shard: leave one out"
            )
        return (where, record) if is_new else None

    def write_match(self, incoming: Incoming) -> None:
        name, round, _ = parse_match_id(incoming.record.match)
        cup = self.cups[name]
        if round in cup.open:
            added = self.ledger.add_match(incoming.record, times=incoming.times, notes=incoming.notes)
            cup.taken.match_count += added


class _Cup:
    """One cup: its rounds here and there."""

    def __init__(self, ledger: Ledger, name: str) -> None:
        self.ledger = ledger
        self.name = name
        self.here = {row.round: pinned_round(ledger, row) for row in ledger.rounds(name)}
        self.there: dict[int, PinnedRound] = {}
        self.coming: dict[int, int] = {}
        """Matches that are to be added, by round."""
        self.open = set(self.here)
        """Rounds to which matches can be added."""
        self.taken = Taken(name)
        self._finished: dict[int, FinishedNumbers] = {}
        self._rules: dict[int, tuple[str, str, dict[str, OptionValue]]] = {}
        self._entered: dict[int, set[tuple[str, str, str]]] = {}

    def known(self, round: int) -> PinnedRound | None:
        """A round that is here or is coming."""
        return self.here.get(round) or self.there.get(round)

    def finished(self, round: int) -> FinishedNumbers:
        """Numbers of the matches of a round that were here before."""
        if round not in self._finished:
            self._finished[round] = (
                self.ledger.finished_numbers(self.name, round) if round in self.here else FinishedNumbers(iter(()))
            )
        return self._finished[round]

    def refuse_unschedulable(self, pinned: PinnedRound, where: str) -> None:
        """HarnessError where no schedule follows from what a round has pinned."""
        plan = self._plan(pinned, where)
        if plan is not None and not plan.schedule.match_count:
            raise HarnessError(f"{where}: nothing is played by its budget; take the cup from where it was played again")

    def _plan(self, pinned: PinnedRound, where: str) -> RoundPlan | None:
        """What a round plays; None where it follows from what was played before, as in an older program."""
        row, settings = pinned.row, _settings(pinned)
        if row.budget is None:
            return None
        budget = Budget.from_pinned(row.budget, source=where)
        if budget.replay is None:
            return RoundPlan(settings, row.round, pinned.entries, budget)
        replayed = self.known(budget.replay.round) if budget.replay.round < row.round else None
        if replayed is None:
            raise HarnessError(f"{where}: it plays round {budget.replay.round} again, which is not here")
        plan = self._plan(replayed, where)
        return None if plan is None else RoundPlan(settings, row.round, pinned.entries, budget, plan)

    def refuse_stranger(self, record: MatchRecord, pinned: PinnedRound, where: str) -> None:
        """HarnessError where a record cannot be of that round."""
        round = pinned.row.round
        if round not in self._rules:
            game = _settings(pinned).game
            self._rules[round] = game.name, game.rules_version, dict(game.options)
            self._entered[round] = {(entry.label, entry.version, entry.sha256) for entry in pinned.entries}
        if (record.game, record.rules_version, dict(record.options)) != self._rules[round]:
            raise HarnessError(f"{where}: it was played by other rules than {pinned.where}")
        strangers = [seat for seat in record.seats if tuple(seat) not in self._entered[round]]
        if strangers:
            who = " ".join([strangers[0].bot, strangers[0].version, strangers[0].sha256[:12]])
            raise HarnessError(f"{where}: {printable(who)} does not play in {pinned.where}")
        has_block = record.block is not None and record.block.isdecimal() and record.rotation is not None
        if (record.cup, record.round) != (self.name, round) or not has_block:
            raise HarnessError(f"{where}: its cup, round, block and rotation do not go with its id")

    def write_rounds(self) -> None:
        """Begins the rounds that are not here, and ends those whose matches are complete."""
        for number, pinned in sorted(self.there.items()):
            if self.taken.waiting:
                self.taken.waiting.append(number)
                continue
            if number not in self.here:
                self._begin(pinned)
            is_ended = self._end(pinned)
            if pinned.row.ended_unix_ns is not None and not is_ended:
                self.taken.waiting.append(number)

    def _begin(self, pinned: PinnedRound) -> None:
        row = pinned.row
        last = self.ledger.rounds(self.name)[-1:]
        if last and last[0].ended_unix_ns is None:
            raise HarnessError(
                f"{pinned.where}: round {last[0].round} has not ended here; `cardarena run` finishes it first"
            )
        self.ledger.start_round(
            self.name,
            row.round,
            settings=row.settings,
            budget=row.budget,
            schedule_sha256=row.schedule_sha256,
            commitment=row.commitment,
            secret=row.secret,
            entries=pinned.entries,
            started_unix_ns=row.started_unix_ns,
        )
        self.open.add(row.round)
        self.taken.round_count += 1

    def _end(self, pinned: PinnedRound) -> bool:
        """Brings a round as far as it is there; whether it has ended here."""
        here, row = self.ledger.round(self.name, pinned.row.round), pinned.row
        if row.secret is not None and self.ledger.round_secret(self.name, row.round) is None:
            self.ledger.learn_secret(self.name, row.round, row.secret)
        for gone in pinned.withdrawals:
            self.ledger.withdraw(
                self.name, row.round, gone.label, kind=gone.kind, detail=gone.detail, at_unix_ns=gone.at_unix_ns
            )
        self.ledger.rulings.add(pinned.rulings)
        if here.ended_unix_ns is not None or row.ended_unix_ns is None:
            return here.ended_unix_ns is not None
        if len(self.finished(row.round)) + self.coming.get(row.round, 0) < pinned.match_count:
            return False
        self.ledger.end_round(self.name, row.round, at_unix_ns=row.ended_unix_ns)
        if row.revealed_unix_ns is not None:
            self.ledger.reveal(self.name, row.round, at_unix_ns=row.revealed_unix_ns)
        return True


def _settings(pinned: PinnedRound) -> CupFile:
    try:
        return from_pinned(pinned.row.settings, source=pinned.where)
    except TomlError as error:  # a line a mistake, which is for those who can mend them
        raise HarnessError(f"{str(error).partition(chr(10))[0]}; take the cup from where it was played again") from None


def _further(pinned: PinnedRound, other: PinnedRound | None) -> PinnedRound:
    """What two sources know of one round, whichever is named first.

    It is that of the one in which it has ended, sooner where it has in both; with the secret where either has it, and
    with all that was ruled and all who were withdrawn in either.
    """
    if other is None:
        return pinned
    further, less = sorted((pinned, other), key=lambda each: (each.row.ended_unix_ns is None, each.row.ended_unix_ns))
    return replace(
        further,
        row=replace(further.row, secret=further.row.secret or less.row.secret),
        match_count=max(further.match_count, less.match_count),
        rulings=union((*further.rulings, *less.rulings)),
        withdrawals=_first_of_each((*further.withdrawals, *less.withdrawals)),
    )


def _first_of_each(withdrawals: Iterable[Withdrawal]) -> tuple[Withdrawal, ...]:
    """The first withdrawal of each bot, in the order in which they happened."""
    found: dict[str, Withdrawal] = {}
    for gone in sorted(withdrawals, key=lambda gone: (gone.at_unix_ns, gone.label, gone.kind, gone.detail)):
        found.setdefault(gone.label, gone)
    return tuple(found.values())


def _refuse_another(known: PinnedRound, pinned: PinnedRound, where: str) -> None:
    """HarnessError where the two are not the same round."""
    difference = next(_differences(known, pinned), None)
    if difference is not None:
        raise HarnessError(
            f"{where}: {difference}; it is another cup of that name: import it into a home of its own (--home DIR)"
        )


def _differences(known: PinnedRound, pinned: PinnedRound) -> Iterator[str]:
    here, there = json.loads(known.row.settings), json.loads(pinned.row.settings)
    for table in sorted({*here, *there}):
        for key, value in _keys(here.get(table), there.get(table)):
            yield f"[{table}]{key} is {value[0]} here and {value[1]} there"
    for name in ("budget", "schedule_sha256", "commitment"):
        values = [getattr(each.row, name) for each in (known, pinned)]
        if values[0] != values[1]:
            yield f"{name} is {values[0]} here and {values[1]} there"
    if [vars(entry) for entry in known.entries] != [vars(entry) for entry in pinned.entries]:
        labels = [
            ", ".join(f"{entry.label} {entry.version} {entry.sha256[:12]}" for entry in each.entries)
            for each in (known, pinned)
        ]
        yield f"other bots: {labels[0]} here, {labels[1]} there"


def _keys(here: object, there: object) -> Iterator[tuple[str, tuple[str, str]]]:
    """Keys of a table that differ, with both values; of what is no table, the whole under no key."""
    if isinstance(here, dict) and isinstance(there, dict):
        for key in sorted({*here, *there}):
            if here.get(key) != there.get(key):
                yield f" {key}", (_shown(here.get(key)), _shown(there.get(key)))
    elif here != there:
        yield "", (_shown(here), _shown(there))


def _shown(value: object) -> str:
    return "absent" if value is None else printable(json.dumps(value, ensure_ascii=False))[:80]
