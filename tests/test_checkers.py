"""Work shared by processes: in order, and over with whoever shared it out."""

import os
import signal
from collections.abc import Callable
from multiprocessing import active_children, resource_tracker

import pytest

from harness.checkers import checkers

pytestmark = pytest.mark.slow


def square(number: int) -> tuple[int, int]:
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number, os.getpid()


def squaring() -> Callable[[int], tuple[int, int]]:
    return square


def test_what_comes_back_stands_in_the_order_of_the_parts_and_was_done_by_all() -> None:
    with checkers(squaring, 2) as do:
        found = list(do(range(9)))

    assert [square for square, _ in found] == [number * number for number in range(9)]
    assert len({process for _, process in found}) == 2
    assert not any(_is_alive(process) for _, process in found)


def same() -> Callable[[bytes], bytes]:
    return bytes


def test_parts_and_what_comes_of_them_may_be_larger_than_what_a_pipe_holds() -> None:
    parts = [bytes([number]) * 2_000_000 for number in range(8)]

    with checkers(same, 2) as do:
        assert list(do(parts)) == parts


def test_a_process_that_dies_is_told() -> None:
    with checkers(squaring, 2) as do, pytest.raises(RuntimeError, match=r"what it wrote on stderr says why"):
        list(do([1, -1, 2, 3]))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_while_they_are_being_loaded_is_not_for_them(
    number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined] # as in a process that never shared work

    with checkers(squaring, 2) as do:
        for process in active_children():
            assert process.pid is not None
            os.kill(process.pid, number)

        assert [square for square, _ in do(range(4))] == [0, 1, 4, 9]
    assert capfd.readouterr().err == ""


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
