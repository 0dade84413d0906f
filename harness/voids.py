"""Which blocks of a cup count no more, and which stand in for them: a function of rulings and replays.

A block is known by its round and its number there.
"""

from collections.abc import Iterable, Mapping

from harness.round import Replay
from harness.store.rows import Ruling
from harness.store.rulings import standing


class Voids:
    """The blocks of a cup as rulings leave them."""

    def __init__(self, rulings: Iterable[Ruling], replays: Mapping[int, Replay]) -> None:
        """`replays`: by number, the rounds that play blocks again."""
        self._void = {(ruling.round, ruling.block): ruling for ruling in standing(rulings) if ruling.block is not None}
        self._original = {
            (round, number): (replay.round, block)
            for round, replay in replays.items()
            for number, block in enumerate(replay.blocks, start=1)
        }
        self._replayed = set(self._original.values())

    def void_in(self, round: int) -> dict[int, Ruling]:
        """The void blocks of a round, each with what makes it void."""
        return {
            block: ruling for (number, block), ruling in self._void.items() if number == round and block is not None
        }

    def left_out(self, round: int) -> set[int]:
        """The blocks of a round whose results do not count."""
        originals = {block for number, block in self._original if number == round}
        return {*self.void_in(round), *(block for block in originals if not self._is_wanted(round, block))}

    def ruling_on(self, round: int, block: int) -> Ruling | None:
        """What makes a block void; None: it is not."""
        return self._void.get((round, block))

    def is_replayed(self, round: int, block: int) -> bool:
        """Whether a later round has played a block again, or does so now."""
        return (round, block) in self._replayed

    def counts(self, round: int, block: int) -> bool:
        """Whether the results of a block count: it is not void, and what it stands in for is."""
        return (round, block) not in self._void and self._is_wanted(round, block)

    def due(self, round: int) -> tuple[int, ...]:
        """The void blocks of a round that are to be played again and have not been, ascending."""
        blocks = (block for number, block in self._void if number == round and (number, block) not in self._replayed)
        return tuple(sorted(block for block in blocks if block is not None and self._is_wanted(round, block)))

    def _is_wanted(self, round: int, block: int) -> bool:
        original = self._original.get((round, block))
        return original is None or (original in self._void and self._is_wanted(*original))
