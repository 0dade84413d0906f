"""Which match a death costs: always one, and its own where that can be found."""

from harness.arena.inquest import Inquest
from harness.faults import Fault, FaultKind

DEATH = Fault(FaultKind.CRASHED, "exited with code 1")
LATER = Fault(FaultKind.CRASHED, "exited with code 2")


def test_who_owed_nothing_loses_nothing() -> None:
    inquest = Inquest()

    assert inquest.died((), DEATH) == {}
    assert (list(inquest.suspects), inquest.held) == ([], None)


def test_who_owed_one_answer_loses_that_match() -> None:
    inquest = Inquest()

    assert inquest.died((7,), DEATH) == {7: DEATH}
    assert (list(inquest.suspects), inquest.held) == ([], None)


def test_of_several_all_but_the_one_owed_longest_are_asked_again() -> None:
    inquest = Inquest()

    assert inquest.died((7, 3, 9), DEATH) == {}
    assert (list(inquest.suspects), inquest.held) == ([3, 9], 7)


def test_when_all_others_are_answered_the_one_owed_longest_pays() -> None:
    inquest = Inquest()
    inquest.died((7, 3, 9), DEATH)

    assert inquest.cleared(9) == {}
    assert inquest.cleared(9) == {}
    assert inquest.cleared(3) == {7: DEATH}
    assert (list(inquest.suspects), inquest.held) == ([], None)


def test_the_one_that_kills_again_pays_and_the_one_owed_longest_does_not() -> None:
    inquest = Inquest()
    inquest.died((7, 3, 9, 4), DEATH)
    inquest.cleared(3)

    assert inquest.died((9,), LATER) == {9: LATER}
    assert (list(inquest.suspects), inquest.held) == ([4, 7], None)
    assert inquest.cleared(4) == {}
    assert inquest.cleared(7) == {}


def test_two_that_kill_cost_two_matches() -> None:
    inquest = Inquest()
    inquest.died((7, 3, 9), DEATH)

    assert inquest.died((3,), LATER) == {3: LATER}
    assert inquest.died((9,), LATER) == {9: LATER}
    assert inquest.cleared(7) == {}


def test_a_death_of_something_else_meanwhile_leaves_the_suspects_what_they_are() -> None:
    inquest = Inquest()
    inquest.died((7, 3, 9), DEATH)
    inquest.cleared(3)

    assert inquest.died((3,), LATER) == {3: LATER}
    assert (list(inquest.suspects), inquest.held) == ([9], 7)
    assert inquest.died((), LATER) == {}
    assert inquest.cleared(9) == {7: DEATH}


def test_a_void_match_is_neither_what_it_died_of_nor_what_pays() -> None:
    suspect, held, last = Inquest(), Inquest(), Inquest()
    for inquest in (suspect, held, last):
        inquest.died((7, 3, 9), DEATH)

    assert suspect.void(3) == {}
    assert (list(suspect.suspects), suspect.held) == ([9], 7)
    assert held.void(7) == {}
    assert (list(held.suspects), held.held) == ([3, 9], None)
    assert (held.cleared(3), held.cleared(9)) == ({}, {})
    last.cleared(3)
    assert last.void(9) == {7: DEATH}
