"""What the ledger gives back: cups, rounds, entries, versions, results. Values, all of them frozen.

Points in time are nanoseconds since 1970 (`_unix_ns`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from harness.match import TimeControl


class Role(StrEnum):
    """Why an entry plays."""

    BOT = "bot"
    HOUSE = "house"
    """Seated like a bot, rated, never ranked."""
    FILL = "fill"
    """Makes tables full; not rated."""


@dataclass(frozen=True)
class Entry:
    """One bot of a round, pinned. `label` is its name, then `#2` and so on where it is entered again."""

    label: str
    name: str
    version: str
    sha256: str
    team: str
    rated: bool = True
    role: Role = Role.BOT
    time: TimeControl | None = None
    """Its own clock; None: the cup's."""
    anchor_elo: float | None = None
    """The rating that it is fixed at; None: it is no anchor."""


@dataclass(frozen=True)
class CupRow:
    """A cup that the ledger knows."""

    cup: str
    created_unix_ns: int
    round_count: int


@dataclass(frozen=True)
class Round:
    """A round. Its secret is here from the moment it is revealed; None before."""

    cup: str
    round: int
    settings: str
    """What it pinned: canonical JSON, `harness.cup.from_pinned` reads it."""
    schedule_sha256: str
    commitment: str
    started_unix_ns: int
    ended_unix_ns: int | None
    revealed_unix_ns: int | None
    secret: bytes | None
    budget: str | None = None
    """How much it plays: JSON, `harness.round.Budget` reads it; None in a round of an older program."""


@dataclass(frozen=True)
class Withdrawal:
    """An entry that plays no more in its round, and why."""

    label: str
    kind: str
    detail: str
    at_unix_ns: int


class RulingKind(StrEnum):
    """What a ruling does."""

    VOID = "void"
    """A block counts no more: the organiser says so of a match in it."""
    WITHDRAW = "withdraw"
    """A bot plays no more and takes no rank: the organiser says so."""
    FAILURE = "failure"
    """A block counts no more: harness, sandbox or machine failed in a match of it, which has no end."""


class Ruling(NamedTuple):
    """What takes a block or a bot out of the count, and why."""

    ruling: int
    """Its number in this ledger; 0 where it is not in one yet."""
    kind: RulingKind
    cup: str
    round: int
    reason: str
    """The organiser's words or, of a failure, ours."""
    at_unix_ns: int
    undone_unix_ns: int | None = None
    """Not None: it was taken back, and has no effect any more."""
    number: int | None = None
    """Of the match that a void or a failure is about."""
    block: int | None = None
    """Its block, as numbers of the round go."""
    label: str | None = None
    """The entry of the round that is withdrawn."""

    @property
    def match(self) -> str | None:
        """Id of the match that a void or a failure is about."""
        return None if self.number is None else match_id(self.cup, self.round, self.number)


@dataclass(frozen=True)
class Version:
    """A bot's tree as it was stored: never changed afterwards."""

    name: str
    version: str
    sha256: str
    team: str
    tree: str
    """Its folder, relative to the home; empty where the version is known from elsewhere and its files are not here."""
    manifest: str
    """bot.toml as JSON; of a version from elsewhere perhaps no more than `[bot]`."""
    stored_unix_ns: int
    submitted_unix_ns: int | None = None
    """None: not submitted, only pinned by a cup."""
    verdict: str | None = None
    retired_unix_ns: int | None = None
    match_think_ns: int | None = None
    """How long it thought in the longest match of its check; None: it was not checked."""

    @property
    def is_here(self) -> bool:
        """Whether its files are in this home: without them it plays in no round."""
        return bool(self.tree)


class Result(NamedTuple):
    """What the ladder needs of a match. `block` names what shared deals, over all rounds; lists are by seat."""

    match: str
    block: str
    entries: tuple[Entry, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    faults: tuple[str | None, ...]
    """Kind of the seat's fault, or `harness.faults.ABSENT`; None where it played to the end."""
    unrated: tuple[int, ...] = ()
    """Seats that weigh nothing though the bot began to play there (`harness.counting`)."""


class Note(NamedTuple):
    """What a bot wrote beside a decision: action `action` of deal `deal`, both from 0."""

    deal: int
    action: int
    seat: int
    text: str


class FinishedNumbers:
    """Numbers of the finished matches of a round, a byte each."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._flags = bytearray()
        for number in numbers:
            self.add(number)

    def add(self, number: int) -> None:
        """Adds `number`."""
        if number >= len(self._flags):
            self._flags.extend(bytes(max(number + 1, 2 * len(self._flags)) - len(self._flags)))
        self._flags[number] = 1

    def __contains__(self, number: int) -> bool:
        return 0 <= number < len(self._flags) and self._flags[number] == 1

    def __len__(self) -> int:
        return self._flags.count(1)

    def __iter__(self) -> Iterator[int]:
        return (number for number, flag in enumerate(self._flags) if flag)


def match_id(cup: str, round: int, number: int) -> str:
    """Id of match `number` of a round.

    >>> match_id("spring-cup", 1, 17)
    'spring-cup/1/000017'
    """
    return f"{cup}/{round}/{number:06d}"


def parse_match_id(text: str) -> tuple[str, int, int]:
    """Cup, round and number of a match id; ValueError where `text` is none."""
    cup, _, rest = text.partition("/")
    round_text, _, number_text = rest.partition("/")
    if not (round_text.isdecimal() and number_text.isdecimal() and round_text.isascii() and number_text.isascii()):
        raise ValueError(f"not a match: {text[:80]!r} (CUP/ROUND/NUMBER, such as spring-cup/1/000017)")
    parsed = cup, int(round_text[:18]), int(number_text[:18])
    if match_id(*parsed) != text:
        hint = f"did you mean {match_id(*parsed)}?" if len(text) < 80 else "CUP/ROUND/NUMBER"
        raise ValueError(f"not a match: {text[:80]!r}; {hint}")
    return parsed
