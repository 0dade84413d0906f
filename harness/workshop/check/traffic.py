"""What one bot was sent and what it sent, as far as the checks need it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from google.protobuf import text_format
from google.protobuf.message import DecodeError, Message

from harness import games
from harness.games.view import SeatView
from harness.printable import printable
from harness.wire import arena_pb2 as pb
from harness.wire.codec import observation_bytes, option_from_wire, seen_of

SHOWN_CHARACTERS = 600
LAST_EVENTS = 6
"""So many events are shown of those that came with a request."""
NOTHING = "nothing"


@dataclass
class Batch:
    """Requests that were sent in one message, and how their answers came."""

    size: int
    sent_ns: int
    left: int
    answers_messages: int = 0
    last_answer_ns: int = 0

    @property
    def span_ns(self) -> int:
        """From the requests to the last answer."""
        return self.last_answer_ns - self.sent_ns


@dataclass
class Talk:
    """One match as it went over the stream."""

    fold: SeatView
    """What the events told."""
    request: pb.Update | None = None
    """The last message that asked."""
    decision: pb.Decision | None = None
    """The answer to it, once there is one."""
    last: bytes = b""
    """The last message of the bot while the match was on its stream."""

    def sent(self) -> str:
        """The last request, as text."""
        if self.request is None:
            return NOTHING
        update = pb.Update()
        update.CopyFrom(self.request)
        earlier = max(0, len(update.events) - LAST_EVENTS)
        del update.events[:earlier]
        return (f"({earlier} events) " if earlier else "") + shown(update)

    def came_back(self) -> str:
        """Its answer, as text."""
        answer = self.decision
        if answer is None:
            return NOTHING
        return f"match_id: {answer.match_id} decision_id: {answer.decision_id} action: {answer.action}"


@dataclass
class Traffic:
    """All messages of a bot, gone through as they came."""

    hello: pb.Hello | None = None
    first: bytes = b""
    """Its first message."""
    talks: dict[int, Talk] = field(default_factory=dict)
    """Matches, by the seed that the bot was given for each."""
    batches: list[Batch] = field(default_factory=list)
    late_count: int = 0
    """Answers to requests no longer pending."""
    snapshot_count: int = 0
    snapshot_difference: str = ""
    _by_match: dict[int, Talk] = field(default_factory=dict)
    _pending: dict[int, Batch] = field(default_factory=dict)
    _asked: set[int] = field(default_factory=set)

    @property
    def running_count(self) -> int:
        """Matches that were started on the stream and are not over."""
        return len(self._by_match)

    def begin(self) -> None:
        """A new process of the bot: its stream begins anew."""
        self._by_match.clear()
        self._pending.clear()
        self._asked.clear()

    def sent(self, raw: bytes, now_ns: int) -> None:
        """The harness sent this."""
        message = pb.PlayResponse.FromString(raw)
        if message.WhichOneof("message") != "updates":
            return
        for started in message.updates.started:
            self._start(started)
        requests = [update for update in message.updates.updates if update.HasField("request")]
        batch = Batch(len(requests), now_ns, len(requests))
        if requests:
            self.batches.append(batch)
        for update in message.updates.updates:
            self._tell(update, batch)
        for over in message.updates.over:
            self._by_match.pop(over.match_id, None)

    def _start(self, started: pb.MatchStarted) -> None:
        options = {option.name: option_from_wire(option.value) for option in started.options}
        game = games.game(started.game, options)
        talk = Talk(SeatView(started.seat, started.seat_count, len(game.pack)))
        self.talks[started.bot_seed] = self._by_match[started.match_id] = talk

    def _tell(self, update: pb.Update, batch: Batch) -> None:
        talk = self._by_match[update.match_id]
        for event in update.events:
            if (seen := seen_of(event)) is not None:
                talk.fold.see(seen)
        if update.HasField("request"):
            talk.request, talk.decision = update, None
            self._pending[update.request.decision_id] = batch
            self._asked.add(update.request.decision_id)
        if update.HasField("observation"):
            self.snapshot_count += 1
            folded = pb.Update.FromString(observation_bytes(talk.fold)).observation
            if folded != update.observation and not self.snapshot_difference:
                self.snapshot_difference = f"{shown(update.observation)}; the events make it {shown(folded)}"

    def received(self, raw: bytes, now_ns: int) -> None:
        """The bot sent this."""
        self.first = self.first or raw
        for talk in self._by_match.values():
            talk.last = raw
        try:
            message = pb.PlayRequest.FromString(raw)
        except DecodeError:
            return
        if message.WhichOneof("message") == "hello" and self.hello is None:
            self.hello = message.hello
        answered = {id(batch): batch for batch in self._answered(message.decisions, now_ns)}
        for batch in answered.values():
            batch.answers_messages += 1
            batch.last_answer_ns = now_ns

    def _answered(self, decisions: pb.DecisionBatch, now_ns: int) -> Iterator[Batch]:
        for decision in decisions.decisions:
            batch = self._pending.pop(decision.decision_id, None)
            talk = self._by_match.get(decision.match_id)
            if batch is None:
                self.late_count += decision.decision_id in self._asked
                continue
            batch.left -= 1
            if talk is not None:
                talk.decision = decision
            yield batch


def shown(message: Message) -> str:
    """A message in one line of text, cut where it is long."""
    return _cut(printable(text_format.MessageToString(message, as_one_line=True, use_short_repeated_primitives=True)))


def shown_request(raw: bytes) -> str:
    """A message of a bot, whatever it is, in one line."""
    if not raw:
        return NOTHING
    try:
        text = shown(pb.PlayRequest.FromString(raw))
    except DecodeError:
        text = ""
    return _cut(text) if text else f"{len(raw)} bytes that are no PlayRequest: {raw[:32].hex(' ')}"


def _cut(text: str) -> str:
    """The middle is left out where it is long."""
    half = SHOWN_CHARACTERS // 2
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:half]} ... {text[-half:]}"
