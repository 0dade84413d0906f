"""Where one bot sits, over all its lives: at which tables it is, from which it is away, and what a death costs it.

A death costs one match (`harness.arena.inquest`), or none where nothing was owed. From its other tables the bot is
**away** until its next life is ready; then it is told all again, and plays on.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from harness.arena.inquest import Inquest
from harness.faults import Fault

if TYPE_CHECKING:
    from harness.arena.life import Life
    from harness.arena.table import Table
    from harness.games.game import Seat


class Attendance:
    """The seats of one bot. A seat is known by its match id, which stays the same over all lives."""

    def __init__(self) -> None:
        self.next_match_id = 1
        """For the next life's session."""
        self.failed_starts = 0
        """Lives in a row that ended with nothing owed, and no match of the bot was played to its end meanwhile."""
        self._away: dict[int, tuple[Table, Seat]] = {}
        self._inquest = Inquest()
        self.failures = 0
        """Lives in a row that ended because something of ours failed, and no match of the bot was played meanwhile."""
        self._last_fault: Fault | None = None
        """Of the last life that sat at a table."""

    @property
    def away_count(self) -> int:
        """Tables that it is away from."""
        return sum(not table.is_over for table, _ in self._away.values())

    @property
    def games(self) -> set[str]:
        """Names of the games that are played where it is away."""
        return {table.spec.game.name for table, _ in self._away.values()}

    @property
    def is_under_inquest(self) -> bool:
        """Whether it is to be asked one thing at a time."""
        return bool(self._inquest.suspects)

    def died(self, life: "Life", fault: Fault, now_ns: int) -> None:
        """`life`, which sat there, has ended for `fault`."""
        owed = life.session.owed
        self.failed_starts = 0 if owed else self.failed_starts + 1
        if life.seats:
            self._last_fault = fault
        self._leave(life)
        self._charge(self._inquest.died(owed, fault), now_ns)

    def failed(self, life: "Life", reason: str) -> None:
        """`life`, which sat there, has ended because something of ours failed.

        What a death would cost the bot is void instead: the match whose answer was owed longest.
        """
        owed = life.session.owed
        self.failures += 1
        self._leave(life)
        if owed:
            table, _ = self._away.pop(owed[0])
            table.give_up(reason)

    def void(self, match_id: int, now_ns: int) -> None:
        """A match in which the bot sits counts for nothing."""
        self._away.pop(match_id, None)
        self._charge(self._inquest.void(match_id), now_ns)

    def _leave(self, life: "Life") -> None:
        """The bot is away from where `life` sat."""
        self.next_match_id = life.session.next_match_id
        for match_id, (table, seat) in life.seats.items():
            table.away(seat)
            if not table.match.is_faulted(seat):  # What it has lost already it need not hear of again.
                self._away[match_id] = table, seat
        life.seats.clear()

    def come(self, life: "Life", room: int, now_ns: int) -> None:
        """`life` sits down at up to `room` tables that the bot is away from, and is told all again there."""
        self._away = {match_id: at for match_id, at in self._away.items() if not at[0].is_over}
        suspects = [match_id for match_id in self._inquest.suspects if match_id in self._away]
        others = sorted(self._away.keys() - suspects - {self._inquest.held})
        for match_id in [*suspects, *others][:room]:
            table, seat = self._away.pop(match_id)
            table.back(seat, life, now_ns)

    def settle(self, life: "Life", match_id: int, now_ns: int) -> None:
        """`life` has answered in a match, or has lost it for a fault of that match alone."""
        if self._inquest.suspects:
            self._charge(self._inquest.cleared(match_id), now_ns)
            life.session.one_at_a_time = self.is_under_inquest

    def played(self) -> None:
        """A match in which the bot sat has come to its end."""
        self.failed_starts = self.failures = 0

    def withdraw(self, fault: Fault, now_ns: int) -> None:
        """The bot is given up: all that it was playing ends as its fault, of the kind of the last that it did there."""
        kind = self._last_fault.kind if self._last_fault is not None else fault.kind
        for match_id in sorted(self._away):
            table, seat = self._away[match_id]
            table.fault(seat, Fault(kind, fault.detail), now_ns)
        self._away.clear()

    def _charge(self, faults: Mapping[int, Fault], now_ns: int) -> None:
        for match_id, fault in faults.items():
            table, seat = self._away.pop(match_id)
            table.fault(seat, fault, now_ns)
