"""The command line of the adapter: what the harness writes and the adapter reads."""

from collections.abc import Sequence
from typing import NamedTuple

from harness.own_program import own_program

MODULE = "harness.lines"


class Task(NamedTuple):
    """What one adapter is to do."""

    games: tuple[str, ...]
    max_matches: int
    """Most matches at once."""
    argv: tuple[str, ...]
    """Of the author's program."""


def adapter_command(games: Sequence[str], max_matches: int) -> tuple[str, ...]:
    """What stands before the argv of a bot that plays `games`, so many matches at once at most."""
    return (*own_program(MODULE, ",".join(games), str(max_matches)), "--")


def task_of(words: Sequence[str]) -> Task:
    """What the arguments of the adapter ask for."""
    games, max_matches, _, *argv = words
    return Task(tuple(games.split(",")), int(max_matches), tuple(argv))
