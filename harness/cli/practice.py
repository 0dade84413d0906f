"""The bots of a practice match: found as the command names them, then started, or waited for until they dial in."""

import functools
import shlex
import sys
from collections.abc import Sequence

from harness.arena import BotSpec
from harness.cli.app import Common
from harness.cli.homes import finding_bots
from harness.errors import HarnessError
from harness.games import Game
from harness.roster import bot_spec, check_playable
from harness.sandbox.limits import ProcessLimits
from harness.store.home import find_home
from harness.workshop.entry import FoundBot, Origin
from harness.workshop.runtimes import read_runtimes


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
    return [
        awaited(name)
        if bot.origin is Origin.AWAITED
        else bot_spec(name, bot.manifest, bot.folder, ProcessLimits(), runtimes)
        for name, bot in zip(names, found, strict=True)
    ]


def awaited(label: str, argv: Sequence[str] = ()) -> BotSpec:
    """One that is not started by us. `argv`: how its author would start it, where that is known."""
    return BotSpec(label, tuple(argv), max_matches=1, invite=functools.partial(_invite, label, argv))


def _invite(label: str, argv: Sequence[str], address: str, token: str) -> None:
    command = shlex.join(argv) if argv else "python bot.py"
    print(
        f"waiting for {label}, as long as it takes. In its folder, in another terminal or under a debugger:\n"
        f"  export CARDARENA_ADDRESS={shlex.quote(address)} CARDARENA_TOKEN={shlex.quote(token)}\n"
        f"  {command}",
        file=sys.stderr,
        flush=True,
    )
