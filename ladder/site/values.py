"""What a site is made from. Everything here is a plain value; what costs time is a function that is called late.

Texts of strangers may stand in any of the texts: the pages escape them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ladder.results import WITHDRAWN
from ladder.site.frames import Deal
from ladder.standings import Row, Standings


class SeatResult(NamedTuple):
    """How one seat of a match came out.

    `fault` is the kind of its fault, `ladder.results.WITHDRAWN` where another played, None where it played to the end.
    """

    bot: str
    place: int
    points: int
    fault: str | None = None

    @property
    def is_fault(self) -> bool:
        """Whether it is at fault."""
        return self.fault not in (None, WITHDRAWN)


@dataclass(frozen=True)
class Thinking:
    """How long somebody thought about a decision."""

    count: int
    p50_ms: float
    p99_ms: float
    total_s: float
    lag_s: float = 0.0
    """The harness was late by so much, which was charged to nobody."""


class FaultFact(NamedTuple):
    """A fault of a seat, before move `move` of deal `deal` (both from 1)."""

    seat: int
    kind: str
    deal: int
    move: int
    detail: str


class Turning(NamedTuple):
    """The deal (from 1) after which the winner was never caught again, and what happened in it."""

    deal: int
    text: str


@dataclass(frozen=True)
class MatchDetails:
    """All that the page of a match and its replay show."""

    versions: Sequence[str]
    """Of the bots, by seat."""
    thinking: Sequence[Thinking | None]
    """By seat."""
    faults: Sequence[FaultFact]
    turning: Turning | None
    facts: Sequence[tuple[str, str]]
    """Heading and text: when, where, with which options."""
    pack: Sequence[str]
    """Every card, ascending."""
    deals: Callable[[], Iterable[Deal]]


@dataclass(frozen=True)
class Match:
    """A match with a page of its own."""

    id: str
    number: str
    """What lists call it: `3/17` is match 17 of round 3."""
    block: str
    """Names what shares deals, such as `block 4`; empty where nothing does."""
    seats: tuple[SeatResult, ...]
    digest: str
    """Changes when anything changes that its page or its replay shows."""
    details: Callable[[], MatchDetails]
    void: str = ""
    """Why it counts for nothing; empty: it counts."""

    @property
    def stem(self) -> str:
        """What its files are called."""
        return safe_stem(self.number.replace("/", "-"))


class Ruling(NamedTuple):
    """What took a block of matches or a bot out of the count, and why."""

    number: int
    round: int
    when: str
    bot: str | None
    """Who was withdrawn."""
    match: str | None
    """Id of the match that was declared void."""
    block: int | None
    page: Match | None
    """The match, where it has a page."""
    by: str
    reason: str
    undone: str | None
    """When it was taken back."""


@dataclass(frozen=True)
class Feature:
    """A match worth seeing, and why. `deal` (from 1) is the one to look at."""

    title: str
    text: str
    match: Match
    deal: int


@dataclass(frozen=True)
class Tally:
    """Results of a bot under one heading, such as one seat or one contract."""

    name: str
    count: int
    place_mean: float | None
    points_mean: float
    points_half: float | None
    """Half width of the 95 % interval; None where the data gives none."""


@dataclass(frozen=True)
class TallyTable:
    """Results of a bot by seat, by contract or by size of the table."""

    title: str
    heading: str
    counted: str
    """What `count` counts: matches or deals."""
    rows: tuple[Tally, ...]


class Opponent(NamedTuple):
    """How a bot fared against another, in the matches that both played to the end."""

    bot: str
    matches: int
    ahead: int
    level: int
    behind: int
    better: float | None
    """Probability that the bot is the better of the two, by the ladder."""


class Moment(NamedTuple):
    """A bot's rating after a round."""

    round: int
    elo: float
    low: float | None
    high: float | None
    version: str = ""
    """The version that played then."""


@dataclass(frozen=True)
class FaultCount:
    """Faults of one kind, and the newest matches in which they happened."""

    kind: str
    count: int
    matches: tuple[Match, ...]


@dataclass(frozen=True)
class Bot:
    """A bot with a page of its own. Its numbers are those of its newest version."""

    name: str
    """As results name it: `fox`, or `fox#2` where it is entered twice."""
    row: Row | None
    """Its rating, also where the ladder does not list it; None where it has never been in a fit."""
    other_versions: tuple[Row, ...]
    version: str
    sha256: str
    team: str | None
    authors: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    """Heading and text: its own clock, why it is not ranked, that it was withdrawn."""
    tables: tuple[TallyTable, ...]
    opponents: tuple[Opponent, ...]
    faults: tuple[FaultCount, ...]
    thinking: Thinking | None
    history: tuple[Moment, ...]

    @property
    def stem(self) -> str:
        """What its files are called."""
        return safe_stem(self.name)


class RoundEntry(NamedTuple):
    """A bot as a round pinned it."""

    bot: str
    version: str
    sha256: str
    role: str


@dataclass(frozen=True)
class Round:
    """What a round committed to, and what it revealed."""

    number: int
    state: str
    matches: int
    commitment: str
    secret: str | None
    """In hex; None until it is revealed."""
    schedule_sha256: str
    known_in_advance: bool
    entries: tuple[RoundEntry, ...]


class SettingsTable(NamedTuple):
    """One table of the cup's settings."""

    name: str
    rows: tuple[tuple[str, str], ...]


class Runtime(NamedTuple):
    """A program that bots may be started by."""

    name: str
    version: str
    """Empty where it does not run in the sandbox."""
    packages: tuple[str, ...]
    """Those that bots can import, each with its version."""


@dataclass(frozen=True)
class Sheet:
    """What the bots of a round ran on."""

    round: int
    facts: tuple[tuple[str, str], ...]
    """Heading and text."""
    runtimes: tuple[Runtime, ...]


@dataclass(frozen=True)
class Feed:
    """A file for machines; its bytes are made when they are asked for, unless nothing with its `digest` has changed."""

    name: str
    about: str
    digest: str
    data: Callable[[], bytes]


@dataclass(frozen=True)
class Cup:
    """One cup, or one season of it: a folder of pages."""

    name: str
    title: str
    subtitle: str
    """Which season it is; empty where there are none."""
    game: str
    unit: tuple[str, ...]
    """What one match is: game, seats, deals, clock, a phrase each."""
    points_name: str
    points_low_win: bool
    duplicate: bool
    notices: tuple[str, ...]
    """What a reader should know of the state of the cup."""
    standings: Standings
    bots: tuple[Bot, ...]
    matches: tuple[Match, ...]
    """The ones that have pages, newest first."""
    matches_note: str
    """Which matches these are, where they are not all."""
    features: tuple[Feature, ...]
    rounds: tuple[Round, ...]
    settings: tuple[SettingsTable, ...]
    method: tuple[tuple[str, str], ...]
    """Heading and text: how schedule, deals, referee and ratings work."""
    feeds: tuple[Feed, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    sheet: Sheet | None = None
    """Of the newest round; None where nobody knows."""


class Place(NamedTuple):
    """A cup and the folder of the site that holds it, `""` for the root, else with a slash at its end."""

    folder: str
    cup: Cup


_SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


def safe_stem(name: str) -> str:
    """File name for `name`, the same for equal names and for no others; nothing in it means anything to a file system.

    >>> safe_stem("fox#2")
    'fox~232'
    >>> safe_stem("../x")
    '~2e.~2fx'
    """
    stem = "".join(char if char in _SAFE else "".join(f"~{byte:02x}" for byte in char.encode()) for char in name)
    while stem.startswith("."):
        stem = "~2e" + stem[1:]
    return stem or "~"
