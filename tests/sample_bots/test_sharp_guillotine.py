"""What sharp decides in Guillotine, in situations made up for it."""

import sys

import pytest

from harness import local
from harness.bot import (
    CLUBS,
    CONTRACTS,
    DIAMONDS,
    DOMINO,
    END,
    GUILLOTINE,
    PARLIAMENT,
    QUEENS,
    ROYALTY,
    SPADES_CONTRACT,
    Taken,
    View,
    parse_card,
    parse_cards,
)
from harness.games.game import Acted, Action, OptionValue
from harness.games.view import HandDealt
from tests.bot.story import card_set, view_of
from tests.sample_bots.programs import bot_class

SHARP, RANDOM = bot_class("sharp"), bot_class("random")
guillotine = vars(sys.modules[SHARP.__module__])["guillotine"]


def chosen(view: View, actions: str | tuple[Action, ...]) -> str:
    view.actions = parse_cards(actions) if isinstance(actions, str) else actions
    return view.name(SHARP().choose(view))


def at_trick(contract: Action, hand: str, trick: str) -> View:
    """Seat 0 is to play to `trick`, the first of the deal."""
    cards = parse_cards(trick)
    plays = [Acted((4 - len(cards) + place) % 4, card) for place, card in enumerate(cards)]
    leader = (4 - len(cards)) % 4
    return view_of("guillotine", HandDealt(0, leader, card_set(hand), 0), Acted(leader, contract), *plays)


def at_domino(hand: str, table: str) -> View:
    laid = [Acted(1 + place % 3, card) for place, card in enumerate(parse_cards(table))]
    return view_of("guillotine", HandDealt(0, 1, card_set(hand), 0), Acted(1, DOMINO), *laid)


@pytest.mark.parametrize(
    ("contract", "hand", "card"),
    [
        (ROYALTY, "7C 9C JC AC 8H KH 9S QS", "play:KH"),  # G5.1: 20 points
        (GUILLOTINE, "7C 9C JC AC 8H KH 9S QS", "play:QS"),  # G5.6: 15, a queen and a spade
        (QUEENS, "7C 9C JC AC 8H KH 9S QS", "play:QS"),  # G5.2
        (SPADES_CONTRACT, "7C 9C JC AC TH JH 9S QS", "play:QS"),  # G5.3
    ],
)
def test_a_void_hand_throws_what_costs_most(contract: Action, hand: str, card: str) -> None:
    view = at_trick(contract, hand, trick="9D")

    assert chosen(view, hand) == card


@pytest.mark.parametrize("contract", [QUEENS, SPADES_CONTRACT, PARLIAMENT])
def test_a_void_hand_keeps_the_king_of_hearts_where_it_is_good(contract: Action) -> None:
    view = at_trick(contract, hand="7C 9C TC AC 8H KH AH 7S", trick="9D")

    assert chosen(view, "7C 9C TC AC 8H KH AH 7S") != "play:KH"


@pytest.mark.parametrize(("contract", "card"), [(ROYALTY, "play:7H"), (QUEENS, "play:AH"), (PARLIAMENT, "play:AH")])
def test_the_last_seat_takes_the_king_of_hearts_only_where_it_is_good(contract: Action, card: str) -> None:
    view = at_trick(contract, hand="7H AH 8C", trick="9H TH KH")

    assert chosen(view, "7H AH") == card


def test_a_trick_that_costs_is_ducked_as_high_as_is_safe() -> None:
    view = at_trick(SPADES_CONTRACT, hand="7S TS AS 8C", trick="JS")

    assert chosen(view, "7S TS AS") == "play:TS"


def test_a_costly_suit_is_led_low() -> None:
    view = view_of("guillotine", HandDealt(0, 0, card_set("7S KS AS"), 0), Acted(0, SPADES_CONTRACT))

    assert chosen(view, "7S KS AS") == "play:7S"


def test_parliament_is_led_high() -> None:
    view = view_of("guillotine", HandDealt(0, 0, card_set("7C 9C 8D AD 7H TH 8S JS"), 0), Acted(0, PARLIAMENT))

    assert chosen(view, "7C 9C 8D AD 7H TH 8S JS") == "play:AD"


def test_a_seat_that_did_not_follow_is_counted_void() -> None:
    first = parse_cards("9D TD 8D 7C")  # seat 2 throws a club
    view = view_of(
        "guillotine",
        HandDealt(0, 3, card_set("TD KD 8H"), 0),
        Acted(3, ROYALTY),
        *[Acted((3 + place) % 4, card) for place, card in enumerate(first)],
        Taken(0, card_set("7C 8D 9D TD")),
    )

    left, across, right = guillotine.shares(view)
    assert (left[DIAMONDS], across[DIAMONDS], right[DIAMONDS]) == (0.5, 0.0, 0.5)
    assert left[CLUBS] == across[CLUBS] == right[CLUBS]


@pytest.mark.parametrize(
    ("hand", "contract"),
    [
        ("7C 8C 7D 8D 7H 8H 7S 8S", "contract:guillotine"),
        ("AC KC AD KD AH KH AS KS", "contract:parliament"),
        ("QC KC KD AD 7S 8S 9S TS", "contract:spades"),
    ],
)
def test_the_contract_announced_suits_the_hand(hand: str, contract: str) -> None:
    view = view_of("guillotine", HandDealt(0, 0, card_set(hand), 0))

    assert chosen(view, (ROYALTY, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE)) == contract


def test_domino_opens_the_way_to_own_cards() -> None:
    view = at_domino(hand="8C QH AH", table="9H 9C TH JH")

    assert chosen(view, "8C QH") == "play:QH"


def test_an_ace_waits_until_it_brings_more_than_itself() -> None:
    view = at_domino(hand="AC 8D KD 7D", table="9C 9D TC JC QC KC TD JD QD")

    assert chosen(view, "AC 8D KD") == "play:8D"


def test_a_bonus_ends_before_a_card_that_opens_only_others_cards() -> None:
    view = at_domino(hand="TH", table="9H 9C TC JC QC KC AC")

    assert chosen(view, (parse_card("TH"), END)) == "end"


def test_a_bonus_goes_on_with_a_card_that_opens_nothing() -> None:
    view = at_domino(hand="7H TS", table="9H 9C TC JC QC KC AC 8H")

    assert chosen(view, (parse_card("7H"), END)) == "play:7H"


OPTIONS: list[dict[str, OptionValue]] = [
    {"rank_order": "french", "ace_bonus": "one", "domino_same_rank": "any"},
    {"ace_bonus": "off"},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_options_are_played_without_a_fault(options: dict[str, OptionValue]) -> None:
    record = local.play("guillotine", [SHARP] * 4, seed=8, options=options)

    assert record.faults == ()


@pytest.mark.slow
def test_it_wins_nearly_every_match_against_three_randoms() -> None:
    places = [
        local.play("guillotine", [SHARP, RANDOM, RANDOM, RANDOM], seed=seed, first_dealer=seed % 4).places[0]
        for seed in range(40)
    ]

    assert places.count(1) >= 36  # measured: 239 of 240


def test_contracts_to_choose_from_cost_less_than_forced_ones() -> None:
    to_come = guillotine.points_to_come()

    assert to_come[CONTRACTS] < sum(to_come[(contract,)] for contract in CONTRACTS) - 20
