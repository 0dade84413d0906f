"""What a bot's stream reports of the messages that came over it: the edge carries it out."""

from typing import NamedTuple

from harness.faults import Fault
from harness.games.game import Action


class Hello(NamedTuple):
    """The bot introduced itself. Answer with `welcome` or `refuse`."""

    bot_version: str
    games: tuple[str, ...]
    match_count: int
    """Most matches at once that it will play, at least 1."""
    snapshots: bool


class Answer(NamedTuple):
    """The bot answered the request of that match. Whether the action was offered is the referee's to judge."""

    match_id: int
    action: Action
    spent_ns: int
    """Its thinking time, by the virtual clock."""
    owed: int
    """Answers that it owed until this message came, this one included."""
    note: str


class MatchFault(NamedTuple):
    """The bot did wrong in one match; its request there is pending no more."""

    match_id: int
    fault: Fault


class StreamFault(NamedTuple):
    """The bot did wrong on the stream as a whole, which is closed."""

    fault: Fault


class Left(NamedTuple):
    """The bot said goodbye; the stream is closed."""

    detail: str


Report = Hello | Answer | MatchFault | StreamFault | Left
