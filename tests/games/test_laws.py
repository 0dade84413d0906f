"""Every law of `contract.py` over every game, and proof that the laws notice what they are there for."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness import games
from harness.cards import CardSet
from harness.games.game import (
    Action,
    Dealt,
    Decision,
    Deck,
    Drew,
    Event,
    IllegalAction,
    Outcome,
    Pending,
    Seat,
    State,
    Step,
)
from harness.games.view import Drawn, HandDealt, Seen, project
from tests.games import golden_matches
from tests.games.contract import CASES, LAWS, TERMS, nothing_depends_on_unseen_cards
from tests.games.matches import Case, steps_of

Law = Callable[[Case, int], object]
SEEDS = st.integers(0, 2**32 - 1)
by_case = pytest.mark.parametrize("case", CASES, ids=str)
by_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)

GUILLOTINE = Case("guillotine", 4, {})
ZHILETKA = Case("zhiletka", 4, {})


def test_every_game_is_under_the_laws() -> None:
    assert set(games.GAME_NAMES) == set(TERMS)
    for name in games.GAME_NAMES:
        game = games.game(name)
        assert {case.seat_count for case in CASES if case.name == name} == set(game.seat_counts)
        assert list(game.pack) == sorted(set(game.pack))


@by_case
@by_law
def test_law(law: Law, case: Case) -> None:
    law(case, 1)


@pytest.mark.slow
@by_case
@by_law
@settings(max_examples=6)
@given(seed=SEEDS)
@example(seed=2863)  # a pot of five that is over before one of them is asked anything
def test_law_in_many_matches(law: Law, case: Case, seed: int) -> None:
    law(case, seed)


@pytest.mark.wide
@by_case
@by_law
@settings(max_examples=60)
@given(seed=SEEDS)
def test_law_in_very_many_matches(law: Law, case: Case, seed: int) -> None:
    law(case, seed)


# Law 5 has teeth: what would be a leak is found.


@pytest.mark.slow
@by_case
def test_worlds_that_a_seat_cannot_tell_apart_are_found(case: Case) -> None:
    assert sum(nothing_depends_on_unseen_cards(case, seed) for seed in range(3)) >= 60


@pytest.mark.parametrize("case", [GUILLOTINE, ZHILETKA], ids=str)
def test_a_deal_that_shows_a_card_of_another_hand_is_found(case: Case) -> None:
    def leaky(event: Event, viewer: Seat) -> Seen:
        if isinstance(event, Dealt):
            other = event.hands[(viewer + 1) % case.seat_count]
            return HandDealt(event.deal_index, event.dealer, event.hands[viewer], event.upcards | other & -other)
        return project(event, viewer)

    with pytest.raises(AssertionError):
        nothing_depends_on_unseen_cards(case, 1, project=leaky)


def test_a_draw_that_shows_the_cards_is_found() -> None:
    def leaky(event: Event, viewer: Seat) -> Seen:
        return Drawn(event.seat, 1, event.cards) if isinstance(event, Drew) else project(event, viewer)

    with pytest.raises(AssertionError):
        nothing_depends_on_unseen_cards(ZHILETKA, 1, project=leaky)


class Peeking(NamedTuple):
    """Guillotine, but a seat is not offered its lowest card while its left neighbour holds the ace of spades."""

    state: State

    @property
    def actions(self) -> tuple[Action, ...]:
        state = self.state
        if state.turn is None or not state.hand((state.turn + 1) % 4) >> 51 & 1:
            return state.actions
        return state.actions[1:] or state.actions

    @property
    def pending(self) -> Pending:
        return self.state.pending if self.turn is None else Decision(self.turn, self.actions)

    @property
    def turn(self) -> Seat | None:
        return self.state.turn

    @property
    def deal_index(self) -> int:
        return self.state.deal_index

    @property
    def dealer(self) -> Seat:
        return self.state.dealer

    @property
    def points(self) -> tuple[int, ...]:
        return self.state.points

    def hand(self, seat: Seat) -> CardSet:
        return self.state.hand(seat)

    def deal(self, deck: Deck) -> Step:
        state, events = self.state.deal(deck)
        return Peeking(state), events

    def act(self, action: Action) -> Step:
        state, events = self.state.act(action)
        return Peeking(state), events


def test_a_game_that_peeks_at_another_hand_is_found() -> None:
    game = games.game("guillotine")
    peeking = game._replace(start=lambda seat_count, dealer: Peeking(game.start(seat_count, dealer)))

    with pytest.raises(AssertionError):
        _ = [nothing_depends_on_unseen_cards(GUILLOTINE, seed, game=peeking) for seed in range(5)]


# Law 9: golden matches.


@pytest.mark.parametrize("name", golden_matches.NAMES)
def test_a_golden_match_is_played_as_ever(name: str) -> None:
    golden = golden_matches.read(name)
    game = games.game(golden["game"], golden["options"])

    assert game.rules_version == golden["rules_version"], "new rules: write golden matches of the new version"
    assert dict(game.options) == golden["options"]
    assert golden_matches.digest_of(golden) == golden["digest"]


def test_every_game_has_golden_matches_of_every_option() -> None:
    matches = [golden_matches.read(name) for name in golden_matches.NAMES]

    for name, terms in TERMS.items():
        played = {option for match in matches if match["game"] == name for option in match["options"]}
        assert played == {option for _, options in terms.option_sets for option in options}


def test_a_golden_match_notices_a_change() -> None:
    golden = golden_matches.read("guillotine_default")
    golden["deals"][-1]["actions"][0] = "contract:domino"

    with pytest.raises(IllegalAction):
        golden_matches.digest_of(golden)
    with pytest.raises(AssertionError):
        golden_matches.digest_of({**golden, "deals": golden["deals"][:-1]})


# Games by name.


@pytest.mark.parametrize(
    ("name", "hint"), [("guilotine", "did you mean 'guillotine'"), ("chess", "there are guillotine, zhiletka")]
)
def test_an_unknown_game_is_refused_with_what_there_is(name: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        games.game(name)


def test_matches_of_one_seed_are_the_same_and_others_are_not() -> None:
    inputs = [[step.given for step in steps_of(GUILLOTINE.game(), 4, seed)] for seed in (1, 1, 2)]

    assert inputs[0] == inputs[1] != inputs[2]
    assert isinstance(list(steps_of(GUILLOTINE.game(), 4, 1))[-1].after.pending, Outcome)
