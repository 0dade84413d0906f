"""Under which rules, clock and limits a bot is checked: a cup's, or the defaults that every cup begins with."""

from dataclasses import dataclass

from harness import games
from harness.cup import CupFile, LimitsTable, TimeTable
from harness.errors import HarnessError
from harness.games import Game
from harness.match import TimeControl
from harness.roster import granted
from harness.sandbox.cell import AUTO
from harness.sandbox.limits import ProcessLimits
from harness.workshop.manifest import BotManifest

DEFAULTS = "the defaults"
SIZES = {"guillotine": (4,), "zhiletka": (2, 4)}
"""Table sizes that are tried where no cup says which."""


@dataclass(frozen=True)
class Conditions:
    """What the bot is to expect."""

    source: str
    """Whose they are, for people."""
    games: tuple[tuple[Game, tuple[int, ...]], ...]
    """Games that are tried, each with its table sizes."""
    time: TimeControl
    limits: ProcessLimits
    jobs: int | None
    sandbox: str
    """The level that is asked for, or `auto`."""


def conditions_of(manifest: BotManifest, cup: CupFile | None) -> Conditions:
    """Those of `cup`, or the defaults. HarnessError where the bot does not play the cup's game."""
    if cup is None:
        offered = tuple((games.game(name), SIZES[name]) for name in manifest.bot.games)
        return Conditions(DEFAULTS, offered, TimeTable().control, granted(LimitsTable()), None, AUTO)
    game = cup.game
    if game.name not in manifest.bot.games:
        raise HarnessError(f"{cup.name} plays {game.name}, {manifest.name} only {', '.join(manifest.bot.games)}")
    entry = next((entry for entry in cup.bots if entry.bot == manifest.name), None)
    time = cup.time.control if entry is None else entry.time.over(cup.time.control)
    limits = cup.limits
    return Conditions(cup.name, ((game, cup.cup.seats),), time, granted(limits), limits.jobs, limits.sandbox)
