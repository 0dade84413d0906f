"""Matches found by their results are those that would be picked if every record were opened."""

from dataclasses import replace

import pytest

from harness.counted import counted_rounds
from harness.publish.candidates import Candidate, Candidates
from harness.publish.features import Course, course_of, picks
from harness.publish.record_counts import record_counts
from harness.standing import cup_standings
from tests.publish.conftest import Played


@pytest.mark.parametrize("name", ["guillotine", "zhiletka"])
def test_the_picks_are_among_the_candidates(name: str, request: pytest.FixtureRequest) -> None:
    played: Played = request.getfixturevalue(name)
    ledger, cup = played
    standings = cup_standings(ledger, cup)
    low_wins = cup.cup.game == "guillotine"
    (counted,) = counted_rounds(ledger, cup, ())
    candidates = Candidates(standings)
    for part in counted.parts(3):
        candidates.add(part)
    swings = record_counts(ledger, counted, cup.cup.game).swings
    candidates.offer("swing", (Candidate(-found.swing, 1, found.number) for found in swings))

    def courses(numbers: list[int]) -> list[Course]:
        results = ledger.results_of(cup.name, 1, numbers)
        found = (course_of(result, ledger.record(result.match), low_wins=low_wins) for result in results)
        return [course for course in found if course is not None]

    ((round, numbers),) = candidates.matches()
    assert round == 1
    assert len(numbers) <= 9
    every = picks(courses(counted.number.tolist()), standings)
    assert len(every) >= 2
    assert picks(courses(list(numbers)), standings) == every


def test_without_ratings_nobody_upsets_anybody(guillotine: Played) -> None:
    ledger, cup = guillotine
    (counted,) = counted_rounds(ledger, cup, ())
    candidates = Candidates(replace(cup_standings(ledger, cup), rows=()))

    candidates.add(counted)

    assert list(candidates.matches()) == []
