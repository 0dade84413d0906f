"""The line that says why a program failed is among its last words, in whatever language its trace stands below."""

import pytest

from harness.last_words import LEFT_OUT, last_words

FRAMES = [f"    at frame {number}" for number in range(30)]


@pytest.mark.parametrize(
    "told",
    [
        "Error: Cannot find module '@grpc/grpc-js'",
        "TypeError [ERR_INVALID_ARG_TYPE]: The first argument must be of type string",
        "ModuleNotFoundError: No module named 'torch'",
        'Exception in thread "main" java.lang.NoClassDefFoundError: io/grpc/ManagedChannel',
        "Caused by: java.lang.ClassNotFoundException: io.grpc.ManagedChannel",
        "panic: runtime error: index out of range [9] with length 9",
        "fatal error: all goroutines are asleep - deadlock!",
        "thread 'main' panicked at src/main.rs:9:5:",
        "terminate called after throwing an instance of 'std::out_of_range'",
        "./bot: error while loading shared libraries: libgrpc++.so.1.51: cannot open shared object file",
        "bot.rb:1:in `require': cannot load such file -- grpc (LoadError)",
        "bot.cc:7:3: error: 'hand' was not declared in this scope",
        "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010",
        "Unhandled exception. System.FormatException: Input string was not in a correct format.",
    ],
)
def test_what_tells_of_the_failure_is_shown_above_a_long_trace(told: str) -> None:
    shown = last_words(["started", told, "  its second line", *FRAMES], 10)

    assert shown == (told, "  its second line", LEFT_OUT, *FRAMES[-7:])


def test_nothing_is_left_out_where_the_end_tells_enough() -> None:
    lines = ["ValueError: an earlier one, which was caught", *FRAMES, "KeyError: 'hand'"]

    assert last_words(lines, 10) == tuple(lines[-10:])
    assert last_words(lines[:5], 10) == tuple(lines[:5])
    assert last_words(FRAMES, 10) == tuple(FRAMES[-10:])


def test_the_last_failure_is_meant() -> None:
    shown = last_words(["Error: the first", *FRAMES, "Error: the second", *FRAMES], 10)

    assert shown[0] == "Error: the second"


def test_one_line_is_the_last_one() -> None:
    assert last_words(["Error: of old", *FRAMES], 1) == (FRAMES[-1],)
