"""The bots of a practice match: found as the command names them, then started, or waited for until they dial in."""

import functools
import shlex
import sys
from collections.abc import Mapping, Sequence

from harness.arena import BotSpec, ProcessEnd
from harness.cli.app import Common
from harness.cli.homes import finding_bots
from harness.cli.tables import remarks
from harness.errors import HarnessError
from harness.games import Game
from harness.last_words import last_words
from harness.printable import printable
from harness.roster import bot_spec, check_playable
from harness.sandbox.limits import ProcessLimits
from harness.store.home import find_home
from harness.workshop.building import Recipe
from harness.workshop.entry import FoundBot, Origin
from harness.workshop.runtimes import read_runtimes

LAST_LINES = 10
"""What is shown of the output of a bot that failed."""


def seat_bots(common: Common, rules: Game, forms: Sequence[str], fill: str, *, person_count: int = 0) -> list[FoundBot]:
    """The bots that `forms` name, then `fill` in the seats that the game needs besides those and `person_count` people.

    HarnessError where one cannot be found or does not play the game, or where there are more than seats.
    """
    with finding_bots(common, awaits=True) as finder:
        found = [bot for form in forms for bot in finder.all(form)]
        found += [finder.one(fill)] * (min(rules.seat_counts) - person_count - len(found))
    if len(found) + person_count not in rules.seat_counts:
        offered = " or ".join(str(count - person_count) for count in rules.seat_counts)
        if person_count:
            raise HarnessError(f"{rules.name} is played against {offered} bots, not {len(found)}")
        raise HarnessError(f"{rules.name} seats {offered}, not {len(found)}")
    for bot in found:
        check_playable(bot.manifest, rules.name)
    return found


def practice_specs(common: Common, names: Sequence[str], found: Sequence[FoundBot]) -> list[BotSpec]:
    """How each bot comes to the table, by its name there."""
    runtimes = read_runtimes(find_home(common.home))
    specs = [
        awaited(name)
        if bot.origin is Origin.AWAITED
        else bot_spec(name, bot.manifest, bot.folder, ProcessLimits(), runtimes)
        for name, bot in zip(names, found, strict=True)
    ]
    for spec in specs:
        if isinstance(spec.prepare, Recipe) and not common.quiet and not spec.prepare.is_built:
            remarks().print(printable(f"{spec.label} is built first: {spec.prepare}"), soft_wrap=True)
    return specs


def awaited(label: str, argv: Sequence[str] = ("python", "bot.py"), env: Mapping[str, str] | None = None) -> BotSpec:
    """One that is not started by us. `argv` and `env`: how its author would start it, as far as that is known."""
    return BotSpec(label, tuple(argv), max_matches=1, invite=functools.partial(_invite, label, argv, env or {}))


def _invite(label: str, argv: Sequence[str], env: Mapping[str, str], addresses: Sequence[str], token: str) -> None:
    first, *others = addresses
    told = {"CARDARENA_ADDRESS": first, "CARDARENA_TOKEN": token, **env}
    print(
        f"waiting for {printable(label)}, as long as it takes. In its folder, in another terminal or under a debugger:",
        f"  export {' '.join(f'{name}={printable(shlex.quote(value))}' for name, value in told.items())}",
        f"  {printable(shlex.join(argv))}",
        *(f"where its gRPC knows no unix sockets: CARDARENA_ADDRESS={address}" for address in others),
        sep="\n",
        file=sys.stderr,
        flush=True,
    )


class LastWords:
    """What bots wrote, told where they failed."""

    def __init__(self) -> None:
        self.everything = b""
        """All that all of them wrote, a process after the other."""
        self._failed: dict[str, list[str]] = {}

    def note(self, end: ProcessEnd) -> None:
        """A process has ended."""
        self.everything += end.output
        if end.fault is not None:
            words = last_words(end.output.decode(errors="replace").splitlines(), LAST_LINES)
            self._failed[end.label] = [f"{end.label} {end.how}", *(f"  {end.label}: {line}" for line in words)]

    def lines(self) -> list[str]:
        """How each that failed ended last, and the last lines that it wrote; harmless for a terminal."""
        return [printable(line) for lines in self._failed.values() for line in lines]
