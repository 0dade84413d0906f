"""One season of a cup as `ladder.site` wants it: standings, bots, matches, replays, how it was made."""

import hashlib
import json
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

import numpy as np

from harness.agenda import replay_of
from harness.counted import counted_rounds
from harness.counting import void_blocks, void_results
from harness.cup import CupFile, from_pinned
from harness.faults import ABSENT
from harness.moment import utc_text
from harness.publish import method
from harness.publish.candidates import Candidate, Candidates
from harness.publish.details import match_details
from harness.publish.features import Course, course_of, picks
from harness.publish.figures import Figures
from harness.publish.played_on import with_newest_sheet
from harness.publish.release import release_of, with_pages
from harness.publish.stretches import Stretches
from harness.standing import both_standings, history, is_retired, player_key, season_rounds
from harness.store.ledger import Ledger
from harness.store.pinned import pinned_round, rounds_text, versions_of
from harness.store.rows import Entry, Result, Role, Round, RulingKind, Version, match_id, parse_match_id
from harness.store.schema import MATCHES_PER_ROUND
from harness.store.sheets import Sheets
from harness.toml_file import build, canonical_json
from harness.workshop.manifest import BotTable
from ladder.columns import Bools, Ints
from ladder.site import values
from ladder.standings import Row
from ladder.words import plural

RECORDS_PER_FILE = 10_000
"""So that no file gets too large for a host."""
FEED_LEVEL = 6
"""Of zlib: 9 takes six times as long for 7 percent."""
_GZIP = 16 + zlib.MAX_WBITS
PART_BLOCKS = 32_768
"""Results are counted so many blocks at a time, which bounds the memory that takes."""
FAULTS_SHOWN = 5
_ROLES = {Role.BOT: "bot", Role.HOUSE: "house bot", Role.FILL: "fills tables"}


def cup_values(ledger: Ledger, cup: CupFile, stretches: Stretches, sheets: Sheets | None = None) -> values.Cup:
    """What the site shows of the season of `cup`, by what its newest round pinned, and of what it was played on.

    `stretches` counts records.
    """
    board = _Board(ledger, cup, stretches)
    cup_values = board.cup_values()
    board.counted = ()  # their rows are needed no more, and pages are yet to be made
    return cup_values if sheets is None else with_newest_sheet(cup_values, sheets, board.rounds)


class _Author(NamedTuple):
    """What the manifest of a version says of people and notes."""

    authors: tuple[str, ...]
    notes_are_public: bool


class _Board:
    """Gathers the values of one cup."""

    def __init__(self, ledger: Ledger, cup: CupFile, stretches: Stretches) -> None:
        self.ledger = ledger
        self.cup = cup
        self.low_wins = cup.cup.game == "guillotine"
        self.rounds = [ledger.round(cup.name, number) for number in season_rounds(ledger, cup)]
        self.entries = {row.round: ledger.entries(cup.name, row.round) for row in self.rounds}
        new = [row.round for row in self.rounds if replay_of(row) is None]
        entered = [entry for round in new for entry in self.entries[round]]
        playing = {entry.label: entry for entry in entered if not is_retired(ledger, entry)}
        self.newest = {entry.label: entry for entry in entered} | playing
        """Of every label the newest version that is not retired, else the newest."""
        self.retired = self.newest.keys() - playing.keys()
        self.counted = counted_rounds(ledger, cup, ledger.rulings.of_cup(cup.name))
        self.void = list(void_results(ledger, cup))
        """Results that a ruling has made void, each with the ruling."""
        self.ruling_of = {result.match: ruling for result, ruling in self.void}
        self.standings, self.all_rows, self.company = both_standings(ledger, cup, self.counted)
        self.moments = history(ledger, cup, self.counted) if len(self.rounds) > 1 else ()
        self.release = release_of(ledger, cup)
        self.figures = Figures()
        self.candidates = Candidates(self.standings)
        self.sandboxes: set[str] = set()
        self.at_fault: defaultdict[tuple[str, str], list[values.Match]] = defaultdict(list)
        """Matches with pages, by player and kind of the fault, the newest first."""
        self._count(stretches)
        self.authors = {label: self._author(entry) for label, entry in self.newest.items()}

    def _count(self, stretches: Stretches) -> None:
        """Counts everything, without a value for each match."""
        for counted in self.counted:
            round, is_shown = counted.row.round, counted.row.round in self.release.rounds
            for part in counted.parts(PART_BLOCKS):
                self.figures.add(part)
                if is_shown:
                    self.candidates.add(part)
            counts = stretches.counts(counted, self.cup.cup.game)
            self.figures.add_records(counted.entries, counts)
            self.sandboxes.update(counts.sandboxes)
            if is_shown:
                swings = (Candidate(-found.swing, round, found.number) for found in counts.swings)
                self.candidates.offer("swing", swings)

    def _courses(self) -> Iterator[Course]:
        """Matches that may be worth seeing, opened."""
        for round, numbers in self.candidates.matches():
            for result in self.ledger.results_of(self.cup.name, round, numbers):
                course = course_of(result, self.ledger.record(result.match), low_wins=self.low_wins)
                if course is not None:
                    yield course

    def _author(self, entry: Entry) -> _Author:
        version = self.ledger.versions.get(entry.name, entry.sha256)
        if version is None:
            return _Author((), notes_are_public=False)
        bot = _bot_table(version)
        authors = bot.authors if self.cup.publish.authors else ()
        return _Author(authors, notes_are_public=bot.notes == "public")

    def cup_values(self) -> values.Cup:
        """All of it."""
        found = picks(list(self._courses()), self.standings)
        shown, go_first = self._shown({pick.match for pick in found})
        paged = with_pages(shown, go_first, self.cup.publish.replay_limit)
        matches = {result.match: self._match(result) for result in self._results(paged)}
        return values.Cup(
            name=self.cup.name,
            title=self.cup.title,
            subtitle=self.cup.cup.season or "",
            game=self.cup.cup.game,
            unit=method.unit(self.cup, self.standings, sorted(filter(None, self.sandboxes))),
            points_name="points" if self.low_wins else "chips",
            points_low_win=self.low_wins,
            duplicate=self.cup.cup.duplicate,
            notices=tuple(self._notices()),
            standings=self.standings,
            bots=tuple(self._bot(label) for label in sorted(self.newest)),
            matches=tuple(matches.values()),
            matches_note=self._matches_note(len(shown), len(paged)),
            features=tuple(
                values.Feature(pick.title, pick.text, matches[pick.match], pick.deal)
                for pick in found
                if pick.match in matches
            ),
            rounds=tuple(self._round(row) for row in self.rounds),
            settings=method.settings(self.cup),
            method=method.method(self.cup, self.standings),
            feeds=tuple(self._feeds(self._told(shown))),
            rulings=tuple(self._rulings(matches)),
        )

    def _shown(self, featured: Collection[str]) -> tuple[Ints, Bools]:
        """The matches that may be seen, by key, ascending; and which of them have a fault or are `featured`."""
        keys, go_first = [np.zeros(0, np.int64)], [np.zeros(0, np.bool_)]
        for counted in self.counted:
            if counted.row.round in self.release.rounds:
                absent = [number for number, kind in enumerate(counted.kinds) if kind == ABSENT]
                is_fault = (counted.fault != 0) & ~np.isin(counted.fault, absent)
                keys.append(_keys(counted.row.round, counted.number))
                go_first.append(np.logical_or.reduceat(is_fault, counted.firsts()))
        for result, _ in self.void:
            _, round, number = parse_match_id(result.match)
            if round in self.release.rounds:
                keys.append(_keys(round, np.array([number])))
                go_first.append(np.array([bool(set(result.faults) - {None, ABSENT})]))
        whole = np.concatenate(keys)
        order = np.argsort(whole)
        ids = [parse_match_id(match) for match in featured]
        is_featured = np.isin(whole, [round * MATCHES_PER_ROUND + number for _, round, number in ids])
        return whole[order], (np.concatenate(go_first) | is_featured)[order]

    def _results(self, keys: Ints) -> Iterator[Result]:
        """The results of matches, in the order of `keys`, in which rounds stand together."""
        for round, numbers in groupby(keys.tolist(), key=lambda key: key // MATCHES_PER_ROUND):
            yield from self.ledger.results_of(self.cup.name, round, [key % MATCHES_PER_ROUND for key in numbers])

    def _told(self, shown: Ints) -> Ints:
        """Keys of the matches whose records may be seen: of ended rounds all, so that they can be checked."""
        ended = {row.round for row in self.rounds if row.ended_unix_ns is not None}
        kept = {round: self.ledger.finished_numbers(self.cup.name, round) for round in ended & self.release.rounds}
        keys = [_keys(round, np.array(list(numbers), np.int64)) for round, numbers in kept.items()]
        return np.unique(np.concatenate([shown, *keys]))

    def _rulings(self, matches: Mapping[str, values.Match]) -> Iterator[values.Ruling]:
        for ruling in self.ledger.rulings.of_cup(self.cup.name):
            if ruling.round in self.entries:
                yield values.Ruling(
                    number=ruling.ruling,
                    round=ruling.round,
                    when=utc_text(ruling.at_unix_ns),
                    bot=ruling.label,
                    match=ruling.match,
                    block=ruling.block,
                    page=matches.get(ruling.match or ""),
                    by="the harness" if ruling.kind is RulingKind.FAILURE else "the organiser",
                    reason=ruling.reason,
                    undone=None if ruling.undone_unix_ns is None else utc_text(ruling.undone_unix_ns),
                )

    def _notices(self) -> Iterator[str]:
        running = [row for row in self.rounds if row.ended_unix_ns is None]
        for row in running:
            kept = self.ledger.match_count(self.cup.name, row.round)
            yield (f"Round {row.round} is being played: {kept:,} matches so far. Standings grow by whole blocks.")
        if self.cup.cup.seed is not None:
            yield "The deals of this cup come from a fixed seed and could be known in advance."
        void = void_blocks(self.ledger, self.cup)
        if void.blocks:
            yield f"{plural(void.blocks, 'block')} of matches void, {void.again}; see Rulings."
        for sentence in self.company.sentences:
            yield f"{sentence} How it was made says what that means."
        if self.release.notice is not None:
            yield self.release.notice

    def _matches_note(self, shown_count: int, paged_count: int) -> str:
        notes = [] if self.release.notice is None else [self.release.notice]
        if paged_count < shown_count:
            notes.append(
                f"They are the ones with faults, those worth seeing and the newest of {shown_count:,}; the records "
                "of all are in matches.jsonl.gz."
            )
        return " ".join(notes)

    # Matches

    def _match(self, result: Result) -> values.Match:
        match = self._page(result)
        if result.match not in self.ruling_of:
            for entry, fault in zip(result.entries, result.faults, strict=True):
                if fault is not None:
                    self.at_fault[player_key(entry), fault].append(match)
        return match

    def _page(self, result: Result) -> values.Match:
        _, round, number = parse_match_id(result.match)
        public = sorted({entry.label for entry in result.entries if self.authors[entry.label].notes_are_public})
        record_digest = self.ledger.record_digest(result.match)
        ruling = self.ruling_of.get(result.match)
        void = "" if ruling is None else f"by ruling {ruling.ruling}: {ruling.reason}"
        return values.Match(
            id=result.match,
            number=f"{round}/{number}",
            block=f"block {int(result.block.rpartition('/')[2])}" if self.cup.cup.duplicate else "",
            seats=tuple(
                values.SeatResult(entry.label, place, points, fault)
                for entry, place, points, fault in zip(
                    result.entries, result.places, result.points, result.faults, strict=True
                )
            ),
            digest=" ".join([record_digest, *public, void]),
            void=void,
            details=partial(match_details, self.ledger, result, public, low_wins=self.low_wins),
        )

    # Bots

    def _bot(self, label: str) -> values.Bot:
        entry = self.newest[label]
        player = player_key(entry)
        # A version that the ladder lists has its rank among those that it lists.
        rows = {row.player: row for row in (*self.all_rows.rows, *self.standings.rows)}
        faults = self.figures.faults[player]
        return values.Bot(
            name=label,
            row=_unranked(rows.get(player)) if label in self.retired else rows.get(player),
            other_versions=tuple(row for row in rows.values() if row.bot == label and row.player != player),
            version=entry.version,
            sha256=entry.sha256,
            team=entry.team,
            authors=self.authors[label].authors,
            facts=tuple(self._facts(entry)),
            tables=tuple(self.figures.tables(player)),
            opponents=tuple(self._opponents(player)),
            faults=tuple(
                values.FaultCount(kind, count, tuple(self.at_fault[player, kind][:FAULTS_SHOWN]))
                for kind, count in sorted(faults.items())
            ),
            thinking=self.figures.thinking(player),
            history=tuple(self._history(label)),
        )

    def _facts(self, entry: Entry) -> Iterator[tuple[str, str]]:
        if entry.role is not Role.BOT:
            yield "role", _ROLES[entry.role]
        if entry.time is not None:
            yield "its own clock", method.clock(entry.time)

    def _opponents(self, player: str) -> Iterator[values.Opponent]:
        order = {row.player: number for number, row in enumerate(self.all_rows.rows)}
        for label, met in self.figures.meetings(player).items():
            mine, theirs = order.get(player), order.get(player_key(self.newest[label]))
            better = None if mine is None or theirs is None else self.all_rows.los[mine][theirs]
            yield values.Opponent(label, sum(met), *met, better)

    def _history(self, label: str) -> Iterator[values.Moment]:
        """The rating of the version that was the newest in each round."""
        for moment in self.moments:
            for row in moment.standings.rows:
                if row.bot == label and row.elo is not None:
                    yield values.Moment(moment.round, row.elo, row.elo_low, row.elo_high, row.version or "")

    # Rounds and files

    def _round(self, row: Round) -> values.Round:
        state = "being played" if row.ended_unix_ns is None else "ended"
        pinned = from_pinned(row.settings, source=f"{row.cup}, round {row.round}")
        return values.Round(
            number=row.round,
            state=state,
            matches=self.ledger.match_count(row.cup, row.round),
            commitment=row.commitment,
            secret=None if row.secret is None else row.secret.hex(),
            schedule_sha256=row.schedule_sha256,
            known_in_advance=pinned.cup.seed is not None,
            entries=tuple(
                values.RoundEntry(entry.label, entry.version, entry.sha256, _ROLES[entry.role])
                for entry in self.entries[row.round]
            ),
        )

    def _feeds(self, told: Ints) -> Iterator[values.Feed]:
        for first in range(0, max(len(told), 1), RECORDS_PER_FILE):
            keys = told[first : first + RECORDS_PER_FILE]
            number = first // RECORDS_PER_FILE + 1
            yield values.Feed(
                name="matches.jsonl.gz" if number == 1 else f"matches-{number}.jsonl.gz",
                about="every record that may be seen, one JSON object a line",
                digest=hashlib.sha256(" ".join(self._ids(keys)).encode()).hexdigest(),
                data=partial(self._records, keys),
            )
        pinned = [pinned_round(self.ledger, row) for row in self.rounds]
        versions = [self._public(version) for version in versions_of(self.ledger, pinned)]
        rounds = rounds_text(self.cup.name, pinned, versions)
        yield values.Feed(
            name="rounds.json",
            about="what every round pinned, committed to and revealed, and which bots are retired",
            digest=hashlib.sha256(rounds.encode()).hexdigest(),
            data=partial(str.encode, rounds),
        )

    def _public(self, version: Version) -> Version:
        """`version` with no more of its bot.toml than anybody may know."""
        bot = _bot_table(version).model_dump(mode="json")
        if not self.cup.publish.authors:
            bot["authors"] = []
        return replace(version, manifest=canonical_json({"bot": bot}))

    def _ids(self, keys: Ints) -> Iterator[str]:
        return (match_id(self.cup.name, *divmod(key, MATCHES_PER_ROUND)) for key in keys.tolist())

    def _records(self, keys: Ints) -> bytes:
        packer = zlib.compressobj(FEED_LEVEL, wbits=_GZIP)  # a header without a time
        lines = (packer.compress(f"{self.ledger.record_line(match)}\n".encode()) for match in self._ids(keys))
        return b"".join((*lines, packer.flush()))


def _keys(round: int, numbers: Ints) -> Ints:
    """The matches of these numbers, as one number each, which ascend as ids do."""
    return round * MATCHES_PER_ROUND + numbers


def _unranked(row: Row | None) -> Row | None:
    """The row of a retired bot, which has no rank among those that play."""
    if row is None:
        return None
    retired = "retired: it plays in no round to come, and its matches stay in the ratings"
    reason = "; ".join(filter(None, (retired, row.reason)))
    return row._replace(rank=None, rank_low=None, rank_high=None, reason=reason)


def _bot_table(version: Version) -> BotTable:
    return build(json.loads(version.manifest)["bot"], BotTable, source=f"{version.name} {version.version}")
