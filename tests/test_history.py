"""What a bot is told that comes back: the same as those were told that never were away."""

from random import Random

import pytest

from harness import games
from harness.deals import deck, first_dealer, secret_from_seed
from harness.faults import Fault, FaultKind, SeatFaulted
from harness.games.game import Event
from harness.history import history
from harness.match import Ask, Finished, Match, NeedDeck

SECRET = secret_from_seed(11, 1)
CRASH = Fault(FaultKind.CRASHED, "exited with code 1")


@pytest.mark.parametrize(("name", "seat_count"), [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 5)])
@pytest.mark.parametrize("fault_rate", [0, 0.01])
def test_the_history_of_a_match_is_what_was_told_at_every_moment(name: str, seat_count: int, fault_rate: float) -> None:
    chance = Random(f"{name} {seat_count} {fault_rate}")
    match = Match(games.game(name), seat_count, first_dealer(SECRET, "1", seat_count))
    all_told: list[Event | SeatFaulted] = []
    _, due = match.start()
    compared = 0
    while not isinstance(due, Finished):
        if isinstance(due, NeedDeck):
            told, due = match.deal(deck(SECRET, "1", due.deal_index, due.cards))
        else:
            assert isinstance(due, Ask)
            if chance.random() < fault_rate:
                told, due = match.fault(due.seat, CRASH)
            else:
                told, due = match.answer(due.seat, chance.choice(due.actions))
        all_told += told
        if chance.random() < 0.05 or isinstance(due, Finished):
            compared += 1
            assert list(history(match)) == all_told
    assert compared >= 2


def test_a_fault_from_before_the_first_deal_is_told() -> None:
    match = Match(games.game("guillotine"), 4, 0)
    match.start()
    match.fault(2, CRASH)

    assert list(history(match)) == [SeatFaulted(2, FaultKind.CRASHED)]


def test_the_fault_of_a_seat_that_is_not_asked_stands_where_it_struck() -> None:
    match = Match(games.game("guillotine"), 4, 0)
    match.start()
    (_, ask) = match.deal(deck(SECRET, "1", 0, match.game.pack))
    assert isinstance(ask, Ask)
    before = len(list(history(match)))
    match.fault((ask.seat + 1) % 4, CRASH)
    match.answer(ask.seat, ask.actions[0])

    assert list(history(match))[before] == SeatFaulted((ask.seat + 1) % 4, FaultKind.CRASHED)
