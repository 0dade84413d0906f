"""From a cup's settings to its schedule: balanced, round robin, gauntlet."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from math import comb
from typing import Literal, NamedTuple

import numpy as np

from harness.deals import Chance, fields
from harness.schedule.draws import Draws, Ints
from harness.schedule.grouping import Balanced, Listed, against_house, every_group, for_needy, seated
from harness.schedule.pairing import appearances
from harness.schedule.schedule import Part, Schedule, even_heats, growing_heats
from ladder.words import plural

Format = Literal["balanced", "round-robin", "gauntlet"]
FORMATS: tuple[Format, ...] = ("balanced", "round-robin", "gauntlet")

MAX_MATCHES = 64
"""Matches at once on a bot's stream where its bot.toml does not say."""
HEAT_MATCHES = 4096
"""Least matches of a heat: forty seconds at a hundred a second, long beside the starts of bots between its phases."""
GROUP_LIMIT = 1_000_000
"""Most groups of a round robin."""

_VERSION = 1


class ImpossibleSchedule(ValueError):
    """No schedule fits the settings. The message, one line, says why and what would."""


def make_schedule(
    *,
    format: Format,
    bot_count: int,
    sizes: Sequence[int],
    chance: Chance,
    matches: int | None = None,
    matches_per_bot: int | None = None,
    needs: Sequence[int] | None = None,
    duplicate: bool = False,
    teams: Sequence[Hashable] | None = None,
    house_count: int = 0,
    fill_count: int = 0,
    max_matches: int = MAX_MATCHES,
    heat_matches: int = HEAT_MATCHES,
    first_heat_matches: int | None = None,
    most_alive: int | None = None,
) -> Schedule:
    """The schedule of a round: a pure function of its arguments.

    Labels number what sits at tables: the bots from 0, then the house, then bots that only fill tables for which there
    are too few others; `fill_count` of those are at hand, and `Schedule.label_count` tells how many are used.

    `sizes` are seats at a table; matches are shared evenly between several. `teams` has one for each bot, then one for
    each house bot; two of one team never meet (see `apart`); None lets everybody meet.

    A balanced schedule or a gauntlet has one of three budgets: `matches`; `matches_per_bot`, at least so many for each;
    or `needs`, at least so many for each of the bots by itself, in which those that need none, and the house, sit down
    as opponents only. A round robin has none. `duplicate` has each block played in every rotation of its seats.

    A heat has enough tables in each phase for bots that play `max_matches` at once, and at least `heat_matches` in all.
    With `first_heat_matches` heats are for looking at standings between them: the first has about so many matches, and
    each later one as many, or an eighth of all before it.

    With more bots than `most_alive` those of a balanced schedule meet in groups that can be alive together, one after
    another, so that each is started seldom. None: any number can.

    Raises ImpossibleSchedule where no schedule fits.
    """
    if format not in FORMATS:
        raise ValueError(f"no format {format!r}: there are {', '.join(FORMATS)}")
    if not sizes or len(set(sizes)) < len(sizes) or min(sizes) < 2:
        raise ValueError(f"table sizes must be different numbers from 2 on, not {tuple(sizes)}")
    if min(bot_count, max_matches, heat_matches) < 1 or min(house_count, fill_count) < 0:
        raise ValueError("bots, matches at once and matches of a heat are at least 1, house and fill at least 0")
    if teams is not None and len(teams) != bot_count + house_count:
        raise ValueError(f"{len(teams)} teams for {bot_count} bots and {house_count} of the house")
    if sum(budget is not None for budget in (matches, matches_per_bot, needs)) != (format != "round-robin"):
        raise ValueError("a round robin has no budget; the other formats have one")
    if needs is not None and len(needs) != bot_count:
        raise ValueError(f"needs of {len(needs)} for {bot_count} bots")
    entry_count = bot_count + house_count
    entries = range(entry_count) if teams is None else teams
    number_of = {team: number for number, team in enumerate(dict.fromkeys(entries))}
    numbers = [number_of[team] for team in entries]
    numbers += range(len(number_of), len(number_of) + fill_count)
    settings = _Settings(
        bot_count,
        entry_count,
        np.array(numbers),
        tuple(sizes),
        duplicate,
        chance.fork("schedule", _VERSION),
        most_alive,
    )
    parts = _MAKERS[format](settings, _Budget(matches, matches_per_bot, None if needs is None else np.array(needs)))
    label_count = 1 + max(int(part.labels.max()) for part in parts)
    labels = np.arange(label_count)
    ranked = labels < (bot_count if format == "gauntlet" else entry_count)
    known = labels < entry_count
    may_meet = known[:, None] & known & (settings.teams[:label_count, None] != settings.teams[:label_count])
    if format == "gauntlet":
        may_meet &= ranked[:, None] != ranked
    block_count = sum(part.block_count for part in parts)
    match_count = sum(part.block_count * part.rotations for part in parts)
    ranked_seats = block_count if format == "gauntlet" else sum(part.block_count * part.size for part in parts)
    fill_streams = -(-max_matches * int(ranked.sum()) * block_count // ranked_seats)
    if first_heat_matches is None:
        heat_ends = even_heats(block_count, max(fill_streams, -(-heat_matches * block_count // match_count)))
    else:
        heat_ends = growing_heats(block_count, -(-first_heat_matches * block_count // match_count))
    if needs is not None:
        # What is to be even is how those who need matches meet everybody.
        needy = np.zeros(label_count, np.bool_)
        needy[: settings.bot_count] = np.array(needs) > 0
        ranked &= needy
        may_meet &= needy[:, None] | needy
    arguments = (format, bot_count, house_count, fill_count, len(sizes), *sizes, matches, matches_per_bot, duplicate)
    made_from = fields("cardarena-schedule", _VERSION, *arguments, max_matches, heat_matches, *numbers)
    if needs is not None or first_heat_matches is not None:
        made_from += fields("more", first_heat_matches, *(needs or ()))
    if any(isinstance(part.blocks, Balanced) and part.blocks.is_in_pods for part in parts):
        made_from += fields("pods", most_alive)
    return Schedule(
        parts,
        made_from=made_from + chance.fork("digest").expand(32),
        ranked=ranked,
        may_meet=may_meet,
        heat_ends=heat_ends,
        requested_matches=matches,
    )


def apart(teams: Sequence[str], bots: Sequence[str]) -> tuple[str, ...]:
    """`teams` for `make_schedule` under `same_team = "apart"`, from the team and the name of each entry's bot.

    A bot entered twice may meet itself; where others of its team play too, all of the team are kept apart.

    >>> apart(["red", "red", "blue", "blue"], ["fox", "fox", "owl", "elk"])
    ('red/1', 'red/2', 'blue', 'blue')
    """
    bots_of = defaultdict(set)
    for team, bot in zip(teams, bots, strict=True):
        bots_of[team].add(bot)
    seen: defaultdict[str, int] = defaultdict(int)
    names = []
    for team in teams:
        seen[team] += 1
        names.append(team if len(bots_of[team]) > 1 else f"{team}/{seen[team]}")
    return tuple(names)


class _Budget(NamedTuple):
    """How much is played: one of the three, or none in a round robin."""

    matches: int | None
    matches_per_bot: int | None
    needs: Ints | None


class _Settings(NamedTuple):
    """What every format needs. `entry_count` is bots and house; `teams` numbers those of all labels, fill included."""

    bot_count: int
    entry_count: int
    teams: Ints
    sizes: tuple[int, ...]
    duplicate: bool
    chance: Chance
    most_alive: int | None

    def rotations(self, size: int) -> int:
        return size if self.duplicate else 1

    def field(self, size: int) -> Ints:
        """Labels that sit at tables of `size`, filled up where they are too few."""
        labels = np.arange(max(self.entry_count, size))
        if len(labels) > len(self.teams):
            fill_count = len(self.teams) - self.entry_count
            raise ImpossibleSchedule(
                f"tables of {size} need {size} bots: there are {self.entry_count} and {fill_count} to fill up"
            )
        team_count = len(np.unique(self.teams[labels]))
        if team_count < size:
            raise ImpossibleSchedule(
                f"tables of {size} need bots of {size} different teams and there are {team_count}; "
                'same_team = "allowed" lets those of one team meet'
            )
        return labels

    def against(self, size: int) -> Ints:
        """Labels of the bots, and of the house filled up so that one of the bots can sit down with `size - 1` of it."""
        labels = np.arange(max(self.entry_count, self.bot_count + size - 1))
        if len(labels) > len(self.teams):
            house_count, fill_count = self.entry_count - self.bot_count, len(self.teams) - self.entry_count
            raise ImpossibleSchedule(
                f"in a gauntlet at tables of {size} a bot meets {size - 1} of the house: "
                f"there are {house_count} and {fill_count} to fill up"
            )
        house = np.unique(self.teams[labels[self.bot_count :]])
        for bot in range(self.bot_count):
            if (house != self.teams[bot]).sum() < size - 1:
                raise ImpossibleSchedule(
                    f"in a gauntlet at tables of {size} a bot meets {size - 1} of the house, no two at a table of one "
                    'team: the house has too few; same_team = "allowed" lets those of one team meet'
                )
        return labels

    def draws(self, *labels: object) -> Draws:
        return Draws(self.chance.fork(*labels))


def _balanced(settings: _Settings, budget: _Budget) -> list[Part]:
    if budget.needs is not None:
        return _as_needed(settings, budget.needs)
    fields_of = {size: settings.field(size) for size in settings.sizes}
    order = settings.draws("shares").permutation(len(settings.teams))

    def shares(counts: dict[int, int]) -> dict[int, Ints]:
        given = np.zeros(len(settings.teams), np.int64)
        shared = {}
        for size, count in counts.items():
            labels = fields_of[size]
            teams = _dense(settings.teams[labels])
            shared[size] = appearances(count, size, teams, given[labels], order[order < len(labels)])
            given[labels] += settings.rotations(size) * shared[size]
        return shared

    def least(counts: dict[int, int]) -> int:
        played = np.zeros(settings.entry_count, np.int64)
        for size, shared in shares(counts).items():
            played += settings.rotations(size) * shared[: settings.entry_count]
        return int(played.min())

    counts = _block_counts(settings, budget, least)
    parts: list[Part] = []
    earlier: list[tuple[Ints, Balanced]] = []
    for size, shared in shares(counts).items():
        labels = fields_of[size]
        blocks = Balanced(
            shares=shared,
            teams=_dense(settings.teams[labels]),
            size=size,
            rotates=settings.duplicate,
            met_before=_met_earlier(labels, tuple(earlier)),
            chance=settings.chance.fork("groups", size),
            most_alive=settings.most_alive,
        )
        earlier.append((labels, blocks))
        parts.append(Part(size, settings.rotations(size), counts[size], labels, blocks))
    return parts


def _as_needed(settings: _Settings, needs: Ints) -> list[Part]:
    """Tables for those who need them, the same share of each size; what one size gave too much, the next need not."""
    count = max(settings.entry_count, *settings.sizes)
    met, beside = np.zeros((count, count), np.int64), np.zeros((count, count), np.int64)
    left = np.zeros(count, np.int64)
    left[: settings.bot_count] = needs
    parts: list[Part] = []
    for place, size in enumerate(settings.sizes):
        labels = settings.field(size)
        rotations, sizes_left = settings.rotations(size), len(settings.sizes) - place
        blocks = -(-np.maximum(left[labels], 0) // (rotations * sizes_left))
        if not blocks.any():
            continue
        draws = settings.draws("groups", size)
        here = np.ix_(labels, labels)
        met_here = met[here]
        groups = for_needy(blocks, size, _dense(settings.teams[labels]), met_here, draws)
        met[here] = met_here
        beside_here = beside[here]
        rows = seated(groups, beside_here, draws, rotates=settings.duplicate)
        beside[here] = beside_here
        left[labels] -= rotations * np.bincount(rows.ravel(), minlength=len(labels))
        parts.append(Part(size, rotations, len(rows), labels, Listed(rows)))
    if not parts:
        raise ImpossibleSchedule("nobody needs a match")
    return parts


def _met_earlier(labels: Ints, earlier: Sequence[tuple[Ints, Balanced]]) -> Callable[[], Ints]:
    """The meetings of `labels` at tables of the sizes before, once somebody asks."""

    def met() -> Ints:
        count = max([len(labels), *(len(others) for others, _ in earlier)])
        matches = np.zeros((count, count), np.int64)
        for others, blocks in earlier:
            matches[: len(others), : len(others)] += blocks.met()
        return matches[: len(labels), : len(labels)]

    return met


def _round_robin(settings: _Settings, _: _Budget) -> list[Part]:
    parts = []
    for size in settings.sizes:
        labels = settings.field(size)
        count = comb(len(labels), size)
        if count > GROUP_LIMIT:
            raise ImpossibleSchedule(
                f"a round robin of {len(labels)} bots has {count:,} groups of {size}, more than {GROUP_LIMIT:,}; "
                'format = "balanced" plays as many matches as you say'
            )
        draws = settings.draws("groups", size)
        rows = every_group(settings.teams[labels], size, draws, rotates=settings.duplicate)
        parts.append(Part(size, settings.rotations(size), len(rows), labels, Listed(rows)))
    return parts


def _gauntlet(settings: _Settings, budget: _Budget) -> list[Part]:
    def least(counts: dict[int, int]) -> int:
        return sum(settings.rotations(size) * (count // settings.bot_count) for size, count in counts.items())

    order = settings.draws("shares").permutation(settings.bot_count)
    if budget.needs is not None:
        turns_by_size = {size: _needed_turns(settings, size, budget.needs, order) for size in settings.sizes}
    else:
        counts = _block_counts(settings, budget, least, unit=settings.bot_count)
        starts = np.cumsum([0, *counts.values()])
        turns_by_size = {
            size: order[(start + np.arange(count)) % settings.bot_count]
            for (size, count), start in zip(counts.items(), starts[:-1], strict=True)
        }
    parts = []
    for size, turns in turns_by_size.items():
        labels = settings.against(size)
        draws = settings.draws("groups", size)
        groups = against_house(turns, labels[settings.bot_count :], size, settings.teams, draws)
        beside = np.zeros((len(labels), len(labels)), np.int64)
        rows = seated(groups, beside, draws, rotates=settings.duplicate)
        parts.append(Part(size, settings.rotations(size), len(turns), labels, Listed(rows)))
    return parts


def _needed_turns(settings: _Settings, size: int, needs: Ints, order: Ints) -> Ints:
    """Each bot as often as its share of tables of `size` asks for, taking turns in `order`."""
    blocks = -(-needs // (settings.rotations(size) * len(settings.sizes)))
    laps = [order[blocks[order] > lap] for lap in range(int(blocks.max(initial=0)))]
    if not laps:
        raise ImpossibleSchedule("nobody needs a match")
    return np.concatenate(laps)


_MAKERS: dict[Format, Callable[[_Settings, _Budget], list[Part]]] = {
    "balanced": _balanced,
    "round-robin": _round_robin,
    "gauntlet": _gauntlet,
}


def _block_counts(
    settings: _Settings, budget: _Budget, least: Callable[[dict[int, int]], int], unit: int = 1
) -> dict[int, int]:
    """Blocks by table size. `least` tells the fewest matches of a bot for such counts, multiples of `unit`."""
    sizes = settings.sizes
    if budget.matches is not None:
        share, more = divmod(budget.matches, len(sizes))
        counts = {size: (share + (place < more)) // settings.rotations(size) for place, size in enumerate(sizes)}
        if min(counts.values()) < 1:
            needed = len(sizes) * max(map(settings.rotations, sizes))
            raise ImpossibleSchedule(
                f"{plural(budget.matches, 'match leaves', 'matches leave')} a table size without a whole block: "
                f"{needed:,} are needed"
            )
        return counts
    assert budget.matches_per_bot is not None

    def of(matches: int) -> dict[int, int]:
        return {size: unit * -(-matches // settings.rotations(size)) for size in sizes}

    if budget.matches_per_bot < 1:
        raise ImpossibleSchedule(f"{budget.matches_per_bot} matches a bot are none")
    few, many = 0, 1
    while least(of(many)) < budget.matches_per_bot:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if least(of(middle)) >= budget.matches_per_bot else (middle, many)
    return of(many)


def _dense(numbers: Ints) -> Ints:
    return np.unique(numbers, return_inverse=True)[1]
