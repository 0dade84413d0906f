"""A bot's own chance: SplitMix64, so simple that a bot in any language can draw the same numbers."""

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


class SplitMix64:
    """A stream of 64-bit numbers that depends on `seed` alone.

    The published algorithm of Steele, Lea and Flood, with `seed` as its first state.

    >>> SplitMix64(1234567).next()
    6457827717110365317
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next(self) -> int:
        """The next number, 0 to 2**64 - 1."""
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _MASK
        return mixed ^ mixed >> 31

    def below(self, bound: int) -> int:
        """A number from 0 to `bound - 1`, each equally likely. ValueError unless `bound` is 1 to 2**64.

        Numbers of the stream from the largest multiple of `bound` on are skipped; the remainder of
        the first other one is the result.
        """
        if not 1 <= bound <= 1 << 64:
            raise ValueError(f"bound must be from 1 to 2**64, not {bound}")
        number = self.next()
        if number > _MASK - bound:  # Only of the last few may some be too many.
            end = (1 << 64) - (1 << 64) % bound
            while number >= end:
                number = self.next()
        return number % bound

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`, each equally likely. ValueError where there is none."""
        return items[self.below(len(items))]

    def unit(self) -> float:
        """A number from 0 up to but not including 1, in steps of 2**-53."""
        return (self.next() >> 11) * 2.0**-53

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffles `items` in place: from the last place down, each is swapped with one not after it."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
