"""The contract Domino of Guillotine, a test or more for each clause of G6 in docs/rules/guillotine.md."""

import pytest

from harness.cards import EMPTY, parse_card
from harness.games.contracts import domino_points
from harness.games.game import END, PASS, Acted, Decision, IllegalAction, Out, Scored, Shuffle, State
from harness.games.guillotine import Domino
from tests.games.guillotine_table import (
    GAME,
    ONE_SUIT_EACH,
    Options,
    announcing,
    card_actions,
    cards,
    deal_and_play,
    in_domino,
    legal,
    play,
)
from tests.games.matches import steps_of

OTHERS = ("7C 8C", "7D 8D", "9C 9D")


def bonus(hand: str, laid: str, options: Options | None = None) -> State:
    """Seat 0 is to act."""
    return in_domino(hand, *OTHERS, laid=laid, options=options)


def test_g6_1_the_dealer_lays_any_card_and_must() -> None:
    state, _ = play(announcing("7S", "8H AC KD", *OTHERS[1:], dealer=1), "contract:domino")

    assert state.pending == Decision(1, card_actions("8H AC KD"))


def test_g6_2_then_clockwise_one_card_a_turn() -> None:
    state, _ = deal_and_play(ONE_SUIT_EACH, 2, ["contract:domino", "play:8C"])
    turns = [state.turn]

    for text in ("play:8D", "play:8S", "play:8H", "play:9C"):
        state, _ = play(state, text)
        turns.append(state.turn)

    assert turns == [3, 0, 1, 2, 3]


def test_g6_3_a_card_is_playable_next_to_one_of_its_suit() -> None:
    state = in_domino("7H 9H TH 9S JH", *OTHERS, laid="8H")

    assert legal(state) == {"play:7H", "play:9H"}
    state = in_domino("7H TH 9S JH", *OTHERS, laid="8H 9H")
    assert legal(state) == {"play:7H", "play:TH"}


def test_g6_3_seven_and_ace_do_not_meet() -> None:
    assert legal(in_domino("AH KC", *OTHERS, laid="7H")) == {"pass"}
    assert legal(in_domino("7H 7D", "7S", "8S", "9S", laid="AH AC")) == {"pass"}
    assert legal(in_domino("7D 7H 7S", "9S", "8S", "TS", laid="AC")) == {"pass"}, "nor does an ace meet the next suit"


def test_g6_4_the_start_rank_opens_the_other_suits() -> None:
    state = in_domino("9S TH 8C JD 8S", *OTHERS, laid="8H 9H")

    assert legal(state) == {"play:TH", "play:8C", "play:8S"}


def test_g6_5_whoever_can_lay_a_card_must() -> None:
    state = in_domino("9H KS", *OTHERS, laid="8H")

    assert state.pending == Decision(0, card_actions("9H"))
    for action in (PASS, END, parse_card("KS")):
        with pytest.raises(IllegalAction, match="not one that seat 0 may choose"):
            state.act(action)


def test_g6_6_whoever_cannot_passes() -> None:
    state = in_domino("KS TD", *OTHERS, laid="8H")
    assert state.pending == Decision(0, (PASS,))

    state, events = play(state, "pass")

    assert events == [Acted(0, PASS)]
    assert state.turn == 1
    assert state.hand(0) == cards("KS TD")


def test_g6_7_an_ace_lets_its_player_go_on_or_stop() -> None:
    state, events = play(bonus("AH TH 9H KS", "QH KH JH"), "play:AH")
    assert events == [Acted(0, parse_card("AH"))]
    assert state.pending == Decision(0, (parse_card("TH"), END))

    stopped, events = play(state, "end")

    assert events == [Acted(0, END)]
    assert stopped.turn == 1
    assert stopped.hand(0) == cards("TH 9H KS")


def test_g6_7_cards_that_the_bonus_unlocks_count_without_limit() -> None:
    state, _ = play(bonus("AH TH 9H 8H KS", "QH KH JH"), "play:AH", "play:TH")
    assert legal(state) == {"play:9H", "end"}

    state, _ = play(state, "play:9H")

    assert legal(state) == {"play:8H", "end"}


def test_g6_7_the_turn_ends_by_itself_when_nothing_is_playable() -> None:
    state, events = play(bonus("AH TH KS", "QH KH JH"), "play:AH", "play:TH")

    assert state.turn == 1
    assert [event.action for event in events if isinstance(event, Acted)] == [parse_card("AH"), parse_card("TH")]
    state, _ = play(bonus("AH KS", "QH KH"), "play:AH")
    assert state.turn == 1


def test_g6_7_end_is_never_alone_and_pass_never_in_a_bonus() -> None:
    for seed in range(5):
        for step in steps_of(GAME, 4, seed):
            actions = step.before.actions
            assert actions != (END,)
            assert PASS not in actions or actions == (PASS,)


def test_g6_7_another_ace_in_the_bonus_is_an_ordinary_card() -> None:
    state, _ = play(bonus("AH AD TH KS", "JH QH KH JD QD KD"), "play:AH", "play:AD")

    assert legal(state) == {"play:TH", "end"}


def test_g6_8_the_opening_ace_gives_no_bonus() -> None:
    state = in_domino("AS KS", "AH KH 7C", *OTHERS[1:])

    state, _ = play(state, "play:AS")

    assert state.turn == 1
    assert legal(state) == {"play:AH"}


def test_g6_8_the_other_aces_do_when_an_ace_opened() -> None:
    state = in_domino("7S", "AH KS KH 7C", *OTHERS[1:], laid="AS", turn=1)

    state, _ = play(state, "play:AH")

    assert state.turn == 1
    assert legal(state) == {"play:KS", "play:KH", "end"}


def test_g6_9_a_seat_without_cards_is_out_and_skipped() -> None:
    state = in_domino("KH", "AH 9C", "QC 7C", "QD 8D", laid="QH")

    state, events = play(state, "play:KH")
    assert events == [Acted(0, parse_card("KH")), Out(0)]
    assert state.turn == 1

    state, _ = play(state, "play:AH", "play:QC", "play:QD")
    assert state.turn == 1, "seat 0 is skipped"


def test_g6_9_going_out_in_a_bonus_counts() -> None:
    state, events = play(bonus("AH TH", "QH KH JH"), "play:AH", "play:TH")

    assert events[-1] == Out(0)
    assert state.turn == 1
    assert isinstance(state, Domino)
    assert state.first_out == 0


def test_g6_9_so_does_going_out_with_the_ace() -> None:
    state, events = play(bonus("AH", "QH KH"), "play:AH")

    assert events == [Acted(0, parse_card("AH")), Out(0)]
    assert state.turn == 1


def test_g6_10_the_deal_ends_the_moment_the_second_is_out() -> None:
    state = in_domino("AH TH", "9C", "QC", "", laid="QH KH JH", out=3)

    state, events = play(state, "play:AH", "play:TH")

    assert events == [
        Acted(0, parse_card("AH")),
        Acted(0, parse_card("TH")),
        Out(0),
        Scored((-10, 0, 0, -30), 0),
    ]
    assert isinstance(state.pending, Shuffle)
    assert [state.hand(seat) for seat in range(4)] == [EMPTY, cards("9C"), cards("QC"), EMPTY]


def test_g6_11_thirty_for_the_first_and_ten_for_the_second() -> None:
    assert domino_points(2, 0) == (-10, 0, -30, 0)


def test_g6_12_somebody_can_always_lay_a_card() -> None:
    for seed in range(10):
        passes_in_a_row = 0
        for step in steps_of(GAME, 4, seed):
            passes_in_a_row = passes_in_a_row + 1 if step.given == PASS else 0
            assert passes_in_a_row <= 3


# Options


@pytest.mark.parametrize(
    ("value", "expected"), [("start", {"play:TH", "play:8C"}), ("any", {"play:TH", "play:8C", "play:9S"})]
)
def test_domino_same_rank_says_which_ranks_open_a_suit(value: str, expected: set[str]) -> None:
    state = in_domino("9S TH 8C JD", *OTHERS, laid="8H 9H", options={"domino_same_rank": value})

    assert legal(state) == expected


def test_domino_same_rank_any_allows_gaps_in_a_suit() -> None:
    state = in_domino("9S TS QS KS AS", *OTHERS, laid="9H TH JH JS", options={"domino_same_rank": "any"})

    assert legal(state) == {"play:9S", "play:TS", "play:QS"}


@pytest.mark.parametrize(
    ("value", "first", "second"),
    [("all", ["TH", "end"], ["9H", "end"]), ("one", ["TH", "end"], []), ("off", [], [])],
)
def test_ace_bonus_says_how_many_cards_an_ace_brings(value: str, first: list[str], second: list[str]) -> None:
    state, _ = play(bonus("AH TH 9H KS", "QH KH JH", {"ace_bonus": value}), "play:AH")
    assert _own(state) == first
    if first:
        state, _ = play(state, "play:TH")
        assert _own(state) == second


def _own(state: State) -> list[str]:
    """What seat 0 may go on with; nothing where the turn has passed."""
    return (
        [GAME.action_name(state, action).removeprefix("play:") for action in state.actions] if state.turn == 0 else []
    )


def test_ace_bonus_one_grants_one_more_for_an_ace() -> None:
    state = in_domino("AH AS 9C QH", *OTHERS, laid="KH KS", options={"ace_bonus": "one"})

    state, _ = play(state, "play:AH", "play:AS")

    assert state.turn == 0
    assert legal(state) == {"play:QH", "end"}
    state, _ = play(state, "play:QH")
    assert state.turn == 1


@pytest.mark.parametrize(
    ("rank_order", "expected"), [("seed", {"play:TH", "play:QH"}), ("french", {"play:9H", "play:QH"})]
)
def test_rank_order_says_which_cards_are_next_to_each_other(rank_order: str, expected: set[str]) -> None:
    state = in_domino("9H TH QH KH AH", *OTHERS, laid="JH", options={"rank_order": rank_order})

    assert legal(state) == expected


def test_rank_order_french_has_the_ten_between_king_and_ace() -> None:
    state = in_domino("JH QH KH AH 9H", *OTHERS, laid="TH", options={"rank_order": "french"})

    assert legal(state) == {"play:KH", "play:AH"}
