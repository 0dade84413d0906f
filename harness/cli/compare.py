"""`cardarena compare`."""

import secrets
import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, NamedTuple

import typer
from rich.status import Status

from harness import deals, games, interruption
from harness.arena import Arena, BotSpec, Played
from harness.cli.app import Common, verb
from harness.cli.codes import BOTS_WITHDRAWN, DONE, INTERRUPTED, NOT_SHOWN
from harness.cli.homes import finding_bots
from harness.cli.match import SEED_BITS
from harness.cli.pace import Pace
from harness.cli.practice import LastWords, practice_specs
from harness.cli.sandboxing import RequireOption, SandboxOption, chosen, repeated
from harness.cli.tables import print_json, print_text, remarks
from harness.comparison import Design, Gathering, Measured
from harness.cup import TimeTable
from harness.errors import HarnessError
from harness.games import Game
from harness.printable import printable
from harness.roster import check_playable
from harness.sandbox.cell import Sandbox
from harness.workshop.entry import FoundBot, labels
from ladder.fit import FEW_BLOCKS
from ladder.paired import BETTER, Aim, Band, Tally, parse_aim
from ladder.words import plural

FIELD = ("sample:sharp", "sample:steady", "sample:novice")
SEATS = 4
MOST_BLOCKS = 400


@verb("cardarena compare ./new-fox ./fox --game zhiletka --field sample:sharp sample:steady")
def compare(
    context: typer.Context,
    bots: Annotated[
        list[str],
        typer.Argument(
            help="The two to compare, A and B; behind --field, its bots.", metavar="A B", show_default=False
        ),
    ],
    game: Annotated[
        str | None, typer.Option(help="guillotine or zhiletka; else each game that both play.", show_default=False)
    ] = None,
    seats: Annotated[int | None, typer.Option(help="Seats at a table of Zhiletka, 2 to 6.", show_default="4")] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT...", help=f"The opponents; else {', '.join(FIELD)}.", show_default=False),
    ] = None,
    self_play: Annotated[bool, typer.Option("--self-play", help="They play each other, and nobody else.")] = False,
    expect: Annotated[
        str | None,
        typer.Option(
            metavar="EXPR",
            help="What is to be shown: ahead>=0.80 (share of the blocks) or margin>=5 (points a match); else that A is "
            "better.",
            show_default=False,
        ),
    ] = None,
    blocks: Annotated[int, typer.Option(min=10, help="Give up after so many blocks of two matches.")] = MOST_BLOCKS,
    seed: Annotated[int | None, typer.Option(min=0, max=2**63 - 1, help="Deals and lots; else drawn.")] = None,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Without any time limit.")] = False,
    sandbox: SandboxOption = None,
    require_sandbox: RequireOption = False,
) -> int:
    """Say whether A is better than B: the same deals, seat and opponents, once with each. Stores nothing."""
    common: Common = context.obj
    aim = BETTER if expect is None else parse_aim(expect)
    pair, opponents = _apart(bots, field, self_play=self_play)
    found = _found(common, [*pair, *opponents])
    drawn = secrets.randbits(SEED_BITS) if seed is None else seed
    tables = [(rules, _seat_count(rules, seats)) for rules in _games(found, game, seats)]
    level = chosen(sandbox, require=require_sandbox)
    if not common.quiet:
        remarks().print(printable(level.says), soft_wrap=True)
    codes = []
    facts = []
    for rules, seat_count in tables:
        tried = _Trial(common, rules, seat_count, found, drawn, aim, blocks)
        code = tried.play(level, clock=not no_clock)
        codes.append(code)
        facts.append(tried.members())
        if not common.json:
            for line in tried.told():
                print_text(line)
        if code in (BOTS_WITHDRAWN, INTERRUPTED):
            break
    if common.json:
        print_json(facts)
    elif not common.quiet:
        options = ["--game", game] if game else []
        options += ["--seats", str(seats)] if seats else []
        options += ["--self-play"] if self_play else []
        options += [word for form in (opponents if field else []) for word in ("--field", form)]
        options += ["--expect", expect] if expect else []
        options += ["--blocks", str(blocks)] if blocks != MOST_BLOCKS else []
        options += ["--no-clock"] if no_clock else []
        options += repeated(sandbox, require=require_sandbox)
        print_text(f"again: {shlex.join(['cardarena', 'compare', *pair, *options, '--seed', str(drawn)])}")
    worst = next((code for code in (BOTS_WITHDRAWN, INTERRUPTED, NOT_SHOWN) if code in codes), DONE)
    if worst == INTERRUPTED:
        raise KeyboardInterrupt  # told as by every verb, below what is known
    return worst


def _apart(bots: list[str], field: list[str] | None, *, self_play: bool) -> tuple[list[str], list[str]]:
    """A and B, and the opponents: what stands behind `--field` is the field's, wherever the parser has put it."""
    pair, more = bots[:2], bots[2:]
    if len(pair) < 2:
        raise HarnessError("compare wants two bots, A and B; the second may be an older version of the first")
    if more and not field:
        raise HarnessError(f"compare wants two bots, not {len(bots)}; opponents stand behind --field")
    if self_play and field:
        raise HarnessError("--self-play and --field exclude each other: in self-play there are no other opponents")
    return pair, [] if self_play else [*field, *more] if field else list(FIELD)


def _found(common: Common, forms: Sequence[str]) -> list[FoundBot]:
    with finding_bots(common, awaits=True) as finder:
        return [finder.one(form) for form in forms]


def _games(found: Sequence[FoundBot], name: str | None, seats: int | None) -> list[Game]:
    """The game that is meant, else all that everybody plays, and where seats are named, those that offer so many."""
    if name is not None:
        try:
            rules = games.game(name)
        except ValueError as error:
            raise HarnessError(str(error)) from None
        for bot in found:
            check_playable(bot.manifest, name)
        return [rules]
    shared = [games.game(name) for name in games.GAME_NAMES if all(name in bot.manifest.bot.games for bot in found)]
    if not shared:
        raise HarnessError("no game is played by all of them; name the opponents with --field")
    return [rules for rules in shared if seats in (None, *rules.seat_counts)] or shared


def _seat_count(rules: Game, seats: int | None) -> int:
    seat_count = seats or (SEATS if SEATS in rules.seat_counts else max(rules.seat_counts))
    if seat_count not in rules.seat_counts:
        raise HarnessError(f"{rules.name} seats {' or '.join(map(str, rules.seat_counts))}, not {seat_count}")
    return seat_count


class _Enough(Exception):
    """All is known that was asked for: ends the phase, and every process with it."""


class _Cast(NamedTuple):
    """The processes of a trial: their labels, and how to start them."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    field: tuple[str, ...]
    specs: list[BotSpec]


class _Trial:
    """The two in one game, until it is known whether the aim holds or the blocks are used up."""

    def __init__(
        self,
        common: Common,
        rules: Game,
        seat_count: int,
        found: Sequence[FoundBot],
        seed: int,
        aim: Aim,
        most_blocks: int,
    ) -> None:
        self._common, self._rules, self._seat_count, self._seed = common, rules, seat_count, seed
        self._aim, self._most_blocks = aim, most_blocks
        first, second, *field = found
        self._cast = cast = _cast(common, first, second, field, seat_count)
        self._names = (cast.first[0], cast.second[0])
        self._design = Design(rules, seat_count, deals.secret_from_seed(seed, 1), cast.first, cast.second, cast.field)
        self._gathering = Gathering(self._design)
        self._tally = Tally()
        self._matches = 0
        self._faults: dict[str, int] = {}
        self._withdrawn = ""
        self._last_words = LastWords()
        self._pace = Pace(common, f"of {rules.name} played")
        self._line: Status | None = None

    def play(self, level: Sandbox, *, clock: bool) -> int:
        """Plays; the exit code comes back."""
        try:
            interruption.run(self._play(level, clock=clock))
        except _Enough:
            pass
        except KeyboardInterrupt:
            return INTERRUPTED
        if self._withdrawn:
            return BOTS_WITHDRAWN
        return DONE if self._tally.verdict(self._aim) == "shown" else NOT_SHOWN

    async def _play(self, level: Sandbox, *, clock: bool) -> None:
        arena = Arena(
            time_control=TimeTable().control if clock else None,
            tcp=any(spec.tcp for spec in self._cast.specs),
            guests=any(spec.invite is not None for spec in self._cast.specs),
            sandbox=level,
            on_process_end=self._last_words.note,
        )
        with self._status() as status:
            self._line = status
            async with arena:
                await arena.play(self._cast.specs, self._design.tables(), self._note, conduct=Measured(self._gathering))

    def _status(self) -> AbstractContextManager[Status | None]:
        return remarks().status("playing") if self._common.progress == "live" else nullcontext()

    def _note(self, played: Played) -> None:
        self._matches += 1
        for fault in played.match.faults:
            label = played.table.seats[fault.seat]
            self._faults[label] = self._faults.get(label, 0) + 1
            if fault.fault.kind == "start":
                self._withdrawn = f"{label} is withdrawn: {fault.fault.detail}"
                raise _Enough
        for result in self._gathering.add(played):
            self._tally.add(*result)
            if self._tally.verdict(self._aim) is not None or self._tally.blocks >= self._most_blocks:
                raise _Enough
        if self._line is not None:
            self._line.update(printable(f"{self._rules.name}: {self._so_far()}"))
        elif self._common.progress == "lines":
            self._pace(self._matches)

    # What there is to say ---------------------------------------------------------------------------

    def _so_far(self) -> str:
        return (
            f"{plural(self._tally.blocks, 'block')}, margin {_points(self._tally.margin)}, {_ahead(self._tally.ahead)}"
        )

    def told(self) -> list[str]:
        """Lines for people."""
        first, second = self._names
        against = f"against {', '.join(self._cast.field)}" if self._cast.field else "against each other"
        lines = [
            f"{self._rules.name}, {self._seat_count} seats, {against}: {first} in place of {second}",
            f"  {plural(self._tally.blocks, 'block')} of two matches with the same deals, seat and opponents",
            f"  margin {_points(self._tally.margin)} points a match",
            f"  {_ahead(self._tally.ahead)} of the blocks",
        ]
        lines += [
            f"  {label}: {plural(count, 'match', 'matches')} lost by a fault"
            for label, count in sorted(self._faults.items())
        ]
        if self._tally.left_out:
            lines.append(
                f"  {plural(self._tally.left_out, 'block has', 'blocks have')} a fault and no margin; who was at fault "
                "is behind there"
            )
        return [*lines, *self._last_words.lines(), self._sentence()]

    def _sentence(self) -> str:
        if self._withdrawn:
            return self._withdrawn
        first, second = self._names
        what = f"{first} is better than {second}" if self._aim == BETTER else f"{self._aim.text} for {first}"
        match self._tally.verdict(self._aim):
            case "shown":
                return f"{what}: shown"
            case "alike":
                blocks = plural(self._tally.blocks, "block")
                return f"{what}: not shown; in all {blocks} both came to the same: they play alike"
            case "refuted":
                return f"{what}: not shown, and it does not hold"
        if self._tally.blocks < FEW_BLOCKS:
            return f"{what}: not shown; nothing is said before {FEW_BLOCKS} blocks"
        needed = self._tally.needed(self._aim)
        if needed is None:
            return f"{what}: not shown, and going on as so far never would"
        return f"{what}: not shown; if it goes on as so far, about {plural(needed, 'block')} would (--blocks {needed})"

    def members(self) -> dict[str, object]:
        """The same for programs."""
        margin, ahead = self._tally.margin, self._tally.ahead
        return {
            "game": self._rules.name,
            "seats": self._seat_count,
            "a": self._names[0],
            "b": self._names[1],
            "field": list(self._cast.field),
            "seed": self._seed,
            "blocks": self._tally.blocks,
            "matches": 2 * self._tally.blocks,
            "margin": None if margin is None else round(margin.mean, 6),
            "margin_low": None if margin is None else round(margin.low, 6),
            "margin_high": None if margin is None else round(margin.high, 6),
            "ahead": round(ahead.mean, 6),
            "ahead_low": round(ahead.low, 6),
            "ahead_high": round(ahead.high, 6),
            "expect": self._aim.text,
            "shown": self._tally.verdict(self._aim) == "shown" and not self._withdrawn,
            "verdict": "withdrawn" if self._withdrawn else self._tally.verdict(self._aim) or "open",
            "blocks_needed": self._tally.needed(self._aim),
            "faults": dict(sorted(self._faults.items())),
            "sentence": self._sentence(),
        }


def _cast(common: Common, first: FoundBot, second: FoundBot, field: Sequence[FoundBot], seat_count: int) -> _Cast:
    """One process a bot; in self-play as many as sit at a table. A small field sits down several times."""
    copies = 1 if field else (seat_count + 1) // 2
    others = [field[place % len(field)] for place in range(max(len(field), seat_count - 1))] if field else []
    everybody = [*[first] * copies, *[second] * copies, *others]
    names = labels([bot.name for bot in everybody])
    specs = practice_specs(common, names, everybody)
    return _Cast(names[:copies], names[copies : 2 * copies], names[2 * copies :], specs)


def _points(margin: Band | None) -> str:
    return "unknown" if margin is None else f"{margin.mean:+.1f} ({margin.low:+.1f} to {margin.high:+.1f})"


def _ahead(ahead: Band) -> str:
    return f"ahead in {100 * ahead.mean:.0f} % ({100 * ahead.low:.0f} to {100 * ahead.high:.0f} %)"
