"""What duplicates are worth: as much as was put in, as much as the error bars say, and nothing where there are none."""

import math

import numpy as np
import pytest

from ladder.columns import gather
from ladder.export import to_json, to_markdown
from ladder.fit import fit
from ladder.luck import Gain, Luck, measure_luck
from ladder.results import Result
from ladder.standings import standings
from tests.ladder.made_up import played_cup, result, scored


def luck_of(results: list[Result]) -> Luck:
    columns = gather(results)
    return measure_luck(columns, fit(columns))


@pytest.mark.parametrize(("seats", "blocks"), [((4,), 400), ((2, 3, 4), 600)])
def test_luck_as_large_as_the_bots_own_noise_makes_a_block_worth_twice_as_much(
    seats: tuple[int, ...], blocks: int
) -> None:
    cup = [
        match
        for match in played_cup(bots=12, seats=seats, blocks=blocks, rotations=max(seats), seed=3)
        if int(match.match[-6:]) % max(seats) < match.size  # every rotation once
    ]

    points = luck_of(cup).points

    assert points is not None
    assert points.low < 2.0 < points.high
    assert points.high / points.low < 1.5


def test_the_gain_in_elo_is_by_how_much_blocks_make_the_variances_smaller() -> None:
    cup = played_cup(blocks=300, rotations=4, seed=5)
    apart = [match._replace(block=None) for match in cup]

    gain = luck_of(cup).elo

    assert gain is not None
    ratio = float(np.mean(fit(apart).se ** 2) / np.mean(fit(cup).se ** 2))
    assert gain.times == pytest.approx(ratio, rel=0.05)


def test_few_blocks_tell_the_gain_without_bias_and_say_how_sure_it_is() -> None:
    gains = [luck_of(played_cup(blocks=24, rotations=4, seed=seed)).points for seed in range(40)]

    logarithms = [math.log(gain.times) for gain in gains if gain]
    assert float(np.mean(logarithms)) == pytest.approx(math.log(2.0), abs=0.08)
    held = sum(gain.low < 2.0 < gain.high for gain in gains if gain)
    assert 35 <= held <= 40


def test_bots_that_play_alike_leave_no_luck_and_any_number_of_matches_would_not_show_as_much() -> None:
    hands = [[30, 10, 20, 0], [5, 5, 50, 40]] * 6
    cup = [
        scored(f"{block:02d}-{turn}", f"{block:02d}", [*"abcd"[turn:], *"abcd"[:turn]], hand)
        for block, hand in enumerate(hands)
        for turn in range(4)
    ]

    luck = luck_of(cup)

    assert luck == Luck(Gain(math.inf, math.inf, math.inf, 12), Gain(math.inf, math.inf, math.inf, 12))
    assert luck.sentence == "Duplicates leave no luck at all here: the bots play alike."


def test_without_blocks_or_with_fewer_than_ten_there_is_nothing_to_say() -> None:
    assert luck_of(played_cup(blocks=60)) == Luck(None, None)
    assert luck_of(played_cup(blocks=9, rotations=4)) == Luck(None, None)
    assert luck_of([]).sentence is None


def test_blocks_that_are_not_whole_and_tables_with_a_stranger_are_passed_over() -> None:
    cup = played_cup(blocks=30, rotations=4, seed=2)
    expected = luck_of(cup).elo
    assert expected is not None

    broken = [result("x1", "abcd", block="x"), result("x2", "abce", block="x"), result("y", "aabb", block="y")]
    assert luck_of([*cup, *broken]).elo is not None
    assert getattr(luck_of([*cup, *broken]).elo, "block_count", 0) == expected.block_count


def test_points_of_a_faulted_seat_count_in_no_gain() -> None:
    cup = played_cup(blocks=30, rotations=4, seed=2)
    faulted = [cup[0]._replace(faults=("timeout", None, None, None)), *cup[1:]]

    luck = luck_of(faulted)

    assert luck.points is not None
    assert luck.elo is not None
    assert (luck.points.block_count, luck.elo.block_count) == (29, 30)


def test_the_gain_stands_in_the_markdown_and_not_in_the_json() -> None:
    columns = gather(played_cup(blocks=60, rotations=4))
    board = standings(columns, fit(columns))

    sentence = board.luck.sentence
    assert sentence is not None
    assert sentence.startswith("Duplicates here are worth 1.")
    assert "times as many matches (" in sentence
    assert sentence in to_markdown(board)
    assert "uplicates" not in to_json(board)


def test_the_gain_is_the_same_however_many_blocks_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = played_cup(blocks=40, rotations=4, seed=5)
    whole = luck_of(cup)
    monkeypatch.setattr("ladder.luck._BLOCKS_AT_ONCE", 7)

    parts = luck_of(cup)

    assert whole.elo is not None
    assert parts.elo == pytest.approx(whole.elo, rel=1e-9)
    assert parts.points == pytest.approx(whole.points, rel=1e-9)
