"""The bots of a cup: found as the file names them, stored as versions, and started from their stored copies."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from harness.arena.specs import BotSpec
from harness.cup import CupFile, LimitsTable
from harness.errors import HarnessError
from harness.lines.command import adapter_command
from harness.sandbox.limits import ProcessLimits
from harness.sandbox.runtime import Runtime, python_runtime, runtime_of
from harness.store.home import Home
from harness.store.rows import Entry, Role
from harness.store.versions import Versions
from harness.workshop.building import Recipe, tools_of
from harness.workshop.entry import BotFinder, FoundBot, labels, store_bot
from harness.workshop.lineup import lineup
from harness.workshop.manifest import BotManifest, command, read_manifest
from harness.workshop.runtimes import Runtimes, read_runtimes
from harness.workshop.tree import tree_sha256

PLAIN_RUNTIMES = Runtimes()
START_S = 10.0
"""A bot that asks for nothing has so long from its start to its Hello."""
MOST_START_S = 60.0
FILL = "sample:random"
"""Sits where a table would stay incomplete; never rated."""


class HomeRoster:
    """Bots named by a cup file in `folder`, stored in `home`."""

    def __init__(
        self, home: Home, versions: Versions | None, folder: Path, notice: Callable[[str], None] = lambda text: None
    ) -> None:
        """`versions` None: there is no ledger yet, and nothing can be stored. `notice` hears once who is left out."""
        self.home = home
        self.versions = versions
        self.finder = BotFinder(folder, home, versions, prefer_folder=False)
        self.runtimes = read_runtimes(home)
        self._notice = notice
        self._told: set[str] = set()

    def entries(self, cup: CupFile) -> tuple[Entry, ...]:
        """The bots that the file names now, each stored as a version: in its order, then the house, then what fills.

        HarnessError, and nothing stored, where one cannot be found or cannot play the game; a line a mistake.
        """
        assert self.versions is not None
        entered = self._entered(cup)
        for _, bot in entered:
            store_bot(bot, self.home, self.versions, at_unix_ns=time.time_ns())
        return tuple(entry for entry, _ in entered)

    def forecast_entries(self, cup: CupFile) -> tuple[Entry, ...]:
        """The same, with nothing stored."""
        return tuple(entry for entry, _ in self._entered(cup))

    def _entered(self, cup: CupFile) -> list[tuple[Entry, FoundBot]]:
        found = lineup(cup, self.finder)
        entrants = found.entrants
        for remark in found.remarks:
            if remark not in self._told:
                self._told.add(remark)
                self._notice(remark)
        bot_count = sum(entrant.role is Role.BOT for entrant in entrants)
        if not bot_count:
            raise HarnessError(f"{cup.name}: nobody plays; name bots in [cup] bots, or submit some")
        opponents = len(entrants) - (bot_count if cup.cup.format == "gauntlet" else 1)
        filling = [self.finder.one(FILL)] * max(0, max(cup.cup.seats) - 1 - opponents)
        bots = [entrant.bot for entrant in entrants]
        mistakes = list(_bot_mistakes(cup, [*bots, *filling]))
        if mistakes:
            raise HarnessError("\n".join(f"{cup.name}: {mistake}" for mistake in mistakes))
        names = labels([bot.name for bot in [*bots, *filling]])
        fill_entries = (
            Entry(label, bot.name, bot.version, bot.sha256, bot.team, rated=False, role=Role.FILL)
            for label, bot in zip(names[len(bots) :], filling, strict=True)
        )
        anchored = dict([found.anchor]) if found.anchor is not None else {}
        entries = [
            *(replace(entrant.entry(), anchor_elo=anchored.get(entrant.label)) for entrant in entrants),
            *fill_entries,
        ]
        return list(zip(entries, [*bots, *filling], strict=True))

    def spec(self, entry: Entry, cup: CupFile) -> BotSpec:
        """How to start the stored copy of `entry`, under the limits of `cup`."""
        assert self.versions is not None
        version = self.versions.get(entry.name, entry.sha256)
        if version is None or not version.is_here:
            raise HarnessError(
                f"{entry.label}: version {entry.version} is not in {self.home}; it was pinned elsewhere: submit it here"
            )
        folder = self.home.path / version.tree
        if not folder.is_dir():
            raise HarnessError(f"{entry.label}: its copy {folder} is gone; put it back to finish the round")
        spec = bot_spec(entry.label, read_manifest(folder), folder, granted(cup.limits), self.runtimes)
        return replace(spec, time=entry.time)


def _bot_mistakes(cup: CupFile, bots: Iterable[FoundBot]) -> Iterator[str]:
    for manifest in {bot.sha256: bot.manifest for bot in bots}.values():
        try:
            check_playable(manifest, cup.cup.game)
        except HarnessError as error:
            yield str(error)


def check_playable(manifest: BotManifest, game: str) -> None:
    """HarnessError where the bot does not say that it plays `game`."""
    if game not in manifest.bot.games:
        raise HarnessError(f"{manifest.name} does not play {game}: its bot.toml says {', '.join(manifest.bot.games)}")


def granted(limits: LimitsTable) -> ProcessLimits:
    """What a cup lets each of its bots use."""
    return ProcessLimits(limits.memory_mb, limits.processes, limits.tmp_mb, limits.log_kb, cpus=limits.cpus)


def bot_spec(
    label: str, manifest: BotManifest, folder: Path, limits: ProcessLimits, runtimes: Runtimes = PLAIN_RUNTIMES
) -> BotSpec:
    """How to start the bot in `folder` as `label`, from the tree that its `[build]` leaves, where it has one.

    HarnessError where it needs a runtime that is not there.
    """
    python, runtime = runtimes.of(manifest)
    recipe = _recipe(manifest, folder, python, runtime, runtimes)
    folder = folder if recipe is None else recipe.folder
    argv = command(manifest.run.argv, python=python, folder=folder)
    adapter: tuple[str, ...] = ()
    if manifest.run.protocol == "lines":
        adapter = adapter_command(manifest.bot.games, manifest.run.max_matches)
        own = runtime_of(argv[0], os.environ) if runtime is None else runtime
        runtime = own.with_(python_runtime(Path(adapter[0])))
    return BotSpec(
        label=label,
        argv=argv,
        cwd=folder,
        env=manifest.run.env,
        max_matches=manifest.run.max_matches,
        start_s=min(manifest.needs.start_s or START_S, MOST_START_S),
        limits=limits,
        tcp=manifest.run.address == "tcp" and not adapter,
        adapter=adapter,
        prepare=recipe,
        runtime=runtime,
    )


def _recipe(
    manifest: BotManifest, folder: Path, python: str, runtime: Runtime | None, runtimes: Runtimes
) -> Recipe | None:
    if manifest.build is None:
        return None
    first, *steps = (
        tuple(word.replace("{python}", python) for word in words) for words in (manifest.run.argv, *manifest.build.argv)
    )
    return Recipe(
        title=f"{manifest.name} {manifest.version}",
        source=folder,
        sha256=tree_sha256(folder),
        steps=tuple(steps),
        env=manifest.run.env,
        runtime=runtime,
        builds=runtimes.builds,
        has_network=runtimes.builds_have_network,
        tools=tools_of((words[0] for words in (first, *steps)), manifest.run.env, runtime),
    )
