"""Checks a published folder, alone.

A ledger is made again from the feeds of the site and checked as any ledger is (`harness.verify`). The ladder that
follows from it must be the one that the site shows, and every file must have the bytes that were published.
"""

import csv
import json
import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from harness.agenda import settings_of
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.intake import Incoming
from harness.sources import ROUNDS_NAME, SiteSource
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.store.pinned import PinnedRound
from harness.verify import OnDifference, verify_cup
from ladder.export import to_csv, to_json
from ladder.site.folder import LIST_NAME, changed_files, published_files
from ladder.words import plural

MOST_CHARACTERS = 64 << 20
"""Of a feed: the ladder of five hundred bots has 3 million."""
TOLERANCE = 1e-4
"""Ratings may differ by so much: machines round sums of thousands of terms differently."""


class SiteDifference(Exception):
    """Something in a published folder that is not as it must be. The message names what and where."""


@dataclass(frozen=True)
class Checked:
    """A cup of a site without a difference."""

    cup: str
    match_count: int
    remarks: tuple[str, ...]
    """What could not be looked at, and why."""
    notes: tuple[str, ...] = ()
    """What there is not to be looked at yet."""


@dataclass(frozen=True)
class _Season:
    """A folder of the site: a season of a cup."""

    source: SiteSource
    rounds: Sequence[PinnedRound]

    @property
    def folder(self) -> Path:
        return self.source.path.parent

    @property
    def cup(self) -> str:
        return self.rounds[-1].row.cup

    @property
    def settings(self) -> CupFile:
        """As its newest round pinned it."""
        return settings_of(self.rounds[-1].row)

    def is_withheld(self, pinned: PinnedRound, kept_count: int) -> bool:
        """Whether nothing of that round is shown yet, by `[publish] replays`."""
        rule = self.settings.publish.replays
        is_running = pinned.row.ended_unix_ns is None
        return kept_count == 0 and pinned.match_count > 0 and (rule == "end" or (is_running and rule == "round"))


def _refuse(difference: str) -> None:
    raise SiteDifference(difference) from None


def verify_site(
    folder: Path,
    on_match: Callable[[int, int], None] = lambda count, total: None,
    on_difference: OnDifference = _refuse,
    *,
    processes: int = 1,
) -> tuple[Checked, ...]:
    """Checks the site in `folder`, cup by cup; those without a difference come back.

    `on_match` is told how many matches of a cup were checked so far; `on_difference` of every difference, of each file
    of the ladder its first: without it the first is raised as a SiteDifference; `processes` as for `verify_cup`.
    LadderError where `folder` is no site.
    """
    names = published_files(folder)
    changed = tuple(changed_files(folder))
    checked: tuple[Checked, ...] = ()
    try:
        with tempfile.TemporaryDirectory() as scratch, Ledger(Path(scratch) / "arena.db", create=True) as ledger:
            checked = _Site(folder, names, ledger, on_difference, processes).check(on_match)
    except (SiteDifference, HarnessError) as error:
        on_difference(str(error))
    # Last: a difference that has a name of its own says more.
    for difference in changed:
        on_difference(difference)
    return checked


class _Site:
    """A site, and the ledger that is made of it."""

    def __init__(
        self, folder: Path, names: Sequence[str], ledger: Ledger, on_difference: OnDifference, processes: int
    ) -> None:
        self.folder = folder
        self.processes = processes
        self.ledger = ledger
        self.on_difference = on_difference
        self.difference_count = 0
        self.seasons = [self._season(name) for name in names if Path(name).name == ROUNDS_NAME]
        if not self.seasons:
            raise SiteDifference(f"{LIST_NAME}: it lists no {ROUNDS_NAME}, so that nothing can be checked")

    def _season(self, name: str) -> _Season:
        source = SiteSource(self.folder / name)
        rounds = source.rounds()
        if not rounds or len({pinned.row.cup for pinned in rounds}) > 1:
            raise SiteDifference(f"{name}: it holds no rounds of one cup")
        return _Season(source, rounds)

    def check(self, on_match: Callable[[int, int], None]) -> tuple[Checked, ...]:
        """The checks, cup by cup, in the order of their folders."""
        cups: dict[str, list[_Season]] = {}
        for season in self.seasons:
            cups.setdefault(season.cup, []).append(season)
        found = [self._check_cup(cup, seasons, on_match) for cup, seasons in cups.items()]
        return tuple(checked for checked in found if checked is not None)

    def _check_cup(self, cup: str, seasons: Sequence[_Season], on_match: Callable[[int, int], None]) -> Checked | None:
        """A cup; None where something of it differs."""
        before = self.difference_count
        try:
            self._rebuild(seasons)
            withheld = [
                pinned.row.round
                for season in seasons
                for pinned in season.rounds
                if season.is_withheld(pinned, self.ledger.match_count(cup, pinned.row.round))
            ]
            count = verify_cup(self.ledger, cup, on_match, self._differs, withheld=withheld, processes=self.processes)
            if self.difference_count == before:  # else the ladder that follows from the matches differs as well
                checked = self._check_seasons(cup, seasons, withheld, count)
                return checked if self.difference_count == before else None
        except (SiteDifference, HarnessError) as error:
            self._differs(str(error))
        return None

    def _differs(self, difference: str) -> None:
        self.difference_count += 1
        self.on_difference(difference)

    def _check_seasons(self, cup: str, seasons: Sequence[_Season], withheld: Sequence[int], count: int) -> Checked:
        """The seasons of a cup whose rounds and matches, `count` of them, are as they must be."""
        remarks: list[str] = []
        notes: list[str] = []
        for season in seasons:
            for pinned in season.rounds:
                if pinned.row.round not in withheld:
                    self._check_count(season, pinned)
            hidden = [pinned for pinned in season.rounds if pinned.row.round in withheld]
            if hidden:
                which = f"round{'s' * (len(hidden) > 1)} {', '.join(str(pinned.row.round) for pinned in hidden)}"
                matches = plural(sum(pinned.match_count for pinned in hidden), "match", "matches")
                remarks.append(f"{which}: {matches} not shown yet, so that the ladder cannot be rated again")
            for pinned in season.rounds:
                unshown = pinned.match_count - self.ledger.match_count(cup, pinned.row.round)
                if pinned not in hidden and unshown > 0:
                    matches = plural(unshown, "match is", "matches are")
                    notes.append(
                        f"round {pinned.row.round}: {matches} of blocks that are not complete, and not shown yet"
                    )
            if not hidden:
                self._check_ladder(season)
        return Checked(cup, count, tuple(remarks), tuple(notes))

    def _rebuild(self, seasons: Sequence[_Season]) -> None:
        """Writes rounds, bots and matches of a cup into the ledger, whether the matches are all there or not."""
        rounds = sorted((pinned for season in seasons for pinned in season.rounds), key=lambda pinned: pinned.row.round)
        try:
            with self.ledger.all_or_nothing():
                for pinned in rounds:
                    self._write_round(pinned)
                for season in seasons:
                    for version in season.source.versions():
                        self.ledger.versions.learn(version)
                    for incoming in season.source.matches():
                        self._write_match(incoming)
        except (ValueError, OverflowError) as error:
            raise SiteDifference(str(error)) from None

    def _write_round(self, pinned: PinnedRound) -> None:
        row = pinned.row
        self.ledger.start_round(
            row.cup,
            row.round,
            settings=row.settings,
            budget=row.budget,
            schedule_sha256=row.schedule_sha256,
            commitment=row.commitment,
            secret=row.secret,
            entries=pinned.entries,
            started_unix_ns=row.started_unix_ns,
        )
        for gone in pinned.withdrawals:
            self.ledger.withdraw(
                row.cup, row.round, gone.label, kind=gone.kind, detail=gone.detail, at_unix_ns=gone.at_unix_ns
            )
        self.ledger.rulings.add(pinned.rulings)
        if row.ended_unix_ns is not None:
            self.ledger.end_round(row.cup, row.round, at_unix_ns=row.ended_unix_ns)
            if row.secret is None:
                raise SiteDifference(f"{pinned.where}: it has ended, and its secret is missing")
            self.ledger.reveal(row.cup, row.round, at_unix_ns=row.revealed_unix_ns or row.ended_unix_ns)

    def _write_match(self, incoming: Incoming) -> None:
        try:
            is_new = self.ledger.add_match(incoming.record)
        except (ValueError, HarnessError) as error:
            raise SiteDifference(f"{incoming.where}: {error}") from None
        if not is_new:
            raise SiteDifference(f"{incoming.where}: {incoming.record.match} comes twice")

    def _check_count(self, season: _Season, pinned: PinnedRound) -> None:
        kept = self.ledger.match_count(season.cup, pinned.row.round)
        if pinned.row.ended_unix_ns is not None and kept != pinned.match_count:
            matches = plural(kept, "match", "matches")
            self._differs(f"{pinned.where}: {matches} in the folder, {pinned.match_count:,} by {ROUNDS_NAME}")

    def _check_ladder(self, season: _Season) -> None:
        """The ladder of a season must follow from its matches."""
        played = sum(pinned.match_count for pinned in season.rounds)  # of blocks that are not complete it shows none
        standings = cup_standings(self.ledger, season.settings, match_count=played)
        found = _read(season.folder / "ladder.json", json.loads)
        self._expect_same(season, "ladder.json", found, json.loads(to_json(standings)))
        table = _read(season.folder / "ladder.csv", _table)
        self._expect_same(season, "ladder.csv", table, _table(to_csv(standings)))

    def _expect_same(self, season: _Season, name: str, found: object, due: object) -> None:
        difference = next(_differences("", found, due), None)
        if difference is not None:
            self._differs(f"{(season.folder / name).relative_to(self.folder)}: {difference}")


def _read(path: Path, parsed: Callable[[str], object]) -> object:
    if not path.is_file():  # a pipe would keep us waiting for ever
        raise SiteDifference(f"{path.name}: it is missing")
    try:
        with path.open(encoding="utf-8") as file:
            return parsed(file.read(MOST_CHARACTERS))
    except (OSError, ValueError, RecursionError, csv.Error) as error:
        raise SiteDifference(f"{path.name}: cannot be read: {str(error)[:200]}") from None


def _table(text: str) -> object:
    """A CSV as JSON would tell it: rows by their first text, so that a difference names its bot."""
    return {"bots": [{key: _number(cell) for key, cell in row.items()} for row in csv.DictReader(text.splitlines())]}


def _number(cell: object) -> object:
    try:
        return float(str(cell))
    except ValueError:
        return cell


def _differences(where: str, found: object, due: object) -> Iterator[str]:
    """Where two JSON values differ, numbers by more than `TOLERANCE`; the rows of bots by the names of the bots."""
    if isinstance(found, Mapping) and isinstance(due, Mapping):
        name = due.get("bot", where)
        for key in dict.fromkeys([*due, *found]):
            yield from _differences(f"{key} of {name}" if name else str(key), found.get(key), due.get(key))
    elif isinstance(found, list) and isinstance(due, list):
        for number, (ours, theirs) in enumerate(zip_longest(found, due), start=1):
            yield from _differences(f"row {number} of {where}", ours, theirs)
    elif not _is_same(found, due):
        yield f"{where} is {_shown(found)}, the matches give {_shown(due)}"


def _is_same(found: object, due: object) -> bool:
    if isinstance(found, float) and isinstance(due, float):
        return math.isclose(found, due, rel_tol=0, abs_tol=TOLERANCE)
    return type(found) is type(due) and found == due


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)[:80]
