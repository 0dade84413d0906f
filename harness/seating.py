"""A bot's seat in one match, as its stream sees it: what is to be told, and the request under way."""

from harness.games.game import Action
from harness.wire.codec import match_id_bytes


class Seating:
    """The bot's seat in one match, as its stream sees it."""

    __slots__ = (
        "actions",
        "asked_virtual_ns",
        "bank_ns",
        "decision_id",
        "faulted",
        "hard_ns",
        "issued_ids",
        "match_id",
        "observation",
        "over",
        "queued_ns",
        "started",
        "unsent",
    )

    def __init__(self, match_id: int, started: bytes) -> None:
        self.match_id = match_id
        self.started = started
        """Fragment of the MatchStarted, until it is sent."""
        self.unsent = [match_id_bytes(match_id)]
        """The next Update, in fragments: its match, then what the seat saw since the last. Append to it; it is never
        replaced."""
        self.over = b""
        """Fragment of the MatchOver."""
        self.faulted = False
        self.issued_ids: list[int] = []
        # The request under way: first queued, then sent and owed.
        self.actions: tuple[Action, ...] = ()
        self.observation = b""
        self.bank_ns: int | None = None
        self.queued_ns = 0
        self.decision_id = 0
        self.asked_virtual_ns = 0
        self.hard_ns = 0
