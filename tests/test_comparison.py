"""The tables of a comparison: whatever is not one of the two is the same for both."""

from collections import Counter
from itertools import islice

import pytest

from harness import deals, games
from harness.arena.specs import Played, TableSpec
from harness.comparison import AT_FIRST, BlockResult, Design, Gathering, Measured
from harness.faults import Fault, FaultKind
from harness.match import Ask, Match, NeedDeck

FIELD = ("owl", "elk", "ant", "bee")


def design(field: tuple[str, ...] = FIELD, seat_count: int = 4) -> Design:
    copies = 1 if field else (seat_count + 1) // 2
    first, second = (tuple(f"{name}#{number}" for number in range(copies)) for name in ("fox", "cat"))
    return Design(games.game("zhiletka"), seat_count, deals.secret_from_seed(7, 1), first, second, field)


def played(table: TableSpec, faulted: str | None = None) -> Played:
    """The match as the house would play it: the lowest action each time."""
    match = Match(table.game, len(table.seats), table.first_dealer)
    _, due = match.start()
    if faulted in table.seats:
        match.fault(table.seats.index(faulted), Fault(FaultKind.CRASHED, "gone"))
    while not match.finished:
        if isinstance(due, NeedDeck):
            _, due = match.deal(table.deck(due.deal_index))
        else:
            assert isinstance(due, Ask)
            _, due = match.answer(due.seat, due.actions[-1])
    return Played(table, match, 0, 0, (), ())


@pytest.mark.parametrize("seat_count", [2, 3, 6])
def test_the_second_sits_where_the_first_sat_and_all_else_is_the_same(seat_count: int) -> None:
    tables = list(islice(design(seat_count=seat_count, field=(*FIELD, "gnu")).tables(), 40))

    for one, other in zip(tables[::2], tables[1::2], strict=True):
        assert tuple(label.replace("fox", "cat") for label in one.seats) == other.seats
        assert (one.first_dealer, one.bot_seeds) == (other.first_dealer, other.bot_seeds)
        assert [one.deck(deal) for deal in range(3)] == [other.deck(deal) for deal in range(3)]
    assert len({table.deck(0) for table in tables}) == 20


def test_each_seat_is_taken_in_turn_and_the_whole_field_is_met() -> None:
    tables = list(islice(design().tables(), 0, 32, 2))
    met = Counter(label for table in tables for label in table.seats)

    assert Counter(table.seats.index("fox#0") for table in tables) == dict.fromkeys(range(4), 4)
    assert {met[label] for label in FIELD} == {12}


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_in_self_play_the_two_exchange_their_seats(seat_count: int) -> None:
    tables = list(islice(design(field=(), seat_count=seat_count).tables(), 40))

    for one, other in zip(tables[::2], tables[1::2], strict=True):
        assert all(mine[:3] != theirs[:3] for mine, theirs in zip(one.seats, other.seats, strict=True))
        assert len(set(one.seats)) == len(set(other.seats)) == seat_count
        assert (one.first_dealer, one.deck(0)) == (other.first_dealer, other.deck(0))


def test_blocks_come_in_their_order_however_the_matches_end() -> None:
    tables = list(islice(design().tables(), 6))
    gathering = Gathering(design())

    counts = [len(list(gathering.add(played(tables[number])))) for number in (3, 5, 1, 2, 0, 4)]

    assert counts == [0, 0, 0, 0, 2, 1]


def test_no_more_blocks_are_begun_than_have_ended() -> None:
    tables = list(islice(design().tables(), 2 * 3 * AT_FIRST))
    gathering = Gathering(design())
    measured = Measured(gathering)
    begun = []

    for ended in range(AT_FIRST + 3):
        begun.append(sum(measured.may_start(table.match_id, table.seats) for table in tables) // 2)
        for table in tables[2 * ended : 2 * ended + 2]:
            list(gathering.add(played(table)))

    assert begun == [*range(AT_FIRST, 2 * AT_FIRST + 1), 2 * AT_FIRST + 2, 2 * AT_FIRST + 4]


@pytest.mark.parametrize("field", [FIELD, ()])
def test_two_that_play_the_same_are_level(field: tuple[str, ...]) -> None:
    sketch = design(field=field)
    one, other = islice(sketch.tables(), 2)

    assert sketch.result(0, (played(one), played(other))) == BlockResult(0.0, 0.5)


@pytest.mark.parametrize(("faulted", "ahead"), [("fox#0", 0.0), ("cat#0", 1.0)])
def test_whoever_is_at_fault_is_behind_without_a_margin(faulted: str, ahead: float) -> None:
    sketch = design()
    one, other = islice(sketch.tables(), 2)

    assert sketch.result(0, (played(one, faulted), played(other, faulted))) == BlockResult(None, ahead)


def test_a_fault_of_an_opponent_changes_nothing_between_the_two() -> None:
    sketch = design()
    one, other = islice(sketch.tables(), 2)
    opponent = next(label for label in one.seats if label in FIELD)

    assert sketch.result(0, (played(one, opponent), played(other, opponent))) == BlockResult(0.0, 0.5)
