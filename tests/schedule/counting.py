"""Schedules, and what is counted from their tables without the schedule's own arithmetic."""

from collections import Counter
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from harness.deals import Chance, schedule_chance
from harness.schedule import Schedule, Table, make_schedule

CHANCE = schedule_chance(bytes(range(32)), "1")


def schedule(**arguments: Any) -> Schedule:
    """A schedule; whatever is not said is as small as can be."""
    return make_schedule(**{"format": "balanced", "bot_count": 5, "sizes": (4,), "chance": CHANCE, **arguments})


def tables(made: Schedule) -> list[Table]:
    return [made.table(number) for number in range(1, made.match_count + 1)]


def first_rotations(made: Schedule, size: int) -> list[tuple[int, ...]]:
    """The groups of all blocks of `size`, in seats."""
    return [table.seats for table in tables(made) if table.rotation == 1 and len(table.seats) == size]


def span(counts: Counter[Any], keys: Any) -> int:
    numbers = [counts[key] for key in keys]
    return max(numbers) - min(numbers)


def appearances(groups: list[tuple[int, ...]]) -> Counter[int]:
    return Counter(bot for group in groups for bot in group)


def meetings(groups: list[tuple[int, ...]]) -> Counter[tuple[int, ...]]:
    return Counter(pair for group in groups for pair in combinations(sorted(group), 2))


SIZES = st.lists(st.integers(2, 6), min_size=1, max_size=3, unique=True).map(tuple)


@st.composite
def settings_of_any_format(draw: st.DrawFn) -> dict[str, Any]:
    format = draw(st.sampled_from(["balanced", "round-robin", "gauntlet"]))
    sizes = draw(SIZES)
    arguments: dict[str, Any] = {
        "format": format,
        "sizes": sizes,
        "bot_count": draw(st.integers(1, 9)),
        "house_count": draw(st.integers(0, 3)),
        "fill_count": 5,
        "duplicate": draw(st.booleans()),
        "chance": Chance(draw(st.binary(min_size=1, max_size=4))),
    }
    if format != "round-robin":
        budget, least = draw(st.sampled_from([("matches", sum(sizes) * len(sizes)), ("matches_per_bot", 1)]))
        arguments[budget] = draw(st.integers(least, least + 60))
    return arguments
