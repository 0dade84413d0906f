"""Which matches are worth seeing, and when a match was decided."""

import pytest

from harness.publish.features import Course, course_of, picks, turning_of
from harness.standing import player_key
from harness.store.rows import Entry, Result
from ladder.columns import gather
from ladder.fit import fit
from ladder.results import Result as RatedResult
from ladder.standings import Entry as LadderEntry
from ladder.standings import Standings, standings
from tests.publish.conftest import Played

LABELS = ("ant", "bee", "cat", "dog", "eel")


def _entry(label: str) -> Entry:
    return Entry(label, label, "1.0", "0" * 64, team=label)


def _course(
    match: str, deals: list[tuple[int, ...]], labels: tuple[str, ...] = LABELS[:3], *, low: bool = False
) -> Course:
    points = tuple(map(sum, zip(*deals, strict=True)))
    better = [-each if low else each for each in points]
    places = tuple(1 + sum(other > own for other in better) for own in better)
    result = Result(match, match, tuple(map(_entry, labels)), places, points, (None,) * len(labels))
    return Course(result, tuple(deals), low)


def _board() -> Standings:
    """ant before bee before cat, and so on."""
    keys = [player_key(_entry(label)) for label in LABELS]
    results = [
        RatedResult(f"m{number}-{a}-{b}", None, (keys[a], keys[b]), (1, 2) if number % 5 else (2, 1))
        for a in range(len(keys))
        for b in range(a + 1, len(keys))
        for number in range(20)
    ]
    columns = gather(results)
    entries = [LadderEntry(key, label) for key, label in zip(keys, LABELS, strict=True)]
    return standings(columns, fit(columns), entries=entries)


def test_a_match_is_decided_where_the_winner_takes_the_lead_for_good() -> None:
    course = _course("m", [(10, 0, 0), (0, 30, 0), (25, 0, 0), (0, 0, 5)])

    assert course.turning_deal() == 3
    turning = turning_of(course)
    assert turning is not None
    assert turning.text == "ant, 20 chips behind until then, took the lead by 5 and kept it."


@pytest.mark.parametrize(
    ("deals", "deal", "text"),
    [
        ([(10, 0, 0), (0, 5, 0)], 1, "ant led from the first deal to the last."),
        ([(0, 10, 0), (30, 0, 0)], 2, "ant, 10 chips behind before it, won by 20."),
        (
            [(10, 10, 0), (30, 0, 0), (0, 0, 0)],
            2,
            "ant, level with the lead until then, took the lead by 30 and kept it.",
        ),
    ],
)
def test_how_a_match_was_decided_is_said(deals: list[tuple[int, ...]], deal: int, text: str) -> None:
    assert turning_of(_course("m", deals)) == (deal, text)


def test_a_shared_first_place_is_not_decided() -> None:
    course = _course("m", [(10, 10, 0)])

    assert course.winner is None
    assert turning_of(course) is None
    assert turning_of(None) is None


def test_where_low_points_win_the_leader_has_the_fewest() -> None:
    course = _course("m", [(10, 0, 30), (0, 30, 0)], low=True)

    assert course.winner == 0
    assert next(iter(course.leads())) == (-10, 10, -30)
    assert course.turning_deal() == 2


def test_the_three_picks_are_what_they_say() -> None:
    courses = [
        _course("plain", [(50, 0, 0), (50, 0, 0)]),
        _course("close", [(50, 45, 0), (5, 5, 0)]),
        _course("upset", [(0, 0, 100), (0, 0, 100)], ("ant", "bee", "eel")),
        _course("swing", [(0, 80, 0), (90, 0, 0)]),
    ]

    found = picks(courses, _board())

    assert [(pick.title, pick.match, pick.deal) for pick in found] == [
        ("Closest among the first four", "close", 1),
        ("Biggest upset", "upset", 1),
        ("Largest swing in the last deal", "swing", 2),
    ]
    assert found[0].text == "ant beat bee by 5 chips."
    assert found[1].text.startswith("eel won, rated ")
    assert found[1].text.endswith(" Elo below ant, who came in second.")
    assert found[2].text == "ant was 80 chips behind before the last deal and won by 10."


def test_no_match_is_picked_twice() -> None:
    only = _course("only", [(0, 80, 0), (90, 0, 0)])

    assert [pick.match for pick in picks([only], _board())] == ["only"]


def test_nothing_is_picked_where_there_is_nothing() -> None:
    assert picks([], _board()) == ()
    assert picks([_course("tie", [(1, 1, 1)])], _board()) == ()


def test_a_match_with_a_fault_is_no_feature(guillotine: Played) -> None:
    ledger, cup = guillotine
    results = {result.match: result for result in ledger.results(cup.name)}
    for record in ledger.records(cup.name):
        course = course_of(results[record.match], record, low_wins=True)

        assert (course is None) == bool(record.faults)
