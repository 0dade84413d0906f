"""A table: one match under way, and the bots at it."""

import time
from collections.abc import Sequence
from typing import Protocol

from harness.arena.life import Life
from harness.arena.specs import Note, Played, TableSpec, Thoughts, thought_bytes
from harness.faults import Fault, SeatFaulted
from harness.games.game import Acted, Seat, Taken
from harness.games.view import PUBLIC, SeatView, project
from harness.history import history
from harness.match import Ask, Effects, Finished, Match, NeedDeck, TimeControl, Told
from harness.reports import Answer
from harness.seating import Seating
from harness.wire import arena_pb2 as pb
from harness.wire.codec import ACTED_BYTES, observation_bytes, seen_bytes, started_fragment, taken_bytes


class Owner(Protocol):
    """Who is told that a match has ended."""

    def table_ended(self, table: "Table", played: Played) -> None:
        """`table` is free of bots again."""

    def table_void(self, table: "Table", reason: str) -> None:
        """So is this one, and its match counts for nothing."""


class Table:
    """Carries out what the referee of one match says, and tells it what the bots did."""

    __slots__ = (
        "_is_void",
        "_lives",
        "_notes",
        "_on_told",
        "_owner",
        "_seatings",
        "_started_ns",
        "_started_unix_ns",
        "_times",
        "_told",
        "_views",
        "match",
        "spec",
    )

    def __init__(self, spec: TableSpec, owner: Owner, clocks: Sequence[TimeControl | None]) -> None:
        """`clocks` by seat; None for a seat without one."""
        self.spec = spec
        self.match = (
            spec.referee(clocks)
            if spec.referee is not None
            else Match(spec.game, len(spec.seats), spec.first_dealer, clocks)
        )
        self._owner = owner
        self._on_told = spec.on_told
        self._lives: dict[Seat, Life] = {}
        """Bots that are there and told what happens, by seat."""
        self._seatings: dict[Seat, Seating] = {}
        """Where bots sit or have sat last, by seat."""
        self._views: dict[Seat, SeatView] = {}
        """What bots in snapshot mode know."""
        self._told: list[list[bytes]] = []
        """Where the news of each bot are appended, in the order of `_lives`."""
        self._is_void = False
        self._started_unix_ns = 0
        self._started_ns = 0
        self._times = bytearray()
        self._notes: list[Note] = []

    def start(self, lives: Sequence[Life | Fault], now_ns: int) -> None:
        """Begins with these bots, by seat. A Fault in the place of one: the house plays for it from the start."""
        self._started_ns = now_ns
        self._started_unix_ns = time.time_ns()
        for seat, life in enumerate(lives):
            if isinstance(life, Life):
                self._seat(seat, life)
        for seat, life in enumerate(lives):
            if isinstance(life, Fault):
                self.fault(seat, life, now_ns)
        self._carry_out(self.match.start(), now_ns)

    def answer(self, seat: Seat, answer: Answer, now_ns: int, cpu_ns: int = -1, lag_ns: int = 0) -> None:
        """The answer of the seat that was asked. `cpu_ns`, `lag_ns`: as in `Thought`."""
        _, action, spent_ns, owed, note = answer
        if note:
            log = self.match.deals[-1]
            self._notes.append(Note(len(self.match.deals) - 1, len(log.actions), seat, note))
        self._times += thought_bytes(seat, spent_ns, owed, cpu_ns, lag_ns)
        self._carry_out(self.match.answer(seat, action, spent_ns), now_ns)

    def fault(self, seat: Seat, fault: Fault, now_ns: int) -> None:
        """The bot in `seat` did wrong: the house plays for it from now on. It may be away."""
        if self._is_void:
            return
        self._carry_out(self.match.fault(seat, fault), now_ns)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played here."""
        return self._is_void or self.match.finished

    def id_of(self, seat: Seat) -> int | None:
        """What the match is called on the stream of the bot in `seat`; None where none ever sat."""
        seating = self._seatings.get(seat)
        return None if seating is None else seating.match_id

    def give_up(self, reason: str) -> None:
        """Something of ours has failed: the match counts for nothing, and everybody there is told so."""
        if self.is_over:
            return
        self._is_void = True
        for seat, life in self._lives.items():
            seating = self._seatings[seat]
            life.session.over(seating, pb.MATCH_END_CANCELED, (), ())
            del life.seats[seating.match_id]
            life.wake()
        self._lives = {}
        self._listen()
        self._owner.table_void(self, reason)

    def away(self, seat: Seat) -> None:
        """The bot in `seat` is away: it is told nothing, and what it is asked waits for it."""
        del self._lives[seat]
        self._views.pop(seat, None)
        self._listen()

    def back(self, seat: Seat, life: Life, now_ns: int) -> None:
        """The bot in `seat` is there again, and told all from the start; its clock stands where it stood."""
        self._seat(seat, life, self._seatings[seat])
        unsent, view = self._seatings[seat].unsent, self._views.get(seat)
        for event in history(self.match):
            seen = event if isinstance(event, SeatFaulted) else project(event, seat)
            unsent.append(seen_bytes(seen))
            if view is not None:
                view.see(seen)
        if self.match.asked == seat:
            self._carry_out(((), self.match.ask(seat)), now_ns)

    def _seat(self, seat: Seat, life: Life, earlier: Seating | None = None) -> None:
        spec = self.spec
        clock = self.match.clocks[seat]
        match_id = life.session.next_match_id if earlier is None else earlier.match_id
        started = started_fragment(
            match_id,
            game=spec.game.name,
            rules_version=spec.game.rules_version,
            seat=seat,
            seat_count=len(spec.seats),
            bot_seed=spec.bot_seeds[seat],
            options=spec.game.options,
            bank_ns=clock.bank_ns if clock else None,
            increment_ns=clock.increment_ns if clock else None,
            silence_ns=clock.decision_ns if clock else None,
        )
        self._seatings[seat] = life.session.start(match_id, started, earlier)
        self._lives[seat] = life
        life.seats[match_id] = (self, seat)
        if life.hello is not None and life.hello.snapshots:
            self._views[seat] = SeatView(seat, len(spec.seats), len(spec.game.pack))
        self._listen()

    def _listen(self) -> None:
        self._told = [self._seatings[seat].unsent for seat in self._lives]

    def _carry_out(self, effects: Effects, now_ns: int) -> None:
        while True:
            told, due = effects
            if told:
                self._tell(told)
            if isinstance(due, Ask):
                seat, actions, bank_ns = due
                life = self._lives.get(seat)
                if life is None:
                    return  # It is away: the match waits for it.
                observation = observation_bytes(self._views[seat]) if seat in self._views else b""
                if life.session.ask(self._seatings[seat], actions, bank_ns, now_ns, observation):
                    life.wake()
                return
            if not isinstance(due, NeedDeck):
                break
            effects = self.match.deal(self.spec.deck(due.deal_index))
        if due is not None:
            self._finish(due, now_ns)

    def _tell(self, events: Told) -> None:
        if self._on_told is not None:
            self._on_told(events)
        told = self._told
        same = b""  # What every seat sees alike: encoded once, and handed on in one piece.
        for event in events:
            kind = type(event)
            if kind is Acted:
                same += ACTED_BYTES[event]  # type: ignore[index]  # `kind is` narrows nothing
            elif kind is Taken:
                same += taken_bytes(event)  # type: ignore[arg-type]  # the same
            elif kind in PUBLIC:
                same += seen_bytes(event)  # type: ignore[arg-type]  # nor does `in`
            elif kind is SeatFaulted:
                same += seen_bytes(event)  # type: ignore[arg-type]  # nor does `kind is`
                self._tell_fault(event)  # type: ignore[arg-type]  # the same
            else:
                for seat, unsent in zip(self._lives, told, strict=True):
                    unsent.append(same + seen_bytes(project(event, seat)))  # type: ignore[arg-type]  # the same
                same = b""
        if same:
            for unsent in told:
                unsent.append(same)
        if self._views:
            self._show(events)

    def _show(self, events: Told) -> None:
        for seat, view in self._views.items():
            for event in events:
                view.see(event if isinstance(event, SeatFaulted) else project(event, seat))

    def _tell_fault(self, event: SeatFaulted) -> None:
        if (life := self._lives.get(event.seat)) is not None:
            fault = next(at.fault for at in self.match.faults if at.seat == event.seat)
            life.session.fault(self._seatings[event.seat], fault)
            life.wake()

    def _finish(self, finished: Finished, now_ns: int) -> None:
        for seat, life in self._lives.items():
            seating = self._seatings[seat]
            life.session.over(seating, pb.MATCH_END_FINISHED, finished.points, finished.places)
            del life.seats[seating.match_id]
            life.wake()
        self._lives = {}
        self._listen()
        wall_ns = now_ns - self._started_ns
        self._owner.table_ended(
            self, Played(self.spec, self.match, self._started_unix_ns, wall_ns, Thoughts(self._times), self._notes)
        )
