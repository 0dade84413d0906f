"""Rows, ranks and the sentence."""

import math

import numpy as np
import pytest

from ladder.fit import fit
from ladder.results import Result
from ladder.standings import Entry, Row, Standings, standings
from tests.ladder.made_up import played_cup, result, scored, series


def _standings(results: list[Result], **options: object) -> Standings:
    return standings(results, fit(results), **options)  # type: ignore[arg-type]  # passed on as they are


def _row(board: Standings, player: str) -> Row:
    return next(row for row in board.rows if row.player == player)


def test_rows_stand_in_rank_order_with_consistent_numbers() -> None:
    board = _standings(played_cup(blocks=200))

    assert [row.rank for row in board.rows] == list(range(1, 9))
    for row in board.rows:
        assert row.elo is not None
        assert row.elo_low is not None
        assert row.elo_high is not None
        assert row.elo_low < row.elo < row.elo_high
        assert row.rank_low is not None
        assert row.rank is not None
        assert row.rank_high is not None
        assert row.rank_low <= row.rank <= row.rank_high
        assert row.reason is None
    assert math.fsum(row.elo or 0 for row in board.rows) == pytest.approx(8 * 1500)


def test_los_is_in_rank_order() -> None:
    board = _standings(played_cup(blocks=200))

    for i, row in enumerate(board.los):
        assert row[i] == 0.5
        for j in range(i):
            above, below = board.los[j][i], row[j]
            assert above is not None
            assert below is not None
            assert above >= 0.5
            assert above + below == pytest.approx(1)


def test_matches_blocks_and_places_count_own_seats_and_faults_all() -> None:
    results = [
        Result("m1", "x", ("a", "b", "c"), (1, 2, 3), (3, 2, 1)),
        Result("m2", "x", ("a", "b", "c"), (1, 2, 3), (5, 2, 1), (None, None, "timeout")),
        Result("m3", "y", ("a", "b", "c"), (2, 1, 3), (4, 9, 1), (None, None, "crashed"), (2,)),
    ]

    board = _standings(results)

    c = _row(board, "c")
    assert (c.matches, c.blocks, c.place_mean, c.points_mean) == (2, 1, 3, 1)
    assert (c.faults, c.faults_by_kind) == (2, {"crashed": 1, "timeout": 1})
    a = _row(board, "a")
    assert (a.matches, a.blocks, a.points_mean) == (3, 2, 4)
    assert a.place_mean == pytest.approx(4 / 3)


def test_a_house_bot_is_rated_and_not_ranked() -> None:
    board = _standings(played_cup(), entries=[Entry("bot7", "house", ranked=False)])

    house = board.rows[-1]
    assert (house.bot, house.rank, house.reason) == ("house", None, "rated, not ranked")
    assert house.elo is not None
    assert [row.rank for row in board.rows[:-1]] == list(range(1, 8))


def test_a_bot_with_few_matches_waits_for_its_rank() -> None:
    games = [*played_cup(), *(scored(f"n{i}", None, ["new", "bot1"], [i % 3, 1]) for i in range(12))]

    board = _standings(games, ranked_after=15)

    assert _row(board, "new").rank is None
    assert "12 of the 15 matches that a rank asks for" in (_row(board, "new").reason or "")
    assert {row.rank for row in board.rows} == {*range(1, 9), None}


def test_a_replaced_version_stays_in_the_fit_and_leaves_the_table() -> None:
    games = played_cup()
    entries = [Entry("bot0", "fox", "1", listed=False), Entry("bot1", "fox", "2")]

    board = _standings(games, entries=entries)

    everybody = _standings(games)
    assert [row.player for row in board.rows] == [row.player for row in everybody.rows if row.player != "bot0"]
    assert _row(board, "bot1").elo == _row(everybody, "bot1").elo
    assert (_row(board, "bot1").bot, _row(board, "bot1").version) == ("fox", "2")


def test_a_bot_left_out_of_the_fit_has_its_row_and_points() -> None:
    games = played_cup()

    board = standings(games, fit(games, without={"bot7"}), entries=[Entry("bot7", "bot7", reason="withdrawn: crashed")])

    row = _row(board, "bot7")
    assert (row.rated, row.rank, row.elo) == (False, None, None)
    assert row.points_mean is not None
    assert row.reason == "withdrawn: crashed; not rated"


def test_an_entry_that_has_not_played_says_so() -> None:
    board = _standings(series("ab", "ba"), entries=[Entry("late", "late", "1.0", "T07")])

    row = _row(board, "late")
    assert (row.matches, row.elo, row.points_mean, row.place_mean) == (0, None, None, None)
    assert row.reason == "not enough data: no match yet"
    assert (row.version, row.team, row.rated) == ("1.0", "T07", True)


def test_a_bot_that_met_only_itself_has_no_opponent() -> None:
    board = _standings([*series("ab", "ba"), Result("m9", None, ("z", "z"), (1, 2))])

    assert _row(board, "z").reason == "not enough data: no rated opponent yet"


def test_a_perfect_record_has_one_bound_and_no_error() -> None:
    board = _standings(series(*["ab", "ac"] * 30, *["bc", "cb"] * 30))

    first = board.rows[0]
    assert (first.player, first.rank, first.bound, first.elo_high, first.se) == ("a", 1, "at least", None, None)
    assert first.elo_low is not None
    assert first.reason == f"won every point: at least {first.elo_low:.0f} is all that shows"


def test_equal_ratings_share_the_better_rank() -> None:
    board = _standings(series(*["a(bc)d", "(bc)(ad)"] * 20))

    assert [(row.player, row.rank) for row in board.rows] == [("b", 1), ("c", 1), ("a", 3), ("d", 4)]
    assert board.sentence.startswith("b and c share the lead.")


def test_an_anchor_is_exact() -> None:
    games = played_cup()

    board = standings(games, fit(games, anchors={"bot3": 1500}), entries=[Entry("bot3", "tern", "2.0")])

    row = _row(board, "bot3")
    assert (row.elo, row.elo_low, row.elo_high, row.se) == (1500, 1500, 1500, 0)
    assert (board.anchors, board.pool_mean) == ({"tern": 1500}, None)


def test_pools_that_never_met_have_no_common_numbers() -> None:
    board = _standings(series("ab", "ba", "ab", "cde", "edc", "dce"))

    assert not board.connected
    assert [row.player for row in board.rows if row.elo is not None] == ["d", "c", "e"]
    assert "has not met the main pool" in (_row(board, "a").reason or "")
    assert board.sentence.endswith("Not connected with the others, so without numbers: a and b.")
    assert board.los[0][4] is None


def test_an_anchor_chooses_the_main_pool() -> None:
    games = series("ab", "ba", "ab", "cde", "edc", "dce")

    board = standings(games, fit(games, anchors={"a": 1600}))

    assert [row.player for row in board.rows if row.elo is not None] == ["a", "b"]


@pytest.mark.parametrize(
    ("results", "options", "sentence"),
    [
        ([], {}, "Not enough data: no match has been played yet."),
        (series("ab"), {"ranked_after": 30}, "Not enough data: nobody has the 30 matches that a rank asks for."),
        (
            [Result("m", None, ("a", "a"), (1, 2))],
            {},
            "Not enough data: nobody to be ranked has met a rated opponent yet.",
        ),
        (series("ab", "ba"), {"entries": [Entry("b", "b", ranked=False)]}, "a is the only ranked bot."),
        (series(*["(ab)"] * 20), {}, "a and b share the lead. Still open: ranks 1-2."),
        (
            series(*["abcd"] * 90, *["bacd", "acbd", "abdc"] * 5),
            {},
            "a leads and is better than b with a probability of over 99.9 %. All ranks are settled.",
        ),
    ],
)
def test_the_sentence(results: list[Result], options: dict[str, object], sentence: str) -> None:
    assert _standings(results, **options).sentence == sentence


def test_open_ranks_are_ranges_of_neighbours_that_are_not_told_apart() -> None:
    games = series(*["abcde"] * 40, *["bacde"] * 38, *["abced", "abdce"] * 5)

    board = _standings(games)

    assert board.open_ranks == ((1, 2),)
    assert board.sentence.endswith("Still open: ranks 1-2.")


def test_versions_of_one_bot_are_told_apart_in_the_sentence() -> None:
    entries = [Entry("a", "fox", "1.0"), Entry("b", "fox", "2.0"), Entry("c", "owl", "1.0")]

    board = _standings(series(*["abc", "bac", "acb"] * 10), entries=entries)

    assert board.sentence.startswith("fox 1.0 leads and is better than fox 2.0 with a probability of ")


def test_shuffling_changes_no_digit() -> None:
    games = played_cup(seats=(2, 3, 4, 5, 6), rotations=3)

    shuffled = [games[i] for i in np.random.default_rng(3).permutation(len(games))]

    assert _standings(games) == _standings(shuffled)


def test_two_entries_for_one_player_are_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="two entries"):
        _standings(series("ab"), entries=[Entry("a", "a"), Entry("a", "b")])


def test_one_match_has_ratings_and_says_that_it_is_not_enough() -> None:
    board = _standings([result("m", "abcd")])

    assert [row.rank for row in board.rows] == [1, 2, 3, 4]
    assert board.rows[1].reason == "not enough data for an interval: one block"
    assert (board.rows[1].elo_low, board.rows[1].se) == (None, None)
