"""Standings of a cup: the results in the ledger, rated by the ladder. A function of the ledger and nothing else.

Only whole blocks count, so that everybody has sat in every seat of the deals that are counted. A
version of a bot is a player of its own; the table has a row for the newest of each label that is not retired.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from harness.agenda import banned, replay_of, voids_of
from harness.counted import CountedRound, columns_of, counted_rounds
from harness.counting import (
    block_number,
    early_withdrawals,
    rated_seats,
    rounds_of_season,
    void_blocks,
)
from harness.cup import CupFile
from harness.faults import ABSENT, FaultKind
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Result, Role, Ruling, parse_match_id
from harness.store.rulings import standing
from ladder.columns import Columns
from ladder.company import Company, measure_company
from ladder.fit import Fit, fit
from ladder.results import Result as RatedResult
from ladder.settled import settled_places
from ladder.standings import NOTHING_PLAYED, Standings, standings
from ladder.standings import Entry as LadderEntry
from ladder.standings import Ruling as LadderRuling
from ladder.words import plural


class _Player(NamedTuple):
    """What makes a player of the fit: the label, so that a bot entered twice is two, and the tree."""

    label: str
    version: str
    sha256: str

    @property
    def key(self) -> str:
        return f"{self.label} {self.version} {self.sha256[:12]}"


class Moment(NamedTuple):
    """Standings after a round of the season."""

    round: int
    standings: Standings


def cup_standings(
    ledger: Ledger,
    cup: CupFile,
    *,
    all_versions: bool = False,
    rulings: Sequence[Ruling] | None = None,
    match_count: int | None = None,
) -> Standings:
    """Standings of `cup` over all its rounds of this season, by what its newest round pinned.

    Replaced and retired versions are in the fit; they have a row with `all_versions` only. `rulings`: by these instead
    of those of the ledger. `match_count`: so many were played, where the ledger does not hold all.
    """
    if rulings is None:
        rulings = ledger.rulings.of_cup(cup.name)
    season = _season_so_far(ledger, cup, rulings)
    return _standings(ledger, season, set() if all_versions else _unlisted(ledger, cup), rulings, match_count)


def standings_and_company(
    ledger: Ledger, cup: CupFile, *, all_versions: bool = False, rulings: Sequence[Ruling] | None = None
) -> tuple[Standings, Company]:
    """What `cup_standings` gives, and the company of all its players, replaced and retired versions too."""
    if rulings is None:
        rulings = ledger.rulings.of_cup(cup.name)
    season = _season_so_far(ledger, cup, rulings)
    found = _standings(ledger, season, set() if all_versions else _unlisted(ledger, cup), rulings)
    return found, season.company


def both_standings(
    ledger: Ledger, cup: CupFile, counted: Sequence[CountedRound]
) -> tuple[Standings, Standings, Company]:
    """Standings of `cup` as the ladder lists them, and with a row for every version, and the company of all players.

    `counted` is what counts of it.
    """
    rulings = ledger.rulings.of_cup(cup.name)
    season = _season_so_far(ledger, cup, rulings, counted)
    unlisted = _unlisted(ledger, cup)
    listed = _standings(ledger, season, unlisted, rulings)
    every = _standings(ledger, season, set(), rulings) if unlisted else listed
    return listed, every, season.company


def _standings(
    ledger: Ledger, season: "_Fitted", hidden: Set[str], rulings: Sequence[Ruling], match_count: int | None = None
) -> Standings:
    cup = season.cup
    why_empty = NOTHING_PLAYED
    if not season.columns.match_count:
        if match_count is None:
            match_count = sum(ledger.match_count(cup.name, row.round) for row in rounds_of_season(ledger, cup))
        state = "counts" if void_blocks(ledger, cup).blocks else "is complete"
        why_empty = (
            f"no block {state} yet: {plural(match_count, 'match', 'matches')} played" if match_count else why_empty
        )
    found = season.standings(hidden, why_empty)
    return replace(found, rulings=tuple(_told(ledger, cup, rulings)), season=cup.cup.season)


def _told(ledger: Ledger, cup: CupFile, rulings: Sequence[Ruling]) -> Iterator[LadderRuling]:
    """Those of `rulings` that stand, on rounds of this season, in an order that is the same in every ledger."""
    season = season_rounds(ledger, cup)
    for ruling in sorted(standing(rulings), key=lambda ruling: (ruling.round, ruling.block or 0, ruling.at_unix_ns)):
        if ruling.round in season:
            yield LadderRuling(
                kind=str(ruling.kind),
                round=ruling.round,
                block=ruling.block,
                match=ruling.match,
                bot=ruling.label,
                reason=ruling.reason,
            )


def history(ledger: Ledger, cup: CupFile, counted: Sequence[CountedRound] | None = None) -> tuple[Moment, ...]:
    """Standings after each round of the season of `cup`, the one under way included.

    Each by all results up to then, with a row for the newest version of each bot as of then, retired since or not.
    `counted` is what counts of the season; None: it is read from the ledger.
    """
    if counted is None:
        counted = counted_rounds(ledger, cup, ledger.rulings.of_cup(cup.name))
    entries: list[Entry] = []
    moments = []
    for row in rounds_of_season(ledger, cup):
        number = row.round
        entries += ledger.entries(cup.name, number) if replay_of(row) is None else ()
        so_far = columns_of((part for part in counted if part.row.round <= number), player_key)
        newest = {entry.label: player_key(entry) for entry in entries}
        replaced = {player_key(entry) for entry in entries} - set(newest.values())
        players = {_player(entry): entry for entry in entries}
        moments.append(Moment(number, _rated(cup, players, so_far, {}, frozenset()).standings(replaced)))
    return tuple(moments)


def settled_first_places(ledger: Ledger, cup: CupFile, count: int) -> int:
    """How many of the first `count` places of `cup` are settled, by a rule that may be looked at after every heat.

    None is while somebody who is to be ranked has fewer matches than that asks for, unless it was withdrawn.
    """
    season = _season_so_far(ledger, cup)
    entries = {player_key(entry): entry for entry in season.players.values()}
    rows = [
        row
        for row in season.standings(_unlisted(ledger, cup)).rows
        if entries[row.player].role is Role.BOT and entries[row.player].rated
    ]
    if any(row.rank is None and row.player not in season.withdrawn for row in rows):
        return 0
    ranked = [row.player for row in rows if row.rank is not None]
    settled = settled_places(season.fit, ranked, count) if len(ranked) > 1 else 0
    return count if settled == len(ranked) else settled


class _Fitted(NamedTuple):
    """Results of a cup with their fit."""

    cup: CupFile
    players: Mapping[_Player, Entry]
    columns: Columns
    fit: Fit
    withdrawn: Mapping[str, str]
    """Why players were withdrawn."""
    unranked: Set[str]
    """Those whom the organiser has withdrawn."""

    def standings(self, hidden: Set[str], why_empty: str = NOTHING_PLAYED) -> Standings:
        """Standings with rows for all players but the `hidden` ones."""
        rows = [
            LadderEntry(
                player=player.key,
                bot=entry.label,
                version=entry.version,
                team=entry.team,
                ranked=entry.role is Role.BOT and player.key not in self.unranked,
                listed=player.key not in hidden,
                reason="; ".join(filter(None, (_reason(entry), self.withdrawn.get(player.key)))) or None,
            )
            for player, entry in self.players.items()
        ]
        cup = self.cup.cup
        return standings(
            self.columns,
            self.fit,
            entries=rows,
            cup=cup.name,
            game=cup.game,
            ranked_after=cup.ranked_after,
            why_empty=why_empty,
        )

    @property
    def company(self) -> Company:
        """The company that its players are to each other, by the names that people know them by."""
        versions = Counter(player.label for player in self.players)
        names = {
            player.key: player.label if versions[player.label] == 1 else f"{player.label} {player.version}"
            for player in self.players
        }
        company = measure_company(self.columns, self.fit)
        return replace(company, players=tuple(names[player] for player in company.players))


def _season_so_far(
    ledger: Ledger,
    cup: CupFile,
    rulings: Sequence[Ruling] | None = None,
    counted: Sequence[CountedRound] | None = None,
) -> _Fitted:
    if rulings is None:
        rulings = ledger.rulings.of_cup(cup.name)
    entries = _season_entries(ledger, cup)
    out = banned(ledger, cup, rulings)
    by_organiser = {
        player_key(entry): f"withdrawn by the organiser: {ruling.reason}"
        for entry in entries
        if (ruling := out.get((entry.label, entry.sha256))) is not None
    }
    withdrawn = _withdrawn(ledger, cup, rulings) | by_organiser
    players = {_player(entry): entry for entry in entries}
    columns = columns_of(counted_rounds(ledger, cup, rulings) if counted is None else counted, player_key)
    return _rated(cup, players, columns, withdrawn, by_organiser.keys())


def _rated(
    cup: CupFile,
    players: Mapping[_Player, Entry],
    columns: Columns,
    withdrawn: Mapping[str, str],
    unranked: Set[str],
) -> _Fitted:
    without = [player.key for player, entry in players.items() if not _is_rated(entry)]
    anchors = _anchors(cup, players, set(columns.players))
    return _Fitted(cup, players, columns, fit(columns, anchors=anchors, without=without), withdrawn, unranked)


def _anchors(cup: CupFile, players: Mapping[_Player, Entry], played: Set[str]) -> dict[str, float]:
    """The newest version of the anchor that has played: an earlier one was another bot."""
    pinned = {player.key: entry.anchor_elo for player, entry in players.items() if entry.anchor_elo is not None}
    # Rounds of an older program did not pin it.
    named = {player.key: cup.anchors[entry.name] for player, entry in players.items() if entry.name in cup.anchors}
    holding = [(key, elo) for key, elo in (pinned or named).items() if key in played]
    return dict(holding[-1:])


def player_key(entry: Entry) -> str:
    """What `entry` is called as a player of the fit."""
    return _player(entry).key


def _player(entry: Entry) -> _Player:
    return _Player(entry.label, entry.version, entry.sha256)


def _is_rated(entry: Entry) -> bool:
    return entry.rated and entry.role is not Role.FILL


def _reason(entry: Entry) -> str | None:
    if entry.role is Role.HOUSE:
        return "house bot: rated, not ranked"
    if entry.role is Role.FILL:
        return "fills tables"
    if not entry.rated:
        return "entered unrated"
    if entry.time is not None:
        bank_s, increment_s, decision_s = (part_ns / 1e9 for part_ns in entry.time)
        return f"a clock of its own: {bank_s:g} s, {increment_s:g} s a decision, at most {decision_s:g} s"
    return None


def _ladder_result(result: Result) -> RatedResult:
    # A seat that never started was the house's from the first card, so it says nothing of the bot's play.
    absent = [seat for seat, kind in enumerate(result.faults) if kind in (FaultKind.START, ABSENT)]
    return RatedResult(
        match=result.match,
        block=result.block,
        bots=tuple(_player(entry).key for entry in result.entries),
        places=result.places,
        points=result.points,
        faults=result.faults,
        unrated=tuple(sorted({*absent, *result.unrated})),
    )


def season_rounds(ledger: Ledger, cup: CupFile) -> list[int]:
    """Numbers of the rounds that belong to the season of `cup`."""
    return [row.round for row in rounds_of_season(ledger, cup)]


def exported_results(ledger: Ledger, cup: str) -> Iterator[RatedResult]:
    """Every result of `cup` that is not void, as a results file tells it: bots by label, with the version where it has
    had several."""
    entries = {_player(entry): entry for row in ledger.rounds(cup) for entry in ledger.entries(cup, row.round)}
    versions = Counter(player.label for player in entries)
    names = {
        player: player.label if versions[player.label] == 1 else f"{player.label}@{player.version}-{player.sha256[:12]}"
        for player in entries
    }
    rulings, voids = ledger.rulings.of_cup(cup), voids_of(ledger, cup)
    early = {row.round: early_withdrawals(ledger, row, rulings) for row in ledger.rounds(cup)}
    for found in ledger.results(cup):
        round = parse_match_id(found.match)[1]
        if not voids.counts(round, block_number(found)):
            continue
        result = rated_seats(found, early[round])
        rated = _ladder_result(result)
        left_out = (seat for seat, entry in enumerate(result.entries) if not _is_rated(entry))
        yield rated._replace(
            bots=tuple(names[_player(entry)] for entry in result.entries),
            unrated=tuple(sorted({*rated.unrated, *left_out})),
        )


def _unlisted(ledger: Ledger, cup: CupFile) -> set[str]:
    """Players without a row: all versions of a bot but the newest that is not retired."""
    entries = _season_entries(ledger, cup)
    listed = {entry.label: player_key(entry) for entry in entries if not is_retired(ledger, entry)}
    return {player_key(entry) for entry in entries} - set(listed.values())


def is_retired(ledger: Ledger, entry: Entry) -> bool:
    """Whether the version of `entry` plays in no round to come."""
    version = ledger.versions.get(entry.name, entry.sha256)
    return version is not None and version.retired_unix_ns is not None


def _withdrawn(ledger: Ledger, cup: CupFile, rulings: Sequence[Ruling]) -> dict[str, str]:
    """Why players were withdrawn in the newest round that they were."""
    reasons = {}
    round_counts = Counter(map(player_key, _season_entries(ledger, cup)))
    for row in rounds_of_season(ledger, cup):
        entries = {entry.label: entry for entry in ledger.entries(cup.name, row.round)}
        early = early_withdrawals(ledger, row, rulings)
        for gone in ledger.withdrawals(cup.name, row.round):
            key = player_key(entries[gone.label])
            is_said = gone.detail.startswith("withdrawn ")
            why = gone.detail.removeprefix("withdrawn") if is_said else f": {gone.kind}: {gone.detail}"
            rest = "; none of that round rates it" if gone.label in early and round_counts[key] > 1 else ""
            reasons[key] = f"withdrawn in round {row.round}{why}{rest}"
    return reasons


def _season_entries(ledger: Ledger, cup: CupFile) -> list[Entry]:
    # Rounds that play others again have no entries of their own, and perhaps some that were replaced since.
    rows = [row for row in rounds_of_season(ledger, cup) if replay_of(row) is None]
    return [entry for row in rows for entry in ledger.entries(cup.name, row.round)]
