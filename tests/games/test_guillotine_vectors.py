"""Guillotine against positions worked out by hand and matches played by another referee."""

import json
from pathlib import Path
from typing import TypedDict, cast

import pytest

from harness.cards import card_name, cards_in, parse_cards
from harness.games.contracts import domino_points, trick_points
from harness.games.game import CONTRACT_NAMES, CONTRACTS, Dealt, Scored, Shuffle, State, Taken
from tests.games.guillotine_table import (
    GAME,
    Options,
    announcing,
    cards,
    deal_and_play,
    deltas,
    in_domino,
    in_trick,
    legal,
    play,
)

VECTORS = Path(__file__).parent / "vectors"


class Setup(TypedDict, total=False):
    phase: str
    dealer: int
    turn: int
    contract: str
    used: list[list[str]]
    hands: list[list[str]]
    trick: list[tuple[int, str]]
    laid: list[str]
    out_order: list[int]


class Outcome(TypedDict, total=False):
    turn: int
    legal: list[str]
    last_result: list[int]
    hands: list[list[str]]


class OptionOutcome(TypedDict):
    domino_same_rank: str
    expected: list[str]


class Vector(TypedDict, total=False):
    id: str
    rule: str
    check: str
    setup: Setup
    contract: str
    tricks: list[tuple[int, list[str]]]
    out_order: list[int]
    hands: list[list[str]]
    deck: list[str]
    dealer: int
    actions: list[str]
    expected: object
    option_expected: OptionOutcome


class Trace(TypedDict):
    first_dealer: int
    deals: list[list[str]]
    actions: list[str]
    legal_counts: list[int]
    deal_points: list[list[int]]
    totals: list[int]


def vectors(check: str) -> pytest.MarkDecorator:
    found: list[Vector] = json.loads((VECTORS / "vectors_guillotine.json").read_text())["vectors"]
    chosen = [vector for vector in found if vector["check"] == check]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: f"{vector['id']}_{vector['rule']}")


def position(setup: Setup, options: Options | None = None) -> State:
    hands = [" ".join(hand) for hand in setup["hands"]]
    if setup["phase"] == "contract":
        used = setup["used"][setup["dealer"]]
        return announcing(*hands, dealer=setup["dealer"], used=used, options=options)
    if setup["phase"] == "trick":
        trick = setup["trick"]
        laid = " ".join(card for _, card in trick)
        return in_trick(*hands, contract=setup["contract"], leader=trick[0][0], trick=laid, options=options)
    out = setup.get("out_order", [])
    assert setup["phase"] == "domino"
    assert len(out) < 2
    laid = " ".join(setup["laid"])
    return in_domino(*hands, laid=laid, turn=setup["turn"], out=out[0] if out else None, options=options)


def test_every_vector_is_checked() -> None:
    found: list[Vector] = json.loads((VECTORS / "vectors_guillotine.json").read_text())["vectors"]

    assert {vector["check"] for vector in found} == {"legal", "apply", "score", "full_deal", "deal"}


@vectors("legal")
def test_what_is_legal(vector: Vector) -> None:
    state = position(vector["setup"])

    assert state.turn == vector["setup"]["turn"]
    assert legal(state) == set(cast(list[str], vector["expected"]))
    if "option_expected" in vector:
        option = vector["option_expected"]
        state = position(vector["setup"], {"domino_same_rank": option["domino_same_rank"]})
        assert legal(state) == set(option["expected"])


@vectors("apply")
def test_what_actions_bring_about(vector: Vector) -> None:
    expected = cast(Outcome, vector["expected"])

    state, events = play(position(vector["setup"]), *vector["actions"])

    if "turn" in expected:
        assert state.turn == expected["turn"]
    if "legal" in expected:
        assert legal(state) == set(expected["legal"])
    if "last_result" in expected:
        assert deltas(events) == tuple(expected["last_result"])
        assert isinstance(state.pending, Shuffle)
    assert expected.keys() <= {"turn", "legal", "last_result"}


@vectors("score")
def test_what_a_deal_is_worth(vector: Vector) -> None:
    if vector["contract"] == "domino":
        scored = domino_points(*vector["out_order"])
    else:
        contract = CONTRACTS[CONTRACT_NAMES.index(vector["contract"])]
        scored = trick_points(contract, [Taken(seat, cards(" ".join(won))) for seat, won in vector["tricks"]])

    assert scored == tuple(cast(list[int], vector["expected"]))


@vectors("full_deal")
def test_a_deal_from_beginning_to_end(vector: Vector) -> None:
    hands = [" ".join(hand) for hand in vector["hands"]]

    state, events = deal_and_play(hands, vector["dealer"], vector["actions"])

    assert deltas(events) == tuple(cast(list[int], vector["expected"]))
    assert state.points == deltas(events)
    assert state.deal_index == 1


@vectors("deal")
def test_who_is_dealt_which_cards(vector: Vector) -> None:
    expected = cast(Outcome, vector["expected"])

    state, events = GAME.start(4, vector["dealer"]).deal(parse_cards(" ".join(vector["deck"])))

    hands = tuple(cards(" ".join(hand)) for hand in expected["hands"])
    assert events == (Dealt(0, vector["dealer"], hands, 0),)
    assert tuple(state.hand(seat) for seat in range(4)) == hands
    assert state.turn == expected["turn"]


@pytest.mark.parametrize("line", (VECTORS / "traces_guillotine.jsonl").read_text().splitlines(), ids=lambda line: "")
def test_a_match_of_another_referee_is_played_in_the_same_way(line: str) -> None:
    trace: Trace = json.loads(line)
    state = GAME.start(4, trace["first_dealer"])
    decisions = iter(zip(trace["actions"], trace["legal_counts"], strict=True))

    for deal_index, hands in enumerate(trace["deals"]):
        dealer = (trace["first_dealer"] + deal_index) % 4
        assert (state.deal_index, state.dealer) == (deal_index, dealer)
        state, _ = state.deal(_deck(hands, dealer))
        while state.actions:
            text, legal_count = next(decisions)
            assert len(state.actions) == legal_count
            state, events = state.act(GAME.parse_action(text))
        assert events[-1] == Scored(tuple(trace["deal_points"][deal_index]), 0)

    assert list(decisions) == []
    assert state.points == tuple(trace["totals"])


def _deck(hands: list[str], dealer: int) -> tuple[int, ...]:
    by_turn = [cards_in(cards(hands[(dealer + 1 + place) % 4])) for place in range(4)]
    deck = tuple(card for four in zip(*by_turn, strict=True) for card in four)
    assert {card_name(card) for card in deck} == {name for hand in hands for name in hand.split()}
    return deck
