"""`cardarena match`."""

import secrets
import shlex
from collections.abc import Sequence
from typing import Annotated

import typer

from harness import deals, games, interruption
from harness.arena import Arena, BotSpec, Played, TableSpec
from harness.cli.app import Common, verb
from harness.cli.codes import BOTS_WITHDRAWN, DONE
from harness.cli.faces import faces_here
from harness.cli.narration import Teller
from harness.cli.practice import LastWords, practice_specs, seat_bots
from harness.cli.sandboxing import RequireOption, SandboxOption, chosen, repeated
from harness.cli.tables import Column, grid, output, print_json, print_lines_as_they_are, print_text, remarks
from harness.cup import TimeTable
from harness.errors import HarnessError
from harness.faults import SeatFaulted
from harness.games import Game
from harness.games.game import Event
from harness.local import LOCAL_BLOCK, LOCAL_MATCH
from harness.printable import printable
from harness.record import MatchRecord, SeatEntry, record_of
from harness.sandbox.cell import Sandbox
from harness.workshop.entry import FoundBot, labels

SEED_BITS = 31


@verb("cardarena match guillotine ./my-bot sample:random --fill sample:random --seed 7")
def match(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="guillotine or zhiletka.")],
    bots: Annotated[
        list[str], typer.Argument(help="By seat: folders, names, sample:NAME, wait:NAME.", metavar="BOT...")
    ],
    seed: Annotated[int | None, typer.Option(min=0, max=2**63 - 1, help="Deals and lots; else drawn.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Tell the match card by card.")] = False,
    fill: Annotated[str, typer.Option(help="Sits in the seats that are left.", metavar="BOT")] = "sample:random",
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Without any time limit.")] = False,
    sandbox: SandboxOption = None,
    require_sandbox: RequireOption = False,
) -> int:
    """Play one match for practice. It enters no standings."""
    common: Common = context.obj
    try:
        rules = games.game(game)
    except ValueError as error:
        raise HarnessError(str(error)) from None
    drawn = secrets.randbits(SEED_BITS) if seed is None else seed
    found = seat_bots(common, rules, bots, fill)
    level = chosen(sandbox, require=require_sandbox)
    if not common.quiet:
        remarks().print(printable(level.says), soft_wrap=True)
    names = labels([bot.name for bot in found])
    specs = practice_specs(common, names, found)
    teller = Teller(rules.name, names, faces_here()) if watch and not common.json else None
    record, lines = interruption.run(_play(rules, found, specs, drawn, level, teller, clock=not no_clock))
    if common.json:
        print_json(record.to_json())
    else:
        if teller is not None:
            print()
        _print_result(record)
        for line in lines:
            print(line)
        forms = [*bots, *([] if fill == "sample:random" else ["--fill", fill])]
        words = ["cardarena", "match", game, *forms, "--seed", str(drawn), *(["--no-clock"] if no_clock else [])]
        words += repeated(sandbox, require=require_sandbox)
        print_text(f"seed {drawn}; again: {shlex.join(words)}")
    return BOTS_WITHDRAWN if any(fault.kind == "start" for fault in record.faults) else DONE


async def _play(
    rules: Game,
    found: list[FoundBot],
    bots: list[BotSpec],
    seed: int,
    level: Sandbox,
    teller: Teller | None,
    *,
    clock: bool,
) -> tuple[MatchRecord, list[str]]:
    """The record, and what bots that failed have to say. `teller`: tells the match on stdout as it goes."""

    def tell(events: Sequence[Event | SeatFaulted]) -> None:
        for event in events:
            print_lines_as_they_are(teller.see(event) if teller is not None else ())

    secret = deals.secret_from_seed(seed, 1)
    names = tuple(bot.label for bot in bots)
    table = TableSpec(
        match_id=LOCAL_MATCH,
        game=rules,
        seats=names,
        first_dealer=deals.first_dealer(secret, LOCAL_BLOCK, len(names)),
        deck=lambda index: deals.deck(secret, LOCAL_BLOCK, index, rules.pack),
        bot_seeds=tuple(deals.bot_seed(secret, LOCAL_MATCH, seat) for seat in range(len(names))),
        on_told=None if teller is None else tell,
    )
    played: list[Played] = []
    words = LastWords()
    arena = Arena(
        time_control=TimeTable().control if clock else None,
        tcp=any(bot.tcp for bot in bots),
        guests=any(bot.invite is not None for bot in bots),
        sandbox=level,
        on_process_end=words.note,
    )
    async with arena:
        await arena.play(bots, [table], played.append)
    seats = [SeatEntry(name, bot.version, bot.sha256) for name, bot in zip(names, found, strict=True)]
    record = record_of(played[0].match, match_id=LOCAL_MATCH, seats=seats, meta={"sandbox": level.level})
    return record, words.lines()


def _print_result(record: MatchRecord) -> None:
    columns = (
        Column[int]("place", lambda seat: str(record.places[seat]), is_number=True),
        Column[int]("bot", lambda seat: record.seats[seat].bot),
        Column[int]("seat", str, is_number=True),
        Column[int](
            "points (low wins)" if record.game == "guillotine" else "chips",
            lambda seat: str(record.points[seat]),
            is_number=True,
        ),
    )
    order = sorted(range(len(record.seats)), key=lambda seat: (record.places[seat], seat))
    output().print(grid(columns, order))
    for fault in record.faults:
        print(printable(f"{record.seats[fault.seat].bot}: {fault.kind}: {fault.detail}"))
