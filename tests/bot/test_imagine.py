"""Imagined states: they fit what the seat saw, and the rules play them on."""

from typing import ClassVar

import pytest

from harness import local
from harness.bot import DOMINO, Bot, SplitMix64, View, imagine
from harness.cards import set_of
from harness.games.game import Action, OptionValue, State
from tests.sample_bots.programs import bot_class

OPTIONS: list[tuple[str, int, dict[str, OptionValue]]] = [
    ("guillotine", 4, {}),
    ("guillotine", 4, {"rank_order": "french", "ace_bonus": "one", "domino_same_rank": "any"}),
    ("zhiletka", 2, {}),
    ("zhiletka", 6, {"undecided": "carry", "ante": 120}),
    ("zhiletka", 4, {"set_exact": False, "limit_attack": False}),
]


class Dreamer(bot_class("random")):  # type: ignore[misc]  # a class found at run time
    """Plays by lot; keeps what it imagined each time."""

    seen: ClassVar[list[State]]

    def choose(self, view: View) -> Action:
        state = imagine(view, SplitMix64(len(Dreamer.seen)))
        check(view, state)
        Dreamer.seen.append(state)
        action: Action = super().choose(view)
        return action


def check(view: View, state: State) -> None:
    """The state is what the seat sees, and nothing lies in two places."""
    hands = [state.hand(seat) for seat in range(view.seat_count)]
    assert (state.turn, state.actions, state.deal_index, state.dealer) == (
        view.seat,
        view.actions,
        view.deal_index,
        view.dealer,
    )
    assert state.points == view.points
    assert hands[view.seat] == set_of(view.hand)
    assert tuple(hand.bit_count() for hand in hands) == view.hand_counts
    assert sum(hand.bit_count() for hand in hands) == sum(hands).bit_count()  # no card twice
    for hand, possible, known in zip(hands, view.possible, view.fold.known, strict=True):
        assert hand & ~possible == 0
        assert known & ~hand == 0


def finish(state: State, deal_index: int) -> State:
    while state.actions and state.deal_index == deal_index:
        state, _ = state.act(state.actions[-1])
    return state


@pytest.mark.parametrize(("game", "seat_count", "options"), OPTIONS)
def test_an_imagined_state_fits_all_that_was_seen_and_plays_on_to_the_end_of_the_deal(
    game: str, seat_count: int, options: dict[str, OptionValue]
) -> None:
    Dreamer.seen = []

    record = local.play(game, [Dreamer] + [bot_class("novice")] * (seat_count - 1), seed=11, options=options)

    assert len(Dreamer.seen) > 20
    assert record.faults == ()
    for state in Dreamer.seen:
        after = finish(state, state.deal_index)
        if game == "guillotine":  # "What always holds" of the rules: the sum of a deal is that of its contract
            assert sum(after.points) - sum(state.points) in (30, -50, 100, -40)
        else:  # and points and pot together are nothing
            assert sum(after.points) + after.setting.pot == 0  # type: ignore[attr-defined]  # of every state of Zhiletka


def test_where_two_cards_are_hidden_there_are_two_worlds_at_most() -> None:
    worlds: list[set[State]] = []

    class Late(bot_class("random")):  # type: ignore[misc]  # a class found at run time
        def choose(self, view: View) -> Action:
            if view.contract not in (None, DOMINO) and len(view.unseen) <= 3:
                worlds.append({imagine(view, SplitMix64(number)) for number in range(60)})
            action: Action = super().choose(view)
            return action

    for seed in range(4):
        local.play("guillotine", [Late] * 4, seed=seed)

    assert len(worlds) >= 10
    assert all(1 <= len(each) <= 6 for each in worlds)
    assert any(len(each) == 6 for each in worlds)  # three cards in three hands


def test_the_same_chance_imagines_the_same_and_of_itself_it_is_the_chance_of_the_bot() -> None:
    drawn = []

    class Twice(Bot):
        def choose(self, view: View) -> Action:
            drawn.append((imagine(view, SplitMix64(5)) == imagine(view, SplitMix64(5)), imagine(view)))
            return view.actions[0]

    local.play("zhiletka", [Twice] * 3, seed=1)
    once, drawn = drawn, []
    local.play("zhiletka", [Twice] * 3, seed=1)

    assert once == drawn
    assert all(same for same, _ in drawn)
