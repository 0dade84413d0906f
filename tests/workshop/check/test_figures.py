"""What measured thinking times lead to expect."""

from harness.match import TimeControl
from harness.workshop.check.figures import FORECAST_COUNT, forecast, percentile

S = 1_000_000_000
CONTROL = TimeControl(bank_ns=20 * S, increment_ns=S // 20, decision_ns=5 * S)


def test_percentiles_are_measured_values() -> None:
    values = list(range(1, 201))

    assert (percentile(values, 50), percentile(values, 99), percentile([7], 99)) == (100, 198, 7)


def test_a_quick_bot_has_no_timeouts_to_expect() -> None:
    assert forecast([[S // 1000] * 100], CONTROL) == (0, 0)


def test_a_bot_that_uses_up_its_bank_runs_out_every_time() -> None:
    assert forecast([[S] * 30], CONTROL) == (FORECAST_COUNT, FORECAST_COUNT)


def test_a_bot_near_the_limit_runs_out_on_a_slower_machine_only() -> None:
    assert forecast([[S // 10] * 100], CONTROL) == (0, FORECAST_COUNT)


def test_an_answer_longer_than_a_decision_may_take_is_a_timeout_whatever_the_bank() -> None:
    often = forecast([[6 * S] + [0] * 9], CONTROL)

    assert 500 < often.timeouts < 800  # each of ten draws is the long one with a chance of a tenth


def test_the_same_times_give_the_same_forecast() -> None:
    times = [[S // 3, S // 2, S] * 10]

    assert forecast(times, CONTROL) == forecast(times, CONTROL)


def test_nothing_measured_is_nothing_to_expect() -> None:
    assert forecast([], CONTROL) == (0, 0)
