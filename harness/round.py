"""One round of a cup as a value: who plays whom with which cards. A pure function of what the round pinned.

The schedule follows from settings and entries alone, so that `plan` shows what `run` will play; decks,
lots and bot seeds follow from the round's secret.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from harness import deals
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.games.game import Deck, Game
from harness.schedule import Heat, ImpossibleSchedule, Schedule, Table, apart, make_schedule
from harness.store.rows import Entry, Role, match_id


@dataclass(frozen=True)
class Budget:
    """How much a round plays: `matches` in all, or `matches_per_bot`; neither where the format says it."""

    matches: int | None = None
    matches_per_bot: int | None = None


class Season(NamedTuple):
    """What the rounds of a season have played so far, all of them ended."""

    round_count: int = 0
    match_count: int = 0
    matches_by_label: Mapping[str, int] = {}
    seated: frozenset[tuple[str, str]] = frozenset()
    """Label and tree of everybody who was entered."""


def due_budget(cup: CupFile, entries: Sequence[Entry], season: Season) -> Budget | None:
    """What the next round of `cup` plays with `entries`; None where `season` holds all that is asked for.

    A longer cup plays the difference with everybody. Late entries get their share of the matches, with
    everybody again, since nobody else could be their opponent.
    """
    late_count = sum(_is_late(entry, cup, season) for entry in entries if entry.role is Role.BOT)
    if cup.cup.format == "round-robin":
        return Budget() if late_count else None
    if cup.cup.matches_per_bot is not None:
        played = min(season.matches_by_label.get(entry.label, 0) for entry in entries)
        missing = cup.cup.matches_per_bot if late_count else cup.cup.matches_per_bot - played
        return Budget(matches_per_bot=missing) if missing > 0 else None
    assert cup.cup.matches is not None
    share = -(-cup.cup.matches * late_count // len(entries)) if season.round_count else 0
    missing = max(cup.cup.matches - season.match_count, share)
    return Budget(matches=missing) if missing > 0 else None


def _is_late(entry: Entry, cup: CupFile, season: Season) -> bool:
    """Whether `entry` has not sat this season. A new submitted version is a newcomer, a folder that changed is not."""
    if cup.is_ladder:
        return (entry.label, entry.sha256) not in season.seated
    return all(label != entry.label for label, _ in season.seated)


@dataclass(frozen=True)
class RoundPlan:
    """What a round is made of. `entries` stand in the order of the schedule's indices."""

    cup: CupFile
    number: int
    entries: tuple[Entry, ...]
    budget: Budget

    @cached_property
    def schedule(self) -> Schedule:
        """Who meets whom. HarnessError where the entries cannot be scheduled, with the reason."""
        settings = self.cup.cup
        seated = [entry for entry in self.entries if entry.role is not Role.FILL]
        teams = apart([entry.team for entry in seated], [entry.name for entry in seated])
        bot_count = sum(entry.role is Role.BOT for entry in self.entries)
        try:
            return make_schedule(
                format=settings.format,
                bot_count=bot_count,
                house_count=len(seated) - bot_count,
                fill_count=len(self.entries) - len(seated),
                sizes=settings.seats,
                matches=self.budget.matches,
                matches_per_bot=self.budget.matches_per_bot,
                duplicate=settings.duplicate,
                teams=teams if settings.same_team == "apart" else None,
                chance=deals.schedule_chance(settings.name.encode(), f"round {self.number}"),
            )
        except ImpossibleSchedule as error:
            raise HarnessError(f"{self.cup.name}: {error}") from None

    @cached_property
    def game(self) -> Game:
        return self.cup.game

    def match_id(self, table: Table) -> str:
        """Id of the match of `table`."""
        return match_id(self.cup.name, self.number, table.number)

    def labels(self, table: Table) -> tuple[str, ...]:
        """Who sits at `table`, by seat."""
        return tuple(self.entries[index].label for index in table.seats)

    def deck_of(self, table: Table, secret: bytes) -> Callable[[int], Deck]:
        """The decks of `table`, by deal: the same in every rotation of its block."""
        return partial(_deck, secret, block_name(table.block), self.game.pack)


def block_name(block: int) -> str:
    """Block number as records and decks name it.

    >>> block_name(4)
    '000004'
    """
    return f"{block:06d}"


def _deck(secret: bytes, block: str, pack: Deck, deal_index: int) -> Deck:
    return deals.deck(secret, block, deal_index, pack)


def unfinished(heat: Heat, finished: Callable[[int], bool]) -> Iterator[tuple[int, ...]]:
    """Table numbers of the phases of `heat` that are still to be played, phase by phase, empty ones left out."""
    for phase in heat.phases:
        missing = tuple(number for number in phase if not finished(number))
        if missing:
            yield missing


def waves(plan: RoundPlan, numbers: Sequence[int], bots_alive: int) -> Iterator[tuple[Table, ...]]:
    """Tables `numbers` cut into runs in which at most `bots_alive` different bots sit, in order."""
    wave: list[Table] = []
    seated: set[int] = set()
    for number in numbers:
        table = plan.schedule.table(number)
        if len(seated | set(table.seats)) > bots_alive:
            yield tuple(wave)
            wave, seated = [], set()
        wave.append(table)
        seated |= set(table.seats)
    if wave:
        yield tuple(wave)
