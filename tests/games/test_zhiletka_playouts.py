"""Zhiletka played to the end by all manner of players: what holds at every moment; and the golden matches."""

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from harness.cards import CardSet, set_of
from harness.games import zhiletka
from harness.games.game import (
    TAKE,
    Acted,
    Action,
    Cleared,
    Dealt,
    Drew,
    Event,
    Out,
    Outcome,
    PickedUp,
    Scored,
    Shown,
    Shuffle,
    State,
    action_cards,
)
from harness.games.sets import SETS
from harness.games.view import SeatView, project
from harness.games.zhiletka import Answering, Attacking
from tests.games import golden_matches
from tests.games.zhiletka_table import GAME, Options, deck_for, play, position

Policy = Callable[[State, Random], Action]
PACK_MASK = set_of(GAME.pack)


def anything(state: State, random: Random) -> Action:
    return random.choice(state.actions)


def always_take(state: State, random: Random) -> Action:
    return TAKE if TAKE in state.actions else random.choice(state.actions)


def one_card_at_a_time(state: State, random: Random) -> Action:
    """Single attacks; beats where it can, so that cards last."""
    single = [action for action in state.actions if action < 52]
    return random.choice(single or state.actions)


def drag(state: State, random: Random) -> Action:
    """Takes while that puts nobody out, beats otherwise: the most bouts that a hand may hold."""
    if isinstance(state, Answering):
        holds_after = state.hand(state.turn).bit_count() + len(action_cards(state.attack))
        covers = [action for action in state.actions if action != TAKE]
        return TAKE if holds_after < 6 or not covers else random.choice(covers)
    return one_card_at_a_time(state, random)


POLICIES: list[Policy] = [anything, always_take, one_card_at_a_time, drag]
OPTIONS: list[Options] = [
    {},
    {"set_exact": False},
    {"set_on_take": False},
    {"limit_attack": False},
    {"undecided": "carry"},
    {"initial_tie": "eldest"},
    {"set_exact": False, "set_on_take": False, "limit_attack": False, "undecided": "carry"},
]


class Watcher:
    """Follows one match and checks at every step what the rules promise."""

    def __init__(self, options: Options, seat_count: int) -> None:
        self.game = zhiletka.game(options)
        self.state = self.game.start(seat_count, 0)
        self.exact = options.get("set_exact", True)
        self.on_take = options.get("set_on_take", True)
        self.views = [SeatView(seat, seat_count, len(self.game.pack)) for seat in range(seat_count)]
        self.seats = range(seat_count)
        self.gone: CardSet = 0
        self.bouts = self.most_bouts = 0

    def deal(self, random: Random) -> None:
        deck = tuple(random.sample(self.game.pack, len(self.game.pack)))
        self.gone, self.bouts = 0, 0
        self._follow(*self.state.deal(deck), before=self.state)

    def act(self, action: Action) -> None:
        self.bouts += isinstance(self.state, Attacking)
        self.most_bouts = max(self.most_bouts, self.bouts)
        # Z10: the bound of the proof; the harness's own is 250 decisions.
        assert self.bouts <= 5 * len(self.seats) + 89
        self._follow(*self.state.act(action), before=self.state)

    def _follow(self, state: State, events: tuple[Event, ...], before: State) -> None:
        self.state = state
        for event in events:
            if isinstance(event, Cleared):
                self.gone |= event.cards
            elif isinstance(event, Out):
                assert isinstance(before, Answering)
                self.gone |= before.hand(event.seat) | set_of(action_cards(before.attack))
            for view in self.views:
                view.see(project(event, view.seat))
        if isinstance(state, Attacking | Answering):
            self._check_cards(state)
        if isinstance(state, Attacking):
            self._check_attack(state)
        for view in self.views:
            assert view.hand == state.hand(view.seat)
            assert tuple(view.points) == state.points
            assert view.hand_counts == [state.hand(seat).bit_count() for seat in self.seats]

    def _check_cards(self, state: Attacking | Answering) -> None:
        table = set_of(action_cards(state.attack)) if isinstance(state, Answering) else 0
        places = [*state.hands, set_of(state.stock), table, self.gone]
        assert sum(places) == PACK_MASK  # conserved, and no card is in two places
        assert sum(cards.bit_count() for cards in places) == 36
        assert all(view.stock_count == len(state.stock) for view in self.views)
        assert all(view.pot == state.setting.pot for view in self.views)
        assert sum(state.points) + state.setting.pot == 0

    def _check_attack(self, state: Attacking) -> None:
        in_game = [seat for seat in self.seats if not state.out >> seat & 1]
        if state.stock:  # Z4.4
            assert all(state.hand(seat).bit_count() >= 3 for seat in in_game)
        assert all(state.hand(seat).bit_count() < 6 for seat in in_game)
        if self.exact and self.on_take:  # Z3.5: whoever had a set has won
            assert not any(state.hand(seat) in SETS for seat in self.seats)


def watch(options: Options, seat_count: int, policy: Policy, random: Random) -> Watcher:
    watcher = Watcher(options, seat_count)
    while not isinstance(watcher.state.pending, Outcome):
        watcher.deal(random)
        while watcher.state.actions:
            watcher.act(policy(watcher.state, random))
    assert sum(watcher.state.points) == 0  # Z9, Z11.4; with undecided=carry of the match alone
    return watcher


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seat_count", [2, 3, 4, 5, 6])
def test_cards_and_chips_are_conserved_and_every_hand_ends(policy: Policy, seat_count: int) -> None:
    watch({}, seat_count, policy, Random(seat_count))


@pytest.mark.parametrize("options", OPTIONS[1:], ids=str)
@pytest.mark.parametrize("seat_count", [2, 4, 6])
def test_cards_and_chips_are_conserved_under_every_option(options: Options, seat_count: int) -> None:
    for number, policy in enumerate(POLICIES):
        watch({**options, "hands_per_seat": 2}, seat_count, policy, Random(number))


def _name(value: Policy | Options) -> str:
    """Names a case alike in every process, as tests in parallel need it."""
    return value.__name__ if callable(value) else str(value)


@pytest.mark.wide
@pytest.mark.parametrize(("policy", "options"), list(product(POLICIES, OPTIONS)), ids=_name)
def test_z10_every_hand_of_many_ends_within_the_bound(policy: Policy, options: Options) -> None:
    for seat_count in range(2, 7):
        watch({**options, "hands_per_seat": 60}, seat_count, policy, Random(seat_count))


def test_z10_always_taking_ends_where_the_taker_would_be_skipped_for_ever() -> None:
    """Two cards each and no stock: were the taker to lose his turn, the hands would go round without end."""
    state = position("6S 8H", "7S 9D", "TC QS")
    for _ in range(20):
        if not state.actions:
            break
        state, events = state.act(TAKE if TAKE in state.actions else state.actions[0])

    assert isinstance(state.pending, Shuffle)
    assert isinstance(events[-1], Scored)


def test_z12_what_a_seat_is_told_does_not_depend_on_cards_it_cannot_see() -> None:
    """Two decks that differ in a card of seat 2 and the order of the stock: seat 0 is told and asked the same."""
    hands = ["6D QH KC", "7S 9D JH", "AH JD TC"]
    others = ["6D QH KC", "7S 9D JH", "AH JD 8C"]
    told = []
    for dealt, stock in ((hands, "AD TD"), (others, "AD TC")):
        state, events = GAME.start(3, 2).deal(deck_for(dealt, dealer=2, upcard="AC", stock=stock))
        state, more = play(state, "attack:6D", "take")
        told.append((tuple(project(event, 0) for event in [*events, *more]), state.pending))

    assert told[0] == told[1]


def test_the_goldens_hold_every_kind_of_event() -> None:
    goldens = [golden_matches.read(name) for name in golden_matches.NAMES if name.startswith("zhiletka")]

    kinds = {type(event) for golden in goldens for _, events in golden_matches.steps(golden) for event in events}

    assert kinds == {Dealt, Acted, Cleared, PickedUp, Drew, Shown, Out, Scored}


def options_that_mattered(before: State, state: State, events: tuple[Event, ...]) -> set[str]:
    """Options whose default would have led on from `before` otherwise."""
    names = set()
    shown = [event for event in events if isinstance(event, Shown)]
    if not isinstance(before, Answering):
        return {"initial_tie"} if len(shown) > 1 else set()
    if shown and state.hand(shown[0].seat) != shown[0].cards:
        names.add("set_exact")
    if before.attack >= 64 and before.hand(before.turn).bit_count() == 1:
        names.add("limit_attack")
    if events[0] == Acted(before.turn, TAKE) and state.hand(before.turn) in SETS:
        names.add("set_on_take")
    if isinstance(events[-1], Scored) and events[-1].pot:
        names.add("undecided")
    return names


def test_every_option_matters_in_the_goldens() -> None:
    golden = golden_matches.read("zhiletka_all_options")
    before = zhiletka.game(golden["options"]).start(golden["seat_count"], golden["first_dealer"])

    mattered = set()
    for state, events in golden_matches.steps(golden):
        mattered |= options_that_mattered(before, state, events)
        before = state

    assert mattered | {"ante"} == set(golden["options"])
    assert mattered | {"ante", "hands_per_seat"} == set(zhiletka.Rules._fields)
