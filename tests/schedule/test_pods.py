"""More bots than can be alive: they meet pod by pod, are seldom started, and meet evenly all the same."""

import pytest

from harness import deals
from harness.round import waves
from harness.schedule import Schedule, make_schedule
from harness.schedule.pods import Pods

ALIVE = 40


def schedule(bots: int, matches: int, *, most_alive: int | None = ALIVE, size: int = 4, **more: object) -> Schedule:
    chance = deals.schedule_chance(b"pods", "round 1")
    return make_schedule(
        format="balanced",
        bot_count=bots,
        sizes=(size,),
        chance=chance,
        matches=matches,
        duplicate=False,
        most_alive=most_alive,
        **more,  # type: ignore[arg-type]  # teams alone
    )


def starts_a_match(made: Schedule, most_alive: int = ALIVE) -> float:
    """Bot processes started for a match, in the first phase."""
    phase = next(made.heats()).phases[0]
    cut = list(waves(map(made.table, phase), most_alive))
    seated = [{bot for table in wave for bot in table.seats} for wave in cut]
    assert [table.number for wave in cut for table in wave] == list(phase)
    assert max(map(len, seated)) <= most_alive
    return sum(map(len, seated)) / len(phase)


@pytest.mark.slow
def test_very_many_matches_of_many_bots_start_each_seldom_and_are_even_all_the_same() -> None:
    made = schedule(200, 79_600)
    balance = made.balance()

    assert starts_a_match(made) < 0.2 < 3 < starts_a_match(schedule(200, 79_600, most_alive=None))
    assert balance.appearances.low == balance.appearances.high
    assert max(size.seat_spread for size in balance.sizes) == 0
    assert 20 <= balance.pairs.low <= 24 <= balance.pairs.high <= 30


@pytest.mark.parametrize("matches", [1_000, 4_000])
def test_where_two_bots_meet_seldom_evenness_comes_first(matches: int) -> None:
    made = schedule(200, matches)

    assert made.digest() == schedule(200, matches, most_alive=None).digest()
    assert made.balance().pairs.high - made.balance().pairs.low <= 1


def test_where_pods_would_be_small_evenness_comes_first() -> None:
    assert schedule(60, 12_000).digest() == schedule(60, 12_000, most_alive=None).digest()


@pytest.mark.slow
@pytest.mark.parametrize("bots", [110, 137])
@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_whatever_their_number_all_play_as_often(bots: int, size: int) -> None:
    matches = 25 * bots * (bots - 1) // (size * (size - 1))
    made = schedule(bots, matches, size=size)
    balance = made.balance()

    assert balance.appearances.high - balance.appearances.low <= size
    assert starts_a_match(made) <= starts_a_match(schedule(bots, matches, size=size, most_alive=None))


def test_a_pod_holds_no_more_than_can_be_alive_and_all_are_in_one() -> None:
    pods = Pods(500, 4, ALIVE)
    for direction in range(24):
        found = pods._pods(direction)
        assert sorted(bot for pod in found for bot in pod.tolist()) == list(range(500))
        assert 4 <= min(map(len, found)) <= max(map(len, found)) <= ALIVE


def test_everybody_is_in_a_pod_with_everybody_else_once() -> None:
    pods = Pods(97, 3, ALIVE)
    together = [
        frozenset((first, second))
        for direction in range(12)
        for pod in pods._pods(direction)
        for first in pod.tolist()
        for second in pod.tolist()
        if first < second
    ]

    assert len(together) == len(set(together)) == 97 * 96 // 2


def test_as_many_bots_as_can_be_alive_and_teams_that_keep_apart_are_scheduled_as_ever() -> None:
    teams = [f"team {bot // 2}" for bot in range(110)]
    much = 25 * 110 * 109 // 12

    assert schedule(40, 4_000).digest() == schedule(40, 4_000, most_alive=None).digest()
    assert schedule(110, much, teams=teams).digest() == schedule(110, much, most_alive=None, teams=teams).digest()
    assert schedule(110, much).digest() != schedule(110, much, most_alive=None).digest()
    assert schedule(110, much).digest() != schedule(110, much, most_alive=41).digest()
