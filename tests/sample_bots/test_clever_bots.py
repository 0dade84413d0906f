"""The two clever samples: what they choose, that they repeat themselves, and that they beat the others."""

import pytest

from harness import local
from harness.bot import Bot, View
from harness.games.game import TAKE, Action
from tests.sample_bots.programs import bot_class

COUNTER, ODDS = bot_class("guillotine-counter"), bot_class("zhiletka-odds")
RANDOM, STATELESS = bot_class("random"), bot_class("stateless")


def points_against(bot: type[Bot], others: type[Bot], game: str, seat_count: int, matches: int) -> list[int]:
    """Points of `bot` in every seat in turn, the others all of one kind."""
    found = []
    for seed in range(matches):
        seats = [others] * seat_count
        seats[seed % seat_count] = bot
        found.append(local.play(game, seats, seed=seed).points[seed % seat_count])
    return found


@pytest.mark.parametrize("bot", [COUNTER, ODDS])
def test_the_same_seed_gives_the_same_play(bot: type[Bot]) -> None:
    (game, *_) = bot.games

    one, other = (local.play(game, [bot] * 4, seed=5) for _ in range(2))

    assert one == other
    assert one.faults == ()


@pytest.mark.slow
@pytest.mark.parametrize("others", [RANDOM, STATELESS])
def test_guillotine_counter_takes_far_fewer_points_than_an_even_share(others: type[Bot]) -> None:
    points = points_against(COUNTER, others, "guillotine", 4, 24)

    assert sum(points) / len(points) < 50  # 100 is an even share (G7)


@pytest.mark.slow
@pytest.mark.parametrize(("others", "least"), [(RANDOM, 400), (STATELESS, 30)])
def test_zhiletka_odds_wins_chips(others: type[Bot], least: int) -> None:
    points = points_against(ODDS, others, "zhiletka", 4, 80)

    assert sum(points) / len(points) > least


class SixthCard(ODDS):  # type: ignore[misc, valid-type]  # a class found at run time
    """Notes what it does when taking would put it out."""

    chosen: list[Action]

    def choose(self, view: View) -> Action:
        action: Action = super().choose(view)
        if TAKE in view.actions and view.fold.hand.bit_count() + len(view.fold.table) >= 6:
            SixthCard.chosen.append(action)
        return action


def test_odds_never_takes_its_sixth_card_when_it_can_beat() -> None:
    SixthCard.chosen = []

    for seed in range(12):
        local.play("zhiletka", [SixthCard, STATELESS, SixthCard, STATELESS], seed=seed)

    assert len(SixthCard.chosen) >= 3
    assert TAKE not in SixthCard.chosen
