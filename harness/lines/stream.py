"""The adapter's side of the stream: an SDK bot whose choices are made by processes, one match at a time in each."""

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from harness.bot import Bot, FaultNotice, View
from harness.bot.stream import BotSeat, BotStream
from harness.bot.view import clipped
from harness.lines.answers import Unreadable, read_answer
from harness.lines.player import Player, PlayerEnded, PlayerLeft, readable
from harness.lines.players import Players
from harness.lines.told import ask_line, fault_line, over_line, start_line
from harness.wire import arena_pb2 as pb


class LinesBot(Bot):
    """One match, played by a process. `lines_bot` makes the class for the bot of one adapter."""

    players: ClassVar[Players]

    def __init__(self) -> None:
        self.player: Player | None = self.players.take()
        """None once it is not to be relied on any more."""

    @classmethod
    def load(cls) -> None:
        """Hello is said when every process is ready to play."""
        cls.players.wait_until_ready()

    def on_start(self, view: View) -> None:
        self._tell(start_line(view.info))

    def on_over(self, view: View) -> None:
        self._tell(over_line(view))
        self.free()

    def on_fault(self, view: View, fault: FaultNotice) -> None:
        super().on_fault(view, fault)
        self._tell(fault_line(view, fault))
        self.free()

    def discard(self) -> None:
        """The process has lost step: another takes its place for the matches to come."""
        if self.player is not None:
            self.players.replace(self.player)
            self.player = None

    def free(self) -> None:
        """The process plays for it no more."""
        if self.player is not None:
            self.players.give_back(self.player)
            self.player = None

    def _tell(self, line: bytes) -> None:
        if self.player is not None:
            self.player.tell(line)


def lines_bot(games_played: tuple[str, ...], processes: Players) -> type[LinesBot]:
    """The bot that is played by `processes`."""

    class _Bot(LinesBot):
        games = games_played
        max_matches = processes.count
        players = processes

    return _Bot


class _Asked(NamedTuple):
    """A request that a process thinks about."""

    seat: BotSeat
    view: View
    update: pb.Update

    @property
    def bot(self) -> LinesBot:
        """Who plays that match."""
        assert isinstance(self.seat.bot, LinesBot)
        return self.seat.bot


class LinesStream(BotStream):
    """All matches of an adapter. What one message asks is thought about at the same time, a process for each match."""

    def _start(self, started: pb.MatchStarted) -> None:
        earlier = self._seats.get(started.match_id)
        if earlier is not None:  # from the start, forget the rest
            assert isinstance(earlier.bot, LinesBot)
            earlier.bot.free()
        super()._start(started)

    def _updates(self, batch: pb.UpdateBatch) -> Iterator[pb.PlayRequest]:
        for started in batch.started:
            self._start(started)
        thinking: dict[Player, _Asked] = {}
        failures = pb.PlayRequest()
        for index, update in enumerate(batch.updates):
            seat = self._seats.get(update.match_id)
            view = None if seat is None else seat.take(update, (batch.updates, index))
            if seat is None or view is None:
                continue
            asked = _Asked(seat, view, update)
            player = asked.bot.player
            assert player is not None, "a match whose process was discarded is over for the bot"
            try:
                player.ask(ask_line(view, player.asked))
                thinking[player] = asked
            except Unreadable as unreadable:
                _fail(failures, asked, unreadable)
        if failures.decisions.decisions:
            yield failures
        while thinking:
            yield from self._answers(thinking)
            if self.ended:
                return
        for over in batch.over:
            self._over(over)

    def _answers(self, thinking: dict[Player, _Asked]) -> Iterator[pb.PlayRequest]:
        """Waits for answers, and takes who has answered out of `thinking`."""
        answers = pb.PlayRequest()
        ended: PlayerEnded | PlayerLeft | None = None
        for player in readable(thinking):
            asked = thinking[player]
            try:
                line = player.answer()
                if line is None:
                    continue
                answered = read_answer(line, asked.view.actions)
            except Unreadable as unreadable:
                _fail(answers, asked, unreadable)
            except (PlayerEnded, PlayerLeft) as end:
                ended = end
                continue
            else:
                decision = _decision(answers, asked)
                decision.action = answered.action
                decision.note = clipped(answered.note)
            asked.seat.settle(asked.view)
            del thinking[player]
        if answers.decisions.decisions:
            yield answers  # before the end: what is owed longest when it comes pays for it
        if isinstance(ended, PlayerEnded):
            raise ended
        if ended is not None:
            self.ended = True
            yield pb.PlayRequest(goodbye=pb.Goodbye(detail=str(ended)))


def _decision(answers: pb.PlayRequest, asked: _Asked) -> pb.Decision:
    update = asked.update
    return answers.decisions.decisions.add(match_id=update.match_id, decision_id=update.request.decision_id)


def _fail(answers: pb.PlayRequest, asked: _Asked, unreadable: Unreadable) -> None:
    _decision(answers, asked).failure = str(unreadable)
    asked.bot.discard()
