"""At most so many bots think at the same time; a free place goes to the one that waits longest."""

import pytest

from harness.arena.jobs import Jobs


class Bot:
    """A bot as `Jobs` sees it."""

    def __init__(self, waiting_since_ns: int | None = None) -> None:
        self.owed_count = 0
        self.waiting_since_ns = waiting_since_ns
        self.wakes = 0

    def wake(self) -> None:
        self.wakes += 1


def test_bots_ask_freely_while_there_are_places() -> None:
    jobs = Jobs(2)

    assert jobs.may_ask(Bot())
    assert jobs.may_ask(Bot())
    assert not jobs.may_ask(Bot())


def test_the_place_of_a_bot_that_owes_nothing_is_free() -> None:
    jobs = Jobs(1)
    first, second = Bot(), Bot(5)
    jobs.may_ask(first)
    first.owed_count = 3
    jobs.settle(first)
    assert not jobs.may_ask(second)

    first.owed_count = 0
    jobs.settle(first)

    assert second.wakes == 1
    assert jobs.may_ask(second)


def test_the_one_that_waits_longest_comes_first() -> None:
    jobs = Jobs(1)
    holder, late, early = Bot(), Bot(20), Bot(10)
    jobs.may_ask(holder)
    jobs.may_ask(late)
    jobs.may_ask(early)
    jobs.settle(holder)

    assert (early.wakes, late.wakes) == (1, 0)


def test_a_bot_that_owes_gets_more_only_while_nobody_waits() -> None:
    jobs = Jobs(1)
    holder, other = Bot(), Bot(10)
    jobs.may_ask(holder)
    holder.owed_count = 1
    assert jobs.may_ask(holder)

    jobs.may_ask(other)

    assert not jobs.may_ask(holder)


def test_a_bot_that_was_refused_more_is_woken_once_nobody_waits() -> None:
    jobs = Jobs(2)
    slow, quick, other = Bot(), Bot(), Bot(10)
    for bot in (slow, quick):
        jobs.may_ask(bot)
        bot.owed_count = 1
    jobs.may_ask(other)
    assert not jobs.may_ask(slow)

    quick.owed_count = 0
    jobs.settle(quick)

    assert (other.wakes, slow.wakes) == (1, 1)
    assert jobs.may_ask(slow)


def test_a_bot_that_is_gone_is_not_woken() -> None:
    jobs = Jobs(1)
    gone, other = Bot(), Bot(10)
    jobs.may_ask(gone)
    gone.owed_count = 1
    jobs.may_ask(other)
    jobs.may_ask(gone)

    jobs.leave(gone)

    assert (other.wakes, gone.wakes) == (1, 0)


def test_a_bot_that_has_nothing_more_to_ask_is_passed_over() -> None:
    jobs = Jobs(1)
    holder, idle, other = Bot(), Bot(10), Bot(20)
    jobs.may_ask(holder)
    jobs.may_ask(idle)
    jobs.may_ask(other)
    idle.waiting_since_ns = None
    jobs.settle(holder)

    assert (idle.wakes, other.wakes) == (0, 1)


def test_the_place_of_a_bot_that_is_gone_is_free() -> None:
    jobs = Jobs(1)
    holder, other = Bot(), Bot(10)
    jobs.may_ask(holder)
    holder.owed_count = 5
    jobs.may_ask(other)
    jobs.leave(holder)

    assert other.wakes == 1


def test_a_bot_that_is_gone_waits_no_more() -> None:
    jobs = Jobs(1)
    holder, other = Bot(), Bot(10)
    jobs.may_ask(holder)
    jobs.may_ask(other)
    jobs.leave(other)
    jobs.settle(holder)

    assert other.wakes == 0


def test_there_is_at_least_one_place() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Jobs(0)
