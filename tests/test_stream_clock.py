"""A bot pays for its own thinking, once, and is handed no more at once than it can take."""

from harness.stream_clock import NS_PER_S, StreamClock

MS = 1_000_000


def test_the_virtual_clock_stands_while_nothing_is_owed() -> None:
    clock = StreamClock()
    clock.advance(100 * MS, 0)

    assert clock.advance(900 * MS, 0) == 0


def test_the_virtual_clock_runs_at_one_nth_while_n_are_owed() -> None:
    clock = StreamClock()
    clock.advance(0, 0)

    assert clock.advance(40 * MS, 4) == 10 * MS
    assert clock.advance(50 * MS, 1) == 20 * MS


def test_lag_of_the_harness_is_not_charged() -> None:
    clock = StreamClock()
    clock.advance(0, 0)
    clock.credit(30 * MS, 100 * MS)

    assert clock.advance(100 * MS, 1) == 70 * MS
    assert clock.quiet_since_ns == 30 * MS


def test_credit_never_reaches_past_now() -> None:
    clock = StreamClock()
    clock.advance(90 * MS, 0)
    clock.credit(30 * MS, 100 * MS)

    assert clock.advance(101 * MS, 1) == 1 * MS


def test_the_window_is_one_more_than_the_answers_of_the_last_second() -> None:
    clock = StreamClock()
    assert clock.window(0) == 1

    clock.heard(0, 1)
    clock.heard(NS_PER_S // 2, 2)

    assert clock.window(NS_PER_S - 1) == 4
    assert clock.window(NS_PER_S) == 3
    assert clock.window(2 * NS_PER_S) == 1
