"""Two bots compared: the tables at which both meet the same deals, seats and opponents, and what a block says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import NamedTuple

from harness import deals
from harness.arena.specs import Played, TableSpec
from harness.conduct import Conduct
from harness.faults import Fault, FaultKind
from harness.games.game import Game, Outcome, Seat

AT_FIRST = 10
"""Blocks that are begun before one has ended: nothing is said of fewer."""


class BlockResult(NamedTuple):
    """What one block says of the two."""

    margin: float | None
    """By how many points a match the first did better, whatever the game calls better; None: one was at fault."""
    ahead: float
    """1, 0.5 or 0: ahead, level, behind. Whoever was at fault is behind."""


class Side(NamedTuple):
    """One of the two in one match."""

    match_id: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Design:
    """Who meets whom: a pure function of the block's number.

    With a `field` the first of the two sits in one seat among bots of the field, then the second in its stead. Without,
    the two play each other: both at one table, then with their seats exchanged. The bots' seeds are those of the block.
    """

    game: Game
    seat_count: int
    secret: bytes
    first: tuple[str, ...]
    """Labels of the processes of the first bot: one, or as many as may sit at one table."""
    second: tuple[str, ...]
    field: tuple[str, ...]
    """Labels of the opponents, as many as there are other seats, or more; none: they play each other."""

    def tables(self) -> Iterator[TableSpec]:
        """The matches, block after block, without an end."""
        block = 0
        while True:
            one, other = self._seatings(block)
            yield self._table(block, 0, one)
            yield self._table(block, 1, other)
            block += 1

    def result(self, block: int, played: tuple[Played, Played]) -> BlockResult:
        """What the two matches of `block` say."""
        scores = [_scores(match) for match in played]
        first = [(turn, seat) for turn, seat in self._places(block, self.first)]
        second = [(turn, seat) for turn, seat in self._places(block, self.second)]
        first_faulted, second_faulted = (
            any(played[turn].match.is_faulted(seat) for turn, seat in places) for places in (first, second)
        )
        if first_faulted or second_faulted:
            return BlockResult(None, (1.0 + second_faulted - first_faulted) / 2)
        margin = fmean(scores[turn][seat] for turn, seat in first) - fmean(scores[turn][seat] for turn, seat in second)
        return BlockResult(margin, 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5)

    def _places(self, block: int, labels: tuple[str, ...]) -> Iterator[tuple[int, Seat]]:
        for turn, seats in enumerate(self._seatings(block)):
            yield from ((turn, seat) for seat, label in enumerate(seats) if label in labels)

    def _seatings(self, block: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if not self.field:
            return self._against_each_other(block)
        others = [self.field[(block + place) % len(self.field)] for place in range(self.seat_count - 1)]
        chair = block % self.seat_count
        one, other = ((*others[:chair], labels[0], *others[chair:]) for labels in (self.first, self.second))
        return one, other

    def _against_each_other(self, block: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A draw of who sits where; the second time everybody's seat is of the other bot."""
        sides = [seat % 2 for seat in range(self.seat_count)]
        sides = list(deals.schedule_chance(self.secret, f"sides/{block}").shuffled(sides))
        return self._of_sides(sides), self._of_sides([1 - side for side in sides])

    def _of_sides(self, sides: list[int]) -> tuple[str, ...]:
        free = (iter(self.first), iter(self.second))
        return tuple(next(free[side]) for side in sides)

    def _table(self, block: int, turn: int, seats: tuple[str, ...]) -> TableSpec:
        name = str(block)
        return TableSpec(
            match_id=f"{block}/{turn}",
            game=self.game,
            seats=seats,
            first_dealer=deals.first_dealer(self.secret, name, self.seat_count),
            deck=partial(_deck, self.secret, name, self.game.pack),
            bot_seeds=tuple(deals.bot_seed(self.secret, name, seat) for seat in range(self.seat_count)),
        )


class Gathering:
    """Matches as they end, in any order; blocks as they are whole, in theirs."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._waiting: dict[int, dict[int, Played]] = {}
        self._next = 0

    @property
    def whole_count(self) -> int:
        """How many blocks have been given back."""
        return self._next

    def add(self, played: Played) -> Iterator[BlockResult]:
        """One match has ended: the blocks that are whole now, with all before them."""
        block, turn = map(int, played.table.match_id.split("/"))
        self._waiting.setdefault(block, {})[turn] = played
        while len(pair := self._waiting.get(self._next, {})) == 2:
            del self._waiting[self._next]
            yield self._design.result(self._next, (pair[0], pair[1]))
            self._next += 1


class Measured(Conduct):
    """Begins as many blocks as have ended, and `AT_FIRST` at the start; nobody is withdrawn.

    Whichever block ends the comparison, no more matches than it took were played in vain, and a bot that thinks long
    does not have dozens of them half done when ten would have been enough.
    """

    def __init__(self, gathering: Gathering) -> None:
        super().__init__()
        self._gathering = gathering

    def may_start(self, match: str, labels: Sequence[str]) -> bool:
        ended = self._gathering.whole_count
        return int(match.partition("/")[0]) < ended + max(ended, AT_FIRST)

    def ended(self, match: str, labels: Sequence[str], faults: Mapping[str, FaultKind]) -> Mapping[str, Fault]:
        return {}


def _deck(secret: bytes, block: str, pack: tuple[int, ...], deal_index: int) -> tuple[int, ...]:
    return deals.deck(secret, block, deal_index, pack)


def _scores(played: Played) -> tuple[int, ...]:
    outcome = played.match.state.pending
    assert isinstance(outcome, Outcome)
    return outcome.scores
