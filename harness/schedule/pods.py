"""Many bots: groups that meet one after another, so that few bots are alive at a time and each is seldom started.

The bots are points of an affine plane of prime order q: q lines of each of q + 1 directions, where two points lie on
exactly one line together. A session takes one direction: its lines, the **pods**, part the bots, and each pod plays
some orbits of its own. After all directions everybody has been in a pod with everybody else once.
"""

from collections.abc import Iterator

import numpy as np

from harness.schedule.draws import Draws, Ints
from harness.schedule.orbits import Orbits, tables_of

_MOST_ORBITS = 16
"""Orbits of a pod in a session: with tables of four every bot then has 64 matches there, which fill its stream."""

_SHORTEST_LINE = 10
"""Bots on a line, on average. In shorter pods some pairs would meet twice as often as others."""
_FEWEST_MEETINGS = 12
"""Blocks that two bots meet in, on average: they differ by 6 or so, by 14 in fields of an awkward number."""


class Pods:
    """Pods for `bot_count` bots at tables of `size`, none with more than `most_alive` bots. See `fit`."""

    def __init__(self, bot_count: int, size: int, most_alive: int) -> None:
        self._bot_count, self._size = bot_count, size
        self._order = order = _prime_from(int(np.ceil(np.sqrt(bot_count))))
        self.fit = order + size <= most_alive < bot_count and bot_count // order >= _SHORTEST_LINE
        """Whether there are such pods, and a use for them."""

    def are_even(self, orbit_count: int) -> bool:
        """Whether over so many orbits two bots meet often enough that a few blocks more or less do not matter."""
        return orbit_count * self._size * (self._size - 1) >= _FEWEST_MEETINGS * (self._bot_count - 1)

    def sessions(self, orbit_count: int, draws: Draws) -> Iterator[Ints]:
        """Tables of `orbit_count` orbits, in which everybody sits equally often; a row a table, a pod at a time.

        The sessions come to whole rounds of all directions, as few as fill the streams, and longer lines play more
        orbits: so all meet equally often, but for remainders.
        """
        weights = np.ones(self._order + 1)
        weights[-1] = (self._order - 1) / (self._bot_count / self._order - 1)  # its lines are longer
        passes = max(1, -(-orbit_count // round(_MOST_ORBITS * weights.sum())))
        blocks: dict[tuple[int, int], Ints] = {}
        done, due = 0, 0.0
        for _ in range(passes):
            bots = draws.permutation(self._bot_count)
            for direction in draws.permutation(self._order + 1).tolist():
                due += weights[direction] * max(1.0, orbit_count / (passes * weights.sum()))
                count = min(round(due), orbit_count) - done
                done += count
                for pod in self._pods(direction) if count else ():
                    key = len(pod), count
                    if key not in blocks:
                        blocks[key] = Orbits(len(pod), self._size, draws).base_blocks(count)
                    yield tables_of(blocks[key], bots[pod][draws.permutation(len(pod))], draws)

    def _pods(self, direction: int) -> list[Ints]:
        """Points of the lines of a direction. Where the last one is too short for a table, they join those before."""
        across, along = np.divmod(np.arange(self._bot_count), self._order)
        if direction < self._order:
            line = (along - direction * across) % self._order
        else:
            line = np.where(self._bot_count - across * self._order < self._size, across - 1, across)
        return [np.flatnonzero(line == number) for number in range(int(line.max()) + 1)]


def _prime_from(least: int) -> int:
    number = max(2, least)
    while any(number % divisor == 0 for divisor in range(2, int(number**0.5) + 1)):
        number += 1
    return number
