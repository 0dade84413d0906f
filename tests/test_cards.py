"""Cards, sets of cards and their notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.cards import (
    ACE,
    CARD_COUNT,
    CLUBS,
    EMPTY,
    RANK_MASKS,
    RANK_NAMES,
    SEVEN,
    SIX,
    SPADES,
    SUIT_MASKS,
    SUIT_NAMES,
    TWO,
    card_name,
    cards_in,
    pack_from,
    parse_card,
    parse_cards,
    rank_of,
    set_name,
    set_of,
    suit_of,
)

ALL = range(CARD_COUNT)
CARDS = st.frozensets(st.sampled_from(ALL))


def test_a_card_is_suit_times_thirteen_plus_rank() -> None:
    assert [card_name(card) for card in (0, 12, 13, 49, 51)] == ["2C", "AC", "2D", "QS", "AS"]
    assert all(card == suit_of(card) * 13 + rank_of(card) for card in ALL)
    assert (suit_of(0), suit_of(51), rank_of(0), rank_of(51)) == (CLUBS, SPADES, TWO, ACE)


def test_every_card_has_a_name_of_its_own_that_means_it_again() -> None:
    assert [parse_card(card_name(card)) for card in ALL] == list(ALL)
    assert {card_name(card) for card in ALL} == {rank + suit for rank in RANK_NAMES for suit in SUIT_NAMES}


@pytest.mark.parametrize("name", ["", "Q", "SQ", "qs", "QS ", "10S", "1S", "QSQS", "Q♠"])
def test_what_is_no_card_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a card: "):
        parse_card(name)


def test_a_list_of_names_with_one_that_is_no_card_is_refused() -> None:
    with pytest.raises(ValueError, match="not a card: 'QS,'"):
        parse_cards("AS QS, 7C")


def test_names_are_parsed_in_the_order_written() -> None:
    assert parse_cards(" QS  2C\nAS ") == (49, 0, 51)
    assert parse_cards("") == ()


@given(CARDS)
def test_a_set_has_its_cards_ascending(cards: frozenset[int]) -> None:
    held = set_of(cards)

    assert cards_in(held) == tuple(sorted(cards))
    assert held.bit_count() == len(cards)
    assert parse_cards(set_name(held)) == tuple(sorted(cards))


@given(CARDS, CARDS)
def test_sets_are_joined_cut_and_subtracted_as_bits(one: frozenset[int], other: frozenset[int]) -> None:
    assert set_of(one | other) == set_of(one) | set_of(other)
    assert set_of(one & other) == set_of(one) & set_of(other)
    assert set_of(one - other) == set_of(one) & ~set_of(other)


def test_a_card_twice_is_a_card_once() -> None:
    assert set_of([7, 7]) == 1 << 7
    assert set_of([]) == EMPTY


def test_suits_and_ranks_each_divide_the_cards() -> None:
    assert [cards_in(mask) for mask in SUIT_MASKS] == [tuple(range(13 * suit, 13 * suit + 13)) for suit in range(4)]
    assert [cards_in(mask) for mask in RANK_MASKS] == [tuple(range(rank, 52, 13)) for rank in range(13)]


@pytest.mark.parametrize(("lowest", "count"), [(TWO, 52), (SIX, 36), (SEVEN, 32), (ACE, 4)])
def test_a_pack_goes_from_a_rank_to_the_ace_in_every_suit(lowest: int, count: int) -> None:
    pack = pack_from(lowest)

    assert len(pack) == len(set(pack)) == count
    assert list(pack) == sorted(pack)
    assert min(map(rank_of, pack)) == lowest


@pytest.mark.parametrize(
    ("written", "meant"),
    [("10H", "TH"), ("qs", "QS"), ("Q♠", "QS"), ("SQ", "QS"), ("10 of", ""), ("♥10", "TH"), ("1S", "")],
)
def test_a_card_written_in_another_way_is_refused_with_what_was_meant(written: str, meant: str) -> None:
    with pytest.raises(ValueError, match="not a card") as refused:
        parse_card(written)

    assert str(refused.value).endswith(f"did you mean {meant!r}?" if meant else "TH)")
