"""A core for every bot that thinks: who may owe answers now."""

from typing import Protocol


class Worker(Protocol):
    """What `Jobs` needs to know of a bot."""

    @property
    def owed_count(self) -> int:
        """Answers that it owes."""

    @property
    def waiting_since_ns(self) -> int | None:
        """When its oldest request that waits to be sent was made; None where none waits."""

    def wake(self) -> None:
        """It may send now."""


class Jobs:
    """At most `limit` bots owe answers at the same time; the others' requests wait, at no charge.

    A free place goes to the bot whose oldest request waits longest. While others wait, a bot that
    owes is handed nothing more, so that its place becomes free.
    """

    def __init__(self, limit: int) -> None:
        if limit < 1:
            raise ValueError(f"{limit} jobs: at least 1 bot must be able to think")
        self._limit = limit
        self._holders: set[Worker] = set()
        self._queue: set[Worker] = set()  # not empty only while every place is held
        self._refused: set[Worker] = set()  # they hold a place and were handed nothing more, for others queue

    def may_ask(self, worker: Worker) -> bool:
        """Whether `worker`, which has requests to send, may send them now; if not, it is woken when it may."""
        if worker in self._holders:
            # One just admitted owes nothing yet: whoever queued up meanwhile comes after it.
            if not worker.owed_count or not self._queue:
                return True
            self._refused.add(worker)
            return False
        if len(self._holders) < self._limit:
            self._holders.add(worker)
            return True
        self._queue.add(worker)
        return False

    def settle(self, worker: Worker) -> None:
        """Frees the place of a bot that owes nothing. Call when it has answered, and when it has sent."""
        if worker in self._holders and not worker.owed_count:
            self._holders.discard(worker)
            self._admit()

    def leave(self, worker: Worker) -> None:
        """`worker` is gone."""
        self._queue.discard(worker)
        self._holders.discard(worker)
        self._refused.discard(worker)
        self._admit()

    def _admit(self) -> None:
        while self._queue and len(self._holders) < self._limit:
            since = {worker: worker.waiting_since_ns for worker in self._queue}
            first = min(self._queue, key=lambda worker: since[worker] or 0)
            self._queue.discard(first)
            if since[first] is not None:
                self._holders.add(first)
                first.wake()
        if self._refused and not self._queue:
            refused, self._refused = self._refused, set()
            for worker in refused & self._holders:
                worker.wake()
