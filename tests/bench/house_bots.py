"""How strong the house bots are: the table of `docs/house-bots.md`.

    python tests/bench/house_bots.py [--times 8]

`random` is put at 1000. Every table seats bots drawn evenly, and plays its deals once in each rotation of the seats.
The same seed gives the same numbers on every machine.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness import local
from harness.bot import SplitMix64
from ladder.fit import fit
from ladder.results import Result
from tests.sample_bots.programs import bot_class

GRADES = ("sharp", "steady", "novice")
"""Best first."""
POOL = (*GRADES, "random")
ANCHORS = {"random": 1000.0}


class Table(NamedTuple):
    """A kind of table to measure at."""

    game: str
    seat_count: int
    blocks: int
    """Enough to tell the grades apart."""

    def __str__(self) -> str:
        return f"{self.game.capitalize()}, {self.seat_count} seats"


TABLES = (
    Table("guillotine", 4, 25),
    Table("zhiletka", 2, 400),
    Table("zhiletka", 4, 60),
    Table("zhiletka", 6, 36),
)


def lineups(seat_count: int) -> Iterator[tuple[str, ...]]:
    """Who meets, block after block: the pool shuffled anew each time, and dealt round as long as there are seats."""
    chance = SplitMix64(0)
    waiting: list[str] = []
    while True:
        while len(waiting) < seat_count:
            pool = list(POOL)
            chance.shuffle(pool)
            waiting += pool
        yield tuple(waiting[:seat_count])
        del waiting[:seat_count]


def played(table: Table, times: int = 1) -> Iterator[Result]:
    """The results of all blocks of deals at such tables; of so many times as many."""
    for block, lineup in zip(range(times * table.blocks), lineups(table.seat_count), strict=False):
        for turn in range(table.seat_count):
            seats = lineup[turn:] + lineup[:turn]
            record = local.play(table.game, [bot_class(name) for name in seats], seed=block)
            yield Result(f"{block}/{turn}", str(block), seats, record.places, tuple(map(float, record.points)))


def row(table: Table, times: int) -> str:
    """A line of the table: each bot's Elo and the half width of its 95 % interval."""
    rated = fit(played(table, times), anchors=ANCHORS)
    cells = []
    for name in POOL:
        index = rated.index(name)
        assert index is not None
        half = rated.half_width(index)
        cells.append("1000" if name in ANCHORS else f"{rated.elo[index]:.0f} \u00b1 {half:.0f}")
    return f"| {table} | {' | '.join(cells)} |"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=8, help="how many times the blocks that tell the grades apart")
    times = parser.parse_args(words).times
    print(f"| | {' | '.join(f'`{name}`' for name in POOL)} |")
    print(f"|---|{'---|' * len(POOL)}")
    for table in TABLES:
        print(row(table, times), flush=True)


if __name__ == "__main__":
    main()
