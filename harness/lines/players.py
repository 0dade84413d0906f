"""The processes of one adapter: as many matches at once as there are of them."""

import os
from collections.abc import Iterator

from harness.lines.command import Task
from harness.lines.player import Player
from harness.lines.told import hello_line

MOST_PROCESSES = 4
"""However many cores there are: each process takes memory of the same grant."""


def process_count(most: int) -> int:
    """A process for each core that may be used, at most `most`."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, most, MOST_PROCESSES)


class Players:
    """Processes of one program: each plays one match at a time, or none."""

    def __init__(self, task: Task) -> None:
        """Starts the first. PlayerEnded where that cannot be done."""
        self._task = task
        self.count = process_count(task.max_matches)
        self._idle = [self._start()]
        self._playing: set[Player] = set()

    def wait_until_ready(self) -> None:
        """Waits until all have read their first line. PlayerEnded where one ends before."""
        self._idle[0].wait_until_it_reads()
        # Only now the others: a program that cannot start says so once.
        self._idle += [self._start() for _ in range(self.count - 1)]
        for player in self._idle:
            player.wait_until_it_reads()

    def take(self) -> Player:
        """One that plays no match."""
        player = self._idle.pop()
        self._playing.add(player)
        return player

    def give_back(self, player: Player) -> None:
        """Its match is over."""
        player.asked = 0
        self._playing.discard(player)
        self._idle.append(player)

    def replace(self, player: Player) -> None:
        """Ends one and starts another in its place."""
        player.kill()
        self._playing.discard(player)
        self._idle.append(self._start())

    def end(self) -> int:
        """Tells all that nothing more comes, and waits for them. The first status that is not 0, else 0."""
        for player in self._all():
            player.close()
        return next((status for player in self._all() if (status := player.end()) != 0), 0)

    def _all(self) -> Iterator[Player]:
        yield from self._idle
        yield from self._playing

    def _start(self) -> Player:
        player = Player(self._task.argv)
        player.tell(hello_line(self._task.games))
        return player
