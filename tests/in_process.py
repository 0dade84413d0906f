"""Cups played without processes: an executor that plays by bot seeds, made-up bots, an observer that notes."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from harness.arena.specs import BotSpec, OnVoid, PhaseReport, Played, TableSpec, Thought, Void, Withdrawal
from harness.bot.chance import SplitMix64
from harness.conduct import Conduct
from harness.cup import CupFile, read_cup
from harness.executor import OpenExecutor
from harness.faults import Fault, FaultKind
from harness.match import Ask, Finished, Match, NeedDeck
from harness.record import MatchRecord
from harness.round import RoundPlan
from harness.sandbox.cell import PLAIN
from harness.store.rows import Entry, Role


class Interrupted(Exception):
    """What `InProcess` raises where a test wants a run to end."""


class InProcess:
    """Plays tables at once, each seat choosing at random by its bot seed; the order may be turned around."""

    sandbox = PLAIN.sandbox
    worker_count = 1

    def __init__(
        self,
        *,
        stop_after: int | None = None,
        backwards: bool = False,
        withdraw: Mapping[str, Fault] | None = None,
        choose_first: bool = False,
        stumble_percent: Mapping[str, int] | None = None,
        at_once: Callable[[int], int] | None = None,
        fails: Callable[[TableSpec], bool] | None = None,
    ) -> None:
        """How matches go.

        `at_once`: which of so many matches that may start ends next; None: the first. `fails`: in which of them
        the harness fails.

        `choose_first`: every seat takes its lowest action, and nothing is left to chance. `stumble_percent`: in how
        many of its matches a bot crashes at once, and so comes in behind those that do not.
        """
        self.phases: list[tuple[str, ...]] = []
        """Labels of the bots of each phase."""
        self.played = 0
        self.given_withdrawn: list[dict[str, Fault]] = []
        self._stop_after = stop_after
        self._withdraw = dict(withdraw or {})
        self._choose_first = choose_first
        self._stumble_percent = dict(stumble_percent or {})
        self._fails = fails
        self._at_once = at_once or (lambda count: count - 1 if backwards else 0)

    def opener(self) -> OpenExecutor:
        @asynccontextmanager
        async def opened(cup: CupFile) -> AsyncIterator["InProcess"]:
            yield self

        def open_executor(cup: CupFile) -> AbstractAsyncContextManager["InProcess"]:
            return opened(cup)

        return open_executor

    def stumbles(self, table: TableSpec) -> Mapping[str, int]:
        """In how many of a hundred such matches who crashes at once."""
        return self._stumble_percent

    async def play(
        self,
        bots: Sequence[BotSpec],
        tables: Iterable[TableSpec],
        on_played: Callable[[Played], None],
        *,
        withdrawn: Mapping[str, Fault] | None = None,
        conduct: Conduct | None = None,
        on_void: OnVoid | None = None,
    ) -> PhaseReport:
        waiting, gone = list(tables), dict(withdrawn or {})
        assert conduct is not None
        self.given_withdrawn.append(dict(gone))
        started = {bot.label for bot in bots} - gone.keys()
        newly = [Withdrawal(label, fault, ()) for label, fault in self._withdraw.items() if label in started]
        for withdrawal in newly:
            conduct.leave(withdrawal.label)
            gone[withdrawal.label] = withdrawal.absence
        self.phases.append(tuple(bot.label for bot in bots))
        while waiting:
            if self.played == self._stop_after:
                raise Interrupted
            ready = [table for table in waiting if conduct.may_start(table.match_id, table.seats)]
            table = ready[self._at_once(len(ready))]
            waiting.remove(table)
            if self._fails is not None and on_void is not None and self._fails(table):
                on_void(Void(table.match_id, table.seats, "the harness failed"))
                conduct.ended(table.match_id, table.seats, {})
                continue
            played = played_at(table, gone, choose_first=self._choose_first, stumble_percent=self.stumbles(table))
            on_played(played)
            self.played += 1
            faults = {table.seats[at.seat]: at.fault.kind for at in played.match.faults}
            for label, fault in conduct.ended(table.match_id, table.seats, faults).items():
                newly.append(Withdrawal(label, fault, ()))
                gone[label] = newly[-1].absence
        return PhaseReport(tuple(newly), len(bots), 0)


def played_at(
    table: TableSpec,
    gone: Mapping[str, Fault],
    *,
    choose_first: bool = False,
    stumble_percent: Mapping[str, int] | None = None,
) -> Played:
    """The match of `table`."""
    match = Match(table.game, len(table.seats), table.first_dealer)
    chances = [SplitMix64(seed) for seed in table.bot_seeds]
    times: list[Thought] = []
    _, due = match.start()
    for seat, label in enumerate(table.seats):
        percent = (stumble_percent or {}).get(label, 0)
        if label in gone:
            match.fault(seat, gone[label])
        elif percent and chances[seat].below(100) < percent:
            match.fault(seat, Fault(FaultKind.CRASHED, "stumbled"))
    while not isinstance(due, Finished):
        if isinstance(due, NeedDeck):
            _, due = match.deal(table.deck(due.deal_index))
        else:
            assert isinstance(due, Ask)
            times.append(Thought(due.seat, 1000, 1))
            choice = 0 if choose_first else chances[due.seat].below(len(due.actions))
            _, due = match.answer(due.seat, due.actions[choice])
    return Played(table, match, 1_700_000_000_000_000_000, 1_000_000, times, ())


class Bots:
    """A roster of made-up bots by label; the house's begin with `house`, those that fill with `fill`."""

    def __init__(self, *labels: str, sha256: Mapping[str, str] | None = None) -> None:
        self.labels = labels
        self.sha256 = dict(sha256 or {})

    def entries(self, cup: CupFile) -> tuple[Entry, ...]:
        return tuple(self.entry(label) for label in self.labels if label not in cup.cup.exclude)

    def entry(self, label: str) -> Entry:
        """The bot of `label`."""
        role = Role.HOUSE if label.startswith("house") else Role.FILL if label.startswith("fill") else Role.BOT
        sha256 = self.sha256.get(label, "0" * 64)
        return Entry(label, label.partition("#")[0], "1.0", sha256, team=label, rated=role is not Role.FILL, role=role)

    def spec(self, entry: Entry, cup: CupFile) -> BotSpec:
        return BotSpec(entry.label, ("true",), Path("/"))


class Notes:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.records: list[MatchRecord] = []
        self.commitments: list[str] = []
        self.heat_count = 0

    def round_begins(self, plan: RoundPlan, commitment: str, done_count: int, match_count: int) -> None:
        self.commitments.append(commitment)
        self.lines.append(f"round {plan.number}, {done_count} done")

    def match_ends(self, record: MatchRecord) -> None:
        self.records.append(record)

    def phase_ends(self, report: PhaseReport) -> None:
        pass

    def withdrawn(self, label: str, fault: Fault, last_lines: Sequence[str]) -> None:
        self.lines.append(f"{label} withdrawn")

    def heat_ends(self) -> None:
        self.heat_count += 1

    def round_ends(self, plan: RoundPlan, *, stopped: str | None) -> None:
        self.lines.append(f"round {plan.number} over{f', {stopped}' if stopped else ''}")

    def notice(self, text: str) -> None:
        self.lines.append(text)


def cup_file(folder: Path, **keys: object) -> CupFile:
    """A cup of Zhiletka at tables of three; `keys` go into `[cup]`, `stop_hours` and `stop_separated` into `[stop]`."""
    members: dict[str, object] = {
        "name": "test",
        "game": "zhiletka",
        "seats": 3,
        "matches": 12,
        "duplicate": True,
        "seed": 42,
        "bots": ["sample:random"],
        "ranked_after": 0,
    } | keys
    stop = [(key, members.pop(f"stop_{key}", None)) for key in ("hours", "separated")]
    lines = ["schema = 1", "[cup]", *(f"{key} = {_toml(value)}" for key, value in members.items() if value is not None)]
    lines += ["[stop]", *(f"{key} = {value}" for key, value in stop if value is not None)]
    path = folder / "cup.toml"
    path.write_text("\n".join(lines) + "\n")
    return read_cup(path)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
