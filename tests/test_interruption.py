"""Signals that end a verb: once for a burst, in whatever the process is doing."""

import asyncio
import gc
import logging
import signal
from collections.abc import Iterator

import pytest

from harness import interruption
from harness.interruption import BURST_NS, SIGNALS, heard


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    logging.getLogger("asyncio").disabled = False


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_of_a_burst_is_an_exception_and_the_others_are_nothing(number: signal.Signals) -> None:
    clock = Clock()
    with heard(now_ns=clock):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        for _ in range(5):
            clock.now_ns += BURST_NS - 1
            signal.raise_signal(number)
        clock.now_ns += BURST_NS

        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)


def test_what_was_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with heard():
        signal.raise_signal(signal.SIGHUP)

    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.parametrize("to_the_end", [False, True])
def test_after_the_block_all_is_as_before_or_deaf_to_the_end(to_the_end: bool) -> None:
    before = [signal.getsignal(number) for number in SIGNALS]

    with heard(to_the_end=to_the_end):
        pass

    after = [signal.getsignal(number) for number in SIGNALS]
    assert after == ([signal.SIG_IGN] * 3 if to_the_end else before)


async def _interrupted(said: list[str]) -> None:
    signal.raise_signal(signal.SIGINT)
    try:
        await asyncio.sleep(60)
    finally:
        for _ in range(5):
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(0)
        said.append("ended in its own time")


def test_a_coroutine_is_cancelled_once_and_ends_in_its_own_time() -> None:
    said: list[str] = []

    with pytest.raises(KeyboardInterrupt):
        interruption.run(_interrupted(said))

    assert said == ["ended in its own time"]


def test_one_that_does_not_end_is_left_at_the_next_burst() -> None:
    clock = Clock()

    async def never_ends() -> None:
        signal.raise_signal(signal.SIGINT)
        try:
            await asyncio.sleep(60)
        finally:
            clock.now_ns = BURST_NS
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(60)

    with heard(now_ns=clock), pytest.raises(KeyboardInterrupt):
        interruption.run(never_ends())


def test_of_what_is_left_at_the_next_burst_asyncio_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()

    async def stays() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            clock.now_ns = BURST_NS
            asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
            await asyncio.sleep(60)

    async def leaves_one() -> None:
        staying = asyncio.create_task(stays())
        await asyncio.sleep(0)
        signal.raise_signal(signal.SIGINT)
        await asyncio.wait({staying})

    with heard(now_ns=clock), pytest.raises(KeyboardInterrupt):
        interruption.run(leaves_one())
    gc.collect()

    assert caplog.records == []


def test_what_ends_of_itself_gives_its_result_and_its_own_cancellation_is_let_through() -> None:
    async def two() -> int:
        return 2

    async def cancelled() -> None:
        raise asyncio.CancelledError

    assert interruption.run(two()) == 2
    with pytest.raises(asyncio.CancelledError):
        interruption.run(cancelled())
