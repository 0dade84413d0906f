"""Matches worth seeing: the closest among the first four, the biggest upset, the largest swing in the last deal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from harness.record import MatchRecord
from harness.standing import player_key
from harness.store.rows import Result
from ladder.site.values import Turning
from ladder.standings import Standings

FIRST_RANKS = 4


class Course(NamedTuple):
    """A finished match without faults, reduced to who led after every deal."""

    result: Result
    deals: tuple[tuple[int, ...], ...]
    """Points of each deal, by seat."""
    low_wins: bool

    @property
    def winner(self) -> int | None:
        """The seat that won; None where several share the first place."""
        return self.result.places.index(1) if self.result.places.count(1) == 1 else None

    def leads(self) -> Iterator[tuple[int, ...]]:
        """After each deal, by seat: how far the seat is ahead of the best of the others; below zero: behind it."""
        sums = [0] * len(self.result.places)
        for points in self.deals:
            sums = [total + (-more if self.low_wins else more) for total, more in zip(sums, points, strict=True)]
            yield tuple(
                own - max(other for rival, other in enumerate(sums) if rival != seat) for seat, own in enumerate(sums)
            )

    def turning_deal(self) -> int | None:
        """The deal (from 1) with which the winner took the lead for good; None where nobody won alone."""
        if self.winner is None:
            return None
        behind = [number for number, leads in enumerate(self.leads(), 1) if leads[self.winner] <= 0]
        return behind[-1] + 1 if behind else 1


class Pick(NamedTuple):
    """A match worth seeing; `deal` (from 1) is the one to look at."""

    title: str
    text: str
    match: str
    deal: int


def course_of(result: Result, record: MatchRecord, *, low_wins: bool) -> Course | None:
    """The course of a match; None where a fault spoiled it."""
    if any(result.faults):
        return None
    return Course(result, tuple(deal.points for deal in record.deals), low_wins)


def turning_of(course: Course | None) -> Turning | None:
    """When and how the match was decided, in words."""
    deal = None if course is None else course.turning_deal()
    if course is None or course.winner is None or deal is None:
        return None
    name = course.result.entries[course.winner].label
    leads = list(course.leads())
    lead = leads[deal - 1][course.winner]
    unit = "points" if course.low_wins else "chips"
    if deal == 1:
        return Turning(deal, f"{name} led from the first deal to the last.")
    before = leads[deal - 2][course.winner]
    where = "level with the lead" if before == 0 else f"{-before} {unit} behind"
    if deal == len(leads):
        return Turning(deal, f"{name}, {where} before it, won by {lead}.")
    return Turning(deal, f"{name}, {where} until then, took the lead by {lead} and kept it.")


def picks(courses: Sequence[Course], standings: Standings) -> tuple[Pick, ...]:
    """The three, as far as there are such, each of another match."""
    elo = {row.player: row.elo for row in standings.rows if row.elo is not None}
    rank = {row.player: row.rank for row in standings.rows if row.rank is not None}
    chosen: list[Pick] = []
    for find in (_closest, _upset, _swing):
        rest = [course for course in courses if course.result.match not in {pick.match for pick in chosen}]
        pick = find(rest, elo, rank)
        if pick is not None:
            chosen.append(pick)
    return tuple(chosen)


def _pick(course: Course, title: str, text: str) -> Pick:
    return Pick(title, text, course.result.match, course.turning_deal() or len(course.deals))


def _players(course: Course) -> list[str]:
    return [player_key(entry) for entry in course.result.entries]


def _points_unit(course: Course) -> str:
    return "points" if course.low_wins else "chips"


def _closest(courses: Sequence[Course], elo: Mapping[str, float], rank: Mapping[str, int]) -> Pick | None:
    """Winner and second both of the first four, and as little between them as possible, but not nothing."""

    def gap(course: Course) -> tuple[int, int] | None:
        winner = course.winner
        if winner is None:
            return None
        order = sorted(range(len(course.result.places)), key=lambda seat: course.result.places[seat])
        best = [rank.get(_players(course)[seat], FIRST_RANKS + 1) for seat in order[:2]]
        if max(best) > FIRST_RANKS:
            return None
        return abs(course.result.points[order[0]] - course.result.points[order[1]]), order[1]

    found = [(told, course) for course in courses if (told := gap(course)) is not None]
    if not found:
        return None
    (between, second), course = min(found, key=lambda pair: (pair[0][0], pair[1].result.match))
    assert course.winner is not None
    first_name, second_name = (course.result.entries[seat].label for seat in (course.winner, second))
    unit = _points_unit(course)
    return _pick(course, "Closest among the first four", f"{first_name} beat {second_name} by {between} {unit}.")


def _upset(courses: Sequence[Course], elo: Mapping[str, float], rank: Mapping[str, int]) -> Pick | None:
    """Won by the bot that the ratings gave the smallest chance against its opponents."""

    def chance(course: Course) -> float | None:
        players = _players(course)
        if course.winner is None or not all(player in elo for player in players):
            return None
        top = max(elo[player] for player in players)
        strengths = [10 ** ((elo[player] - top) / 400) for player in players]
        return strengths[course.winner] / sum(strengths)

    def surprise(course: Course) -> float | None:
        share = chance(course)
        return None if share is None else share * len(course.result.places)

    found = [(told, course) for course in courses if (told := surprise(course)) is not None]
    if not found:
        return None
    told, course = min(found, key=lambda pair: (pair[0], pair[1].result.match))
    if told >= 1:
        return None
    winner = course.winner
    assert winner is not None
    players = _players(course)
    strongest = max(range(len(players)), key=lambda seat: elo[players[seat]])
    gap = elo[players[strongest]] - elo[players[winner]]
    names = [entry.label for entry in course.result.entries]
    return _pick(
        course,
        "Biggest upset",
        f"{names[winner]} won, rated {gap:.0f} Elo below {names[strongest]}, who came in "
        f"{_ordinal(course.result.places[strongest])}.",
    )


def _swing(courses: Sequence[Course], elo: Mapping[str, float], rank: Mapping[str, int]) -> Pick | None:
    """The winner was behind before the last deal, and made up more than anybody else."""

    def swing(course: Course) -> int:
        if course.winner is None or len(course.deals) < 2:
            return 0
        leads = list(course.leads())
        before, after = leads[-2][course.winner], leads[-1][course.winner]
        return after - before if before < 0 else 0

    if not courses:
        return None
    course = min(courses, key=lambda course: (-swing(course), course.result.match))
    if not swing(course) or course.winner is None:
        return None
    leads = list(course.leads())
    name, unit = course.result.entries[course.winner].label, _points_unit(course)
    behind, ahead = -leads[-2][course.winner], leads[-1][course.winner]
    text = f"{name} was {behind} {unit} behind before the last deal and won by {ahead}."
    return Pick("Largest swing in the last deal", text, course.result.match, len(course.deals))


def _ordinal(place: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}[place]
