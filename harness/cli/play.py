"""`cardarena play`."""

import asyncio
import contextlib
import os
import secrets
import shlex
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from harness import deals, games, interruption
from harness.arena import Arena, BotSpec, Played, TableSpec
from harness.arena.guest import dial
from harness.cli.app import Common, verb
from harness.cli.codes import DONE
from harness.cli.faces import faces_here
from harness.cli.practice import LastWords, practice_specs, seat_bots
from harness.cli.sandboxing import RequireOption, SandboxOption, chosen, repeated
from harness.cli.sitting import PROMPT, Chosen, Left, Sitting, Told
from harness.cli.tables import print_lines_as_they_are, print_text, remarks
from harness.cup import TimeTable
from harness.errors import HarnessError
from harness.games import Game
from harness.games.game import OptionValue, Seat
from harness.local import LOCAL_BLOCK, LOCAL_MATCH
from harness.printable import printable
from harness.sandbox.cell import Sandbox
from harness.wire.codec import seen_of
from harness.workshop.entry import FoundBot, labels

PERSON = "you"
SEED_BITS = 31

Ask = Callable[[str], Awaitable[str | None]]
"""Shows a prompt and reads a line; None at the end of the input."""


@verb("cardarena play zhiletka sample:stateless")
def play(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="guillotine or zhiletka.")],
    bots: Annotated[
        list[str] | None, typer.Argument(help="Your opponents, from your left.", metavar="[BOT...]")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**63 - 1, help="Deals and lots; else drawn.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=5, help="Your seat; else drawn.")] = None,
    fill: Annotated[str, typer.Option(help="Sits in the seats that are left.", metavar="BOT")] = "sample:stateless",
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the rules; may be repeated.", metavar="NAME=VALUE")
    ] = None,
    sandbox: SandboxOption = None,
    require_sandbox: RequireOption = False,
) -> int:
    """Play against bots in the terminal."""
    common: Common = context.obj
    rules = _rules(game, option or [])
    drawn = secrets.randbits(SEED_BITS) if seed is None else seed
    opponents = seat_bots(common, rules, bots or [], fill, person_count=1)
    count = len(opponents) + 1
    if seat is not None and seat >= count:
        raise HarnessError(f"--seat {seat}: this table has the seats 0 to {count - 1}")
    own = drawn % count if seat is None else seat
    level = chosen(sandbox, require=require_sandbox)
    if not common.quiet:
        remarks().print(printable(level.says), soft_wrap=True)
    table = _Table(rules, common, opponents, own, drawn, level)
    for place, name in enumerate(table.names):
        print(f"seat {place}  {name}")
    finished = interruption.run(table.play(_Keyboard()))
    words = ["cardarena", "play", game, *(bots or []), "--fill", fill, "--seat", str(own), "--seed", str(drawn)]
    words += [word for text in option or [] for word in ("--option", text)]
    words += repeated(sandbox, require=require_sandbox)
    print("" if finished else "\nyou have left the table")
    print_lines_as_they_are(table.words.lines())
    print_text(f"the same deals again: {shlex.join(words)}")
    return DONE


def _rules(name: str, texts: Sequence[str]) -> Game:
    options: dict[str, OptionValue] = {}
    for text in texts:
        key, given, value = text.partition("=")
        if not given:
            raise HarnessError(f"--option {text}: write NAME=VALUE, such as hands_per_seat=2")
        options[key] = value == "true" if value in ("true", "false") else int(value) if value.isdecimal() else value
    try:
        return games.game(name, options)
    except ValueError as error:
        raise HarnessError(str(error)) from None


class _Table:
    def __init__(
        self, rules: Game, common: Common, opponents: Sequence[FoundBot], seat: Seat, seed: int, level: Sandbox
    ) -> None:
        self.rules = rules
        self.level = level
        self.words = LastWords()
        self.seat = seat
        self.secret = deals.secret_from_seed(seed, 1)
        others = list(labels([bot.name for bot in opponents]))
        others = [f"{name} (bot)" if name == PERSON else name for name in others]
        own = len(opponents) - seat  # from the person's left, clockwise
        self.names = [*others[own:], PERSON, *others[:own]]
        self.bots = practice_specs(common, others, opponents)

    async def play(self, ask: Ask) -> bool:
        """Plays the match. False where the person leaves."""
        invited: asyncio.Future[tuple[str, str]] = asyncio.get_running_loop().create_future()

        def invite(addresses: Sequence[str], token: str) -> None:
            invited.set_result((addresses[0], token))

        person = BotSpec(PERSON, (), max_matches=1, invite=invite)
        played: list[Played] = []
        arena = Arena(
            time_control=TimeTable().control,
            tcp=any(bot.tcp for bot in self.bots),
            guests=any(bot.invite is not None for bot in self.bots),
            sandbox=self.level,
            on_process_end=self.words.note,
        )
        async with arena:
            match = asyncio.ensure_future(arena.play([person, *self.bots], [self._spec()], played.append))
            try:
                finished = await _Chair(self, ask).sit(*await invited)
                if finished:
                    await match  # bots have their time to say goodbye, and what they wrote is told
                return finished
            finally:
                match.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await match

    def _spec(self) -> TableSpec:
        count = len(self.names)
        return TableSpec(
            match_id=LOCAL_MATCH,
            game=self.rules,
            seats=tuple(self.names),
            first_dealer=deals.first_dealer(self.secret, LOCAL_BLOCK, count),
            deck=lambda index: deals.deck(self.secret, LOCAL_BLOCK, index, self.rules.pack),
            bot_seeds=tuple(deals.bot_seed(self.secret, LOCAL_MATCH, seat) for seat in range(count)),
        )


@dataclass
class _Chair:
    """The person's end of the stream."""

    table: _Table
    ask: Ask

    async def sit(self, address: str, token: str) -> bool:
        """Plays until the match is over (True) or the person leaves (False)."""
        rules = self.table.rules
        names = self.table.names
        deal_count = rules.deal_count(len(names))
        sitting = Sitting(rules.name, names, self.table.seat, len(rules.pack), deal_count, faces_here())
        async with dial(address, token, rules.name) as line:
            async for batch in line.batches():
                for update in batch.updates:
                    for event in update.events:
                        if (seen := seen_of(event)) is not None:
                            sitting.see(seen)
                    if update.HasField("request"):
                        request = update.request
                        action = await self._choice(sitting, tuple(request.legal_actions))
                        if action is None:
                            return False
                        await line.decide(update.match_id, request.decision_id, action)
                for over in batch.over:
                    _show(sitting.over(over.points, over.ranks))
                    return True
        raise HarnessError("the match ended too early; this is a fault of the harness")

    async def _choice(self, sitting: Sitting, actions: tuple[int, ...]) -> int | None:
        _show(sitting.ask(actions))
        while True:
            text = await self.ask(PROMPT)
            if text is None:
                return None
            match sitting.hear(text):
                case Chosen(action):
                    return action
                case Told(lines):
                    _show(lines)
                case Left():
                    return None


def _show(lines: Sequence[str]) -> None:
    for line in lines:
        print(line)


def _settle(result: "asyncio.Future[bytes]", data: bytes) -> None:
    if not result.done():
        result.set_result(data)


class _Keyboard:
    """Lines from stdin, read in a thread: matches go on while a person thinks."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._rest = b""

    async def __call__(self, prompt: str) -> str | None:
        """Shows `prompt` and waits for a line; None at the end of the input."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        while not self._lines:
            chunk = await self._read()
            self._rest += chunk
            *whole, self._rest = self._rest.split(b"\n")
            if not chunk:
                whole = [self._rest] if self._rest else []
                self._rest = b""
            self._lines += [line.decode(errors="replace") for line in whole]
            if not chunk and not self._lines:
                return None
        return self._lines.pop(0)

    async def _read(self) -> bytes:
        # Not sys.stdin, and a thread that nobody waits for: Ctrl-C must end us while it still reads.
        loop = asyncio.get_running_loop()
        result: asyncio.Future[bytes] = loop.create_future()

        def read() -> None:
            data = os.read(0, 4096)
            with contextlib.suppress(RuntimeError):  # the loop is closed: we have gone
                loop.call_soon_threadsafe(_settle, result, data)

        threading.Thread(target=read, daemon=True).start()
        return await result
