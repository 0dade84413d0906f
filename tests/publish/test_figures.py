"""What bots' pages count adds up to what was played."""

import pytest

from harness.publish.figures import Figures, Thoughts, thinking_by_seat
from harness.standing import cup_standings, player_key
from harness.store.times import DecisionTime
from tests.publish.conftest import Played


def _figures(played: Played) -> Figures:
    ledger, cup = played
    figures = Figures(cup.cup.game)
    for result, record in zip(ledger.results(cup.name), ledger.records(cup.name), strict=True):
        figures.add(result, record, ledger.times(record.match))
    return figures


def test_percentiles_are_right_to_a_few_per_cent() -> None:
    thoughts = Thoughts()
    for ms in range(1, 1001):
        thoughts.add(DecisionTime(0, ms * 1_000_000, 1, lag_ns=3_000_000))

    found = thoughts.thinking()

    assert found is not None
    assert found.count == 1000
    assert found.p50_ms == pytest.approx(500, rel=0.03)
    assert found.p99_ms == pytest.approx(990, rel=0.03)
    assert found.total_s == pytest.approx(500.5)
    assert found.lag_s == pytest.approx(3.0)


def test_nobody_who_was_not_asked_has_a_thinking_time() -> None:
    fast, idle = thinking_by_seat([DecisionTime(0, 0, 1)], 2)

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
        assert sum(len(matches) for matches in figures.faults[row.player].values()) == row.faults


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
