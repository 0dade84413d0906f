"""One of several equal shares of a round, each played on another machine."""

from dataclasses import dataclass

from harness.errors import HarnessError
from harness.printable import printable


@dataclass(frozen=True)
class Shard:
    """Every `count`-th block, from block `index` on; both from 1."""

    index: int
    count: int

    def has(self, block: int) -> bool:
        """Whether the block of that number is played here.

        >>> [block for block in range(1, 8) if Shard(2, 3).has(block)]
        [2, 5]
        """
        return (block - self.index) % self.count == 0

    def __str__(self) -> str:
        return f"shard {self.index} of {self.count}"


WHOLE = Shard(1, 1)
"""All of a round."""


def parse_shard(text: str) -> Shard:
    """The shard that `I/N` means. HarnessError where it means none.

    >>> parse_shard("2/3")
    Shard(index=2, count=3)
    """
    index, slash, count = text.partition("/")
    if slash and (index + count).isascii() and index.isdecimal() and count.isdecimal():
        shard = Shard(int(index[:9]), int(count[:9]))
        if 1 <= shard.index <= shard.count:
            return shard
    raise HarnessError(f"--shard {printable(text)}: write I/N, such as 1/2 here and 2/2 on the other machine")
