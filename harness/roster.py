"""The bots of a cup: found as the file names them, stored as versions, and started from their stored copies."""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from harness.arena.specs import BotSpec
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.sandbox.limits import LEVEL, ProcessLimits
from harness.store.home import Home
from harness.store.rows import Entry, Role
from harness.store.versions import Versions
from harness.workshop.entry import BotFinder, FoundBot, labels, store_bot
from harness.workshop.lineup import lineup
from harness.workshop.manifest import BotManifest, command, read_manifest

START_S = 10.0
"""A bot that asks for nothing has so long from its start to its Hello."""
MOST_START_S = 60.0
FILL = "sample:random"
"""Sits where a table would stay incomplete; never rated."""


class HomeRoster:
    """Bots named by a cup file in `folder`, stored in `home`."""

    def __init__(self, home: Home, versions: Versions | None, folder: Path) -> None:
        """`versions` None: there is no ledger yet, and nothing can be stored."""
        self.home = home
        self.versions = versions
        self.finder = BotFinder(folder, home, versions, prefer_folder=False)

    def entries(self, cup: CupFile) -> tuple[Entry, ...]:
        """The bots that the file names now, each stored as a version. HarnessError where one cannot be."""
        return tuple(self._entries(cup, store=True))

    def forecast_entries(self, cup: CupFile) -> tuple[Entry, ...]:
        """The same, with nothing stored."""
        return tuple(self._entries(cup, store=False))

    def _entries(self, cup: CupFile, *, store: bool) -> Iterator[Entry]:
        """The bots in the order of the file, then the house, then what fills a table.

        HarnessError where one cannot be found or does not play the game.
        """
        if cup.limits.sandbox not in ("auto", LEVEL):
            raise HarnessError(
                f'{cup.name}: [limits] sandbox = "{cup.limits.sandbox}" is not offered by this cardarena, which runs '
                f'bots at level "{LEVEL}"; write that, or "auto"'
            )
        found = lineup(cup, self.finder)
        bots = [entrant for entrant in found.entrants if entrant.role is Role.BOT]
        if not bots:
            raise HarnessError(f"{cup.name}: nobody plays; name bots in [cup] bots, or submit some")
        house_count = len(found.entrants) - len(bots)
        opponents = house_count if cup.cup.format == "gauntlet" else len(found.entrants) - 1
        filling = [self.finder.one(FILL)] * max(0, max(cup.cup.seats) - 1 - opponents)
        for entrant in found.entrants:
            self._check(entrant.bot, cup, store=store)
            yield entrant.entry()
        names = labels([entrant.bot.name for entrant in found.entrants] + [bot.name for bot in filling])
        for label, bot in zip(names[len(found.entrants) :], filling, strict=True):
            self._check(bot, cup, store=store)
            yield Entry(label, bot.name, bot.version, bot.sha256, bot.team, rated=False, role=Role.FILL)

    def _check(self, bot: FoundBot, cup: CupFile, *, store: bool) -> None:
        check_playable(bot.manifest, cup.cup.game)
        if store:
            assert self.versions is not None
            store_bot(bot, self.home, self.versions, at_unix_ns=time.time_ns())

    def spec(self, entry: Entry, cup: CupFile) -> BotSpec:
        """How to start the stored copy of `entry`, under the limits of `cup`."""
        assert self.versions is not None
        version = self.versions.get(entry.name, entry.sha256)
        if version is None:
            raise HarnessError(f"{entry.label}: version {entry.version} is not in {self.home}; it was pinned elsewhere")
        folder = self.home.path / version.tree
        if not folder.is_dir():
            raise HarnessError(f"{entry.label}: its copy {folder} is gone; put it back to finish the round")
        limits = cup.limits
        granted = ProcessLimits(limits.memory_mb, limits.processes, limits.tmp_mb, limits.log_kb)
        return replace(bot_spec(entry.label, read_manifest(folder), folder, granted), time=entry.time)


def check_playable(manifest: BotManifest, game: str) -> None:
    """HarnessError where the bot does not say that it plays `game`, or needs what this program does not offer."""
    if game not in manifest.bot.games:
        raise HarnessError(f"{manifest.name} does not play {game}: its bot.toml says {', '.join(manifest.bot.games)}")
    if manifest.run.protocol != "grpc":
        protocol = manifest.run.protocol
        raise HarnessError(f'{manifest.name}: [run] protocol = "{protocol}" cannot be played yet; use "grpc"')
    if manifest.build is not None:
        raise HarnessError(f"{manifest.name}: [build] steps are not run yet; build it first and leave the table out")


def bot_spec(label: str, manifest: BotManifest, folder: Path, limits: ProcessLimits) -> BotSpec:
    """How to start the bot in `folder` as `label`."""
    return BotSpec(
        label=label,
        argv=command(manifest.run.argv, python=sys.executable, folder=folder),
        cwd=folder,
        env=manifest.run.env,
        max_matches=manifest.run.max_matches,
        start_s=min(manifest.needs.start_s or START_S, MOST_START_S),
        limits=limits,
        tcp=manifest.run.address == "tcp",
    )
