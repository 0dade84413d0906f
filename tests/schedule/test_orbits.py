"""Base blocks on a circle: distances, orbits, and what follows for tables."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.deals import Chance
from harness.schedule.draws import Draws
from harness.schedule.orbits import Orbits, all_base_blocks, even_count, tables_of
from harness.schedule.pairing import meetings


def draws(name: str = "orbits") -> Draws:
    return Draws(Chance(name.encode()))


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.integers(2, 20), st.integers(2, 6), st.integers(1, 4))
def test_in_an_orbit_every_bot_sits_once_in_every_seat(bot_count: int, size: int, count: int) -> None:
    if size > bot_count:
        return
    blocks = Orbits(bot_count, size, draws()).base_blocks(count)

    tables = tables_of(blocks, np.arange(bot_count), draws("order"))

    assert tables.shape == (count * bot_count, size)
    for orbit in tables.reshape(count, bot_count, size):
        assert all(sorted(orbit[:, seat].tolist()) == [*range(bot_count)] for seat in range(size))
    assert all(len(set(table)) == size for table in tables.tolist())


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.integers(2, 20), st.integers(2, 5), st.integers(1, 4))
def test_spread_of_distances_is_the_spread_of_meetings(bot_count: int, size: int, count: int) -> None:
    if size > bot_count:
        return
    orbits = Orbits(bot_count, size, draws())

    tables = tables_of(orbits.base_blocks(count), np.arange(bot_count), draws("order"))

    met = meetings(tables, bot_count)[~np.eye(bot_count, dtype=np.bool_)]
    assert int(met.max() - met.min()) == orbits.spread


@pytest.mark.parametrize(("bot_count", "size", "count"), [(7, 3, 1), (13, 4, 1), (21, 5, 1), (31, 6, 1), (37, 4, 3)])
def test_perfect_families_are_found(bot_count: int, size: int, count: int) -> None:
    orbits = Orbits(bot_count, size, draws())

    orbits.base_blocks(count)

    assert count == even_count(bot_count, size)
    assert orbits.spread == 0


def test_later_base_blocks_make_up_for_earlier_ones() -> None:
    orbits = Orbits(200, 4, draws())

    spreads = []
    for _ in range(12):
        orbits.base_blocks(1)
        spreads.append(orbits.spread)

    assert max(spreads) == 1


@pytest.mark.parametrize(("bot_count", "size"), [(4, 4), (5, 4), (6, 3), (8, 4), (9, 3), (12, 4), (12, 6)])
def test_all_base_blocks_make_every_group_once(bot_count: int, size: int) -> None:
    blocks, others = all_base_blocks(bot_count, size)

    groups = np.concatenate([tables_of(blocks, np.arange(bot_count), draws()), others])

    assert len(groups) == comb(bot_count, size)
    assert len({tuple(sorted(group)) for group in groups.tolist()}) == comb(bot_count, size)
