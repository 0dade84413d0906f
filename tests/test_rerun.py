"""A recorded match played again: the seat sees what it saw, the record answers for the others."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest

from harness import local
from harness.bot import Bot, View
from harness.faults import Fault, FaultKind, SeatFaulted
from harness.games.game import Action, Event
from harness.match import Ask, Finished, Match, NeedDeck, TimeControl
from harness.record import MatchRecord, record_of, replay
from harness.rerun import Choice, Rerun, differences
from tests.sample_bots.programs import bot_class

GAMES = [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 5)]


class Stumbles(Bot):
    """Plays at random and chooses what is not offered in its fourth deal or soon after."""

    def choose(self, view: View) -> Action:
        return 9999 if view.deal_index >= 3 else view.random.choice(view.actions)


class Crashes(Bot):
    """Plays at random and crashes in its third deal."""

    def choose(self, view: View) -> Action:
        if view.deal_index == 2:
            raise RuntimeError("lost its way")
        return view.random.choice(view.actions)


def played(game: str, count: int, stumbling: Sequence[type[Bot]] = ()) -> MatchRecord:
    """A match of random bots, the last of them replaced by `stumbling`."""
    bots = [bot_class("random")] * (count - len(stumbling))
    return local.play(game, [*bots, *stumbling], seed=count, catch_faults=True)


class Run(NamedTuple):
    """What happened in a match: all events in the order in which they were told, and its record."""

    told: list[Event | SeatFaulted]
    record: MatchRecord


def run(rerun: Rerun, choose: Callable[[Ask, str | Fault], Action | Fault], spent_ns: int = 0) -> Run:
    """Plays to the end; `choose` is given what was asked, and what the seat did then."""
    all_told: list[Event | SeatFaulted] = []
    told, due = rerun.start()
    while True:
        all_told += told
        if isinstance(due, Finished):
            return Run(all_told, record_of(rerun, match_id=rerun.record.match, seats=rerun.record.seats))
        if isinstance(due, NeedDeck):
            told, due = rerun.deal(rerun.deck(due.deal_index))
            continue
        assert isinstance(due, Ask)
        assert due.seat == rerun.seat
        answer = choose(due, rerun.then() if rerun.follows else "")
        if isinstance(answer, Fault):
            told, due = rerun.fault(rerun.seat, answer)
        else:
            told, due = rerun.answer(rerun.seat, answer, spent_ns)


def as_then(rerun: Rerun) -> Callable[[Ask, str | Fault], Action | Fault]:
    return lambda ask, then: then if isinstance(then, Fault) else rerun.game.parse_action(then)


def mending(rerun: Rerun) -> Callable[[Ask, str | Fault], Action | Fault]:
    """As then, but for the fault, and the lowest action where the record does not lead any more."""
    return lambda ask, then: rerun.game.parse_action(then) if then and isinstance(then, str) else ask.actions[0]


def otherwise(rerun: Rerun) -> Callable[[Ask, str | Fault], Action | Fault]:
    """Something else than then."""

    def choose(ask: Ask, then: str | Fault) -> Action:
        return next(action for action in ask.actions if rerun.game.action_name(rerun.state, action) != then)

    return choose


def events_of(record: MatchRecord) -> list[Event | SeatFaulted]:
    """All that happened in a recorded match, as a referee told it who was told the same."""
    match = Match(Rerun(record, 0).game, len(record.seats), record.first_dealer)
    faults = {(fault.deal, fault.action): fault for fault in record.faults}
    all_told: list[Event | SeatFaulted] = []
    told, due = match.start()
    while not match.finished:
        if isinstance(due, NeedDeck):
            told, due = match.deal(record.deals[due.deal_index].deck)
            all_told += told
            continue
        moment = len(match.deals) - 1, len(match.deals[-1].actions)
        assert match.asked is not None
        if (fault := faults.pop(moment, None)) is not None:
            told, due = match.fault(fault.seat, Fault(fault.kind, fault.detail))
        else:
            told, due = match.answer(match.asked, match.game.parse_action(record.deals[moment[0]].actions[moment[1]]))
        all_told += told
    return all_told


@pytest.mark.parametrize(("game", "count"), GAMES)
@pytest.mark.parametrize("stumbling", [(), (Stumbles,), (Crashes, Stumbles)])
def test_whoever_answers_as_then_meets_the_match_of_then(
    game: str, count: int, stumbling: tuple[type[Bot], ...]
) -> None:
    if len(stumbling) == count:
        stumbling = stumbling[:1]
    record = played(game, count, stumbling)
    assert len(record.faults) == len(stumbling)
    for seat in range(count):
        rerun = Rerun(record, seat)
        again = run(rerun, as_then(rerun))

        assert again.told == events_of(record)
        assert again.record == record
        assert all(choice.is_same for choice in rerun.choices)
        assert list(differences(rerun)) == []


@pytest.mark.parametrize(("game", "count"), GAMES)
def test_whatever_it_answers_the_match_goes_the_way_of_the_record_and_every_difference_is_found(
    game: str, count: int
) -> None:
    record = played(game, count)
    rerun = Rerun(record, 1)
    again = run(rerun, otherwise(rerun), spent_ns=7)
    same = Rerun(record, 1)
    run(same, as_then(same))

    assert again.record == record
    assert [choice.moment for choice in rerun.choices] == [choice.moment for choice in same.choices]
    assert [choice.then for choice in rerun.choices] == [choice.now for choice in same.choices]
    assert not any(choice.is_same for choice in rerun.choices)
    assert {choice.spent_ns for choice in rerun.choices} == {7}
    found = list(differences(rerun))
    assert [difference.choice for difference in found] == rerun.choices
    assert all({difference.choice.then, difference.choice.now} <= set(difference.legal) for difference in found)


def test_a_difference_knows_its_trick_and_what_the_seat_held() -> None:
    record = played("guillotine", 4)
    rerun = Rerun(record, 2)
    run(rerun, otherwise(rerun))
    for difference in differences(rerun):
        deal_index, action_index = difference.choice.moment
        verbs = [text.partition(":")[0] for text in record.deals[deal_index].actions[:action_index]]
        legal_cards = [text.partition(":")[2] for text in difference.legal]

        assert difference.view.deal_index == deal_index
        if record.deals[deal_index].actions[0] != "contract:domino":
            assert difference.trick == verbs.count("play") // 4
        for card in legal_cards:
            assert (
                action_index == 0 or card == "" or difference.view.hand >> rerun.game.parse_action(f"play:{card}") & 1
            )


@pytest.mark.parametrize(("game", "count"), GAMES)
def test_a_fork_goes_its_own_way_from_the_first_difference(game: str, count: int) -> None:
    record = played(game, count)
    rerun = Rerun(record, 0, fork=True)
    again = run(rerun, otherwise(rerun))
    (choice,) = rerun.choices
    deal_index, action_index = choice.moment

    replay(again.record)
    assert not rerun.follows
    assert again.record.deals[:deal_index] == record.deals[:deal_index]
    assert again.record.deals[deal_index].actions[action_index] == choice.now
    assert again.record.deals[deal_index].actions[:action_index] == record.deals[deal_index].actions[:action_index]
    known = min(len(again.record.deals), len(record.deals))
    assert [deal.deck for deal in again.record.deals[:known]] == [deal.deck for deal in record.deals[:known]]


def test_a_fork_that_mends_a_fault_plays_on() -> None:
    record = played("guillotine", 4, (Stumbles,))
    rerun = Rerun(record, 3, fork=True)
    again = run(rerun, mending(rerun))

    assert [choice for choice in rerun.choices if not choice.is_same] == rerun.choices[-1:]
    assert isinstance(rerun.choices[-1].then, Fault)
    assert again.record.faults == ()
    assert len(again.record.deals) == 24


def test_without_a_fork_a_mended_fault_is_a_difference_and_the_house_plays_on_as_then() -> None:
    record = played("guillotine", 4, (Stumbles,))
    rerun = Rerun(record, 3)
    again = run(rerun, mending(rerun))
    (difference,) = differences(rerun)

    assert again.record == record
    assert difference.choice == rerun.choices[-1]
    assert difference.choice.now == difference.legal[0]


def test_an_illegal_action_is_noted_and_the_match_goes_on() -> None:
    record = played("zhiletka", 2)
    rerun = Rerun(record, 0)
    again = run(rerun, lambda ask, then: 9999)

    assert again.record == record
    assert all(isinstance(choice.now, Fault) and choice.now.kind == "illegal_action" for choice in rerun.choices)


@pytest.mark.parametrize("fork", [False, True])
def test_a_bot_that_is_gone_is_asked_no_more(fork: bool) -> None:
    record = played("guillotine", 4)
    rerun = Rerun(record, 0, fork=fork)
    gone = Fault(FaultKind.CRASHED, "exited with code 1")
    again = run(rerun, lambda ask, then: gone if len(rerun.choices) == 3 else rerun.game.parse_action(str(then)))

    assert [choice.is_same for choice in rerun.choices] == [True, True, True, False]
    assert rerun.choices[-1].now == gone
    assert [(fault.seat, fault.kind) for fault in again.record.faults] == [(0, FaultKind.CRASHED)]
    replay(again.record)


def test_a_bank_that_runs_out_now_is_a_difference() -> None:
    record = played("zhiletka", 2)
    rerun = Rerun(record, 0, [TimeControl(10, 0, 10), None])
    run(rerun, as_then(rerun), spent_ns=4)

    assert [choice.is_same for choice in rerun.choices] == [True, True, False]
    assert isinstance(rerun.choices[-1].now, Fault)
    assert rerun.choices[-1].now.kind is FaultKind.TIMEOUT


def test_the_same_fault_again_is_no_difference() -> None:
    silent = Fault(FaultKind.TIMEOUT, "gave no answer for 5 s")
    late = Fault(FaultKind.TIMEOUT, "its answer came later than the hard deadline of its request")
    played_one = Fault(FaultKind.ILLEGAL_ACTION, "chose 51 (AS)")
    played_other = Fault(FaultKind.ILLEGAL_ACTION, "chose 50 (KS)")

    assert Choice((0, 0), silent, late, 0).is_same
    assert Choice((0, 0), played_one, played_one, 0).is_same
    assert not Choice((0, 0), played_one, played_other, 0).is_same
    assert not Choice((0, 0), silent, played_one, 0).is_same


def test_decks_beyond_the_record_are_the_same_every_time() -> None:
    record = played("zhiletka", 2)
    beyond = len(record.deals)
    decks = [Rerun(record, seat, fork=True).deck(beyond) for seat in (0, 1)]

    assert decks[0] == decks[1]
    assert sorted(decks[0]) == sorted(record.deals[0].deck)
    assert decks[0] != Rerun(record, 0).deck(beyond + 1)
