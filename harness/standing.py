"""Standings of a cup: the results in the ledger, rated by the ladder. A function of the ledger and nothing else.

Only whole blocks count, so that everybody has sat in every seat of the deals that are counted. A
version of a bot is a player of its own; the table has a row for each that played.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from harness.cup import CupFile, from_pinned
from harness.faults import FaultKind
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Result, Role
from ladder.columns import gather
from ladder.fit import fit
from ladder.results import Result as RatedResult
from ladder.standings import Entry as LadderEntry
from ladder.standings import Standings, standings


class _Player(NamedTuple):
    """What makes a player of the fit: the label, so that a bot entered twice is two, and the tree."""

    label: str
    version: str
    sha256: str

    @property
    def key(self) -> str:
        return f"{self.label} {self.version} {self.sha256[:12]}"


def cup_standings(ledger: Ledger, cup: CupFile) -> Standings:
    """Standings of `cup` over all its rounds of this season, by what its newest round pinned."""
    return rate(cup, counted_results(ledger, cup), _season_entries(ledger, cup))


def rate(cup: CupFile, results: Iterable[Result], entries: Iterable[Entry]) -> Standings:
    """Standings of `results`, whole blocks all of them; `entries` get a row even where they have not played."""
    players = {_player(entry): entry for entry in entries}
    rated: list[RatedResult] = []
    for result in results:
        for entry in result.entries:
            players.setdefault(_player(entry), entry)
        rated.append(_ladder_result(result))
    anchors = {
        player.key: elo
        for form, elo in cup.cup.anchor.items()
        for player, entry in players.items()
        if entry.name == anchor_name(form)
    }
    without = [player.key for player, entry in players.items() if not _is_rated(entry)]
    columns = gather(rated)
    ratings = fit(columns, anchors=anchors, without=without)
    rows = [
        LadderEntry(
            player=player.key,
            bot=entry.label,
            version=entry.version,
            team=entry.team,
            ranked=entry.role is Role.BOT,
            reason=_reason(entry),
        )
        for player, entry in players.items()
    ]
    return standings(columns, ratings, entries=rows, cup=cup.name, game=cup.cup.game, ranked_after=cup.cup.ranked_after)


def anchor_name(form: str) -> str:
    """Name of the bot that a BOT form of the file means: `sample:random` and `random@1.0` are `random`."""
    return form.removeprefix("sample:").partition("@")[0].rstrip("/").rpartition("/")[2]


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
        return "fills tables: not rated"
    if not entry.rated:
        return "entered unrated"
    if entry.time is not None:
        bank_s, increment_s, decision_s = (part_ns / 1e9 for part_ns in entry.time)
        return f"a clock of its own: {bank_s:g} s, {increment_s:g} s a decision, at most {decision_s:g} s"
    return None


def _ladder_result(result: Result) -> RatedResult:
    # A seat that never started was the house's from the first card, so it says nothing of the bot's play.
    absent = tuple(seat for seat, kind in enumerate(result.faults) if kind == FaultKind.START)
    return RatedResult(
        match=result.match,
        block=result.block,
        bots=tuple(_player(entry).key for entry in result.entries),
        places=result.places,
        points=result.points,
        faults=result.faults,
        unrated=absent,
    )


def counted_results(ledger: Ledger, cup: CupFile) -> Iterator[Result]:
    """Results of the whole blocks of the season of `cup`, in the order of their ids."""
    for round in season_rounds(ledger, cup):
        for _, block in groupby(ledger.results(cup.name, round), key=lambda result: result.block):
            results = list(block)
            if len(results) == (len(results[0].entries) if cup.cup.duplicate else 1):
                yield from results


def season_rounds(ledger: Ledger, cup: CupFile) -> list[int]:
    """Numbers of the rounds that belong to the season of `cup`."""
    return [
        row.round
        for row in ledger.rounds(cup.name)
        if from_pinned(row.settings, source=f"{cup.name}, round {row.round}").cup.season == cup.cup.season
    ]


def _season_entries(ledger: Ledger, cup: CupFile) -> list[Entry]:
    return [entry for round in season_rounds(ledger, cup) for entry in ledger.entries(cup.name, round)]
