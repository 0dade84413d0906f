"""Attacks and answers of single hands, against the sentences of the rules; and the texts of actions."""

import doctest
from itertools import combinations, permutations
from random import Random

import pytest

from harness.cards import Card, parse_card, rank_of, set_of, suit_of
from harness.games import bouts
from harness.games.bouts import BEATERS, PACK, answer_actions, attack_actions, canonical, parse_action
from harness.games.game import TAKE, pair


def beats(card: Card, other: Card, trump: int) -> bool:
    """Z5.2, word for word."""
    if suit_of(card) == suit_of(other):
        return rank_of(card) > rank_of(other)
    return suit_of(card) == trump


@pytest.mark.parametrize("trump", range(4))
def test_z1_2_z5_2_a_card_is_beaten_by_a_higher_of_its_suit_or_by_a_trump(trump: int) -> None:
    for other in PACK:
        assert set_of(card for card in PACK if beats(card, other, trump)) == BEATERS[trump][other]


@pytest.mark.parametrize("card_count", range(1, 6))
def test_z4_3_attacks_are_every_card_and_every_two_of_a_suit_or_rank_ascending(card_count: int) -> None:
    for seed in range(50):
        hand = sorted(Random(seed).sample(PACK, card_count))
        pairs = [
            pair(low, high)
            for low, high in combinations(hand, 2)
            if suit_of(low) == suit_of(high) or rank_of(low) == rank_of(high)
        ]

        assert tuple(hand) == attack_actions(set_of(hand), pairs=False)
        assert tuple(sorted([*hand, *pairs])) == attack_actions(set_of(hand), pairs=True)


@pytest.mark.parametrize("card_count", range(1, 6))
def test_z5_answers_are_every_way_to_beat_all_and_take_ascending(card_count: int) -> None:
    for seed in range(200):
        random = Random(seed)
        first, second, *hand = random.sample(PACK, card_count + 2)
        first, second = sorted((first, second))
        trump = random.randrange(4)
        singles = [card for card in hand if beats(card, first, trump)]
        covers = [
            pair(on_first, on_second)
            for on_first, on_second in permutations(hand, 2)
            if beats(on_first, first, trump) and beats(on_second, second, trump)
        ]

        assert tuple(sorted([*singles, TAKE])) == answer_actions(set_of(hand), first, trump)
        assert tuple(sorted([*covers, TAKE])) == answer_actions(set_of(hand), pair(first, second), trump)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("take", TAKE),
        ("attack:7S", parse_card("7S")),
        ("cover:AC", parse_card("AC")),
        ("attack:7S+9S", pair(parse_card("7S"), parse_card("9S"))),
        ("cover:TS+8S", pair(parse_card("TS"), parse_card("8S"))),
        ("attack:6C+AS", pair(parse_card("6C"), parse_card("AS"))),
    ],
)
def test_a_canonical_text_denotes_an_action_legal_or_not(text: str, action: int) -> None:
    assert parse_action(text) == action


@pytest.mark.parametrize(
    "text",
    [
        *("", "TAKE", "take:7S", "pass", "play:7S", "attack", "attack:", "attack:7S+", "attack:7S+8S+9S", "7S"),
        *("attack:7s", "attack: 7S", "cover:1S", "attack:7S+7S", "cover:7S+7S", "attack:2S", "cover:7S+5D"),
    ],
)
def test_any_other_text_denotes_none(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        parse_action(text)


def test_z5_1_a_pair_attack_written_high_card_first_is_not_canonical() -> None:
    with pytest.raises(ValueError, match=r"lower card of a pair attack stands first \(attack:7S\+9S\)"):
        parse_action("attack:9S+7S")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("attack:9S+7S cover:TS+8S", "attack:7S+9S cover:8S+TS"),
        ("attack:7S+9S cover:8S+TS", "attack:7S+9S cover:8S+TS"),
        ("attack:9S+9D take attack:7S cover:8S", "attack:9D+9S take attack:7S cover:8S"),
        ("attack:9S+7S take attack:7D+9D cover:TD+8C", "attack:7S+9S take attack:7D+9D cover:TD+8C"),
        ("", ""),
    ],
)
def test_z5_1_the_cover_is_read_in_the_order_of_the_attack(written: str, expected: str) -> None:
    assert canonical(written.split()) == tuple(expected.split())


def test_canonical_texts_stay_as_they_are() -> None:
    texts = canonical(["attack:9S+7S", "cover:TS+8S", "attack:6H", "take"])

    assert canonical(texts) == texts


def test_the_examples_in_the_docstrings_run() -> None:
    result = doctest.testmod(bouts)

    assert (result.failed, result.attempted) == (0, 2)
