"""One season of a cup as `ladder.site` wants it: standings, bots, matches, replays, how it was made."""

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from harness.agenda import replay_of
from harness.counting import counted_results, void_blocks, void_results
from harness.cup import CupFile, from_pinned
from harness.moment import utc_text
from harness.publish import method
from harness.publish.details import match_details
from harness.publish.features import Course, course_of, picks
from harness.publish.figures import Figures
from harness.publish.played_on import with_newest_sheet
from harness.publish.release import release_of, with_pages
from harness.standing import cup_standings, history, is_retired, player_key, season_rounds
from harness.store.ledger import Ledger
from harness.store.pinned import pinned_round, rounds_text, versions_of
from harness.store.rows import Entry, Result, Role, Round, RulingKind, Version, parse_match_id
from harness.store.sheets import Sheets
from harness.toml_file import build, canonical_json
from harness.workshop.manifest import BotTable
from ladder.site import values
from ladder.standings import Row
from ladder.words import plural

RECORDS_PER_FILE = 10_000
"""So that no file gets too large for a host."""
FAULTS_SHOWN = 5
_ROLES = {Role.BOT: "bot", Role.HOUSE: "house bot", Role.FILL: "fills tables"}


def cup_values(ledger: Ledger, cup: CupFile, sheets: Sheets | None = None) -> values.Cup:
    """What the site shows of the season of `cup`, by what its newest round pinned, and of what it was played on."""
    board = _Board(ledger, cup)
    cup_values = board.cup_values()
    return cup_values if sheets is None else with_newest_sheet(cup_values, sheets, board.rounds)


class _Author(NamedTuple):
    """What the manifest of a version says of people and notes."""

    authors: tuple[str, ...]
    notes_are_public: bool


class _Board:
    """Gathers the values of one cup."""

    def __init__(self, ledger: Ledger, cup: CupFile) -> None:
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
        self.results = list(counted_results(ledger, cup))
        self.void = dict(void_results(ledger, cup))
        """Results that a ruling has made void, each with the ruling."""
        self.ruling_of = {result.match: ruling for result, ruling in self.void.items()}
        self.standings = cup_standings(ledger, cup)
        self.all_rows = cup_standings(ledger, cup, all_versions=True)
        self.moments = history(ledger, cup) if len(self.rounds) > 1 else ()
        self.release = release_of(ledger, cup)
        self.figures = Figures(cup.cup.game)
        self.courses: list[Course] = []
        self.sandboxes: dict[str, None] = {}
        self._count_records()
        self.authors = {label: self._author(entry) for label, entry in self.newest.items()}

    def _count_records(self) -> None:
        """Reads every record once, in the order of the results."""
        counted = {result.match: result for result in self.results}
        for row in self.rounds:
            for record in self.ledger.records(self.cup.name, row.round):
                result = counted.get(record.match)
                if result is None:
                    continue
                self.figures.add(result, record, self.ledger.times(record.match))
                self.sandboxes.setdefault(str(record.meta.get("sandbox", "")))
                course = course_of(result, record, low_wins=self.low_wins)
                if course is not None and self.release.shows(result):
                    self.courses.append(course)

    def _author(self, entry: Entry) -> _Author:
        version = self.ledger.versions.get(entry.name, entry.sha256)
        if version is None:
            return _Author((), notes_are_public=False)
        bot = _bot_table(version)
        authors = bot.authors if self.cup.publish.authors else ()
        return _Author(authors, notes_are_public=bot.notes == "public")

    def cup_values(self) -> values.Cup:
        """All of it."""
        seen = [*self.results, *self.void]
        shown = sorted(filter(self.release.shows, seen), key=lambda result: parse_match_id(result.match))
        found = picks(self.courses, self.standings)
        featured = {pick.match for pick in found}
        paged = with_pages(shown, featured, self.cup.publish.replay_limit)
        matches = {result.match: self._match(result) for result in paged}
        return values.Cup(
            name=self.cup.name,
            title=self.cup.title,
            subtitle=self.cup.cup.season or "",
            game=self.cup.cup.game,
            unit=method.unit(self.cup, self.standings, [name for name in self.sandboxes if name]),
            points_name="points" if self.low_wins else "chips",
            points_low_win=self.low_wins,
            duplicate=self.cup.cup.duplicate,
            notices=tuple(self._notices()),
            standings=self.standings,
            bots=tuple(self._bot(label, matches) for label in sorted(self.newest)),
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

    def _told(self, shown: Sequence[Result]) -> list[str]:
        """Ids of the records that may be seen: of ended rounds all, so that they can be checked."""
        ended = {row.round for row in self.rounds if row.ended_unix_ns is not None}
        found = {result.match for result in shown}
        for round in ended & self.release.rounds:
            found.update(result.match for result in self.ledger.results(self.cup.name, round))
        return sorted(found, key=parse_match_id)

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

    def _bot(self, label: str, matches: Mapping[str, values.Match]) -> values.Bot:
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
                values.FaultCount(kind, len(ids), self._newest_of(ids, matches)) for kind, ids in sorted(faults.items())
            ),
            thinking=self.figures.thinking(player),
            history=tuple(self._history(label)),
        )

    @staticmethod
    def _newest_of(ids: Sequence[str], matches: Mapping[str, values.Match]) -> tuple[values.Match, ...]:
        return tuple(matches[match] for match in reversed(ids) if match in matches)[:FAULTS_SHOWN]

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

    def _feeds(self, told: Sequence[str]) -> Iterator[values.Feed]:
        for first in range(0, max(len(told), 1), RECORDS_PER_FILE):
            matches = told[first : first + RECORDS_PER_FILE]
            number = first // RECORDS_PER_FILE + 1
            yield values.Feed(
                name="matches.jsonl.gz" if number == 1 else f"matches-{number}.jsonl.gz",
                about="every record that may be seen, one JSON object a line",
                digest=hashlib.sha256(" ".join(matches).encode()).hexdigest(),
                data=partial(self._records, matches),
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

    def _records(self, matches: Sequence[str]) -> bytes:
        lines = [f"{self.ledger.record_line(match)}\n" for match in sorted(matches, key=parse_match_id)]
        return gzip.compress("".join(lines).encode(), 9, mtime=0)


def _unranked(row: Row | None) -> Row | None:
    """The row of a retired bot, which has no rank among those that play."""
    if row is None:
        return None
    retired = "retired: it plays in no round to come, and its matches stay in the ratings"
    reason = "; ".join(filter(None, (retired, row.reason)))
    return row._replace(rank=None, rank_low=None, rank_high=None, reason=reason)


def _bot_table(version: Version) -> BotTable:
    return build(json.loads(version.manifest)["bot"], BotTable, source=f"{version.name} {version.version}")
