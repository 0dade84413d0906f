"""What bots' pages count adds up to what was played."""

import math

import numpy as np
import pytest

from harness.counted import counted_rounds
from harness.publish.block_sums import BlockSum, block_sums
from harness.publish.figures import Figures
from harness.publish.record_counts import record_counts
from harness.publish.thoughts import Thoughts, thinking_by_seat, thought_columns
from harness.standing import cup_standings, player_key
from harness.store.times import DecisionTime, pack_times, unpack_columns
from ladder.fit import half_width
from tests.publish.conftest import Played


def _figures(played: Played) -> Figures:
    ledger, cup = played
    figures = Figures()
    for counted in counted_rounds(ledger, cup, ()):
        figures.add(counted)
        figures.add_records(counted.entries, record_counts(ledger, counted, cup.cup.game))
    return figures


def test_percentiles_are_right_to_a_few_per_cent() -> None:
    thoughts = Thoughts()
    times = [DecisionTime(0, ms * 1_000_000, 1, lag_ns=3_000_000) for ms in range(1, 1001)]
    thoughts.add(thought_columns(unpack_columns(pack_times(times))), 0)

    found = thoughts.thinking()

    assert found is not None
    assert found.count == 1000
    assert found.p50_ms == pytest.approx(500, rel=0.03)
    assert found.p99_ms == pytest.approx(990, rel=0.03)
    assert found.total_s == pytest.approx(500.5)
    assert found.lag_s == pytest.approx(3.0)


def test_nobody_who_was_not_asked_has_a_thinking_time() -> None:
    fast, idle = thinking_by_seat(unpack_columns(pack_times([DecisionTime(0, 0, 1)])), 2)

    assert fast is not None
    assert fast.count == 1
    assert idle is None


@pytest.mark.parametrize("name", ["guillotine", "zhiletka"])
def test_tables_hold_every_match_without_a_fault(name: str, request: pytest.FixtureRequest) -> None:
    played: Played = request.getfixturevalue(name)
    ledger, cup = played
    figures = _figures(played)
    rows = cup_standings(ledger, cup).rows
    assert any(row.faults for row in rows)
    for row in rows:
        clean = row.matches - row.faults
        for table in figures.tables(row.player):
            deals = 24 if table.counted == "deals" else 1
            assert sum(tally.count for tally in table.rows) == clean * deals
            mean = sum(tally.points_mean * tally.count for tally in table.rows) / clean
            assert mean == pytest.approx(row.points_mean)
        assert figures.faults[row.player].total() == row.faults


def test_the_games_have_their_own_tables(guillotine: Played, zhiletka: Played) -> None:
    def titles(played: Played) -> list[str]:
        ledger, cup = played
        player = cup_standings(ledger, cup).rows[0].player
        return [table.title for table in _figures(played).tables(player)]

    assert titles(guillotine) == ["By contract", "By seat"]
    assert titles(zhiletka) == ["By size of the table", "By seat"]


def test_meetings_are_seen_alike_from_both_sides(guillotine: Played) -> None:
    ledger, cup = guillotine
    figures = _figures(guillotine)
    entries = {entry.label: entry for entry in ledger.entries(cup.name, 1)}
    for label, entry in entries.items():
        for other, met in figures.meetings(player_key(entry)).items():
            back = figures.meetings(player_key(entries[other]))[label]
            assert (met.ahead, met.level, met.behind) == (back.behind, back.level, back.ahead)


@pytest.mark.parametrize("name", ["guillotine", "zhiletka"])
def test_every_decision_is_in_the_thinking_time_of_its_bot(name: str, request: pytest.FixtureRequest) -> None:
    played: Played = request.getfixturevalue(name)
    ledger, cup = played
    one_by_one: dict[str, Thoughts] = {}
    for result in ledger.results(cup.name):
        columns = thought_columns(ledger.time_columns(result.match))
        for seat, entry in enumerate(result.entries):
            one_by_one.setdefault(player_key(entry), Thoughts()).add(columns, seat)

    figures = _figures(played)

    assert {player: figures.thinking(player) for player in one_by_one} == {
        player: thoughts.thinking() for player, thoughts in one_by_one.items()
    }


def test_the_spread_over_blocks_follows_from_sums() -> None:
    chance = np.random.default_rng(3)
    who, block = chance.integers(0, 2, 400), chance.integers(1, 30, 400)
    points, place = chance.integers(-50, 50, 400), chance.integers(1, 5, 400)
    half = block_sums(who[:200], who[:200] * 0, block[:200], points[:200], place[:200])
    rest = block_sums(who[200:], who[200:] * 0, block[200:] + 100, points[200:], place[200:])

    for player in range(2):
        found = BlockSum()
        for rows in (half, rest):
            found.add(rows[rows[:, 0] == player][0, 2:].tolist())
        tally = found.tally("")

        mine = who == player
        blocks = block + 100 * (np.arange(400) >= 200)
        mean = points[mine].mean()
        residuals = [(points[mine & (blocks == one)] - mean).sum() for one in np.unique(blocks[mine])]
        spread = math.sqrt(sum(value**2 for value in residuals) * len(residuals) / (len(residuals) - 1)) / mine.sum()
        assert tally.count == mine.sum()
        assert tally.points_mean == pytest.approx(mean)
        assert tally.place_mean == pytest.approx(place[mine].mean())
        assert tally.points_half == pytest.approx(half_width(spread, len(residuals)))
