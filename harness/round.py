"""One round of a cup as a value: who plays whom with which cards. A pure function of what the round pinned.

The schedule follows from settings and entries alone, so that `plan` shows what `run` will play; decks,
lots and bot seeds follow from the round's secret.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from harness import deals
from harness.cup import MAX_MATCH_COUNT, CupFile
from harness.errors import HarnessError
from harness.games.game import Deck, Game
from harness.schedule import ImpossibleSchedule, Schedule, Table, apart, make_schedule
from harness.store.rows import Entry, Role, match_id

LOOK_MATCHES = 128
"""Matches of the first heat where `[stop] separated` is to be looked at between heats."""


class Replay(NamedTuple):
    """Blocks of an earlier round that count no more and are played again, in this order."""

    round: int
    blocks: tuple[int, ...]


@dataclass(frozen=True)
class Budget:
    """How much a round plays: one of the four, or none where the format says it."""

    matches: int | None = None
    matches_per_bot: int | None = None
    needs: tuple[int, ...] | None = None
    """At least so many matches for each of the entries that play as bots; the others are opponents only."""
    replay: Replay | None = None
    """The same bots, in the same seats, with new deals. It is part of no other budget: what it stands in for is."""

    def pinned(self) -> str:
        """What a round pins of it, as JSON.

        >>> Budget(needs=(12, 0)).pinned()
        '{"needs":[12,0]}'
        """
        members = {
            "matches": self.matches,
            "matches_per_bot": self.matches_per_bot,
            "needs": self.needs,
            "replay": None if self.replay is None else self.replay._asdict(),
        }
        return json.dumps(
            {key: value for key, value in members.items() if value is not None}, separators=(",", ":"), sort_keys=True
        )

    @staticmethod
    def from_pinned(text: str, *, source: str) -> "Budget":
        """The budget that a round pinned. HarnessError where the text is none; `source` names the round."""
        try:
            members = json.loads(text)
            needs, replay = members.pop("needs", None), members.pop("replay", None)
            counts = [*members.values(), *(needs or ())]
            if replay is not None:
                counts += [replay["round"], *replay["blocks"]]
            if not all(type(count) is int and 0 <= count <= MAX_MATCH_COUNT for count in counts):
                raise ValueError(counts)
            return Budget(
                needs=None if needs is None else tuple(needs),
                replay=None if replay is None else Replay(replay["round"], tuple(replay["blocks"])),
                **members,
            )
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            raise HarnessError(f"{source}: its pinned budget is damaged; take the ledger from a copy") from None


class Season(NamedTuple):
    """What the rounds of a season have played so far, all of them ended. What `[stop]` spared counts as played."""

    round_count: int = 0
    match_count: int = 0
    matches_by_version: Mapping[tuple[str, str], int] = {}
    """By label and tree, of everybody who was entered."""

    def played(self, entry: Entry, cup: CupFile) -> int | None:
        """Matches of `entry`; None where it has not been entered this season.

        In a ladder a new version begins anew; in other cups a folder that changed goes on.
        """
        if cup.is_ladder:
            return self.matches_by_version.get((entry.label, entry.sha256))
        counts = [count for (label, _), count in self.matches_by_version.items() if label == entry.label]
        return sum(counts) if counts else None


def due_budget(cup: CupFile, entries: Sequence[Entry], season: Season) -> Budget | None:
    """What the next round of `cup` plays with `entries`; None where `season` holds all that is asked for.

    With `matches_per_bot` those who have fewer get the rest, with opponents from everybody. With `matches` a longer
    cup plays the difference, and late entries get their share, with everybody again.
    """
    played = [season.played(entry, cup) for entry in entries if entry.role is Role.BOT]
    late_count = played.count(None)
    if cup.cup.format == "round-robin":
        return Budget() if late_count else None
    if cup.cup.matches_per_bot is not None:
        needs = [max(0, cup.cup.matches_per_bot - (count or 0)) for count in played]
        if not any(needs):
            return None
        # Everybody needs as much, but for what made blocks whole: all are seated alike, and so is the house.
        if min(needs) > 0 and max(needs) - min(needs) <= max(cup.cup.seats):
            return Budget(matches_per_bot=max(needs))
        return Budget(needs=tuple(needs))
    assert cup.cup.matches is not None
    missing = cup.cup.matches - season.match_count
    if season.round_count:
        if late_count:
            share = -(-cup.cup.matches * late_count // len(entries))
            missing = max(missing, share, least_matches(cup))
        elif missing < least_matches(cup):
            return None  # what whole blocks have left over
    return Budget(matches=missing)


def least_matches(cup: CupFile) -> int:
    """The fewest matches that a round may have: a whole block for each table size, shared evenly."""
    rotations = max(cup.cup.seats) if cup.cup.duplicate else 1
    return len(cup.cup.seats) * rotations


@dataclass(frozen=True)
class RoundPlan:
    """What a round is made of. `entries` stand in the order of the schedule's indices."""

    cup: CupFile
    number: int
    entries: tuple[Entry, ...]
    budget: Budget
    replayed: "RoundPlan | None" = None
    """The plan of the round of `budget.replay`."""

    @cached_property
    def schedule(self) -> Schedule:
        """Who meets whom. HarnessError where the entries cannot be scheduled, with the reason."""
        if self.budget.replay is not None and self.replayed is not None:
            schedule, blocks = self.replayed.schedule, self.budget.replay.blocks
            if not blocks or not 1 <= min(blocks) <= max(blocks) <= schedule.block_count:
                raise HarnessError(f"{self.cup.name}, round {self.number}: it plays blocks again that never were")
            return schedule.again(blocks)
        settings = self.cup.cup
        seated = [entry for entry in self.entries if entry.role is not Role.FILL]
        teams = apart([entry.team for entry in seated], [entry.name for entry in seated])
        bot_count = sum(entry.role is Role.BOT for entry in self.entries)
        budgets = [self.budget.matches, self.budget.matches_per_bot, self.budget.needs]
        is_fit = budgets.count(None) == len(budgets) - (settings.format != "round-robin")
        if not bot_count or not is_fit or (self.budget.needs and len(self.budget.needs) != bot_count):
            raise HarnessError(f"{self.cup.name}, round {self.number}: its budget is for other bots or another format")
        try:
            return make_schedule(
                format=settings.format,
                bot_count=bot_count,
                house_count=len(seated) - bot_count,
                fill_count=len(self.entries) - len(seated),
                sizes=settings.seats,
                matches=self.budget.matches,
                matches_per_bot=self.budget.matches_per_bot,
                needs=self.budget.needs,
                duplicate=settings.duplicate,
                teams=teams if settings.same_team == "apart" else None,
                chance=deals.schedule_chance(settings.name.encode(), f"round {self.number}"),
                first_heat_matches=None if self.cup.stop.separated is None else LOOK_MATCHES,
                most_alive=self.cup.limits.bots_alive,
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
        game = self.game
        return partial(deals.block_deck, secret, block_name(table.block), game.pack, game.deal_count(len(table.seats)))


def block_name(block: int) -> str:
    """Block number as records and decks name it.

    >>> block_name(4)
    '000004'
    """
    return f"{block:06d}"


def waves(tables: Iterable[Table], bots_alive: int) -> Iterator[tuple[Table, ...]]:
    """`tables` cut into runs in which at most `bots_alive` different bots sit, in order.

    Where the last bots of a run are not those before, it ends before them: they would be started twice.
    """
    wave: list[Table] = []
    seated: set[int] = set()
    for table in tables:
        if len(seated | set(table.seats)) > bots_alive:
            whole = _whole(wave)
            yield tuple(wave[:whole])
            wave = wave[whole:]
            seated = {bot for kept in wave for bot in kept.seats}
            if len(seated | set(table.seats)) > bots_alive:
                yield tuple(wave)
                wave, seated = [], set()
        wave.append(table)
        seated |= set(table.seats)
    if wave:
        yield tuple(wave)


def _whole(wave: Sequence[Table]) -> int:
    """How many of the first tables have no bot in common with the later ones: the most; all, where it is none."""
    first: dict[int, int] = {}
    for place, table in enumerate(wave):
        for bot in table.seats:
            first.setdefault(bot, place)
    place = cut = len(wave)
    while place > 0:
        place -= 1
        cut = min(cut, *(first[bot] for bot in wave[place].seats))
        if cut == place > 0:
            return place
    return len(wave)


def parts(waves: Iterable[tuple[Table, ...]], lanes: int) -> list[tuple[Table, ...]]:
    """`waves` for so many lanes that play them side by side: whole where they go round, else dealt out to all lanes."""
    whole = list(waves)
    if lanes == 1 or len(whole) >= 2 * lanes:  # a bot starts once a wave
        return whole
    return [part for wave in whole for lane in range(lanes) if (part := wave[lane::lanes])]
