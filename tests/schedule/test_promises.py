"""Same arguments, same schedule; the digest, the balance and the refusals."""

import hashlib
from collections import Counter
from typing import Any

import pytest

from harness.deals import schedule_chance
from harness.schedule import ImpossibleSchedule, apart
from tests.schedule.counting import (
    appearances,
    meetings,
    schedule,
    tables,
)

GOLDEN: dict[str, tuple[dict[str, Any], str, str]] = {
    "balanced": ({"bot_count": 12, "matches": 601}, "5cc086984f59a418", "7935ab9256fce538"),
    "duplicates": (
        {"bot_count": 7, "sizes": (2, 3, 4), "matches": 200, "duplicate": True},
        "e36965bc05f3759c",
        "7513c96eb2ec3ad5",
    ),
    "teams": (
        {"bot_count": 16, "matches": 600, "teams": [bot // 4 for bot in range(16)]},
        "041575d246554028",
        "a800ea3afb422ae4",
    ),
    "round robin": ({"format": "round-robin", "bot_count": 9}, "bc888e659116f225", "ea9f4f0139f394a5"),
    "gauntlet": (
        {"format": "gauntlet", "bot_count": 6, "house_count": 5, "matches": 100},
        "5bd41f342c5a66aa",
        "eb7b39c5e0828399",
    ),
    "many": ({"bot_count": 500, "matches": 5000}, "54013ff7771ed263", "1f13237344569178"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_same_arguments_give_the_same_schedule_on_every_machine(name: str) -> None:
    arguments, digest, seats = GOLDEN[name]

    made = schedule(**arguments)

    everything = repr([tuple(table) for table in tables(made)])
    assert digest == made.digest()[:16]
    assert seats == hashlib.sha256(everything.encode()).hexdigest()[:16]


def test_digest_tells_every_argument() -> None:
    base: dict[str, Any] = {"bot_count": 6, "house_count": 2, "fill_count": 1, "matches": 40}
    changes: list[dict[str, Any]] = [
        {},
        {"bot_count": 7, "house_count": 1},
        {"fill_count": 2},
        {"sizes": (3,)},
        {"sizes": (3, 4)},
        {"sizes": (4, 3)},
        {"matches": 41},
        {"matches": None, "matches_per_bot": 40},
        {"duplicate": True},
        {"format": "gauntlet", "fill_count": 2},
        {"teams": [0, 0, 1, 2, 3, 4, 5, 6]},
        {"max_matches": 65},
        {"heat_matches": 4000},
        {"chance": schedule_chance(bytes(range(32)), "2")},
    ]

    digests = {schedule(**{**base, **change}).digest() for change in changes}

    assert len(digests) == len(changes)
    assert schedule(**base).digest() in digests


def test_digest_knows_teams_by_who_shares_one_and_not_by_their_names() -> None:
    names, numbers = ["red", "red", "blue", "grey", "pink"], [7, 7, 1, 2, 3]

    assert schedule(matches=8, teams=names).digest() == schedule(matches=8, teams=numbers).digest()


def test_balance_counts_what_the_tables_show() -> None:
    made = schedule(bot_count=7, sizes=(3, 4), matches=41)

    balance = made.balance()
    groups = [table.seats for table in tables(made)]
    played, met = appearances(groups), meetings(groups)
    assert balance.appearances == (min(played.values()), max(played.values()))
    assert balance.pairs == (min(met.values()), max(met.values()))
    assert balance.pair_count == len(met) == 21
    assert balance.pair_mean == pytest.approx(sum(met.values()) / 21)
    for size in balance.sizes:
        of_size = [group for group in groups if len(group) == size.seat_count]
        left = Counter((group[seat - 1], group[seat]) for group in of_size for seat in range(size.seat_count))
        counts = [left[(bot, other)] for bot in range(7) for other in range(7) if bot != other]
        assert size.left_neighbours == (min(counts), max(counts))
        assert size.match_count == len(of_size)


def test_balance_counts_rotations_as_matches() -> None:
    balance = schedule(bot_count=5, matches=120, duplicate=True).balance()

    assert balance.appearances == (96, 96)
    assert balance.pairs == (72, 72)
    assert balance.step == 4
    assert balance.sizes[0].left_neighbours == (24, 24)


def test_balance_says_how_many_pairs_are_off() -> None:
    balance = schedule(bot_count=5, matches=2).balance()

    assert balance.pairs == (0, 2)
    assert any("off by 1 or more" in line for line in balance.lines())


def test_a_table_that_is_not_there_is_a_programmers_mistake() -> None:
    made = schedule(matches=10)

    for number in (0, 11):
        with pytest.raises(ValueError, match="there are 10"):
            made.table(number)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"bot_count": 3, "matches": 8}, "tables of 4 need 4 bots: there are 3 and 0 to fill up"),
        ({"bot_count": 4, "matches": 8, "teams": "aabc"}, "bots of 4 different teams and there are 3"),
        ({"matches": 3, "duplicate": True}, "3 matches leave a table size without a whole block: 4 are needed"),
        ({"matches": 8, "sizes": (2, 3, 4), "duplicate": True}, "12 are needed"),
        ({"matches": 0}, "1 are needed"),
        ({"matches_per_bot": 0}, "0 matches a bot are none"),
        ({"format": "round-robin", "bot_count": 100}, 'format = "balanced"'),
        ({"format": "gauntlet", "house_count": 2, "matches": 8}, "meets 3 of the house: there are 2 and 0"),
        ({"format": "gauntlet", "bot_count": 1, "house_count": 3, "matches": 8, "teams": "aabc"}, "has too few"),
    ],
)
def test_what_cannot_be_scheduled_is_refused_with_the_reason(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ImpossibleSchedule, match=reason) as refused:
        schedule(**arguments)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"format": "swiss", "matches": 8}, "no format 'swiss'"),
        ({"sizes": (), "matches": 8}, "table sizes must be"),
        ({"sizes": (4, 4), "matches": 8}, "table sizes must be"),
        ({"sizes": (1,), "matches": 8}, "table sizes must be"),
        ({"bot_count": 0, "matches": 8}, "at least 1"),
        ({"house_count": -1, "matches": 8}, "at least 0"),
        ({"matches": 8, "max_matches": 0}, "at least 1"),
        ({"teams": [1, 2], "matches": 8}, "2 teams for 5 bots"),
        ({}, "the other formats have one"),
        ({"matches": 8, "matches_per_bot": 8}, "the other formats have one"),
        ({"format": "round-robin", "matches": 8}, "a round robin has no budget"),
    ],
)
def test_arguments_that_make_no_sense_are_a_programmers_mistake(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        schedule(**arguments)

    assert not isinstance(refused.value, ImpossibleSchedule)


def test_a_bot_entered_twice_may_meet_itself_unless_others_of_its_team_play() -> None:
    names = apart(["red", "red", "blue", "blue", "blue"], ["fox", "fox", "owl", "owl", "elk"])

    assert len({names[0], names[1]}) == 2
    assert len({names[2], names[3], names[4]}) == 1
