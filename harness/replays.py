"""Plays records from elsewhere again, on all cores where they are many, and refuses the first that breaks the rules."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from harness.checkers import checkers
from harness.errors import HarnessError
from harness.printable import printable
from harness.record import MatchRecord, ReplayDifference, replay

CHUNK_RECORDS = 100
FEW_CHUNKS = 10
"""Of fewer the processes would only just have started."""

Placed = tuple[str, MatchRecord]
"""A record, and where it stands: its file, its line if there is one, its match."""


def refuse_unplayable(records: Iterable[Placed], processes: int = 1) -> None:
    """HarnessError names the first of `records` that does not follow the rules: no page can be made of it.

    A HarnessError of `records` itself is raised when all that came before it has been played: it is the same mistake
    that is told, however many `processes` there are.
    """
    given = _UntilMistake(records)
    chunks = iter(lambda: tuple(islice(given, CHUNK_RECORDS)), ())
    for refusal in _refusals(chunks, processes):
        if refusal is not None:
            raise HarnessError(refusal)
    if given.mistake is not None:
        raise given.mistake


class _UntilMistake(Iterator[Placed]):
    """What comes before the first HarnessError, which is kept."""

    def __init__(self, records: Iterable[Placed]) -> None:
        self.mistake: HarnessError | None = None
        self._records = iter(records)

    def __next__(self) -> Placed:
        try:
            where, record = next(self._records)
        except HarnessError as mistake:
            self.mistake = mistake
            raise StopIteration from None
        # A stranger's `meta` may be nested deeper than what travels to another process. No rule asks for it.
        return where, replace(record, meta={})


def _refusals(chunks: Iterator[tuple[Placed, ...]], processes: int) -> Iterator[str | None]:
    """Of each chunk what is wrong with its first record that does not follow the rules; None: nothing."""
    first = tuple(islice(chunks, FEW_CHUNKS))
    if processes == 1 or len(first) < FEW_CHUNKS:
        yield from map(_refusal, chain(first, chunks))
        return
    with checkers(_player, processes) as play:
        yield from play(chain(first, chunks))


def _player() -> Callable[[Iterable[Placed]], str | None]:
    """For a process of its own."""
    return _refusal


def _refusal(records: Iterable[Placed]) -> str | None:
    for where, record in records:
        try:
            replay(record)
        except ReplayDifference as difference:
            what = printable(str(difference).removeprefix(f"{record.match}").lstrip(":, "))[:200]
            return f"{where}: not by the rules, {what}; whoever sent it has to take it from the cup"
    return None
