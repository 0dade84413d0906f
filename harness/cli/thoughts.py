"""What bots thought in a recorded match: every decision with its time and its note, and what the seat knew."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from harness import games
from harness.cli.faces import Faces
from harness.cli.position import Position, in_columns
from harness.cli.tables import Column, Grid, grid
from harness.faults import result_fault
from harness.games.game import Seat
from harness.games.view import SeatView, project
from harness.printable import printable
from harness.record import MatchRecord, ReplayStep, replay_steps
from harness.store.rows import Note
from harness.store.times import DecisionTime
from harness.thinking import times_by_moment

_NS_PER_MS = 1_000_000


class _Thought(NamedTuple):
    step: ReplayStep
    time: DecisionTime | None
    note: str


class Thoughts:
    """Of all seats, or of one. ReplayDifference as `harness.record.replay`."""

    def __init__(
        self, record: MatchRecord, times: Sequence[DecisionTime], notes: Sequence[Note], seat: Seat | None
    ) -> None:
        self.record = record
        self.seat = seat
        self.notes = {(note.deal, note.action): note for note in notes if seat in (None, note.seat)}
        self.steps = list(replay_steps(record))
        self.times = times_by_moment(record, self.steps, times)
        self.names = [printable(entry.bot) for entry in record.seats]

    def table(self) -> Grid:
        """A row a decision. Processor time and lag have a column where there is any."""
        thoughts = [self._thought(step) for step in self.steps if isinstance(step, ReplayStep) and self._is_shown(step)]
        costs = [
            Column[_Thought]("cpu", lambda row: _told_ms(row.time.cpu_ns if row.time else None), is_number=True),
            Column[_Thought]("lag", lambda row: _told_ms(row.time.lag_ns if row.time else None), is_number=True),
        ]
        is_known = (
            any(time.cpu_ns is not None for time in self.times.values()),
            any(time.lag_ns for time in self.times.values()),
        )
        columns = (
            Column[_Thought]("deal", lambda row: str(row.step.deal_index), is_number=True),
            Column[_Thought]("action", lambda row: str(row.step.action_index), is_number=True),
            Column[_Thought]("bot", lambda row: self.names[row.step.seat]),
            Column[_Thought]("chose", lambda row: row.step.text, is_whole=True),
            Column[_Thought]("ms", _ms, is_number=True),
            Column[_Thought]("owed", lambda row: str(row.time.owed) if row.time else "", is_number=True),
            *(column for column, known in zip(costs, is_known, strict=True) if known),
            Column[_Thought]("note", lambda row: row.note),
        )
        return grid(columns, thoughts)

    def summary(self) -> Grid:
        """A row a bot: how long its decisions took. Milliseconds."""
        rows = [_spent(name, seat, self.times.values()) for seat, name in enumerate(self.names)]
        columns = (
            Column[_Spent]("bot", lambda row: row.bot),
            Column[_Spent]("decisions", lambda row: str(len(row.spent_ns)), is_number=True),
            Column[_Spent]("p50 ms", lambda row: _told_ms(_percentile(row.spent_ns, 50)), is_number=True),
            Column[_Spent]("p99", lambda row: _told_ms(_percentile(row.spent_ns, 99)), is_number=True),
            Column[_Spent]("all", lambda row: _told_ms(sum(row.spent_ns)), is_number=True),
            Column[_Spent]("cpu", lambda row: _told_ms(row.cpu_ns), is_number=True),
            Column[_Spent]("lag", lambda row: _told_ms(row.lag_ns), is_number=True),
        )
        return grid(columns, [row for seat, row in enumerate(rows) if self.seat in (None, seat)])

    def decisions(self, faces: Faces) -> Iterator[str]:
        """Every decision of the seat: what it knew, what was legal, what it chose, in what time, its note."""
        assert self.seat is not None
        view = SeatView(self.seat, len(self.names), len(games.game(self.record.game, self.record.options).pack))
        position = Position(self.record.game, self.names, faces)
        for step in self.steps:
            if isinstance(step, ReplayStep) and self._is_shown(step):
                yield faces.strong(f"deal {step.deal_index}, action {step.action_index}")
                yield from position.decision(view, step.before.actions)
                thought = self._thought(step)
                took = f"   {_ms(thought)} ms" if thought.time else ""
                yield f"chose    {faces.strong(position.choice(step.action))}{took}"
                if thought.note:
                    yield from in_columns("note     ", [faces.faint(printable(thought.note))])
                yield ""
            for event in step.events:
                view.see(project(event, self.seat))
        for fault in self.record.faults:
            if fault.seat == self.seat:
                where = f"deal {fault.deal}, before action {fault.action}"
                kind = result_fault(fault.kind, fault.detail)
                yield printable(f"{where}: {kind}: {fault.detail}; from here the house played")

    def members(self) -> dict[str, object]:
        """All as JSON. `deal` and `action` are where the record has the decision."""
        times = [
            {"deal": deal, "action": action, **time._asdict()}
            for (deal, action), time in self.times.items()
            if self.seat in (None, time.seat)
        ]
        notes = [note._asdict() for note in self.notes.values()]
        bots = [entry.bot for entry in self.record.seats]
        return {"match": self.record.match, "bots": bots, "times": times, "notes": notes}

    def left_notes(self) -> Iterator[str]:
        """The notes that stand beside no decision of their seat: such a match was not played by this program."""
        beside = {
            (step.deal_index, step.action_index, step.seat) for step in self.steps if isinstance(step, ReplayStep)
        }
        for note in self.notes.values():
            if (note.deal, note.action, note.seat) not in beside:
                yield printable(f"deal {note.deal}, action {note.action}, {self.names[note.seat]}: {note.text}")

    def _is_shown(self, step: ReplayStep) -> bool:
        moment = step.deal_index, step.action_index
        return self.seat in (None, step.seat) and (moment in self.times or self._note(step) is not None)

    def _note(self, step: ReplayStep) -> Note | None:
        note = self.notes.get((step.deal_index, step.action_index))
        return note if note is not None and note.seat == step.seat else None

    def _thought(self, step: ReplayStep) -> _Thought:
        moment = step.deal_index, step.action_index
        note = self._note(step)
        return _Thought(step, self.times.get(moment), "" if note is None else note.text)


class _Spent(NamedTuple):
    bot: str
    spent_ns: list[int]
    """Ascending."""
    cpu_ns: int | None
    lag_ns: int


def _spent(bot: str, seat: Seat, times: Collection[DecisionTime]) -> _Spent:
    own = [time for time in times if time.seat == seat]
    known_ns = [time.cpu_ns for time in own if time.cpu_ns is not None]
    lag_ns = sum(time.lag_ns for time in own)
    return _Spent(bot, sorted(time.spent_ns for time in own), sum(known_ns) if known_ns else None, lag_ns)


def _percentile(ascending: Sequence[int], percent: int) -> int | None:
    """The smallest that so many percent are not above; None of nothing."""
    return ascending[max(0, -(-len(ascending) * percent // 100) - 1)] if ascending else None


def _told_ms(ns: int | None) -> str:
    return "" if ns is None else f"{ns / _NS_PER_MS:.2f}"


def _ms(thought: _Thought) -> str:
    return f"{thought.time.spent_ns / _NS_PER_MS:.3f}" if thought.time else ""
