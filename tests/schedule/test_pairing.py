"""Groups dealt out and mended: shares, teams, swaps."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.deals import Chance
from harness.schedule.draws import Draws, Ints
from harness.schedule.pairing import apart_pairs, appearances, conflicts, deal_groups, excess, meetings, mend


def draws(name: str = "pairing") -> Draws:
    return Draws(Chance(name.encode()))


def none(count: int) -> Ints:
    return np.zeros(count, np.int64)


@st.composite
def teams_and_size(draw: st.DrawFn) -> tuple[list[int], int]:
    size = draw(st.integers(2, 5))
    teams = draw(st.lists(st.integers(0, 7), min_size=size, max_size=16).filter(lambda t: len(set(t)) >= size))
    return np.unique(teams, return_inverse=True)[1].tolist(), size


@settings(max_examples=50, deadline=None)
@given(teams_and_size(), st.integers(0, 50))
def test_seats_are_shared_evenly_but_no_team_gets_two_at_a_table(field: tuple[list[int], int], tables: int) -> None:
    teams, size = field

    shares = appearances(tables, size, np.array(teams), none(len(teams)), np.arange(len(teams)))

    of_team = Counter(dict.fromkeys(teams, 0))
    for bot, team in enumerate(teams):
        of_team[team] += int(shares[bot])
    full = {team for team, total in of_team.items() if total == tables}
    free = [int(share) for bot, share in enumerate(shares) if teams[bot] not in full]
    assert int(shares.sum()) == size * tables
    assert max(of_team.values()) <= tables
    assert not free or max(free) - min(free) <= 1


def test_what_does_not_divide_goes_to_those_given_least() -> None:
    shares = appearances(1, 2, np.arange(4), np.array([1, 0, 1, 0]), np.arange(4))

    assert shares.tolist() == [0, 1, 0, 1]


@settings(max_examples=50, deadline=None)
@given(teams_and_size(), st.integers(1, 40), st.integers(0, 1000))
def test_dealt_groups_have_no_team_twice_and_everybodys_share(
    field: tuple[list[int], int], tables: int, key: int
) -> None:
    teams, size = np.array(field[0]), field[1]
    shares = appearances(tables, size, teams, none(len(teams)), np.arange(len(teams)))

    groups = deal_groups(shares, teams, size, draws(str(key)))

    assert conflicts(groups, apart_pairs(teams)) == 0
    assert np.bincount(groups.ravel(), minlength=len(teams)).tolist() == shares.tolist()


@settings(max_examples=50, deadline=None)
@given(teams_and_size(), st.integers(1, 30), st.integers(1, 3))
def test_mending_keeps_shares_and_teams_and_makes_nothing_worse(
    field: tuple[list[int], int], tables: int, weight: int
) -> None:
    teams, size = np.array(field[0]), field[1]
    bot_count, apart = len(teams), apart_pairs(np.array(field[0]))
    shares = appearances(tables, size, teams, none(bot_count), np.arange(bot_count))
    groups = deal_groups(shares, teams, size, draws())
    before = none(bot_count * bot_count).reshape(bot_count, bot_count)

    mended = mend(groups, before, apart, weight, 20, draws())

    assert conflicts(mended, apart) == 0
    assert np.bincount(mended.ravel(), minlength=bot_count).tolist() == shares.tolist()
    off = [excess(weight * meetings(some, bot_count), apart, weight) for some in (groups, mended)]
    assert 0 <= off[1] <= off[0]


def test_mending_parts_a_team() -> None:
    teams = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    together = np.array([[0, 1, 2, 3], [4, 5, 6, 7]])

    mended = mend(together, np.zeros((8, 8), np.int64), apart_pairs(teams), 1, 100, draws())

    assert conflicts(mended, apart_pairs(teams)) == 0


def test_meetings_at_other_tables_count() -> None:
    before = np.zeros((6, 6), np.int64)
    before[0, 1] = before[1, 0] = before[2, 3] = before[3, 2] = before[4, 5] = before[5, 4] = 1

    mended = mend(np.array([[0, 1], [2, 3], [4, 5]]), before, apart_pairs(np.arange(6)), 1, 100, draws())

    assert not {(0, 1), (2, 3), (4, 5)} & {tuple(sorted(group)) for group in mended.tolist()}
