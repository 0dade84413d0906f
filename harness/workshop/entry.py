"""BOT as people write it: a folder, an archive, `sample:NAME`, `name`, `name@version`, `wait:NAME`; found, and stored.

A `FoundBot` is a folder with its manifest and hash. `stage` gives it a read-only copy in the home,
made once for each tree; `store_bot` writes that down as a version.
"""

import glob
import json
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path

import harness
from harness.errors import HarnessError
from harness.games import GAME_NAMES
from harness.names import SUBMITTED, why_not_a_name
from harness.printable import printable
from harness.store.home import Home
from harness.store.rows import Version
from harness.store.versions import Versions
from harness.toml_file import build
from harness.workshop.archive import Unpacked, is_archive
from harness.workshop.manifest import FILE_NAME, BotManifest, BotTable, RunTable, read_manifest
from harness.workshop.tree import copy_tree, tree_sha256

SAMPLE_PREFIX = "sample:"
WAIT_PREFIX = "wait:"
FORMER_SAMPLES = {"guillotine-counter": "sharp", "zhiletka-odds": "sharp"}
"""Samples by names that cup files may still say: each was one game of the bot that it means now."""
AWAITED_VERSION = "awaited"

_GLOB = re.compile(r"[*?[]")


class Origin(StrEnum):
    """Where a bot was found."""

    FOLDER = "folder"
    ARCHIVE = "archive"
    SAMPLE = "sample"
    SUBMITTED = "submitted"
    AWAITED = "awaited"
    """`wait:NAME`: not started by us, it dials in. Of the bot nothing is known but the name: no folder, no hash."""


@dataclass(frozen=True)
class FoundBot:
    """A bot that is there: its folder, what its manifest says, the hash of its tree."""

    manifest: BotManifest
    folder: Path
    sha256: str
    team: str
    origin: Origin
    is_retired: bool = False
    unpacked: Unpacked | None = field(default=None, repr=False, compare=False)
    """Of an archive: `folder` lasts as long as this value."""

    @property
    def name(self) -> str:
        """`[bot].name`."""
        return self.manifest.name

    @property
    def version(self) -> str:
        """`[bot].version`."""
        return self.manifest.version


@dataclass(frozen=True)
class BotFinder:
    """Finds bots for one command: folders relative to `base`, submitted ones in a home (None: there is none)."""

    base: Path
    home: Home | None = None
    versions: Versions | None = None
    prefer_folder: bool = True
    """Where a word is both a folder and a submitted bot with other contents: take the folder, or refuse."""
    awaits: bool = False
    """Whether `wait:NAME` may be named: only where nothing that is played counts."""

    def one(self, form: str) -> FoundBot:
        """The bot that `form` names. HarnessError where it names none or several."""
        found = self.all(form)
        if len(found) != 1:
            names = ", ".join(printable(str(bot.folder)) for bot in found[:5]) or "none"
            raise HarnessError(f"{printable(form)}: names {len(found)} bots where one is due: {names}")
        return found[0]

    def all(self, form: str) -> tuple[FoundBot, ...]:
        """The bots that `form` names: one, or as many as a pattern of folders or `submitted` means."""
        try:
            return self._all(form)
        except OSError as error:
            raise HarnessError(f"{printable(form)}: cannot be looked up: {error.strerror}") from None

    def _all(self, form: str) -> tuple[FoundBot, ...]:
        if not form:
            raise HarnessError("an empty text names no bot; give a folder, a name or sample:NAME")
        if form == SUBMITTED:
            return tuple(self._submitted(version) for version in self.versions.active()) if self.versions else ()
        if form.startswith(WAIT_PREFIX):
            return (self._awaited(form),)
        if form.startswith(SAMPLE_PREFIX):
            return (self._sample(form.removeprefix(SAMPLE_PREFIX)),)
        if self.is_pattern(form):
            return self._pattern(form)
        if is_archive(form) and not (self.base / form).is_dir():
            if not (self.base / form).is_file():
                raise HarnessError(f"{printable(form)}: no such archive (from {printable(str(self.base))})")
            return (_in_archive(self.base / form),)
        if "/" in form or form.startswith("."):
            return (self._folder(form),)
        return (self._word(form),)

    def _awaited(self, form: str) -> FoundBot:
        name = form.removeprefix(WAIT_PREFIX)
        if not self.awaits:
            raise HarnessError(
                f"{printable(form)}: a bot that is waited for plays practice matches only; name its folder"
            )
        if (why_not := why_not_a_name(name)) is not None:
            raise HarnessError(f"{printable(form)}: a name {printable(why_not)}")
        manifest = BotManifest(
            bot=BotTable(name=name, version=AWAITED_VERSION, games=GAME_NAMES),
            run=RunTable(argv=(form,), max_matches=1),
        )
        return FoundBot(manifest, Path(), "", name, Origin.AWAITED)

    def _sample(self, name: str) -> FoundBot:
        name = FORMER_SAMPLES.get(name, name)
        folder = sample_bots()
        names = sorted(path.parent.name for path in folder.glob(f"*/{FILE_NAME}"))
        if name not in names:
            close = get_close_matches(name, names, 1)
            hint = f"did you mean {SAMPLE_PREFIX}{close[0]}?" if close else f"there are {', '.join(names) or 'none'}"
            raise HarnessError(f"{SAMPLE_PREFIX}{printable(name)}: no such sample bot; {hint}")
        return _found(folder / name, Origin.SAMPLE)

    def _folder(self, form: str) -> FoundBot:
        folder = self.base / form
        if folder.is_file():
            raise HarnessError(f"{printable(form)}: a file, and no folder of a bot; archives are .zip or .tar.gz")
        if not folder.is_dir():
            raise HarnessError(f"{printable(form)}: no such folder (from {printable(str(self.base))})")
        if not (folder / FILE_NAME).is_file():
            raise HarnessError(f"{printable(form)}: not a bot, for there is no {FILE_NAME} in it")
        return _found(folder, Origin.FOLDER)

    def is_pattern(self, form: str) -> bool:
        """Whether `form` is a pattern of folders, such as `bots/*`, and not itself the path of one."""
        return _GLOB.search(form) is not None and not os.path.exists(self.base / form)

    def paths(self, pattern: str) -> tuple[Path, ...]:
        """The folders and archives of bots that fit `pattern`. HarnessError where none does."""
        paths = [self.base / path for path in sorted(glob.glob(pattern, root_dir=self.base, recursive=True))]
        found = tuple(path for path in paths if (path / FILE_NAME).is_file() or _is_archive_file(path))
        if not found:
            raise HarnessError(
                f"{printable(pattern)}: no folder with a {FILE_NAME} fits (from {printable(str(self.base))})"
            )
        return found

    def _pattern(self, form: str) -> tuple[FoundBot, ...]:
        return tuple(
            _in_archive(path) if _is_archive_file(path) else _found(path, Origin.FOLDER) for path in self.paths(form)
        )

    def _word(self, form: str) -> FoundBot:
        name, _, number = form.partition("@")
        version = self.versions.find(name, number or None) if self.versions else None
        has_folder = (self.base / form / FILE_NAME).is_file()
        if has_folder and (version is None or self.prefer_folder):
            return self._folder(form)
        if version is None:
            raise self._unknown(form, name)
        if has_folder and tree_sha256(self.base / form) != version.sha256:
            raise HarnessError(
                f"{form}: both a folder here and a submitted bot with other contents; "
                f"write ./{form} or {version.name}@{version.version}"
            )
        return self._submitted(version)

    def _unknown(self, form: str, name: str) -> HarnessError:
        submitted = self.versions.names() if self.versions else ()
        if name in submitted and self.versions:
            numbers = ", ".join(row.version for row in self.versions.of_name(name))
            return HarnessError(f"{printable(form)}: no such version of {name}; there are {numbers}")
        if (self.base / form).is_dir():
            return HarnessError(f"{printable(form)}: not a bot, for there is no {FILE_NAME} in that folder")
        samples = [SAMPLE_PREFIX + path.parent.name for path in sample_bots().glob(f"*/{FILE_NAME}")]
        close = get_close_matches(name, [*submitted, *samples], 1) or [
            sample for sample in samples if sample == SAMPLE_PREFIX + name
        ]
        hint = f"; did you mean {close[0]}?" if close else ""
        return HarnessError(f"{printable(form)}: neither a folder with a {FILE_NAME} nor a submitted bot{hint}")

    def _submitted(self, version: Version) -> FoundBot:
        assert self.home is not None
        folder = self.home.path / version.tree
        what = f"{version.name}@{version.version}"
        if not version.is_here:
            raise HarnessError(f"{what}: its files are not in this home, which knows it by import; submit them again")
        if not folder.is_dir():
            raise HarnessError(f"{what}: its copy {printable(str(folder))} is gone; submit the same folder again")
        manifest = build(json.loads(version.manifest), BotManifest, source=what)
        return FoundBot(
            manifest, folder, version.sha256, version.team, Origin.SUBMITTED, version.retired_unix_ns is not None
        )


def sample_bots() -> Path:
    """The folder of the sample bots, beside the package."""
    return Path(harness.__file__).parent.parent / "sample_bots"


def _is_archive_file(path: Path) -> bool:
    return is_archive(path.name) and path.is_file()


def _in_archive(path: Path) -> FoundBot:
    unpacked = Unpacked(path)
    return replace(_found(unpacked.folder, Origin.ARCHIVE), unpacked=unpacked)


def _found(folder: Path, origin: Origin) -> FoundBot:
    folder = folder.resolve()
    manifest = read_manifest(folder)
    return FoundBot(manifest, folder, tree_sha256(folder), manifest.name, origin)


def stage(bot: FoundBot, home: Home) -> Path:
    """The read-only copy of `bot` in `home`, made if there is none yet. HarnessError where the copy was changed."""
    target = home.path / _tree(bot)
    if not target.is_dir():
        _copy(bot, target)
    if tree_sha256(target) != bot.sha256:
        raise HarnessError(f"{printable(str(target))}: this copy of {bot.name} was changed; delete it and try again")
    return target


def _tree(bot: FoundBot) -> str:
    return f"bots/{bot.name}/{bot.version}-{bot.sha256[:12]}"


def _copy(bot: FoundBot, target: Path) -> None:
    # Made beside its place and moved there: a copy is whole or not there, whoever is killed.
    unfinished = target.with_name(f".{target.name}-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        if copy_tree(bot.folder, unfinished) != bot.sha256:
            raise HarnessError(f"{printable(str(bot.folder))}: changed while it was read; try again")
        unfinished.rename(target)
    except OSError as error:
        if not target.is_dir():  # another process was quicker: its copy is as good
            raise HarnessError(f"{printable(str(target))}: cannot be made: {error.strerror}") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def store_bot(
    bot: FoundBot,
    home: Home,
    versions: Versions,
    *,
    at_unix_ns: int,
    submitted_by: str | None = None,
    verdict: str | None = None,
    match_think_ns: int | None = None,
) -> Version:
    """Stages `bot` and writes it down: as submitted by a team, or only pinned by a cup (None).

    The same tree again is the version that is there. HarnessError where the name belongs to another team.
    """
    stage(bot, home)
    return versions.add(
        Version(
            name=bot.name,
            version=bot.version,
            sha256=bot.sha256,
            team=submitted_by or bot.team,
            tree=_tree(bot),
            manifest=bot.manifest.canonical_json(),
            stored_unix_ns=at_unix_ns,
            submitted_unix_ns=None if submitted_by is None else at_unix_ns,
            verdict=verdict,
            match_think_ns=match_think_ns,
        )
    )


def labels(names: Sequence[str]) -> tuple[str, ...]:
    """Labels of bots entered together: the name, then `#2` and so on for those entered again.

    >>> labels(["fox", "owl", "fox"])
    ('fox', 'owl', 'fox#2')
    """
    counts: dict[str, int] = {}
    found = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        found.append(name if counts[name] == 1 else f"{name}#{counts[name]}")
    return tuple(found)
