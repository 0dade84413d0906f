"""A bot's side of the conversation, without the wire: messages go in, messages come out."""

import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from google.protobuf.duration_pb2 import Duration

from harness import games
from harness.bot.bot import Bot, FaultNotice, checked_action
from harness.bot.view import MatchInfo, Result, Snapshot, View, clipped, frozen
from harness.games.game import Acted, Game, OptionValue
from harness.games.view import SeatView
from harness.wire import arena_pb2 as pb
from harness.wire.codec import fault_kind_from_wire, option_from_wire, seen_of

T = TypeVar("T")

HOLD_NS = 10_000_000
"""Answers are gathered for so long, then sent: so a batch that takes long is answered in parts, and none waits over
20 ms, but for one bound to wait until a choice is made that takes suddenly longer than those before it."""
MOST_GATHERED = 200
"""Answers in one message: with a note each they stay below the 64 KiB that the harness reads."""
_NO_LIMIT = (1 << 31) - 1


class BotRaised(Exception):
    """A bot's own code raised. The message is for its author: what it was asked, and the traceback."""


Place = tuple[Sequence[pb.Update], int]
"""The updates of a message, and the index of one of them."""


class _Updates(list[Place]):
    """News as they came off the wire."""

    __slots__ = ()

    def pour(self, fold: SeatView) -> None:
        for updates, index in self:
            for event in updates[index].events:
                seen = seen_of(event)
                if seen is not None:
                    fold.see(seen)
        self.clear()


class BotSeat:
    """One match: the author's object, and what it sees."""

    __slots__ = ("_news", "bot", "view")

    def __init__(self, bot: Bot, info: MatchInfo) -> None:
        self.bot = bot
        self._news = _Updates()
        self.view = View(info, self._news)

    def take(self, update: pb.Update, place: Place) -> View | None:
        """The view to choose with; None where nothing is asked. `place`: where `update` is.

        What is kept is its place: protobuf has a table of the objects that stand for parts of messages, and looks long
        for one of them where tens of thousands are kept.
        """
        self._news.append(place)
        request = update.request
        actions = tuple(request.legal_actions[:])  # as a list first: protobuf copies all at once
        if not actions:  # A set request has some. To ask whether it is set takes longer.
            return None
        view = self.view
        view._request = request
        view.actions = actions
        return view

    def settle(self, view: View) -> None:
        """The choice is made."""
        view.actions = ()
        view._request = None

    def last_view(self, result: Result) -> View:
        """The view of the end."""
        self.view.result = result
        return self.view


class _SnapshotSeat(BotSeat):
    """The same for a bot that keeps nothing: a view for each request."""

    __slots__ = ()

    def take(self, update: pb.Update, place: Place) -> View | None:
        request = update.request
        actions = tuple(request.legal_actions[:])
        if not actions:
            return None
        # One stream of chance a match, though the views change.
        view = View(self.view.info, _snapshot_of(update.observation), self.view._random)
        view._request = request
        view.actions = actions
        return view

    def settle(self, view: View) -> None:
        self.view._random = view._random

    def last_view(self, result: Result) -> View:
        view = View(self.view.info, Snapshot((), result.points, 0, ()), self.view._random)
        view.result = result
        return view


def _snapshot_of(observation: pb.Observation) -> Snapshot:
    events = (seen for event in observation.events if (seen := seen_of(event)) is not None)
    contracts = ((acted.seat, acted.action) for acted in observation.contracts)
    return Snapshot(events, observation.points, observation.pot, contracts)


class BotStream:
    """All matches of one bot on one stream.

    `answers_to` a message yields what to send, and sends nothing for later: whoever drives it
    sends each message before asking for the next.
    """

    def __init__(self, bot_class: type[Bot], now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._bot_class = bot_class
        self._now_ns = now_ns
        self._seats: dict[int, BotSeat] = {}
        self.ended = False
        """The harness has said goodbye."""

    @property
    def match_count(self) -> int:
        """Matches under way."""
        return len(self._seats)

    def hello(self) -> pb.PlayRequest:
        """The first message."""
        bot = self._bot_class
        mode = pb.OBSERVATION_MODE_SNAPSHOT if bot.snapshot else pb.OBSERVATION_MODE_EVENTS
        hello = pb.Hello(bot_version=bot.version, games=bot.games, observation_mode=mode)
        hello.max_match_count = _NO_LIMIT if bot.max_matches is None else bot.max_matches
        return pb.PlayRequest(hello=hello)

    def answers_to(self, message: pb.PlayResponse) -> Iterator[pb.PlayRequest]:
        """Messages that answer `message`. BotRaised where the author's code raises, after what was chosen before."""
        match message.WhichOneof("message"):
            case "updates":
                yield from self._updates(message.updates)
            case "ping":
                yield pb.PlayRequest(pong=pb.Pong(nonce=message.ping.nonce))
            case "fault":
                self._fault(message.fault)
            case "goodbye":
                self.ended = True
            case _:  # the welcome, and what later versions add
                pass

    def _updates(self, batch: pb.UpdateBatch) -> Iterator[pb.PlayRequest]:
        for started in batch.started:
            self._start(started)
        now_ns = self._now_ns
        sent_ns = now_ns()
        answers = pb.PlayRequest()
        gathered = answers.decisions.decisions
        updates = batch.updates
        for index, update in enumerate(updates):
            match_id = update.match_id
            seat = self._seats.get(match_id)
            if seat is None:
                continue  # Its match ended in a fault: what was on its way then is of no use.
            view = seat.take(update, (updates, index))
            if view is None:
                continue
            try:
                action = seat.bot.choose(view)
                if type(action) is not int or action >> 31:  # else it is not negative, and fits the field
                    action = checked_action(action)
            except BaseException as error:
                if gathered:
                    yield answers  # The harness blames the match whose answer is owed longest: let that be this one.
                raise BotRaised(_account("choose", view, error)) from error
            request = view._request
            assert request is not None  # a view to choose with has one
            decision = gathered.add()
            decision.match_id = match_id
            decision.decision_id = request.decision_id
            decision.action = action
            if view._note:
                decision.note = clipped(view._note)
                view._note = ""
            seat.settle(view)
            if now_ns() - sent_ns >= HOLD_NS or len(gathered) >= MOST_GATHERED:
                yield answers
                answers = pb.PlayRequest()
                gathered = answers.decisions.decisions
                sent_ns = now_ns()
        if gathered:
            yield answers
        for over in batch.over:
            self._over(over)

    def _start(self, started: pb.MatchStarted) -> None:
        # One that it has already: from the start, forget the rest.
        bot = _call("__init__", None, self._bot_class)
        seat = (_SnapshotSeat if self._bot_class.snapshot else BotSeat)(bot, _info_of(started))
        self._seats[started.match_id] = seat
        _call("on_start", seat.view, lambda: bot.on_start(seat.view))

    def _over(self, over: pb.MatchOver) -> None:
        seat = self._seats.pop(over.match_id, None)
        if seat is None:
            return
        result = Result(tuple(over.points), tuple(over.ranks), over.end == pb.MATCH_END_CANCELED)
        view = seat.last_view(result)
        _call("on_over", view, lambda: seat.bot.on_over(view))

    def _fault(self, fault: pb.Fault) -> None:
        notice = FaultNotice(fault_kind_from_wire(fault.kind), fault.detail)
        if not fault.HasField("match_id"):
            sys.stderr.write(f"fault: {notice.kind or 'unknown'}: {notice.detail}\n")
            return
        seat = self._seats.pop(fault.match_id, None)
        if seat is not None:
            _call("on_fault", seat.view, lambda: seat.bot.on_fault(seat.view, notice))


def _info_of(started: pb.MatchStarted) -> MatchInfo:
    game, options = _game_of(started.game, tuple((option.name, option.value) for option in started.options))
    return MatchInfo(
        match_id=started.match_id,
        game=game.name,
        rules_version=started.rules_version,
        options=options,
        seat=started.seat,
        seat_count=started.seat_count,
        pack=game.pack,
        bot_seed=started.bot_seed,
        bank_s=_seconds(started.clock) if started.HasField("clock") else None,
        increment_s=_seconds(started.increment),
    )


@lru_cache(maxsize=64)
def _game_of(name: str, texts: tuple[tuple[str, str], ...]) -> tuple[Game, Mapping[str, OptionValue]]:
    options = {option: option_from_wire(text) for option, text in texts}
    return games.game(name, options), frozen(options)


def _seconds(duration: Duration) -> float:
    return duration.seconds + duration.nanos / 1e9


def _call(method: str, view: View | None, call: Callable[[], T]) -> T:
    """The author's code outside `choose`."""
    try:
        return call()
    except BaseException as error:
        raise BotRaised(_account(method, view, error)) from error


def _account(method: str, view: View | None, error: BaseException) -> str:
    """What an author needs to know of an exception: where in which match, what the bot held and could do."""
    trace = error.__traceback__
    frames = trace.tb_next if trace is not None else None  # from the author's own code on
    raised = "".join(traceback.format_exception(type(error), error, frames))
    if view is None:
        return f"{method} raised\n{raised}"
    acted = sum(type(event) is Acted for event in view.history)
    return (
        f"match {view.info.match_id} ({view.game}), seat {view.seat}, deal {view.deal_index}, action {acted}: "
        f"{method} raised\n"
        f"  hand:  {view.card_names(view.hand) or '(none)'}\n"
        f"  legal: {' '.join(view.name(action) for action in view.actions) or '(not asked)'}\n"
        f"{raised}"
    )
