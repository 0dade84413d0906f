"""Who sits in which seat, once it is known who sits at which table.

Without rotations: cut each bot's appearances, in order, into runs of k. Tables and runs are the two sides of a graph,
each appearance an edge, no node has more than k; so by Koenig's theorem k colours do, and the colours are the seats. A
bot's whole run uses every seat once, whence no two seats of a bot ever differ by more than one match.
With rotations every seat is used once in each block, and what is left to choose is who sits at whose left.
"""

from itertools import permutations

import numpy as np

from harness.schedule.draws import Draws, Ints

_EXCHANGE_TABLES = 2048
_EXCHANGE_VISITS = 20_000
_CIRCLE_BATCHES = 64


def neighbours(seated: Ints, bot_count: int) -> Ints:
    """How often each bot (row) has each other (column) at its left, the next seat clockwise."""
    pairs = seated * bot_count + np.roll(seated, -1, axis=1)
    return np.bincount(pairs.ravel(), minlength=bot_count * bot_count).reshape(bot_count, bot_count)


def choose_circles(groups: Ints, beside: Ints, draws: Draws) -> Ints:
    """`groups` in the orders round the table that make left neighbours even, for blocks with rotations.

    `beside` counts earlier left neighbours and is changed in place. Who sits first makes no difference and is drawn.
    """
    size = groups.shape[1]
    circles = np.array([(0, *rest) for rest in permutations(range(1, size))], np.int64)
    seated = np.empty_like(groups)
    batch = max(1, len(groups) // _CIRCLE_BATCHES)
    for start in range(0, len(groups), batch):
        options = groups[start : start + batch][:, circles]
        price = beside[options, np.roll(options, -1, axis=2)].sum(2)
        lots = draws.words(price.size).reshape(price.shape) >> 12
        chosen = options[np.arange(len(options)), np.argmin((price << 20) + lots, axis=1)]
        beside += neighbours(chosen, len(beside))
        begin = draws.words(len(chosen)) % size
        seated[start : start + batch] = np.take_along_axis(chosen, (np.arange(size) + begin[:, None]) % size, axis=1)
    return seated


def seat_evenly(groups: Ints, beside: Ints, draws: Draws) -> Ints:
    """`groups` with each bot's seats even, in any prefix too, and left neighbours as even as exchanges make them.

    `beside` counts earlier left neighbours and is changed in place.
    """
    seats = _Seats(groups.tolist(), len(beside), draws)
    if len(groups) <= _EXCHANGE_TABLES:
        seats.exchange_neighbours(beside.tolist())
    seated = np.array(seats.bots, np.int64).reshape(groups.shape)
    beside += neighbours(seated, len(beside))
    return seated


class _Seats:
    """An edge colouring as it grows: tables on one side, runs of a bot's appearances on the other."""

    def __init__(self, groups: list[list[int]], bot_count: int, draws: Draws) -> None:
        self._size = len(groups[0]) if groups else 0
        self._draws = draws
        self.bots = [[-1] * self._size for _ in groups]
        self._runs = [[-1] * self._size for _ in groups]
        self._tables: list[list[int]] = []
        self._free_of_run: list[int] = []
        seen = [0] * bot_count
        run_of = [-1] * bot_count
        for table, group in enumerate(groups):
            free = (1 << self._size) - 1
            for bot in group:
                if seen[bot] % self._size == 0:
                    run_of[bot] = len(self._tables)
                    self._tables.append([-1] * self._size)
                    self._free_of_run.append((1 << self._size) - 1)
                seen[bot] += 1
                free ^= 1 << self._place(table, bot, run_of[bot], free)

    def _place(self, table: int, bot: int, run: int, free: int) -> int:
        """Seats `bot` at `table`, of whose seats `free` are empty; the seat it got."""
        common = free & self._free_of_run[run]
        if not common:
            seat, spare = _lowest(free), _lowest(self._free_of_run[run])
            self._flip_from_run(run, seat, spare)
            self._free_of_run[run] ^= 1 << seat | 1 << spare
        else:
            seat = self._any_of(common)
        self.bots[table][seat] = bot
        self._runs[table][seat] = run
        self._tables[run][seat] = table
        self._free_of_run[run] ^= 1 << seat
        return seat

    def _any_of(self, seats: int) -> int:
        for _ in range(self._draws.below(seats.bit_count())):
            seats &= seats - 1
        return _lowest(seats)

    def _flip_from_run(self, run: int, seat: int, spare: int) -> None:
        """Swaps two seats along the path that leaves `run` by `seat`, so that it has `seat` free instead of `spare`."""
        path = []
        table = self._tables[run][seat]
        while table >= 0:
            path.append(table)
            next_run = self._runs[table][spare]
            table = self._tables[next_run][seat] if next_run >= 0 else -1
        last_run = self._runs[path[-1]][spare]
        self._swap_seats(path, seat, spare)
        if last_run >= 0:
            self._free_of_run[last_run] ^= 1 << seat | 1 << spare

    def _swap_seats(self, tables: list[int], first: int, second: int) -> None:
        """Swaps two seats at `tables`, a whole path of them."""
        runs: set[int] = set()
        for table in tables:
            bots, own = self.bots[table], self._runs[table]
            bots[first], bots[second] = bots[second], bots[first]
            own[first], own[second] = own[second], own[first]
            runs.update((own[first], own[second]))
        for run in runs:
            if run >= 0:
                at = self._tables[run]
                at[first], at[second] = at[second], at[first]

    def _chain(self, table: int, first: int, second: int) -> list[int]:
        """The tables where `first` and `second` must be swapped together with `table`."""
        chain = [table]
        for leaving, entering in ((first, second), (second, first)):
            at = self._tables[self._runs[table][leaving]][entering]
            while at >= 0 and at != table:
                chain.append(at)
                at = self._tables[self._runs[at][leaving]][entering]
            if at == table:
                break
        return chain

    def exchange_neighbours(self, beside: list[list[int]]) -> None:
        """Swaps seats along chains wherever that makes left neighbours more even; nobody's seat counts spread."""
        for bots in self.bots:
            self._count(bots, beside, 1)
        visits = min(_EXCHANGE_VISITS, 40 * len(self.bots))
        while visits > 0 and self._size > 2:
            first = self._draws.below(self._size)
            second = (first + 1 + self._draws.below(self._size - 1)) % self._size
            chain = self._chain(self._draws.below(len(self.bots)), first, second)
            visits -= len(chain)
            change = sum(self._count(self.bots[table], beside, -1) for table in chain)
            self._swap_seats(chain, first, second)
            change += sum(self._count(self.bots[table], beside, 1) for table in chain)
            if change > 0:
                for table in chain:
                    self._count(self.bots[table], beside, -1)
                self._swap_seats(chain, first, second)
                for table in chain:
                    self._count(self.bots[table], beside, 1)

    def _count(self, bots: list[int], beside: list[list[int]], by: int) -> int:
        """Adds a table's left neighbours `by` times; what that does to half the sum of squares, but for a constant."""
        change = 0
        left = bots[0]
        for bot in reversed(bots):
            row = beside[bot]
            change += row[left] if by > 0 else -row[left] + 1
            row[left] += by
            left = bot
        return change


def _lowest(seats: int) -> int:
    return (seats & -seats).bit_length() - 1
