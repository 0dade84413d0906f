"""How long each bot owed answers, noted from outside: what its clocks may have been charged, and no more."""

from collections import Counter

from google.protobuf.message import DecodeError

from harness.sandbox.process import BotProcess
from harness.wire import arena_pb2 as pb


class Owing:
    """A witness of an arena. A bot pays for its own thinking, once: never while it owes nothing, whatever others do."""

    def __init__(self) -> None:
        self.owed_ns: Counter[str] = Counter()
        """Time in which each bot owed at least one answer, by label, over all its lives."""
        self._owed: Counter[str] = Counter()
        self._since_ns: dict[str, int] = {}

    def started(self, label: str, process: BotProcess, now_ns: int) -> None:
        """A new process owes nothing."""
        self._change(label, -self._owed[label], now_ns)

    def sent(self, label: str, message: bytes, now_ns: int) -> None:
        """Counts what it is asked for."""
        updates = pb.PlayResponse.FromString(message).updates.updates
        self._change(label, sum(update.HasField("request") for update in updates), now_ns)

    def received(self, label: str, message: bytes, now_ns: int) -> None:
        """Counts what it answers."""
        try:
            answers = pb.PlayRequest.FromString(message).decisions.decisions
        except DecodeError:
            return  # The arena names the fault.
        self._change(label, -len(answers), now_ns)

    def _change(self, label: str, by: int, now_ns: int) -> None:
        if self._owed[label]:
            self.owed_ns[label] += now_ns - self._since_ns[label]
        self._owed[label] = max(0, self._owed[label] + by)
        self._since_ns[label] = now_ns
