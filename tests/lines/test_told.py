"""What a bot of lines is told, line by line, and what it may write."""

import json
from typing import ClassVar

import pytest

from harness import local
from harness.bot import Bot, FaultNotice, MatchInfo, View, card_name, pair, parse_card
from harness.faults import FaultKind
from harness.games.game import END, PASS, ROYALTY, TAKE, Acted
from harness.lines.answers import Unreadable, read_answer
from harness.lines.command import adapter_command, task_of
from harness.lines.told import ask_line, fault_line, hello_line, over_line, start_line


class Witness(Bot):
    """Plays at random and keeps what a bot of lines would be told."""

    told: ClassVar[list[tuple[dict[str, object], dict[str, object]]]] = []
    lasts: ClassVar[list[dict[str, object]]] = []

    def on_start(self, view: View) -> None:
        self.lasts.append(json.loads(start_line(view.info)))

    def choose(self, view: View) -> int:
        names = view.card_names
        same = {
            "match": view.info.match_id,
            "game": view.game,
            "seat": view.seat,
            "seat_count": view.seat_count,
            "seed": str(view.info.bot_seed),
            "deal_index": view.deal_index,
            "dealer": view.dealer,
            "hand": names(view.hand).split(),
            "hand_counts": list(view.hand_counts),
            "table": [[seat, card_name(card)] for seat, card in view.table],
            "points": list(view.points),
            "stock_count": view.stock_count,
            "pot": view.pot,
            "led": None if view.led is None else "CDHS"[view.led],
            "trumps": None if view.trumps is None else "CDHS"[view.trumps],
            "taken": [names(cards).split() for cards in view.taken],
            "known": [names(cards).split() for cards in view.known],
            "gone": names(view.gone).split(),
            "unseen": names(view.unseen).split(),
            "out": list(view.out),
            "actions": list(view.actions),
            "legal": [
                view.name(a).removeprefix("play:").split("attack:")[-1].split("cover:")[-1] for a in view.actions
            ],
            "clock_s": view.clock_s,
        }
        told = json.loads(ask_line(view, len(self.told)))
        self.told.append((told, same))
        acted = [event["action"] for event in told["history"] if event["event"] == "acted"]
        assert len(acted) == sum(type(event) is Acted for event in view.history)
        return view.random.choice(view.actions)

    def on_over(self, view: View) -> None:
        self.lasts.append(json.loads(over_line(view)))


@pytest.mark.parametrize(("game", "seats"), [("guillotine", 4), ("zhiletka", 3)])
def test_an_ask_says_all_that_the_view_says(game: str, seats: int) -> None:
    Witness.told, Witness.lasts = [], []
    record = local.play(game, [Witness, *[Witness] * (seats - 1)], seed=3)

    assert len(Witness.told) > 50
    for told, same in Witness.told:
        assert {name: told[name] for name in same} == same
    kinds = {event["event"] for told, _ in Witness.told for event in told["history"]}  # type: ignore[attr-defined]  # parsed
    assert kinds >= ({"dealt", "acted", "taken"} if game == "guillotine" else {"drew", "cleared", "picked_up", "out"})
    start, over = Witness.lasts[0], Witness.lasts[-1]
    assert (start["type"], start["seat"], start["game"]) == ("start", 0, game)
    assert (over["type"], over["points"], over["places"]) == ("over", list(record.points), list(record.places))


def test_the_clock_and_the_options_are_told_at_the_start() -> None:
    info = MatchInfo(7, "zhiletka", "1", {"hands_per_seat": 3}, 1, 2, (), 1 << 63, 20.0, 0.05)

    assert json.loads(start_line(info)) == {
        "type": "start",
        "match": 7,
        "game": "zhiletka",
        "options": {"hands_per_seat": 3},
        "seat": 1,
        "seat_count": 2,
        "seed": "9223372036854775808",
        "rules_version": "1",
        "bank_s": 20.0,
        "increment_s": 0.05,
    }


def test_every_line_is_one_line() -> None:
    info = MatchInfo(7, "zhiletka", "1", {}, 1, 2, (), 1, None, 0.0)
    fault = fault_line(View(info, []), FaultNotice(FaultKind.TIMEOUT, "a\nb"))  # type: ignore[arg-type]  # never read

    assert json.loads(fault) == {"type": "fault", "match": 7, "kind": "timeout", "detail": "a\nb"}
    for line in (fault, hello_line(["zhiletka"]), start_line(info)):
        assert line.index(b"\n") == len(line) - 1


def cards(first: str, second: str) -> int:
    return pair(parse_card(first), parse_card(second))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("49", 49),
        ("QS", 49),
        ("play:QS", 49),
        (" QS\r", 49),
        ("contract:royalty", ROYALTY),
        ("52", ROYALTY),
        ("pass", PASS),
        ("end", END),
        ("take", TAKE),
        ("-1", -1),
        ("7S+9S", cards("7S", "9S")),
        ("attack:9S+7S", cards("7S", "9S")),
    ],
)
def test_an_action_is_a_number_or_a_text(line: str, action: int) -> None:
    assert read_answer(line.encode(), (49,)) == (action, "")


def test_covers_keep_their_order() -> None:
    legal = (TAKE, cards("TS", "9S"))

    assert read_answer(b"cover:9S+TS", legal).action == cards("9S", "TS")
    assert read_answer(b"TS+9S", legal).action == cards("TS", "9S")


def test_what_follows_a_hash_is_a_note() -> None:
    assert read_answer("QS # mean rank 9 # élan".encode(), (49,)) == (49, "mean rank 9 # élan")


@pytest.mark.parametrize(
    "line", ["", "#", "qs", "10S", "Q S", "QS QH", "QS+QS", "QS+QH+QD", "royalty", "play:", "1.0", "99999999999"]
)
def test_what_names_no_action_is_unreadable(line: str) -> None:
    with pytest.raises(Unreadable, match="where an action was due"):
        read_answer(line.encode(), (49,))


def test_the_command_line_says_what_to_play() -> None:
    command = adapter_command(("guillotine", "zhiletka"), 3)

    assert task_of([*command[4:], "./bot", "--", "-x"]) == (("guillotine", "zhiletka"), 3, ("./bot", "--", "-x"))
