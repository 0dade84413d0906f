"""Zhiletka against positions worked out by hand and hands played by another referee."""

import json
from pathlib import Path
from typing import TypedDict, cast

import pytest

from harness.cards import CardSet, card_name, parse_card, parse_cards
from harness.games.game import Cleared, Drew, Event, Out, PickedUp, State
from harness.games.sets import SETS
from harness.games.zhiletka import Answering, Attacking
from tests.games.zhiletka_table import (
    GAME,
    cards,
    deck_for,
    eliminated,
    first_hand,
    how_it_ended,
    legal,
    net_chips,
    position,
    winners,
)

Bout = Attacking | Answering
VECTORS = Path(__file__).parent / "vectors"


class Setup(TypedDict, total=False):
    hands: list[list[str]]
    stock: list[str]
    trump: str
    attacker: int
    attack: list[str]
    eliminated: list[bool]


class Expected(TypedDict, total=False):
    hands: list[list[str]]
    stock: list[str]
    discard: list[str]
    eliminated: list[bool]
    attacker: int
    defender: int
    over: bool
    how: str
    winners: list[int]
    payoffs: list[int]
    trump: str
    last_stock_card: str
    stock_size: int


class OptionExpected(Expected):
    initial_tie: str


class Vector(TypedDict, total=False):
    id: str
    check: str
    setup: Setup
    actions: list[str]
    deck: list[str]
    hands: list[list[str]]
    stock: list[str]
    players: int
    dealer: int
    expected: Expected
    option_expected: OptionExpected
    cases: list[tuple[list[str], bool]]


class Trace(TypedDict):
    players: int
    dealer: int
    deck: str
    actions: list[str]
    legal_counts: list[int]
    how: str
    winners: list[int]
    payoffs: list[int]
    eliminated: list[bool]
    final_hands: list[str]


def read_vectors() -> list[Vector]:
    return cast(list[Vector], json.loads((VECTORS / "vectors_zhiletka.json").read_text())["vectors"])


def vectors(*checks: str) -> list[object]:
    return [pytest.param(vector, id=vector["id"]) for vector in read_vectors() if vector["check"] in checks]


def traces() -> list[Trace]:
    return [json.loads(line) for line in (VECTORS / "traces_zhiletka.jsonl").read_text().splitlines()]


def joined(names: list[str]) -> CardSet:
    return cards(" ".join(names))


def set_up(setup: Setup) -> State:
    return position(
        *(" ".join(hand) for hand in setup["hands"]),
        stock=" ".join(setup["stock"]),
        trump=setup["trump"],
        attacker=setup["attacker"],
        attack=" ".join(setup.get("attack", [])),
        out=[seat for seat, is_out in enumerate(setup.get("eliminated", [])) if is_out],
    )


class Course:
    """A hand played from texts, and what a vector may ask about it afterwards."""

    def __init__(self, state: State, texts: list[str], dealt: list[Event] | None = None) -> None:
        self.events = dealt or []
        self.discard: CardSet = 0
        self.out = [seat for seat in range(len(state.points)) if isinstance(state, Bout) and state.out >> seat & 1]
        self.stock = list(state.stock) if isinstance(state, Bout) else []
        for text in GAME.canonical(texts):
            before = state
            state, events = state.act(GAME.parse_action(text))
            self.events.extend(events)
            self._follow(before, events)
        self.state = state

    def _follow(self, before: State, events: tuple[Event, ...]) -> None:
        picked_up: CardSet = 0
        for event in events:
            if isinstance(event, Drew):
                del self.stock[: event.cards.bit_count()]
            elif isinstance(event, Cleared):
                self.discard |= event.cards
            elif isinstance(event, PickedUp):
                picked_up = event.cards
            elif isinstance(event, Out):
                self.discard |= before.hand(event.seat) | picked_up
                self.out.append(event.seat)

    def check(self, expected: Expected) -> None:
        state, seats = self.state, range(len(self.state.points))
        if "hands" in expected:
            assert [joined(hand) for hand in expected["hands"]] == [state.hand(seat) for seat in seats]
        if "stock" in expected:
            assert [parse_card(name) for name in expected["stock"]] == self.stock
        if "discard" in expected:
            assert joined(expected["discard"]) == self.discard
        if "eliminated" in expected:
            assert expected["eliminated"] == [seat in self.out for seat in seats]
        if "over" in expected:
            assert expected["over"] == (not isinstance(state, Bout))
        if "attacker" in expected:
            assert isinstance(state, Attacking)
            assert (expected["attacker"], expected["defender"]) == (state.attacker, state.defender)
        if "how" in expected:
            assert (expected["how"], sorted(expected["winners"])) == (how_it_ended(self.events), winners(self.events))
        if "payoffs" in expected:
            assert tuple(expected["payoffs"]) == state.points


@pytest.mark.parametrize("vector", vectors("set"))
def test_z3_1_vector(vector: Vector) -> None:
    for hand, expected in vector["cases"]:
        assert expected == (joined(hand) in SETS)


@pytest.mark.parametrize("vector", vectors("legal"))
def test_vector_of_legal_actions(vector: Vector) -> None:
    state = set_up(vector["setup"])

    assert sorted(cast(list[str], vector["expected"])) == sorted(legal(state))


@pytest.mark.parametrize("vector", vectors("apply"))
def test_vector_of_actions(vector: Vector) -> None:
    Course(set_up(vector["setup"]), vector["actions"]).check(vector["expected"])


@pytest.mark.parametrize("vector", vectors("deal", "full_hand"))
def test_vector_of_a_deal(vector: Vector) -> None:
    state, events = first_hand(parse_cards(" ".join(vector["deck"])), vector["players"], vector["dealer"])

    if "trump" in vector["expected"]:
        assert isinstance(state, Attacking)
        assert vector["expected"]["last_stock_card"] == card_name(state.stock[-1]) == card_name(state.upcard)
        assert vector["expected"]["trump"] == card_name(state.upcard)[1]
        assert vector["expected"]["stock_size"] == len(state.stock)
    Course(state, vector.get("actions", []), events).check(vector["expected"])


@pytest.mark.parametrize("vector", vectors("begin"))
def test_z3_3_vector_of_initial_sets(vector: Vector) -> None:
    stock = vector["stock"]
    deck = deck_for(
        [" ".join(hand) for hand in vector["hands"]],
        dealer=vector["dealer"],
        upcard=stock[-1],
        stock=" ".join(stock[:-1]),
    )

    state, events = first_hand(deck, len(vector["hands"]), vector["dealer"])
    Course(state, [], events).check(vector["expected"])

    option = vector["option_expected"]
    state, events = first_hand(deck, len(vector["hands"]), vector["dealer"], {"initial_tie": option["initial_tie"]})
    Course(state, [], events).check(option)


def test_every_vector_is_checked() -> None:
    assert len(vectors("set", "legal", "apply", "deal", "full_hand", "begin")) == len(read_vectors()) == 24


def test_traces_of_another_referee_agree_in_every_count_of_actions_and_in_the_end() -> None:
    for trace in traces():
        state, events = first_hand(parse_cards(trace["deck"]), trace["players"], trace["dealer"])
        legal_counts = []
        for text in GAME.canonical(trace["actions"]):
            legal_counts.append(len(state.actions))
            state, more = state.act(GAME.parse_action(text))
            events.extend(more)

        seats = range(trace["players"])
        assert trace["legal_counts"] == legal_counts
        assert (trace["how"], sorted(trace["winners"])) == (how_it_ended(events), winners(events))
        assert trace["payoffs"] == net_chips(events, trace["players"]) == list(state.points)
        assert trace["eliminated"] == [seat in eliminated(events) for seat in seats]
        assert [cards(hand) for hand in trace["final_hands"]] == [state.hand(seat) for seat in seats]
