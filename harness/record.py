"""The record of a finished match: one JSON line that anyone can play again, card by card.

`record_of` writes down a finished `Match`; `replay` plays a record by the rules and names the first
difference. `meta` says when and where and is no part of a record's identity: two runs are the same
when everything else is.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from harness import games
from harness.cards import names_of, parse_cards
from harness.faults import FaultKind
from harness.games.game import Action, Event, Game, OptionValue, Outcome, Seat, Shuffle, State
from harness.match import Match, match_places

RECORD_FORMAT = 1
_NUMBERS = range(-(2**63), 2**63)
"""What a ledger can hold."""
T = TypeVar("T")
JsonValue = str | int | float | bool | None | Sequence["JsonValue"] | Mapping[str, "JsonValue"]


class RecordError(ValueError):
    """A text that is not a record. The message names the member at fault."""


class ReplayDifference(Exception):
    """A record that the rules do not bear out. The message names match, deal, action and what differs."""


class SeatEntry(NamedTuple):
    """Who sat in a seat. `sha256` is of the bot's tree, "" where it is not known."""

    bot: str
    version: str
    sha256: str


class DealRecord(NamedTuple):
    """One deal. `deck` in dealing order; `actions` all of them, forced ones included; `points` by seat."""

    deck: tuple[int, ...]
    dealer: Seat
    actions: tuple[str, ...]
    points: tuple[int, ...]


class FaultRecord(NamedTuple):
    """A fault, before action `action` of deal `deal` (both from 0)."""

    seat: Seat
    kind: FaultKind
    deal: int
    action: int
    detail: str


@dataclass(frozen=True)
class MatchRecord:
    """A finished match. Lists are by seat; `points` are the rules' own, `places` from 1, faulted seats last."""

    match: str
    game: str
    rules_version: str
    options: Mapping[str, OptionValue]
    seats: tuple[SeatEntry, ...]
    first_dealer: Seat
    deals: tuple[DealRecord, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    faults: tuple[FaultRecord, ...] = ()
    cup: str | None = None
    round: int | None = None
    block: str | None = None
    rotation: int | None = None
    meta: Mapping[str, JsonValue] = field(default_factory=dict, compare=False)

    def to_json(self) -> str:
        """The record as one line of JSON, members in the documented order, without a line end."""
        return self._with_meta(self._identity())

    def digest(self) -> str:
        """SHA-256 in hex of the record's identity: of its line of JSON without `meta`."""
        return _sha256(self._identity())

    def to_json_and_digest(self) -> tuple[str, str]:
        """Both, for the work of one."""
        identity = self._identity()
        return self._with_meta(identity), _sha256(identity)

    def _identity(self) -> str:
        return json.dumps(self._members(), ensure_ascii=False)

    def _with_meta(self, identity: str) -> str:
        if not self.meta:
            return identity
        return f'{identity[:-1]}, "meta": {json.dumps(dict(self.meta), ensure_ascii=False)}}}'

    def _members(self) -> dict[str, JsonValue]:
        members: dict[str, JsonValue] = {"record": RECORD_FORMAT, "match": self.match}
        optional: dict[str, JsonValue] = {
            "cup": self.cup,
            "round": self.round,
            "block": self.block,
            "rotation": self.rotation,
        }
        members |= {name: value for name, value in optional.items() if value is not None}
        members |= {
            "game": self.game,
            "rules_version": self.rules_version,
            "options": dict(self.options),
            "seats": [seat._asdict() for seat in self.seats],
            "first_dealer": self.first_dealer,
            "deals": [
                {
                    "deck": names_of(deal.deck),
                    "dealer": deal.dealer,
                    "actions": deal.actions,
                    "points": deal.points,
                }
                for deal in self.deals
            ],
            "points": self.points,
            "places": self.places,
            "faults": [fault._asdict() for fault in self.faults],
        }
        return members

    @staticmethod
    def from_json(line: str) -> "MatchRecord":
        """The record that `line` holds. RecordError where it holds none, with the member at fault."""
        try:
            members = json.loads(line)
            if "\\u" in line:  # an escape can name half a character, which no file and no ledger holds
                json.dumps(members, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:  # numbers and nesting without end, too
            raise RecordError(f"not JSON: {error}") from None
        if not isinstance(members, dict):
            raise RecordError("not a JSON object")
        if members.get("record") != RECORD_FORMAT:
            raise RecordError(f"record: format {members.get('record')!r}, this program reads {RECORD_FORMAT}")
        return _Reader(members).record()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class _Reader:
    """Reads checked members out of decoded JSON."""

    def __init__(self, members: Mapping[str, object], path: str = "") -> None:
        self.members = members
        self.path = path

    def get(self, name: str, kind: type[T]) -> T:
        value = self.members.get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RecordError(f"{self.path}{name}: {kind.__name__} expected, {value!r:.60} found")
        if kind is int and value not in _NUMBERS:
            raise RecordError(f"{self.path}{name}: {value!r:.60} is no number of a match")
        return value

    def opt(self, name: str, kind: type[T]) -> T | None:
        return self.get(name, kind) if name in self.members else None

    def ints(self, name: str) -> tuple[int, ...]:
        values = self.get(name, list)
        if not all(type(value) is int for value in values):
            raise RecordError(f"{self.path}{name}: a list of whole numbers expected, {values!r:.60} found")
        if not all(value in _NUMBERS for value in values):
            raise RecordError(f"{self.path}{name}: {values!r:.60}: no numbers of a match")
        return tuple(values)

    def texts(self, name: str) -> tuple[str, ...]:
        values = self.get(name, list)
        if not all(type(value) is str for value in values):
            raise RecordError(f"{self.path}{name}: a list of texts expected, {values!r:.60} found")
        return tuple(values)

    def each(self, name: str) -> Iterator["_Reader"]:
        for index, value in enumerate(self.get(name, list)):
            if not isinstance(value, dict):
                raise RecordError(f"{self.path}{name}[{index}]: an object expected, {value!r:.60} found")
            yield _Reader(value, f"{self.path}{name}[{index}].")

    def deck(self) -> tuple[int, ...]:
        try:
            return parse_cards(self.get("deck", str))
        except ValueError as error:
            raise RecordError(f"{self.path}deck: {error}") from None

    def kind(self) -> FaultKind:
        try:
            return FaultKind(self.get("kind", str))
        except ValueError:
            raise RecordError(f"{self.path}kind: no fault is called {self.members['kind']!r}") from None

    def record(self) -> MatchRecord:
        """The whole record, its members of one match: whether the rules bear it out, `replay` says."""
        record = self._record()
        for name, is_so in _fits(record):
            if not is_so:
                raise RecordError(f"{name}: does not fit a match of {len(record.seats)} seats; take the record again")
        return record

    def _record(self) -> MatchRecord:
        options = self.get("options", dict)
        for name, value in options.items():
            if not isinstance(value, str | int | bool):
                raise RecordError(f"options.{name}: a text, number or truth value expected, {value!r:.60} found")
        return MatchRecord(
            match=self.get("match", str),
            cup=self.opt("cup", str),
            round=self.opt("round", int),
            block=self.opt("block", str),
            rotation=self.opt("rotation", int),
            game=self.get("game", str),
            rules_version=self.get("rules_version", str),
            options=options,
            seats=tuple(
                SeatEntry(seat.get("bot", str), seat.opt("version", str) or "", seat.opt("sha256", str) or "")
                for seat in self.each("seats")
            ),
            first_dealer=self.get("first_dealer", int),
            deals=tuple(
                DealRecord(deal.deck(), deal.get("dealer", int), deal.texts("actions"), deal.ints("points"))
                for deal in self.each("deals")
            ),
            points=self.ints("points"),
            places=self.ints("places"),
            faults=tuple(
                FaultRecord(
                    fault.get("seat", int),
                    fault.kind(),
                    fault.get("deal", int),
                    fault.get("action", int),
                    fault.opt("detail", str) or "",
                )
                for fault in self.each("faults")
            ),
            meta=self.opt("meta", dict) or {},
        )


def _fits(record: MatchRecord) -> Iterator[tuple[str, bool]]:
    """Each member that must fit the others, and whether it does."""
    seats = range(len(record.seats))
    yield "seats", len(seats) > 0
    yield "round", record.round is None or record.round >= 1
    yield "rotation", record.rotation is None or record.rotation - 1 in seats
    yield "first_dealer", record.first_dealer in seats
    yield "deals", len(record.deals) > 0
    for index, deal in enumerate(record.deals):
        yield f"deals[{index}].dealer", deal.dealer in seats
        yield f"deals[{index}].points", len(deal.points) == len(seats)
    yield "points", len(record.points) == len(seats)
    yield "places", len(record.places) == len(seats) and all(place - 1 in seats for place in record.places)
    for index, fault in enumerate(record.faults):
        yield f"faults[{index}].seat", fault.seat in seats
        yield f"faults[{index}].deal", 0 <= fault.deal < len(record.deals)
        yield f"faults[{index}].action", fault.action >= 0


def record_of(
    match: Match,
    *,
    match_id: str,
    seats: Sequence[SeatEntry],
    cup: str | None = None,
    round: int | None = None,
    block: str | None = None,
    rotation: int | None = None,
    meta: Mapping[str, JsonValue] | None = None,
) -> MatchRecord:
    """The record of a finished match. ValueError while it is under way."""
    pending = match.state.pending
    if not isinstance(pending, Outcome):
        raise ValueError(f"match {match_id} is not finished")
    return MatchRecord(
        match=match_id,
        cup=cup,
        round=round,
        block=block,
        rotation=rotation,
        game=match.game.name,
        rules_version=match.game.rules_version,
        options=dict(match.game.options),
        seats=tuple(seats),
        first_dealer=match.first_dealer,
        deals=tuple(DealRecord(deal.deck, deal.dealer, tuple(deal.actions), deal.points) for deal in match.deals),
        points=match.state.points,
        places=match_places(pending.scores, [fault.seat for fault in match.faults]),
        faults=tuple(
            FaultRecord(at.seat, at.fault.kind, at.deal_index, at.action_index, at.fault.detail) for at in match.faults
        ),
        meta=meta or {},
    )


class ReplayStep(NamedTuple):
    """One action of a replay: who did what in which state, and what came of it."""

    deal_index: int
    action_index: int
    seat: Seat
    action: Action
    text: str
    before: State
    events: tuple[Event, ...]


class ReplayDeal(NamedTuple):
    """One deal of a replay, before its first action."""

    deal_index: int
    after: State
    events: tuple[Event, ...]


def replay(record: MatchRecord) -> State:
    """Plays `record` by the rules and returns the last state. ReplayDifference names the first difference."""
    replayer = _Replayer(record)
    replayer.play()
    return replayer.state


def replay_steps(record: MatchRecord) -> Iterator[ReplayDeal | ReplayStep]:
    """The same, deal by deal and action by action, for those who want to look at each."""
    return _Replayer(record).steps()


class _Replayer:
    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        self.at: tuple[int, ...] = ()
        """Deal and action that are looked at, as far as it is about one."""
        self.game = self._game()
        try:
            self.state = self.game.start(len(record.seats), record.first_dealer)
        except ValueError as error:
            raise self._difference(str(error)) from None

    def _game(self) -> Game:
        try:
            game = games.game(self.record.game, self.record.options)
        except ValueError as error:
            raise self._difference(str(error)) from None
        if game.rules_version != self.record.rules_version:
            raise self._difference(
                f"rules version {self.record.rules_version!r}, this program plays {game.rules_version!r}"
            )
        return game

    def _difference(self, what: str) -> ReplayDifference:
        where = "".join(f", {name} {number}" for name, number in zip(("deal", "action"), self.at, strict=False))
        return ReplayDifference(f"{self.record.match}{where}: {what}")

    def _expect(self, name: str, recorded: object, replayed: object) -> None:
        if recorded != replayed:
            raise self._difference(f"{name} {recorded} recorded, {replayed} by the rules")

    def play(self) -> None:
        """All of it, and nothing made of what happens on the way."""
        for deal_index, deal in enumerate(self.record.deals):
            before = self.state.points
            self._begin(deal_index, deal)
            for action_index, text in enumerate(self.game.canonical(deal.actions)):
                self.at = deal_index, action_index
                self.state, _ = self.state.act(self._action(text))
            self._end(deal_index, deal, before)
        self._end_match()

    def steps(self) -> Iterator[ReplayDeal | ReplayStep]:
        """The same, step by step."""
        for deal_index, deal in enumerate(self.record.deals):
            before = self.state.points
            yield ReplayDeal(deal_index, *self._begin(deal_index, deal))
            for action_index, text in enumerate(self.game.canonical(deal.actions)):
                self.at = deal_index, action_index
                state, action = self.state, self._action(text)
                seat = state.turn
                assert seat is not None
                self.state, events = state.act(action)
                yield ReplayStep(deal_index, action_index, seat, action, text, state, events)
            self._end(deal_index, deal, before)
        self._end_match()

    def _begin(self, deal_index: int, deal: DealRecord) -> tuple[State, tuple[Event, ...]]:
        self.at = (deal_index,)
        if not isinstance(self.state.pending, Shuffle):
            raise self._difference("the match was over before this deal")
        self._expect("dealer", deal.dealer, self.state.dealer)
        try:
            self.state, events = self.state.deal(deal.deck)
        except ValueError as error:
            raise self._difference(f"deck: {error}") from None
        return self.state, events

    def _end(self, deal_index: int, deal: DealRecord, before: tuple[int, ...]) -> None:
        """`before`: the points before the deal."""
        self.at = (deal_index,)
        if self.state.turn is not None:
            raise self._difference(f"the deal is not over after {len(deal.actions)} actions")
        scored = tuple(after - earlier for after, earlier in zip(self.state.points, before, strict=True))
        self._expect("points", deal.points, scored)

    def _end_match(self) -> None:
        self.at = ()
        pending = self.state.pending
        if not isinstance(pending, Outcome):
            raise self._difference(f"the match is not over after {len(self.record.deals)} deals")
        self._expect("points", self.record.points, self.state.points)
        faulted = [fault.seat for fault in self.record.faults]
        self._expect("places", self.record.places, match_places(pending.scores, faulted))

    def _action(self, text: str) -> Action:
        """The action that `text` names, which the seat whose turn it is may take now."""
        state = self.state
        seat = state.turn
        if seat is None:
            raise self._difference(f"{text} after the end of the deal")
        try:
            action = self.game.parse_action(text)
        except ValueError as error:
            raise self._difference(str(error)) from None
        if action not in state.actions or self.game.action_name(state, action) != text:
            legal = " ".join(self.game.action_name(state, offered) for offered in state.actions)
            raise self._difference(f"{text} by seat {seat} is not legal (legal: {legal})")
        if self.record.faults and action != state.actions[0] and self._house_plays(seat):
            house = self.game.action_name(state, state.actions[0])
            raise self._difference(f"{text} recorded for seat {seat}, the house plays {house} there")
        return action

    def _house_plays(self, seat: Seat) -> bool:
        return any(fault.seat == seat and (fault.deal, fault.action) <= self.at for fault in self.record.faults)
