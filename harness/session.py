"""One bot's stream, sans-IO: bytes and times go in, reports and bytes come out.

    AWAITING_HELLO --Hello--> READY --Goodbye, fault or end--> CLOSED

The edge calls `receive` with every message of the bot, `to_send` whenever it may write, and `expire`
now and then; it carries out what the reports say. Times are monotonic nanoseconds.

Thinking time is measured by `harness.stream_clock`, which also says how many answers a bot may owe.
No traffic of any kind extends a deadline: a bot that owes and answers nothing for `decision_ns` is
**silent**; each request has besides a **hard deadline** fixed when it is sent, `decision_ns` for each
answer owed at that moment, and what is left of its match's bank.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import islice

from google.protobuf.message import DecodeError

from harness.faults import Fault, FaultKind
from harness.games.game import Action
from harness.printable import printable
from harness.reports import Answer, Hello, Left, MatchFault, Report, StreamFault
from harness.seating import Seating
from harness.stream_clock import NS_PER_S, StreamClock
from harness.wire import arena_pb2 as pb
from harness.wire.codec import (
    UPDATE_HEADS,
    batch_message,
    fault_message,
    goodbye_message,
    over_fragment,
    request_bytes,
    update_fragment,
    welcome_message,
)

USELESS_COUNT = 16
"""Messages and answers that are ignored in one stream; one more is a fault."""
MESSAGE_BYTES = 64 * 1024
"""Longest message of a bot that is looked at."""
BATCH_BYTES = 512 * 1024
"""A message of ours that has grown so long is sent; what is left rides in the next."""
NOTE_BYTES = 200
VERSION_CHARS = 64


_new = tuple.__new__  # makes a NamedTuple in half the time of its own constructor


class State(Enum):
    """State of a stream."""

    AWAITING_HELLO = 1
    READY = 2
    CLOSED = 3


# What a bot may send, and when. Anything else is a fault.
_NEXT_STATE = {
    (State.AWAITING_HELLO, "hello"): State.READY,
    (State.AWAITING_HELLO, "goodbye"): State.CLOSED,
    (State.READY, "decisions"): State.READY,
    (State.READY, "pong"): State.READY,
    (State.READY, "goodbye"): State.CLOSED,
}


class Session:
    """The stream of one bot. `decision_ns` None: no deadline of any kind."""

    def __init__(self, decision_ids: Iterator[int], decision_ns: int | None, next_match_id: int = 1) -> None:
        """`decision_ids` yields ids that nobody can predict, from 1 to 2**63 - 1; `next_match_id`: not given yet."""
        self.state = State.AWAITING_HELLO
        self.one_at_a_time = False
        """Whether the bot may owe no more than one answer, whatever it has shown."""
        self.useless_count = 0
        """Messages and answers ignored so far."""
        self._ids = decision_ids
        self._decision_ns = decision_ns
        self._running: dict[int, Seating] = {}
        self.next_match_id = next_match_id
        """The id for `start` to use next. Ids count up, so that one never given is known from one that is over."""
        self._waiting: deque[Seating] = deque()  # requests not sent yet, oldest first
        self._owed: dict[int, Seating] = {}  # requests sent and not answered, oldest first
        self._ended: list[Seating] = []
        self._messages: deque[bytes] = deque()
        self._farewell = b""
        self._withdrawn_ids: set[int] = set()
        self.is_gathering = False
        """Whether a batch is out and nothing of it is answered: what is asked meanwhile waits."""
        self._clock = StreamClock()

    # What the edge may ask ----------------------------------------------------------------------

    @property
    def owed_count(self) -> int:
        """Answers that the bot owes. The edge reads the stream only while there are any, or no Hello yet."""
        return len(self._owed)

    @property
    def owed(self) -> tuple[int, ...]:
        """The matches whose answers are owed, the one that is owed longest first."""
        return tuple(self._owed)

    @property
    def seat_count(self) -> int:
        """Matches that the bot has: a match that is over is one of them until its MatchOver is sent."""
        return len(self._running) + len(self._ended)

    @property
    def must_speak(self) -> bool:
        """Whether there is something to say that waits for nothing."""
        return bool(self._messages) or self.state is State.CLOSED

    @property
    def waiting_since_ns(self) -> int | None:
        """When the oldest request that waits to be sent was made; None where none waits."""
        return self._waiting[0].queued_ns if self._waiting else None

    # What the matches say -----------------------------------------------------------------------

    def start(self, match_id: int, started: bytes, earlier: Seating | None = None) -> Seating:
        """Seats the bot in a match. `started`: its `started_fragment`; it travels with the first request.

        `earlier`: where it sat in that match on an earlier stream; what it was asked there is no longer pending.
        """
        is_due = match_id == self.next_match_id if earlier is None else 0 < match_id < self.next_match_id
        if self.state is not State.READY or not is_due or match_id in self._running:
            raise ValueError(f"match {match_id} cannot start ({self.state}, next is {self.next_match_id})")
        seating = self._running[match_id] = Seating(match_id, started)
        if earlier is None:
            self.next_match_id += 1
        else:
            seating.issued_ids = earlier.issued_ids
        return seating

    def ask(
        self, seating: Seating, actions: tuple[Action, ...], bank_ns: int | None, now_ns: int, observation: bytes = b""
    ) -> bool:
        """Queues a request, to go with what is in `unsent`. At most one a match at a time.

        True where no other waits: who writes does not know yet that there is something to write.
        """
        seating.actions = actions
        seating.bank_ns = bank_ns
        seating.observation = observation
        seating.queued_ns = now_ns
        waiting = self._waiting
        waiting.append(seating)
        return len(waiting) == 1

    def fault(self, seating: Seating, fault: Fault) -> None:
        """Tells the bot what it did wrong in a match. Its request there is pending no more; MatchOver comes later."""
        self._withdraw(seating)
        self._messages.append(fault_message(fault.kind, seating.match_id, fault.detail))

    def over(self, seating: Seating, end: pb.MatchEnd.ValueType, points: Sequence[int], places: Sequence[int]) -> None:
        """Ends a match: MatchOver goes with what is in its `unsent`."""
        del self._running[seating.match_id]
        self._withdraw(seating)
        seating.over = over_fragment(seating.match_id, end, points, places)
        self._ended.append(seating)

    # What the edge says -------------------------------------------------------------------------

    def welcome(self, bot: str, session_id: str) -> None:
        """Accepts the Hello."""
        self._messages.append(welcome_message(bot, session_id))

    def close(self, fault: Fault) -> None:
        """Ends the stream for a fault that the edge noticed. What was not sent is dropped, the fault is told."""
        if self.state is not State.CLOSED:
            self._fail(fault)

    def goodbye(self, detail: str) -> None:
        """Ends the stream in order: MatchOvers that wait are sent, then Goodbye."""
        if self.state is not State.CLOSED:
            self.state = State.CLOSED
            self._waiting.clear()
            self._farewell = goodbye_message(detail)

    def credit(self, lag_ns: int, now_ns: int) -> None:
        """The harness was not listening for the last `lag_ns`: nothing of it is charged to the bot."""
        if not self._owed:
            return
        self._clock.credit(lag_ns, now_ns)
        for seating in self._owed.values():
            seating.hard_ns += lag_ns

    # Out ----------------------------------------------------------------------------------------

    def to_send(self, now_ns: int, *, may_ask: bool = True) -> bytes | None:
        """The next message to write, now; None while there is none. The clock of its requests starts now.

        With `may_ask` false no request is sent, and what could ride with one waits for it.
        """
        if self._messages:
            return self._messages.popleft()
        if self.state is State.CLOSED:
            return self._last_words()
        waiting = self._waiting
        if not (waiting or self._ended) or self.is_gathering or (waiting and not may_ask):
            return None
        fragments: list[bytes] = []
        size = self._take_ended(fragments)
        window = 1 if self.one_at_a_time else self._clock.window(now_ns)
        count = min(len(waiting), window - len(self._owed)) if waiting else 0
        if count > 0:
            self._send_requests(fragments, count, BATCH_BYTES - size, now_ns)
        return batch_message(fragments) if fragments else None

    def _send_requests(self, fragments: list[bytes], count: int, room_bytes: int, now_ns: int) -> None:
        owed, waiting = self._owed, self._waiting
        virtual_ns = self._clock.advance(now_ns, len(owed))
        owed_before = len(owed)
        if not owed_before:
            self._clock.quiet_since_ns = now_ns
        decision_ns = self._decision_ns or 0  # without deadlines nobody looks
        hard_ns = now_ns + decision_ns * (owed_before + count)
        for decision_id in islice(self._ids, count):
            seating = waiting.popleft()
            if seating.started:
                fragments.append(seating.started)
                room_bytes -= len(seating.started)
                seating.started = b""
            seating.decision_id = decision_id
            seating.issued_ids.append(decision_id)
            seating.asked_virtual_ns = virtual_ns
            seating.hard_ns = hard_ns
            unsent = seating.unsent
            unsent.append(request_bytes(decision_id, seating.actions, seating.bank_ns))
            if seating.observation:
                unsent.append(seating.observation)
            update = b"".join(unsent)
            del unsent[1:]
            fragment = UPDATE_HEADS[len(update)] + update  # `update_fragment`, written out: every request comes here
            fragments.append(fragment)
            owed[seating.match_id] = seating
            room_bytes -= len(fragment)
            if room_bytes < 0:
                break
        left = owed_before + count - len(owed)
        if left:  # They ride in the next message: this one's deadline does not count them.
            for seating in islice(owed.values(), owed_before, None):
                seating.hard_ns -= left * decision_ns
        self.is_gathering = True

    def _take_ended(self, fragments: list[bytes]) -> int:
        """Moves the matches that ended to `fragments`; returns the size of those in bytes."""
        taken = 0
        size = 0
        for seating in self._ended:
            update = update_fragment(b"".join(seating.unsent)) if len(seating.unsent) > 1 else b""
            fragments.append(seating.started + update + seating.over)
            size += len(fragments[-1])
            taken += 1
            if size >= BATCH_BYTES:
                break
        del self._ended[:taken]
        return size

    def _last_words(self) -> bytes | None:
        if self._farewell and self._ended:
            fragments: list[bytes] = []
            self._take_ended(fragments)
            return batch_message(fragments)
        farewell, self._farewell = self._farewell, b""
        return farewell or None

    # In -----------------------------------------------------------------------------------------

    def receive(self, raw: bytes, now_ns: int) -> list[Report]:
        """Takes one message of the bot, received now. Reports come in the order of what they are about."""
        if self.state is State.CLOSED:
            return []
        if len(raw) > MESSAGE_BYTES:
            return [self._wrong(f"sent a message of {len(raw)} bytes (at most {MESSAGE_BYTES} are allowed)")]
        try:
            request = pb.PlayRequest.FromString(raw)
        except DecodeError:
            return [self._wrong(f"sent {len(raw)} bytes that are not a PlayRequest")]
        kind = request.WhichOneof("message")
        if kind is None:
            return [self._wrong("sent a PlayRequest with nothing in it")]
        state = _NEXT_STATE.get((self.state, kind))
        if state is None:
            return [self._wrong(f"sent {kind} while {self.state.name.lower().replace('_', ' ')}")]
        if kind == "decisions":
            return self._receive_decisions(request.decisions, now_ns)
        if kind == "hello":
            return [self._receive_hello(request.hello)]
        self.state = state
        if kind == "goodbye":
            return [Left(printable(request.goodbye.detail[:NOTE_BYTES]))]
        return self._useless("pongs nobody asked for")  # We send no pings.

    def _receive_hello(self, hello: pb.Hello) -> Report:
        if hello.max_match_count < 0:
            return self._wrong(f"said Hello with max_match_count {hello.max_match_count}")
        if hello.observation_mode not in pb.ObservationMode.values():
            return self._wrong(f"said Hello with observation_mode {hello.observation_mode}, which is none")
        if len(hello.bot_version) > VERSION_CHARS:
            return self._wrong(f"said Hello with a bot_version of over {VERSION_CHARS} characters")
        self.state = State.READY
        snapshots = hello.observation_mode == pb.OBSERVATION_MODE_SNAPSHOT
        return Hello(hello.bot_version, tuple(hello.games), hello.max_match_count or 1, snapshots)

    def _receive_decisions(self, batch: pb.DecisionBatch, now_ns: int) -> list[Report]:
        owed, owed_count = self._owed, len(self._owed)
        virtual_ns = self._clock.advance(now_ns, owed_count)
        has_deadlines = self._decision_ns is not None
        reports: list[Report] = []
        answered = 0
        for decision in batch.decisions:
            match_id = decision.match_id
            seating = owed.get(match_id)
            if seating is None or seating.decision_id != decision.decision_id:
                reports += self._unexpected(match_id, decision.decision_id)
                if self.state is State.CLOSED:
                    return reports
                continue
            answered += 1
            if has_deadlines and now_ns > seating.hard_ns:
                reports.append(self._late(seating))
                continue
            del owed[match_id]
            if decision.failure:
                seating.faulted = True
                reports.append(MatchFault(match_id, Fault(FaultKind.PROTOCOL, printable(_cut(decision.failure)))))
                continue
            spent_ns = virtual_ns - seating.asked_virtual_ns
            note = decision.note and _cut(decision.note)
            reports.append(_new(Answer, (match_id, decision.action, spent_ns, owed_count, note)))
        if answered:
            self.is_gathering = False
            self._clock.heard(now_ns, answered)
        elif not batch.decisions:
            reports += self._useless("batches without a decision")
        return reports

    def _unexpected(self, match_id: int, decision_id: int) -> list[Report]:
        """An answer to no pending request."""
        if not 0 < match_id < self.next_match_id:
            return [self._wrong(f"answered for match {match_id}, in which it has no seat")]
        if decision_id in self._withdrawn_ids:
            self._withdrawn_ids.discard(decision_id)  # The two have crossed: not its fault, and not counted.
            return []
        seating = self._running.get(match_id)
        if seating is None or seating.faulted or decision_id in seating.issued_ids:
            return self._useless("answers to requests no longer pending")
        fault = Fault(FaultKind.PROTOCOL, "answered a request that was never made")
        self._withdraw(seating)
        seating.faulted = True
        return [MatchFault(match_id, fault)]

    # Time ---------------------------------------------------------------------------------------

    def expire(self, now_ns: int) -> list[Report]:
        """Reports the requests whose time is over now, or that the bot is silent."""
        decision_ns = self._decision_ns
        if not self._owed or decision_ns is None or self.state is State.CLOSED:
            return []
        if now_ns - self._clock.quiet_since_ns > decision_ns:
            detail = f"gave no answer for {decision_ns / NS_PER_S:g} s"
            return [self._fail(Fault(FaultKind.TIMEOUT, detail))]
        virtual_ns = self._clock.advance(now_ns, len(self._owed))
        late = [
            seating
            for seating in self._owed.values()
            if now_ns > seating.hard_ns
            or (seating.bank_ns is not None and virtual_ns - seating.asked_virtual_ns > seating.bank_ns)
        ]
        return [self._late(seating) for seating in late]

    def _late(self, seating: Seating) -> MatchFault:
        spent_ns = self._clock.virtual_ns - seating.asked_virtual_ns
        if seating.bank_ns is not None and spent_ns > seating.bank_ns:
            detail = "its thinking time for the match ran out"
        else:
            detail = "its answer came later than the hard deadline of its request"
        self._withdraw(seating)
        seating.faulted = True
        return MatchFault(seating.match_id, Fault(FaultKind.TIMEOUT, detail))

    # Ends ---------------------------------------------------------------------------------------

    def _withdraw(self, seating: Seating) -> None:
        """The seat is asked nothing any more: a request that waits is dropped, one that is owed is pending no more."""
        if self._owed.pop(seating.match_id, None) is not None:
            self._withdrawn_ids.add(seating.decision_id)
            if not self._owed:
                self.is_gathering = False
        elif seating in self._waiting:
            self._waiting.remove(seating)

    def _useless(self, what: str) -> list[Report]:
        self.useless_count += 1
        if self.useless_count <= USELESS_COUNT:
            return []
        return [self._wrong(f"sent more than {USELESS_COUNT} {what}")]

    def _wrong(self, detail: str) -> StreamFault:
        return self._fail(Fault(FaultKind.PROTOCOL, detail))

    def _fail(self, fault: Fault) -> StreamFault:
        self.state = State.CLOSED
        self._messages.clear()
        self._messages.append(fault_message(fault.kind, None, fault.detail))
        return StreamFault(fault)


def _cut(note: str) -> str:
    """The first NOTE_BYTES of `note`, whole characters only."""
    return note.encode()[:NOTE_BYTES].decode(errors="ignore")
