"""`cardarena rerun`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from harness import deals, interruption
from harness.arena import Arena, BotSpec, Played, TableSpec
from harness.cli.app import Common, verb
from harness.cli.codes import BOTS_WITHDRAWN, DONE
from harness.cli.homes import open_ledger
from harness.cli.practice import LastWords, awaited
from harness.cli.rerun_told import Beside, Told, json_of, lines_of
from harness.cli.sandboxing import RequireOption, SandboxOption, chosen
from harness.cli.tables import print_json, remarks
from harness.cup import CupFile, from_pinned
from harness.errors import HarnessError
from harness.faults import Fault, FaultKind
from harness.games.game import Seat
from harness.lines.command import adapter_command
from harness.match import Match, TimeControl
from harness.printable import printable
from harness.record import MatchRecord, ReplayDifference, replay_steps
from harness.rerun import Rerun
from harness.roster import HomeRoster, bot_spec, check_playable, granted
from harness.sandbox.cell import Sandbox
from harness.store.home import find_home
from harness.store.ledger import Ledger
from harness.store.rows import Entry
from harness.thinking import times_by_moment
from harness.toml_file import build
from harness.workshop.entry import BotFinder, FoundBot, Origin
from harness.workshop.manifest import BotManifest, command
from harness.workshop.runtimes import read_runtimes

_NOBODY = Fault(FaultKind.START, "the record plays in this seat")


@verb("cardarena rerun spring-cup/1/000017 --bot wait:fox --no-clock")
def rerun(
    context: typer.Context,
    match: Annotated[str, typer.Argument(help="Id of a match of the ledger, such as spring-cup/1/000017.")],
    bot: Annotated[
        str | None,
        typer.Option(help="Plays in the seat; else the version that played.", metavar="BOT", show_default=False),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="Which seat; else that of the bot's name.", metavar="N", show_default=False),
    ] = None,
    fork: Annotated[
        bool, typer.Option("--fork", help="From the first difference its own answers count; the house plays the rest.")
    ] = False,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Without any time limit.")] = False,
    log: Annotated[
        Path | None, typer.Option(help="Write what the bot printed there.", metavar="FILE", show_default=False)
    ] = None,
    sandbox: SandboxOption = None,
    require_sandbox: RequireOption = False,
) -> int:
    """Play a recorded match again with a bot in its seat, and show where it chooses otherwise. Never stored."""
    common: Common = context.obj
    with open_ledger(common) as ledger:
        try:
            case = _Reader(common, ledger, match).case(bot, seat)
        except ReplayDifference as difference:
            raise HarnessError(f"{difference}; `cardarena verify` checks the whole ledger") from None
    level = chosen(sandbox, require=require_sandbox, in_file=case.cup.limits.sandbox)
    if not common.quiet:
        if case.spec.invite is None:
            remarks().print(printable(level.says), soft_wrap=True)
        for remark in case.remarks:
            remarks().print(printable(remark), soft_wrap=True)
    words = LastWords()
    told = interruption.run(_play(case, level, words, clock=not no_clock, fork=fork))
    if log is not None:
        _write(log, words.everything)
    if common.json:
        print_json(json_of(told))
    else:
        for line in [*lines_of(told), *words.lines()]:
            print(line)
    return BOTS_WITHDRAWN if any(fault.fault.kind is FaultKind.START for fault in told.rerun.faults) else DONE


@dataclass(frozen=True)
class _Case:
    """A recorded match, and who plays in which seat of it again."""

    record: MatchRecord
    cup: CupFile
    seat: Seat
    spec: BotSpec
    bot: str
    """Who plays now, for people."""
    bot_seed: int
    then: Beside
    remarks: tuple[str, ...]


class _Reader:
    """Finds in a ledger all that belongs to one match."""

    def __init__(self, common: Common, ledger: Ledger, match: str) -> None:
        self.common = common
        self.ledger = ledger
        self.record = record = ledger.record(match)
        assert record.cup is not None
        assert record.round is not None
        round_row = ledger.round(record.cup, record.round)
        self.cup = from_pinned(round_row.settings, source=f"{record.cup}, round {record.round}")
        self.secret = ledger.round_secret(record.cup, record.round)
        self.entries = {entry.label: entry for entry in ledger.entries(record.cup, record.round)}

    def case(self, form: str | None, seat: Seat | None) -> _Case:
        record = self.record
        steps = list(replay_steps(record))
        home = find_home(self.common.home)
        roster = HomeRoster(home, self.ledger.versions, Path.cwd())
        found = None
        if form is not None:
            found = BotFinder(Path.cwd(), home, self.ledger.versions, awaits=True).one(form)
            check_playable(found.manifest, record.game)
        seat = self._seat(found, seat)
        entry = self.entries[record.seats[seat].bot]
        if found is None:
            spec, bot = self._as_then(roster, entry), f"{entry.label} {entry.version}, the version that played"
        else:
            spec, bot = self._now(found, entry), f"{form} for {entry.label} {entry.version}"
        remark = "the secret of its round is not here: the bot gets another seed than it had then"
        return _Case(
            record=record,
            cup=self.cup,
            seat=seat,
            spec=spec,
            bot=bot,
            bot_seed=deals.bot_seed(self.secret or b"", record.match, seat),
            then=Beside(
                times_by_moment(record, steps, self.ledger.times(record.match)),
                {(n.deal, n.action): n.text for n in self.ledger.notes(record.match) if n.seat == seat},
            ),
            remarks=(remark,) if self.secret is None else (),
        )

    def _seat(self, found: FoundBot | None, seat: Seat | None) -> Seat:
        names = [entry.bot for entry in self.record.seats]
        if seat is not None:
            if seat >= len(names):
                raise HarnessError(f"{self.record.match}: there is no seat {seat}, it has seats 0 to {len(names) - 1}")
            return seat
        played = [at for at, name in enumerate(names) if found and name.partition("#")[0] == found.name]
        if len(played) == 1:
            return played[0]
        offered = ", ".join(f"--seat {at} ({name})" for at, name in enumerate(names))
        raise HarnessError(f"{self.record.match}: in which seat? {offered}")

    def _as_then(self, roster: HomeRoster, entry: Entry) -> BotSpec:
        try:
            return roster.spec(entry, self.cup)
        except HarnessError as error:
            raise HarnessError(f"{error}; or name another bot for the seat: --bot ./FOLDER") from None

    def _now(self, found: FoundBot, entry: Entry) -> BotSpec:
        if found.origin is Origin.AWAITED:
            version = self.ledger.versions.get(entry.name, entry.sha256)
            if version is None:
                return awaited(entry.label)
            manifest = build(json.loads(version.manifest), BotManifest, source=entry.label)
            argv = command(manifest.run.argv, python="python", folder=Path())
            if manifest.run.protocol == "lines":
                argv = (*adapter_command(manifest.bot.games, 1), *argv)
            return awaited(entry.label, argv, manifest.run.env)
        runtimes = read_runtimes(find_home(self.common.home))
        spec = bot_spec(entry.label, found.manifest, found.folder, granted(self.cup.limits), runtimes)
        return replace(spec, time=entry.time)


async def _play(case: _Case, level: Sandbox, words: LastWords, *, clock: bool, fork: bool) -> Told:
    record, spec = case.record, case.spec
    reruns: list[Rerun] = []

    def referee(clocks: Sequence[TimeControl | None]) -> Match:
        reruns.append(Rerun(record, case.seat, clocks, fork=fork))
        return reruns[0]

    labels = tuple(entry.bot for entry in record.seats)
    table = TableSpec(
        match_id=record.match,
        game=Rerun(record, case.seat).game,
        seats=labels,
        first_dealer=record.first_dealer,
        deck=lambda index: reruns[0].deck(index),
        bot_seeds=tuple(case.bot_seed if seat == case.seat else 0 for seat in range(len(labels))),
        referee=referee,
    )
    played: list[Played] = []
    arena = Arena(
        time_control=case.cup.time.control if clock else None,
        tcp=spec.tcp,
        guests=spec.invite is not None,
        sandbox=level,
        on_process_end=words.note,
    )
    async with arena:
        others = {label: _NOBODY for label in labels if label != spec.label}
        await arena.play([spec], [table], played.append, withdrawn=others)
    notes = {(note.deal_index, note.action_index): note.text for note in played[0].notes}
    return Told(reruns[0], case.bot, level.level, case.then, notes)


def _write(path: Path, text: bytes) -> None:
    try:
        path.write_bytes(text)
    except OSError as error:
        raise HarnessError(f"{printable(str(path))}: cannot be written: {error.strerror}") from None
