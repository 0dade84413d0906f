"""A person's table without a terminal: what is told, what is understood, and that a whole match can be played so."""

from collections.abc import Callable, Sequence

import pytest

from harness import deals, games
from harness.cards import parse_card, parse_cards, set_of
from harness.cli.faces import Faces, read_cards, width_of
from harness.cli.position import WIDTH
from harness.cli.sitting import Chosen, Left, Sitting, Told
from harness.faults import FaultKind, SeatFaulted
from harness.games.game import (
    DOMINO,
    END,
    PASS,
    ROYALTY,
    TAKE,
    Acted,
    Cleared,
    Out,
    PickedUp,
    Scored,
    Shown,
    Taken,
    pair,
)
from harness.games.view import Drawn, HandDealt, project
from harness.match import Ask, Finished, Match, NeedDeck

PLAIN = Faces(colour=False, signs=False)
SIGNS = Faces(colour=False, signs=True)
SECRET = bytes(range(32))


def hand(names: str, upcards: str = "", dealer: int = 1) -> HandDealt:
    return HandDealt(0, dealer, set_of(parse_cards(names)), set_of(parse_cards(upcards)))


def guillotine(names: Sequence[str] = ("fox", "me", "owl", "elk"), faces: Faces = PLAIN) -> Sitting:
    sitting = Sitting("guillotine", names, 1, 32, 24, faces)
    sitting.see(hand("7C 9C KC 8D JD AH QS TS"))
    return sitting


def zhiletka(faces: Faces = PLAIN, seat_count: int = 2) -> Sitting:
    sitting = Sitting("zhiletka", ["fox", "me", "owl"][:seat_count], 1, 36, 4 * seat_count, faces)
    sitting.see(hand("7S 9S TH", "6S", dealer=0))
    return sitting


def card(name: str) -> int:
    return parse_card(name)


# What is told ---------------------------------------------------------------------------------------


def test_a_trick_is_told_in_a_line_and_a_position_follows() -> None:
    sitting = guillotine()
    for event in (Acted(1, ROYALTY), Acted(1, card("7C")), Acted(2, card("AC")), Acted(3, card("8C"))):
        sitting.see(event)
    sitting.see(Acted(0, card("JC")))
    sitting.see(Taken(2, set_of(parse_cards("7C AC 8C JC"))))
    sitting.see(Acted(2, card("9D")))
    lines = sitting.ask((card("8D"), card("JD")))

    assert lines == (
        "",
        "",
        "deal 1 of 24, you deal",
        "you name royalty: KH costs 20, QS 10",
        "  you 7C, owl AC, elk 8C, fox JC -> owl takes the trick",
        "  owl 9D",
        "score    fox 0   you 0   owl 0   elk 0",
        "contract royalty: KH costs 20, QS 10",
        "table    owl 9D",
        "hand     9C KC   8D JD   AH   TS QS",
        "choose   1 8D   2 JD",
    )
    assert sitting.ask((card("8D"),))[1] == "score    fox 0   you 0   owl 0   elk 0", "told once"


def test_a_bout_is_told_with_what_is_drawn() -> None:
    sitting = zhiletka(SIGNS)
    for event in (
        Scored((-60, -60), 120),
        Acted(1, pair(card("7S"), card("9S"))),
        Acted(0, pair(card("8S"), card("TS"))),
        Cleared(set_of(parse_cards("7S 9S 8S TS"))),
        Drawn(0, 2, 0),
        Drawn(1, 2, set_of(parse_cards("AH KH"))),
        Shown(1, set_of(parse_cards("TH KH AH"))),
        Scored((0, 120), 0),
        SeatFaulted(0, FaultKind.CRASHED),
    ):
        sitting.see(event)

    assert sitting.over((-60, 60), (2, 1)) == (
        "",
        "deal 1 of 8, fox deals; 6♠ turned up, trumps are ♠",
        "points   fox -60   you -60   120 in the pot",
        "  you attack with 7♠ 9♠, fox covers with 8♠ 10♠ -> beaten",
        "  fox draws 2 cards, you draw K♥ A♥",
        "you show a set: 10♥ K♥ A♥",
        "points   you +120",
        "fox is at fault (crashed): from here the house plays for it",
        "",
        "1. you  +60",
        "2. fox  -60",
    )


def test_taking_and_falling_out_are_told() -> None:
    sitting = zhiletka(seat_count=3)
    for event in (Acted(0, card("8C")), Acted(2, TAKE), PickedUp(2, 1 << card("8C")), Out(2), Drawn(0, 1, 0)):
        sitting.see(event)

    assert sitting.ask((card("7S"),))[3:5] == ("  fox attacks with 8C, owl takes", "  owl is out, fox draws 1 card")


def test_a_hand_in_zhiletka_shows_trumps_others_and_the_stock() -> None:
    lines = zhiletka().ask((card("7S"), card("9S"), card("TH"), pair(card("7S"), card("9S"))))

    assert lines[-3:] == (
        "cards    fox 3   stock 30   trumps spades",
        "hand     TH   7S 9S",
        "choose   1 7S   2 9S   3 TH   4 7S 9S",
    )


def test_the_layout_of_domino_is_shown_by_suit() -> None:
    sitting = guillotine()
    for event in (Acted(1, DOMINO), Acted(1, card("8D")), Acted(2, card("9D")), Acted(3, PASS), Acted(0, card("8S"))):
        sitting.see(event)
    lines = sitting.ask((card("TS"), END))

    assert "  you 8D, owl 9D, elk passes, fox 8S" in lines
    assert "table    8D 9D   8S" in lines
    assert lines[-1] == "choose   1 TS   2 end"


def test_contracts_are_offered_with_their_stakes() -> None:
    lines = guillotine().ask((ROYALTY, DOMINO))

    assert lines[-2:] == (
        "choose   1 royalty     KH costs 20, QS 10",
        "         2 domino      first out gets 30 back, second 10",
    )


def test_names_of_strangers_cannot_move_the_cursor_and_long_ones_fit() -> None:
    sitting = guillotine(names=("x" * 40, "me", "\x1b[2Jy" * 8, "z" * 40))
    for seat in (2, 3, 0):
        sitting.see(Acted(seat, card("AC") - seat))
    lines = sitting.ask((card("7C"), card("9C")))

    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) <= WIDTH


def test_red_suits_are_red_where_there_is_colour_and_take_no_columns() -> None:
    sitting = zhiletka(Faces(colour=True, signs=True))
    last = sitting.ask((card("TH"), card("7S")))[-1]

    assert last == "choose   1 \x1b[31m10♥\x1b[0m   2 7♠"
    assert width_of(last) == len("choose   1 10♥   2 7♠")


# What is understood ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("1", Chosen(parse_card("7S"))),
        (" 4\n", Chosen(pair(parse_card("7S"), parse_card("9S")))),
        ("th", Chosen(parse_card("TH"))),
        ("10h", Chosen(parse_card("TH"))),
        ("9♠", Chosen(parse_card("9S"))),
        ("9S 7S", Chosen(pair(parse_card("7S"), parse_card("9S")))),
        ("7s+9s", Chosen(pair(parse_card("7S"), parse_card("9S")))),
        ("take", Chosen(TAKE)),
        ("q", Left()),
        ("QUIT", Left()),
        ("9", Told(("there are choices 1 to 5",))),
        ("0", Told(("there are choices 1 to 5",))),
        ("99999999999999999999999", Told(("there are choices 1 to 5",))),
        ("QS", Told(("you do not hold QS",))),
        ("7s th", Told(("7S TH cannot be played now",))),
        ("tkae", Told(("tkae is no choice here; did you mean take?",))),
        ("\x1b[A", Told(("\\x1b[a is no choice here; a number, a card such as QS, ? for the rules",))),
        ("²", Told(("² is no choice here; a number, a card such as QS, ? for the rules",))),
    ],
)
def test_a_line_is_understood(text: str, reply: object) -> None:
    sitting = zhiletka()
    sevens = pair(card("7S"), card("9S"))
    sitting.ask((card("7S"), card("9S"), card("TH"), sevens, TAKE))

    assert sitting.hear(text) == reply


def test_two_covers_of_the_same_cards_are_told_apart_by_their_order() -> None:
    sitting = zhiletka()
    one, other = pair(card("7S"), card("9S")), pair(card("9S"), card("7S"))
    sitting.ask((one, other, TAKE))

    assert sitting.hear("7s 9s") == Chosen(one)
    assert sitting.hear("9s 7s") == Chosen(other)


def test_an_empty_line_shows_the_position_and_a_question_mark_the_rules() -> None:
    sitting = zhiletka()
    sitting.ask((card("7S"), TAKE))
    shown, rules = sitting.hear(""), sitting.hear("?")

    assert isinstance(shown, Told)
    assert shown.lines[-1] == "choose   1 7S   2 take"
    assert isinstance(rules, Told)
    assert rules.lines[0].startswith("Zhiletka: everybody pays an ante")
    assert rules.lines[-1] == "choose   1 7S   2 take"


@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_the_rules_in_short_fit_a_terminal(game: str) -> None:
    sitting = Sitting(game, ["a", "b", "c", "d"], 0, 32, 24, PLAIN)
    sitting.see(hand("7C 8C 9C"))
    sitting.ask((card("7C"),))
    rules = sitting.hear("?")

    assert isinstance(rules, Told)
    assert max(map(len, rules.lines)) <= WIDTH
    assert len(rules.lines) < 24


def test_cards_are_read_as_people_write_them() -> None:
    assert read_cards("10H, q♠") == parse_cards("TH QS")
    assert read_cards("take") is None
    assert read_cards("") is None


# A whole match --------------------------------------------------------------------------------------


def play_whole(name: str, seat_count: int, answer: Callable[[int], str]) -> tuple[list[str], Match]:
    """Plays a match in which the person in seat 1 answers the n-th time with `answer(n)`, the others lowest."""
    game = games.game(name)
    referee = Match(game, seat_count, 0)
    sitting = Sitting(
        name, [f"bot{seat}" for seat in range(seat_count)], 1, len(game.pack), game.deal_count(seat_count), SIGNS
    )
    shown: list[str] = []
    asked = 0
    told, due = referee.start()
    while due is not None:
        for event in told:
            sitting.see(event if isinstance(event, SeatFaulted) else project(event, 1))
        match due:
            case NeedDeck(index, cards):
                told, due = referee.deal(deals.deck(SECRET, "000001", index, cards))
            case Ask(1, actions, _):
                shown += sitting.ask(actions)
                reply = sitting.hear(answer(asked))
                asked += 1
                assert isinstance(reply, Chosen)
                told, due = referee.answer(1, reply.action)
            case Ask(seat, actions, _):
                told, due = referee.answer(seat, actions[0])
            case Finished(points, places):
                due = None
                shown += sitting.over(points, places)
    return shown, referee


@pytest.mark.parametrize(("name", "seat_count"), [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 6)])
def test_a_whole_match_is_played_by_number(name: str, seat_count: int) -> None:
    shown, match = play_whole(name, seat_count, lambda asked: "1" if asked % 2 else "2")

    assert match.finished
    assert match.faults == []
    assert max(map(width_of, shown)) <= WIDTH + 2
    assert len(shown[-seat_count:]) == len([line for line in shown if line[:2] in ("1.", "2.", "3.", "4.", "5.", "6.")])
