"""How even a schedule is, counted from its tables."""

from typing import NamedTuple

import numpy as np

from harness.schedule.draws import Bools, Ints
from ladder.words import plural


class Span(NamedTuple):
    """The least and the most of something counted."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low:,}" if self.low == self.high else f"{self.low:,} to {self.high:,}"

    def of(self, word: str, words: str = "") -> str:
        """With its noun, as `ladder.words.plural`.

        >>> Span(1, 1).of("match", "matches"), Span(0, 1).of("time")
        ('1 match', '0 to 1 times')
        """
        return plural(self.low, word, words) if self.low == self.high else f"{self} {words or word + 's'}"


class SizeBalance(NamedTuple):
    """The matches at tables of one size."""

    seat_count: int
    match_count: int
    block_count: int
    appearances: Span
    """Matches of a bot."""
    seat_spread: int
    """Most matches of one bot in a seat less its fewest in another, for the bot where that is most."""
    left_neighbours: Span
    """How often a bot has another at its left, over the ordered pairs that may meet."""

    def __str__(self) -> str:
        played = f"{plural(self.match_count, 'match', 'matches')}, {self.appearances} a bot"
        left = self.left_neighbours.of("time")
        return f"{played}, seats within {self.seat_spread}; each has each at its left {left}"


class Balance(NamedTuple):
    """How even a schedule is. Bots that only fill tables are left out, and in a gauntlet the house against itself."""

    match_count: int
    block_count: int
    step: int
    """Matches of a block, at the largest tables: they come and go together."""
    appearances: Span
    """Matches of a bot."""
    pairs: Span
    """Matches in which two bots meet, over the pairs that may."""
    pair_mean: float
    pairs_off: int
    """Pairs that meet a step or more above or below the mean."""
    pair_count: int
    sizes: tuple[SizeBalance, ...]

    def lines(self) -> list[str]:
        """The balance for people, a fact a line."""
        blocks = f" in {plural(self.block_count, 'block')}" if self.step > 1 else ""
        return [
            f"matches        {self.match_count:,}{blocks}",
            f"a bot plays    {self.appearances.of('match', 'matches')}",
            f"two bots meet  {self.pairs.of('time')}, {self.pair_mean:.2f} on average{self._off()}",
            *(f"tables of {size.seat_count}    {size}" for size in self.sizes),
        ]

    def _off(self) -> str:
        if not self.pairs_off:
            return ""
        return f" ({self.pairs_off:,} of {plural(self.pair_count, 'pair')} off by {self.step} or more)"


class Tally:
    """Counts the tables of a schedule, size by size. `ranks[label]` is true for bots whose appearances count."""

    def __init__(self, may_meet: Bools, ranks: Bools) -> None:
        self._may_meet, self._ranks = may_meet, ranks
        self._met = np.zeros(may_meet.shape, np.int64)
        self._appearances = np.zeros(len(ranks), np.int64)
        self._sizes: list[SizeBalance] = []

    def add(self, *, size: int, rotations: int, block_count: int, seats: Ints, met: Ints, beside: Ints) -> None:
        """All blocks of one size: `seats[label, seat]`, `met` and `beside` count blocks by rotation 1."""
        appearances = seats.sum(1) * rotations
        self._appearances += appearances
        self._met += rotations * met
        # A block with rotations puts everybody into every seat once, and has the same left neighbours in all of them.
        by_seat = seats if rotations == 1 else np.repeat(seats.sum(1)[:, None], size, axis=1)
        seated = appearances > 0
        self._sizes.append(
            SizeBalance(
                size,
                block_count * rotations,
                block_count,
                _span(appearances[self._ranks]),
                int((by_seat.max(1) - by_seat.min(1))[seated].max(initial=0)),
                _span(rotations * beside[self._may_meet]),
            )
        )

    def balance(self) -> Balance:
        """What was counted."""
        step = max(size.match_count // size.block_count for size in self._sizes)
        pairs = self._met[np.triu(self._may_meet)]
        mean = float(pairs.mean()) if pairs.size else 0.0
        return Balance(
            match_count=sum(size.match_count for size in self._sizes),
            block_count=sum(size.block_count for size in self._sizes),
            step=step,
            appearances=_span(self._appearances[self._ranks]),
            pairs=_span(pairs),
            pair_mean=mean,
            pairs_off=int((np.abs(pairs - mean) >= step).sum()),
            pair_count=pairs.size,
            sizes=tuple(self._sizes),
        )


def _span(counts: Ints) -> Span:
    return Span(int(counts.min()), int(counts.max())) if counts.size else Span(0, 0)
