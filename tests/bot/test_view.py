"""The words of a view, in both games, and on both sides of the wire."""

import inspect
import re

import pytest

from harness import games, local
from harness.bot import (
    CLUBS,
    DIAMONDS,
    DOMINO,
    END,
    HEARTS,
    PARLIAMENT,
    ROYALTY,
    SPADES,
    SUIT_MASKS,
    TAKE,
    SplitMix64,
    Trick,
    View,
    pair,
    parse_card,
)
from harness.bot.bot import Bot
from harness.bot.view import Snapshot, clipped
from harness.cards import parse_cards
from harness.faults import FaultKind, SeatFaulted
from harness.games.game import Acted, Action, Cleared, OptionValue, Out, PickedUp, Scored, Taken
from harness.games.view import Drawn, HandDealt
from tests.bot.story import card_set, view_of
from tests.bot.wire_table import play_over_wire
from tests.bot.witness import WORDS, RandomBot, witness

SIZES = [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 3), ("zhiletka", 6)]


def test_words_of_a_trick() -> None:
    view = view_of(
        "guillotine",
        HandDealt(5, 2, card_set("7C 8C AS"), 0),
        Acted(2, PARLIAMENT),
        Acted(2, parse_card("QC")),
        Acted(3, parse_card("7D")),
    )

    assert (view.deal_index, view.dealer, view.contract) == (5, 2, PARLIAMENT)
    assert view.card_names(view.hand) == "7C 8C AS"
    assert view.trick == view.table == ((2, parse_card("QC")), (3, parse_card("7D")))
    assert view.led == 0
    assert view.hand_counts == (3, 3, 2, 2)
    assert len(view.unseen) == 32 - 3 - 2
    assert (view.trumps, view.attack, view.stock_count) == (None, (), 20)
    assert view.contracts == ((), (), (PARLIAMENT,), ())


def test_words_of_tricks_won() -> None:
    plays = [(2, "QC"), (3, "7C"), (0, "8C"), (1, "AC")]
    view = view_of(
        "guillotine",
        HandDealt(0, 2, card_set("8C AS"), 0),
        Acted(2, ROYALTY),
        *(Acted(seat, parse_card(name)) for seat, name in plays),
        Taken(1, card_set("QC 7C 8C AC")),
        Scored((0, 5, 0, 0), 0),
    )

    assert view.tricks == (Trick(tuple((seat, parse_card(name)) for seat, name in plays), 1),)
    assert view.taken == ((), parse_cards("7C 8C QC AC"), (), ())
    assert (view.trick, view.led, view.points) == ((), None, (0, 5, 0, 0))


def test_words_of_domino() -> None:
    view = view_of("guillotine", HandDealt(0, 2, card_set("8C AS"), 0), Acted(2, DOMINO), Acted(2, parse_card("TC")))

    assert (view.table, view.trick, view.led) == (((2, parse_card("TC")),), (), None)


def test_words_of_an_attack() -> None:
    view = view_of(
        "zhiletka",
        HandDealt(3, 1, card_set("6C 7C AS"), card_set("TS")),
        Scored((-60, -60, -60), 180),
        Acted(2, pair(parse_card("9D"), parse_card("9S"))),
        seat_count=3,
    )

    assert (view.trumps, view.upcards) == (SPADES, parse_cards("TS"))
    assert view.attack == parse_cards("9D 9S")
    assert (view.pot, view.points, view.stock_count) == (180, (-60, -60, -60), 36 - 9)


def test_words_of_cards_that_changed_hands() -> None:
    view = view_of(
        "zhiletka",
        HandDealt(0, 1, card_set("6C 7C AS"), card_set("TS")),
        Acted(1, parse_card("9D")),
        Acted(2, TAKE),
        PickedUp(2, card_set("9D")),
        Drawn(1, 1, 0),
        Acted(1, parse_card("8D")),
        Acted(2, parse_card("9D")),
        Cleared(card_set("8D 9D")),
        seat_count=3,
    )

    assert view.known == ((), (), ())
    assert view.gone == parse_cards("8D 9D")
    assert view.hand_counts == (3, 2, 3)
    assert not set(view.unseen) & set(parse_cards("6C 7C AS TS 8D 9D"))


def test_g4_2_a_seat_that_did_not_follow_is_known_void() -> None:
    plays = [(2, "QC"), (3, "7C"), (0, "8C"), (1, "AD")]
    view = view_of(
        "guillotine",
        HandDealt(0, 2, card_set("8C AS"), 0),
        Acted(2, ROYALTY),
        *(Acted(seat, parse_card(name)) for seat, name in plays),
        Taken(2, card_set("QC 7C 8C AD")),
    )

    assert view.voids == ((CLUBS, DIAMONDS, HEARTS), (CLUBS,), (), ())
    assert view.possible[0] == card_set("AS")
    assert view.possible[1] & SUIT_MASKS[CLUBS] == 0
    assert view.possible[2] == view.unseen_set


def test_a_suit_seen_elsewhere_to_its_last_card_is_known_void_in_all_hands() -> None:
    view = view_of("guillotine", HandDealt(0, 2, card_set("7H 8H 9H TH JH QH KH AH"), 0))

    assert view.voids == ((CLUBS, DIAMONDS, SPADES), (HEARTS,), (HEARTS,), (HEARTS,))


def test_a_hand_that_is_known_to_its_last_card_may_hold_nothing_else() -> None:
    view = view_of(
        "zhiletka",
        HandDealt(0, 1, card_set("6C 7C AS"), card_set("TS")),
        Acted(1, parse_card("9D")),
        Acted(2, TAKE),
        PickedUp(2, card_set("9D")),
        *[event for name in ["6D", "7D", "8D"] for event in (Acted(2, parse_card(name)), PickedUp(1, card_set(name)))],
        seat_count=3,
    )

    assert view.possible[2] == card_set("9D")
    assert view.voids[2] == (CLUBS, HEARTS, SPADES)
    assert view.possible[1] == view.unseen_set | card_set("6D 7D 8D")


def test_z4_2_the_defender_is_the_next_seat_that_holds_cards() -> None:
    dealt = HandDealt(0, 2, card_set("6C 7C AS"), card_set("TS"))
    attacking = view_of("zhiletka", dealt, seat_count=3)
    next_is_out = view_of("zhiletka", dealt, Out(1), seat_count=3)
    defending = view_of("zhiletka", dealt, Acted(2, parse_card("9D")), seat_count=3)

    assert (attacking.defender, next_is_out.defender, defending.defender) == (1, 2, 0)
    assert view_of("guillotine", HandDealt(0, 2, card_set("8C AS"), 0)).defender is None


def test_names_of_actions_are_those_of_records() -> None:
    guillotine = view_of("guillotine", HandDealt(0, 0, card_set("7C"), 0))
    attacking = view_of("zhiletka", HandDealt(0, 0, card_set("7C"), card_set("TS")))
    covering = view_of("zhiletka", HandDealt(0, 0, card_set("7C"), card_set("TS")), Acted(3, parse_card("6C")))

    assert [guillotine.name(action) for action in (52, 57, END, 0)] == [
        "contract:royalty",
        "contract:domino",
        "end",
        "play:2C",
    ]
    assert attacking.name(pair(parse_card("9D"), parse_card("9S"))) == "attack:9D+9S"
    assert covering.name(pair(parse_card("9S"), parse_card("9D"))) == "cover:9S+9D"
    assert [covering.name(action) for action in (TAKE, parse_card("7C"))] == ["take", "cover:7C"]


@pytest.mark.parametrize(("game", "seat_count"), SIZES)
def test_names_of_all_actions_of_a_match_are_those_of_its_record(game: str, seat_count: int) -> None:
    named: list[str] = []

    class Namer(RandomBot):
        def choose(self, view: View) -> Action:
            action = super().choose(view)
            named.append(view.name(action))
            return action

    record = local.play(game, [Namer] * seat_count, seed=5)

    recorded = iter(action for deal in record.deals for action in deal.actions)
    assert all(name in recorded for name in named)  # in the same order, forced ones between


def test_nothing_is_folded_that_nobody_looks_at() -> None:
    view = view_of("guillotine", HandDealt(0, 0, card_set("7C"), 0))
    view.actions = (1, 2)
    view.random.choice(view.actions)
    view.note("blind")

    assert view._fold is None
    assert view.hand == parse_cards("7C")
    assert len(view._news) == 0


def test_a_match_has_one_stream_of_chance() -> None:
    view = view_of("guillotine")

    assert [view.random.next(), view.random.next()] == [6457827717110365317, 3203168211198807973]
    assert view.random is view.random


def test_faults_of_seats_last() -> None:
    crashed = SeatFaulted(3, FaultKind.CRASHED)
    view = view_of("guillotine", HandDealt(0, 0, 1, 0), crashed, HandDealt(1, 1, 1, 0))

    assert view.faulted == (3,)
    assert view.history == (HandDealt(1, 1, 1, 0),)


def test_a_snapshot_says_what_the_whole_story_says() -> None:
    story = view_of(
        "guillotine",
        HandDealt(0, 0, card_set("7C"), 0),
        Acted(0, ROYALTY),
        SeatFaulted(3, FaultKind.CRASHED),
        Scored((30, 0, 0, 0), 0),
        HandDealt(1, 1, card_set("8C 9C"), 0),
        Acted(1, DOMINO),
    )
    snapshot = View(story.info, Snapshot.of(story.fold), SplitMix64(0))

    assert {word: getattr(snapshot, word) for word in WORDS} == {word: getattr(story, word) for word in WORDS}


@pytest.mark.slow
@pytest.mark.parametrize("snapshot", [False, True])
@pytest.mark.parametrize(("game", "seat_count"), SIZES)
def test_views_are_the_same_in_process_and_over_the_wire(game: str, seat_count: int, snapshot: bool) -> None:
    here, there = witness(snapshot=snapshot), witness(snapshot=snapshot)
    options: dict[str, OptionValue] = {"ace_bonus": "one"} if game == "guillotine" else {"ante": 120}

    local_record = local.play(game, [here] * seat_count, seed=7, options=options)
    wire_record = play_over_wire(games.game(game, options), [there] * seat_count, seed=7, match_id=local.LOCAL_MATCH)

    assert here.said == there.said
    assert [deal.actions for deal in local_record.deals] == [deal.actions for deal in wire_record.deals]
    assert len(here.said) > 20


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seat_count"), SIZES)
def test_views_are_the_same_in_both_modes(game: str, seat_count: int) -> None:
    events, snapshots = witness(), witness(snapshot=True)
    for bot in (events, snapshots):
        play_over_wire(games.game(game), [bot] * seat_count, seed=3, match_id="m")

    assert events.said == snapshots.said


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seat_count"), SIZES)
def test_what_a_seat_is_sent_stays_small(game: str, seat_count: int) -> None:
    sizes: list[int] = []

    class Stateless(RandomBot):
        snapshot = True

    play_over_wire(
        games.game(game), [Stateless] * seat_count, seed=11, match_id="m", listen=lambda _, raw: sizes.append(len(raw))
    )

    assert max(sizes) < 4096


def test_notes_are_cut_between_characters() -> None:
    assert clipped("x" * 199 + "ж") == "x" * 199
    assert clipped("ж" * 101) == "ж" * 100
    assert clipped("\ud800") == "?"


def test_every_word_of_the_view_is_witnessed_and_explained() -> None:
    own = {name: member for name, member in inspect.getmembers(View) if isinstance(member, property)}

    assert set(own) - {"info", "fold", "random"} == set(WORDS) - {"actions"}
    assert all(re.match(r"\w", member.__doc__ or "") for member in own.values())


def test_a_view_shows_itself() -> None:
    assert repr(view_of("guillotine", HandDealt(2, 0, card_set("7C 8C"), 0))) == (
        "<View of guillotine: seat 0, deal 2, 7C 8C>"
    )


def test_bot_is_what_a_newcomer_writes() -> None:
    class Newcomer(Bot):
        def choose(self, view: View) -> Action:
            return view.actions[0]

    assert local.play("zhiletka", [Newcomer] * 2, seed=1).faults == ()
