"""The bots of a cup: found as the file names them, stored as versions, and started from their stored copies."""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from harness.arena.specs import BotSpec
from harness.cup import CupFile, EntryTable
from harness.errors import HarnessError
from harness.names import SUBMITTED
from harness.sandbox.limits import LEVEL, ProcessLimits
from harness.store.home import Home
from harness.store.rows import Entry, Role
from harness.store.versions import Versions
from harness.workshop.entry import BotFinder, FoundBot, labels, store_bot
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
        self.finder = BotFinder(folder, home, versions)

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
        exceptions = {self.finder.one(entry.bot).sha256: entry for entry in cup.bots}
        excluded = {bot.name for form in cup.cup.exclude for bot in self.finder.all(form)}
        bots = [bot for bot in self._named(cup, exceptions) if bot.name not in excluded]
        house = [bot for form in cup.cup.house for bot in self.finder.all(form)]
        opponents = len(house) if cup.cup.format == "gauntlet" else len(bots) + len(house) - 1
        fill = [self.finder.one(FILL)] * max(0, max(cup.cup.seats) - 1 - opponents)
        found = [(Role.BOT, bot) for bot in bots] + [(Role.HOUSE, bot) for bot in house]
        found += [(Role.FILL, bot) for bot in fill]
        if not bots:
            raise HarnessError(f"{cup.name}: nobody plays; name bots in [cup] bots, or submit some")
        names = labels([bot.name for _, bot in found])
        for label, (role, bot) in zip(names, found, strict=True):
            check_playable(bot.manifest, cup.cup.game)
            if store:
                assert self.versions is not None
                store_bot(bot, self.home, self.versions, at_unix_ns=time.time_ns())
            yield _entry(cup, label, role, bot, exceptions.get(bot.sha256) if role is Role.BOT else None)

    def _named(self, cup: CupFile, exceptions: dict[str, EntryTable]) -> Iterator[FoundBot]:
        named: set[str] = set()
        for form in cup.cup.bots:
            for bot in self.finder.all(form):
                if form == SUBMITTED and cup.cup.game not in bot.manifest.bot.games:
                    continue  # a ladder takes whoever plays its game
                named.add(bot.sha256)
                yield bot
        for sha256, entry in exceptions.items():
            if sha256 not in named:
                yield self.finder.one(entry.bot)

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


def _entry(cup: CupFile, label: str, role: Role, bot: FoundBot, own: EntryTable | None) -> Entry:
    return Entry(
        label=label,
        name=bot.name,
        version=bot.version,
        sha256=bot.sha256,
        team=(own.team if own else None) or bot.team,
        rated=own.rated if own else role is not Role.FILL,
        role=role,
        time=own.time.over(cup.time.control) if own and own.time.model_fields_set else None,
    )


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
