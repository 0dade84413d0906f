"""What sharp decides in Zhiletka, in situations made up for it."""

import pytest

from harness import local
from harness.bot import TAKE, Action, Bot, PickedUp, View, pair, parse_card, parse_cards
from harness.games.game import Acted, OptionValue
from harness.games.view import Drawn, HandDealt
from tests.bot.story import card_set, view_of
from tests.sample_bots.programs import bot_class

SHARP, RANDOM, STATELESS = bot_class("sharp"), bot_class("random"), bot_class("stateless")
TRUMP_SIX = card_set("6S")


def chosen(view: View, *actions: Action) -> str:
    view.actions = tuple(sorted(actions))
    return view.name(SHARP().choose(view))


def both(names: str) -> Action:
    first, second = parse_cards(names)
    return pair(first, second)


def defending(hand: str, attack: str, seat_count: int = 2) -> View:
    attacks = [Acted(1, both(attack) if " " in attack else parse_card(attack))]
    return view_of("zhiletka", HandDealt(0, 0, card_set(hand), TRUMP_SIX), *attacks, seat_count=seat_count)


def attacking(hand: str, defender_took: str, seat_count: int = 2) -> View:
    """Seat 0 attacks seat 1, which holds one card more than it took."""
    first, *drawn = parse_cards(hand)
    return view_of(
        "zhiletka",
        HandDealt(0, 0, 1 << first, TRUMP_SIX),
        Drawn(0, len(drawn), sum(1 << card for card in drawn)),
        PickedUp(1, card_set(defender_took)),
        seat_count=seat_count,
    )


def test_z7_1_it_does_not_take_its_sixth_card() -> None:
    view = defending(hand="8C 9C TC QD AS", attack="KD")  # three clubs: to beat with the trump is all that is left

    assert chosen(view, parse_card("AS"), TAKE) == "cover:AS"


def test_it_keeps_two_of_a_suit_and_attacks_with_the_third_card() -> None:
    view = attacking(hand="6C 9C AD", defender_took="7D 8H", seat_count=4)

    assert chosen(view, *parse_cards("6C 9C AD"), both("6C 9C")) == "attack:AD"


def test_of_two_suits_it_keeps_the_one_with_more_outs() -> None:
    view = attacking(hand="9C 9D KD", defender_took="7H 8H", seat_count=4)  # seven diamonds are out, two nines

    assert chosen(view, *parse_cards("9C 9D KD"), both("9C 9D"), both("9D KD")) == "attack:9C"


def test_z6_3_it_gives_no_attack_that_leaves_a_set() -> None:
    view = attacking(hand="QH AH AC", defender_took="6D 7D 8D")  # to beat one card is all that the defender needs

    assert chosen(view, *parse_cards("AC QH AH"), both("AC AH"), both("QH AH")) in ("attack:AC+AH", "attack:QH+AH")


def test_z7_1_two_cards_put_a_full_hand_out() -> None:
    view = attacking(hand="KD AD 7C", defender_took="6C 9H TH")  # four cards, one unknown: it cannot beat two aces

    assert chosen(view, *parse_cards("7C KD AD"), both("KD AD")) == "attack:KD+AD"


def test_z6_3_a_cover_that_leaves_a_set_wins() -> None:
    view = defending(hand="7C 9C TC KH", attack="8H")

    assert chosen(view, parse_card("KH"), TAKE) == "cover:KH"


def test_of_two_covers_it_gives_the_one_that_does_not_fit() -> None:
    view = defending(hand="9C 9H 7S", attack="8H", seat_count=4)

    assert chosen(view, *parse_cards("9H 7S"), TAKE) == "cover:7S"


def test_an_attack_that_makes_three_alike_is_taken() -> None:
    view = defending(hand="9D JD AS", attack="8D", seat_count=4)  # four cards, three of them diamonds: AS is the key

    assert chosen(view, *parse_cards("9D JD AS"), TAKE) == "take"


OPTIONS: list[dict[str, OptionValue]] = [
    {"set_exact": False, "limit_attack": False, "undecided": "carry"},
    {"set_on_take": False, "initial_tie": "eldest", "hands_per_seat": 2},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seat_count", [2, 6])
def test_options_are_played_without_a_fault(seat_count: int, options: dict[str, OptionValue]) -> None:
    record = local.play("zhiletka", [SHARP] * seat_count, seed=8, options=options)

    assert record.faults == ()


def antes_a_hand(others: type[Bot], seat_count: int, match_count: int) -> float:
    """What one bot wins a hand, in antes, at a table of others."""
    chips = [
        local.play("zhiletka", [SHARP] + [others] * (seat_count - 1), seed=seed, first_dealer=seed % seat_count).points[
            0
        ]
        for seed in range(match_count)
    ]
    return sum(chips) / match_count / (4 * seat_count * 60)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("others", "seat_count", "match_count", "least"),
    [  # in brackets what was measured over thousands of hands
        (RANDOM, 2, 60, 0.35),  # (0.55)
        (RANDOM, 6, 30, 0.5),  # (1.02)
        (STATELESS, 2, 120, 0.1),  # (0.28)
        (STATELESS, 3, 100, 0.03),  # (0.21)
        (STATELESS, 6, 60, 0.03),  # (0.24)
    ],
)
def test_it_wins_chips_at_tables_of_every_size(
    others: type[Bot], seat_count: int, match_count: int, least: float
) -> None:
    assert antes_a_hand(others, seat_count, match_count) > least
