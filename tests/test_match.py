"""The referee: forced moves, faults, house play, places, the bank."""

import pytest

from harness import games
from harness.deals import deck, first_dealer, secret_from_seed
from harness.faults import Fault, FaultKind, SeatFaulted
from harness.games.game import Acted, Scored
from harness.match import Ask, Effects, Finished, Match, NeedDeck, TimeControl, match_places

SECRET = secret_from_seed(7, 1)
CRASH = Fault(FaultKind.CRASHED, "exit code 1")
CLOCK = TimeControl(bank_ns=1_000, increment_ns=10, decision_ns=500)


def new_match(name: str = "guillotine", seat_count: int = 4, time: TimeControl | None = None) -> Match:
    clocks = None if time is None else [time] * seat_count
    return Match(games.game(name), seat_count, first_dealer(SECRET, "000001", seat_count), clocks)


def next_deck(match: Match, need: NeedDeck) -> Effects:
    return match.deal(deck(SECRET, "000001", need.deal_index, need.cards))


def play_on(match: Match, effects: Effects) -> Finished:
    """Plays the match to its end, every seat asked choosing the highest action, and checks each ask on the way."""
    while True:
        _, due = effects
        if isinstance(due, Finished):
            return due
        if isinstance(due, NeedDeck):
            effects = next_deck(match, due)
        else:
            assert isinstance(due, Ask)
            assert len(due.actions) > 1
            assert not match.is_faulted(due.seat)
            effects = match.answer(due.seat, due.actions[-1])


def first_ask(match: Match) -> Ask:
    _, need = match.start()
    assert isinstance(need, NeedDeck)
    _, ask = next_deck(match, need)
    assert isinstance(ask, Ask)
    return ask


@pytest.mark.parametrize(("name", "seat_count"), [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 6)])
def test_a_match_is_played_to_its_end_and_forced_decisions_are_never_asked(name: str, seat_count: int) -> None:
    match = new_match(name, seat_count)

    finished = play_on(match, match.start())

    assert match.finished
    assert finished.points == match.state.points
    assert all(deal.points for deal in match.deals)
    assert finished.points == tuple(map(sum, zip(*(deal.points for deal in match.deals), strict=True)))


def test_an_answer_that_was_not_offered_is_an_illegal_action_and_the_house_plays_the_lowest() -> None:
    match = new_match()
    ask = first_ask(match)
    assert 0 not in ask.actions

    told, _ = match.answer(ask.seat, 0)

    fault = match.faults[0]
    assert (fault.seat, fault.fault.kind, fault.deal_index, fault.action_index) == (
        ask.seat,
        FaultKind.ILLEGAL_ACTION,
        0,
        0,
    )
    assert "chose 0 (2C); legal were: contract:royalty" in fault.fault.detail
    assert told[:2] == (SeatFaulted(ask.seat, FaultKind.ILLEGAL_ACTION), Acted(ask.seat, ask.actions[0]))


def test_the_match_of_a_faulted_seat_goes_on_to_a_valid_end_and_that_seat_is_last() -> None:
    match = new_match()
    ask = first_ask(match)

    finished = play_on(match, match.fault(ask.seat, CRASH))

    assert finished.places[ask.seat] == 4
    assert sum(finished.points) == 400


def test_the_earlier_a_fault_the_lower_the_place() -> None:
    assert match_places((9, 7, 5, 5), (2, 0)) == (3, 1, 4, 2)
    assert match_places((0, 0, 0), (0, 1, 2)) == (3, 2, 1)
    assert match_places((-90, -90, -120, -100), ()) == (1, 1, 4, 3)


def test_a_fault_of_a_seat_that_is_not_asked_leaves_the_question_open() -> None:
    match = new_match()
    ask = first_ask(match)
    other = (ask.seat + 1) % 4

    effects = match.fault(other, CRASH)

    assert effects == ((SeatFaulted(other, FaultKind.CRASHED),), None)
    assert match.asked == ask.seat


def test_a_second_fault_of_a_seat_and_a_fault_after_the_end_change_nothing() -> None:
    match = new_match()
    ask = first_ask(match)
    match.fault(ask.seat, CRASH)

    again = match.fault(ask.seat, Fault(FaultKind.TIMEOUT, ""))

    assert again == ((), None)
    assert [fault.fault for fault in match.faults] == [CRASH]


def test_a_seat_may_be_at_fault_before_the_first_deal() -> None:
    match = new_match()

    effects = match.fault(2, Fault(FaultKind.START, "never said Hello"))
    finished = play_on(match, match.start())

    assert effects == ((SeatFaulted(2, FaultKind.START),), None)
    assert (match.faults[0].deal_index, match.faults[0].action_index) == (0, 0)
    assert finished.places[2] == 4


def test_with_all_seats_at_fault_the_house_plays_to_the_end() -> None:
    match = new_match()
    effects = match.start()
    for seat in range(4):
        match.fault(seat, CRASH)

    finished = play_on(match, effects)

    assert sum(finished.points) == 400
    assert finished.places == (4, 3, 2, 1)


def test_the_bank_is_charged_and_the_increment_comes_after_the_answer() -> None:
    match = new_match(time=CLOCK)
    ask = first_ask(match)
    assert ask.bank_ns == 1_000

    match.answer(ask.seat, ask.actions[0], spent_ns=400)

    assert match.banks_ns[ask.seat] == 610


def test_an_answer_after_the_bank_ran_out_is_a_timeout_and_does_not_count() -> None:
    match = new_match(time=CLOCK)
    ask = first_ask(match)

    match.answer(ask.seat, ask.actions[-1], spent_ns=1_001)

    assert match.faults[0].fault.kind == FaultKind.TIMEOUT
    assert match.deals[0].actions[0] == "contract:royalty"


def test_an_answer_at_the_last_nanosecond_counts() -> None:
    match = new_match(time=CLOCK)
    ask = first_ask(match)

    match.answer(ask.seat, ask.actions[-1], spent_ns=1_000)

    assert match.faults == []
    assert match.banks_ns[ask.seat] == 10


def test_an_answer_of_a_seat_that_is_not_asked_is_a_bug_of_the_caller_and_changes_nothing() -> None:
    match = new_match()
    ask = first_ask(match)

    with pytest.raises(ValueError, match="is not asked"):
        match.answer((ask.seat + 1) % 4, 52)

    assert match.asked == ask.seat
    assert match.deals[0].actions == []


def test_a_wrong_deck_is_refused_and_changes_nothing() -> None:
    match = new_match()
    _, need = match.start()
    assert isinstance(need, NeedDeck)

    with pytest.raises(ValueError, match=r".+"):
        match.deal(need.cards[:-1])

    assert match.deals == []
    assert isinstance(next_deck(match, need)[1], Ask)


def test_the_last_told_of_a_deal_ends_with_its_score() -> None:
    match = new_match()
    told, due = match.start()
    while not (isinstance(due, NeedDeck) and due.deal_index == 1):
        if isinstance(due, NeedDeck):
            told, due = next_deck(match, due)
        else:
            assert isinstance(due, Ask)
            told, due = match.answer(due.seat, due.actions[0])

    assert isinstance(told[-1], Scored)
    assert told[-1].deltas == match.deals[0].points


def test_a_seat_with_a_clock_of_its_own_is_charged_by_it() -> None:
    clocks = [CLOCK, CLOCK, CLOCK._replace(bank_ns=50, increment_ns=1), CLOCK]
    match = Match(games.game("guillotine"), 4, 2, clocks)
    ask = first_ask(match)

    match.answer(2, ask.actions[0], spent_ns=40)

    assert (ask.seat, ask.bank_ns) == (2, 50)
    assert match.banks_ns == [1_000, 1_000, 11, 1_000]
