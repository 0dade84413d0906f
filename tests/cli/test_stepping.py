"""A recorded match move by move: screens that fit, and for one seat nothing that it did not know."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from harness import games, local
from harness.bot import Bot, View
from harness.cards import EMPTY, parse_card
from harness.cli.faces import Faces, width_of
from harness.cli.stepping import Stepper
from harness.games.game import Action
from harness.games.view import SeatView, project
from harness.publish.frames import Beside
from harness.record import MatchRecord, ReplayStep, SeatEntry, replay_steps
from harness.store.times import DecisionTime
from tests.sample_bots.programs import bot_class

PLAIN = Faces(colour=False, signs=False)
GAMES = [("guillotine", 4), ("zhiletka", 6)]


class Stumbles(Bot):
    def choose(self, view: View) -> Action:
        return 9999 if view.deal_index >= 1 else view.actions[0]


def record_of(game: str, count: int, *, stumbles: bool = False) -> MatchRecord:
    bots = [bot_class("stateless")] * (count - 1) + [Stumbles if stumbles else bot_class("stateless")]
    return local.play(game, bots, seed=9, catch_faults=True)


def screens(stepper: Stepper, key: str = "right") -> Iterator[list[str]]:
    """Every screen from here to where `key` leads no further."""
    at = -1
    while at != stepper.at:
        at = stepper.at
        yield stepper.screen()
        stepper.press(key)


@pytest.mark.parametrize(("game", "count"), GAMES)
@pytest.mark.parametrize("viewer", [None, 2])
def test_every_screen_fits_a_small_terminal(game: str, count: int, viewer: int | None) -> None:
    record = record_of(game, count)
    seats = tuple(SeatEntry(f"a-bot-with-a-name-of-forty-characters-{seat}", "1", "") for seat in range(count))
    record = replace(record, seats=seats)
    notes = {(0, action): "a note " * 12 for action in range(9)}
    seen = list(screens(Stepper(record, Beside((), notes), Faces(colour=True, signs=True), viewer)))

    assert len(seen) == sum(len(deal.actions) + 1 for deal in record.deals)
    assert max(len(lines) for lines in seen) <= 23
    assert max(width_of(line) for lines in seen for line in lines) <= 80


@pytest.mark.parametrize(("game", "count"), GAMES)
def test_a_seat_is_shown_no_card_that_it_did_not_know(game: str, count: int) -> None:
    record = record_of(game, count)
    pack_size = len(games.game(game, record.options).pack)
    for viewer in range(count):
        view = SeatView(viewer, count, pack_size)
        shown = screens(Stepper(record, Beside(), PLAIN, viewer))
        for step, lines in zip(replay_steps(record), shown, strict=True):
            on_table = sum(1 << card for _, card in view.table)
            for event in step.events:
                view.see(project(event, viewer))
            names = re.findall(r"\b[6-9TJQKA][CDHS]\b", "\n".join(lines[1:]))
            moved = step.text if isinstance(step, ReplayStep) else ""
            unseen = [name for name in names if view.unseen >> parse_card(name) & 1 and name not in moved]

            assert [name for name in unseen if not on_table >> parse_card(name) & 1] == []


@pytest.mark.parametrize(("game", "count"), GAMES)
def test_all_hands_are_open_where_no_seat_is_named(game: str, count: int) -> None:
    record = record_of(game, count)
    first = next(replay_steps(record))
    lines = "\n".join(Stepper(record, Beside(), PLAIN).screen())
    state = first.before if isinstance(first, ReplayStep) else first.after

    for seat in range(count):
        assert state.hand(seat) != EMPTY
        assert all(f"{name}" in lines for name in names_in(state.hand(seat)))


def names_in(cards: int) -> list[str]:
    return [PLAIN.card(card) for card in range(52) if cards >> card & 1]


def test_keys_go_by_move_trick_deal_fault_and_to_both_ends() -> None:
    record = record_of("guillotine", 4, stumbles=True)
    (fault,) = record.faults
    stepper = Stepper(record, Beside(), PLAIN)

    def after(*keys: str) -> str:
        assert all(stepper.press(key) for key in keys)
        return stepper.screen()[1].partition(": ")[0] + stepper.screen()[1].rpartition(",")[2]

    assert after() == "deal 0 of 0-23 before its first action"
    assert after("right", "right") == "deal 0 of 0-23 action 1 of 0-32"
    assert after("left", "left", "left") == "deal 0 of 0-23 before its first action"
    assert after("t", "t") == "deal 0 of 0-23 action 5 of 0-32"
    assert after("T") == "deal 0 of 0-23 action 1 of 0-32"
    assert after("d", "d") == "deal 2 of 0-23 before its first action"
    assert after("D") == "deal 1 of 0-23 before its first action"
    assert after("g", "f").startswith(f"deal {fault.deal} of 0-23 action {fault.action} of")
    assert any(line.startswith("From here the house plays for ") for line in stepper.screen())
    assert after("G").startswith("deal 23 of 0-23 ")
    assert after("right", "d", "t", "f", "z").startswith("deal 23 of 0-23 ")
    assert after("g") == "deal 0 of 0-23 before its first action"
    assert not stepper.press("q")
    assert not stepper.press("escape")


def test_times_and_notes_stand_beside_the_move_and_a_seat_sees_its_own_alone() -> None:
    record = record_of("zhiletka", 6)
    first = next(step for step in replay_steps(record) if isinstance(step, ReplayStep) and len(step.before.actions) > 1)
    asked = [s for s in replay_steps(record) if isinstance(s, ReplayStep) and len(s.before.actions) > 1]
    times = [DecisionTime(step.seat, 2_500_000, 1) for step in asked]
    notes = {(first.deal_index, first.action_index): "why \x1b[31mnot"}

    def last_lines(viewer: int | None) -> list[str]:
        stepper = Stepper(record, Beside(times, notes), PLAIN, viewer)
        for _ in range(first.action_index + 1):
            stepper.press("right")
        return stepper.screen()

    for viewer in (None, first.seat):
        assert "thought 2.5 ms" in last_lines(viewer)
        assert "note     why \\x1b[31mnot" in last_lines(viewer)
    assert not any(line.startswith(("thought", "note")) for line in last_lines((first.seat + 1) % 6))
