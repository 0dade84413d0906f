"""Who is withdrawn for too many faults, the same however many matches are played at once.

A bot is withdrawn when over half of its first n matches of a round (n at least `LEAST_MATCHES`, in the order of the
schedule) have ended with its fault. Its next match starts only once it is certain that the bot will not be withdrawn
before it: when n of its first matches have ended without a fault, so do its first 2 n, and always its first
`LEAST_MATCHES`. So who behaves is soon held up by nothing, and of who does not no match has begun that should not have.
"""

from collections.abc import Iterable, Mapping, Sequence

from harness.faults import FOR_FAULTS, Fault, FaultKind

LEAST_MATCHES = 20
"""Nobody is withdrawn for faults before so many matches."""


class Conduct:
    """How the bots of a round behave. Bots are known by labels, matches by ids."""

    def __init__(self, gone: Iterable[str] = ()) -> None:
        """`gone`: who has left already."""
        self._courses: dict[str, _Course] = {}
        self._gone = set(gone)

    def expect(self, match: str, labels: Sequence[str]) -> None:
        """`match` is the next one, in the order of the schedule, of the bots that sit there and have not left."""
        for label in labels:
            if label not in self._gone:
                self._courses.setdefault(label, _Course()).expect(match)

    def leave(self, label: str) -> None:
        """The bot plays no more, whatever for: it holds up nobody."""
        self._gone.add(label)

    def come_back(self, label: str) -> None:
        """The bot plays again, from the next match that is expected on; until then all that were expected have ended.

        What the house played for it meanwhile is no part of its conduct.
        """
        self._gone.discard(label)

    def may_start(self, match: str, labels: Sequence[str]) -> bool:
        """Whether none of these bots, which sit there, can come to be withdrawn before it."""
        return all(label in self._gone or self._courses[label].may_start(match) for label in labels)

    def ended(self, match: str, labels: Sequence[str], faults: Mapping[str, FaultKind]) -> Mapping[str, Fault]:
        """A match has ended, with `faults` by label. Returns for whom it was one too many, and why: they leave."""
        over = {}
        for label in labels:
            if label not in self._gone and self._courses[label].ended(match, faults.get(label)):
                self.leave(label)
                over[label] = self._courses[label].verdict()
        return over


class _Course:
    """The matches of one bot, numbered from 0 in the order of the schedule."""

    def __init__(self) -> None:
        self.allowed = LEAST_MATCHES
        """The first so many may start. Of less it is certain that the bot is not withdrawn after them."""
        self.clean_count = 0
        """Those of the first `allowed` that have ended without a fault."""
        self._ended_count = 0  # of the first `allowed`
        self._numbers: dict[str, int] = {}  # of the matches that have not ended
        self._ends = bytearray()  # by number: 0 not ended, 1 with a fault, 2 without
        self._kinds: dict[int, FaultKind] = {}  # of the faults, by number

    def expect(self, match: str) -> None:
        self._numbers[match] = len(self._ends)
        self._ends.append(0)

    def may_start(self, match: str) -> bool:
        return self._numbers[match] < self.allowed

    def ended(self, match: str, fault: FaultKind | None) -> bool:
        """Whether the bot is to be withdrawn now."""
        number = self._numbers.pop(match)
        self._ends[number] = 1 if fault else 2
        if fault:
            self._kinds[number] = fault
        if number < self.allowed:
            self._ended_count += 1
            self.clean_count += not fault
        while 2 * self.clean_count >= self.allowed:
            end = self._ends[self.allowed] if self.allowed < len(self._ends) else 0
            self._ended_count += end > 0
            self.clean_count += end == 2
            self.allowed += 1
        return self._ended_count == self.allowed

    def verdict(self) -> Fault:
        """Why the bot is withdrawn: the same whatever ended last."""
        kind = self._kinds[max(number for number in self._kinds if number < self.allowed)]
        count = self.allowed - self.clean_count
        return Fault(kind, f"{FOR_FAULTS}{count} of its first {self.allowed} matches, the last one {kind}")
