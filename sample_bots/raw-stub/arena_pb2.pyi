import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ObservationMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OBSERVATION_MODE_UNSPECIFIED: _ClassVar[ObservationMode]
    OBSERVATION_MODE_EVENTS: _ClassVar[ObservationMode]
    OBSERVATION_MODE_SNAPSHOT: _ClassVar[ObservationMode]

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_ILLEGAL_ACTION: _ClassVar[FaultKind]
    FAULT_KIND_TIMEOUT: _ClassVar[FaultKind]
    FAULT_KIND_DISCONNECTED: _ClassVar[FaultKind]
    FAULT_KIND_PROTOCOL: _ClassVar[FaultKind]
    FAULT_KIND_RESOURCES: _ClassVar[FaultKind]
    FAULT_KIND_CRASHED: _ClassVar[FaultKind]
    FAULT_KIND_START: _ClassVar[FaultKind]

class MatchEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_END_UNSPECIFIED: _ClassVar[MatchEnd]
    MATCH_END_FINISHED: _ClassVar[MatchEnd]
    MATCH_END_CANCELED: _ClassVar[MatchEnd]
OBSERVATION_MODE_UNSPECIFIED: ObservationMode
OBSERVATION_MODE_EVENTS: ObservationMode
OBSERVATION_MODE_SNAPSHOT: ObservationMode
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_ILLEGAL_ACTION: FaultKind
FAULT_KIND_TIMEOUT: FaultKind
FAULT_KIND_DISCONNECTED: FaultKind
FAULT_KIND_PROTOCOL: FaultKind
FAULT_KIND_RESOURCES: FaultKind
FAULT_KIND_CRASHED: FaultKind
FAULT_KIND_START: FaultKind
MATCH_END_UNSPECIFIED: MatchEnd
MATCH_END_FINISHED: MatchEnd
MATCH_END_CANCELED: MatchEnd

class PlayRequest(_message.Message):
    __slots__ = ("hello", "decisions", "pong", "goodbye")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    decisions: DecisionBatch
    pong: Pong
    goodbye: Goodbye
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., decisions: _Optional[_Union[DecisionBatch, _Mapping]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "updates", "fault", "ping", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    updates: UpdateBatch
    fault: Fault
    ping: Ping
    goodbye: Goodbye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., updates: _Optional[_Union[UpdateBatch, _Mapping]] = ..., fault: _Optional[_Union[Fault, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("bot_version", "games", "max_match_count", "observation_mode")
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_MODE_FIELD_NUMBER: _ClassVar[int]
    bot_version: str
    games: _containers.RepeatedScalarFieldContainer[str]
    max_match_count: int
    observation_mode: ObservationMode
    def __init__(self, bot_version: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., max_match_count: _Optional[int] = ..., observation_mode: _Optional[_Union[ObservationMode, str]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("bot", "session_id")
    BOT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    bot: str
    session_id: str
    def __init__(self, bot: _Optional[str] = ..., session_id: _Optional[str] = ...) -> None: ...

class MatchStarted(_message.Message):
    __slots__ = ("match_id", "game", "rules_version", "seat", "seat_count", "clock", "increment", "bot_seed", "options", "silence_limit")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_SEED_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SILENCE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    match_id: int
    game: str
    rules_version: str
    seat: int
    seat_count: int
    clock: _duration_pb2.Duration
    increment: _duration_pb2.Duration
    bot_seed: int
    options: _containers.RepeatedCompositeFieldContainer[RuleOption]
    silence_limit: _duration_pb2.Duration
    def __init__(self, match_id: _Optional[int] = ..., game: _Optional[str] = ..., rules_version: _Optional[str] = ..., seat: _Optional[int] = ..., seat_count: _Optional[int] = ..., clock: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., increment: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., bot_seed: _Optional[int] = ..., options: _Optional[_Iterable[_Union[RuleOption, _Mapping]]] = ..., silence_limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class RuleOption(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class UpdateBatch(_message.Message):
    __slots__ = ("started", "updates", "over")
    STARTED_FIELD_NUMBER: _ClassVar[int]
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    started: _containers.RepeatedCompositeFieldContainer[MatchStarted]
    updates: _containers.RepeatedCompositeFieldContainer[Update]
    over: _containers.RepeatedCompositeFieldContainer[MatchOver]
    def __init__(self, started: _Optional[_Iterable[_Union[MatchStarted, _Mapping]]] = ..., updates: _Optional[_Iterable[_Union[Update, _Mapping]]] = ..., over: _Optional[_Iterable[_Union[MatchOver, _Mapping]]] = ...) -> None: ...

class Update(_message.Message):
    __slots__ = ("match_id", "events", "request", "observation")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    match_id: int
    events: _containers.RepeatedCompositeFieldContainer[Event]
    request: DecisionRequest
    observation: Observation
    def __init__(self, match_id: _Optional[int] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., request: _Optional[_Union[DecisionRequest, _Mapping]] = ..., observation: _Optional[_Union[Observation, _Mapping]] = ...) -> None: ...

class DecisionRequest(_message.Message):
    __slots__ = ("decision_id", "legal_actions", "clock")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    decision_id: int
    legal_actions: _containers.RepeatedScalarFieldContainer[int]
    clock: _duration_pb2.Duration
    def __init__(self, decision_id: _Optional[int] = ..., legal_actions: _Optional[_Iterable[int]] = ..., clock: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class DecisionBatch(_message.Message):
    __slots__ = ("decisions",)
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[Decision]
    def __init__(self, decisions: _Optional[_Iterable[_Union[Decision, _Mapping]]] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("match_id", "decision_id", "action", "note", "failure")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    match_id: int
    decision_id: int
    action: int
    note: str
    failure: str
    def __init__(self, match_id: _Optional[int] = ..., decision_id: _Optional[int] = ..., action: _Optional[int] = ..., note: _Optional[str] = ..., failure: _Optional[str] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("dealt", "acted", "drew", "shown", "scored", "seat_faulted", "taken", "out", "picked_up", "cleared")
    DEALT_FIELD_NUMBER: _ClassVar[int]
    ACTED_FIELD_NUMBER: _ClassVar[int]
    DREW_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    SCORED_FIELD_NUMBER: _ClassVar[int]
    SEAT_FAULTED_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    OUT_FIELD_NUMBER: _ClassVar[int]
    PICKED_UP_FIELD_NUMBER: _ClassVar[int]
    CLEARED_FIELD_NUMBER: _ClassVar[int]
    dealt: Dealt
    acted: Acted
    drew: Drew
    shown: Shown
    scored: Scored
    seat_faulted: SeatFaulted
    taken: Taken
    out: Out
    picked_up: PickedUp
    cleared: Cleared
    def __init__(self, dealt: _Optional[_Union[Dealt, _Mapping]] = ..., acted: _Optional[_Union[Acted, _Mapping]] = ..., drew: _Optional[_Union[Drew, _Mapping]] = ..., shown: _Optional[_Union[Shown, _Mapping]] = ..., scored: _Optional[_Union[Scored, _Mapping]] = ..., seat_faulted: _Optional[_Union[SeatFaulted, _Mapping]] = ..., taken: _Optional[_Union[Taken, _Mapping]] = ..., out: _Optional[_Union[Out, _Mapping]] = ..., picked_up: _Optional[_Union[PickedUp, _Mapping]] = ..., cleared: _Optional[_Union[Cleared, _Mapping]] = ...) -> None: ...

class Dealt(_message.Message):
    __slots__ = ("deal_index", "dealer_seat", "hand", "upcards")
    DEAL_INDEX_FIELD_NUMBER: _ClassVar[int]
    DEALER_SEAT_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    UPCARDS_FIELD_NUMBER: _ClassVar[int]
    deal_index: int
    dealer_seat: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    upcards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, deal_index: _Optional[int] = ..., dealer_seat: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., upcards: _Optional[_Iterable[int]] = ...) -> None: ...

class Acted(_message.Message):
    __slots__ = ("seat", "action")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    seat: int
    action: int
    def __init__(self, seat: _Optional[int] = ..., action: _Optional[int] = ...) -> None: ...

class Drew(_message.Message):
    __slots__ = ("seat", "card_count", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_COUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card_count: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., card_count: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...

class Shown(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...

class Scored(_message.Message):
    __slots__ = ("deltas", "pot")
    DELTAS_FIELD_NUMBER: _ClassVar[int]
    POT_FIELD_NUMBER: _ClassVar[int]
    deltas: _containers.RepeatedScalarFieldContainer[int]
    pot: int
    def __init__(self, deltas: _Optional[_Iterable[int]] = ..., pot: _Optional[int] = ...) -> None: ...

class Taken(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...

class PickedUp(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...

class Cleared(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cards: _Optional[_Iterable[int]] = ...) -> None: ...

class Out(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class SeatFaulted(_message.Message):
    __slots__ = ("seat", "kind")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: FaultKind
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[_Union[FaultKind, str]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("events", "hand", "hand_counts", "stock_count", "points", "pot", "contracts")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_COUNTS_FIELD_NUMBER: _ClassVar[int]
    STOCK_COUNT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    POT_FIELD_NUMBER: _ClassVar[int]
    CONTRACTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    hand: _containers.RepeatedScalarFieldContainer[int]
    hand_counts: _containers.RepeatedScalarFieldContainer[int]
    stock_count: int
    points: _containers.RepeatedScalarFieldContainer[int]
    pot: int
    contracts: _containers.RepeatedCompositeFieldContainer[Acted]
    def __init__(self, events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., hand: _Optional[_Iterable[int]] = ..., hand_counts: _Optional[_Iterable[int]] = ..., stock_count: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., pot: _Optional[int] = ..., contracts: _Optional[_Iterable[_Union[Acted, _Mapping]]] = ...) -> None: ...

class MatchOver(_message.Message):
    __slots__ = ("match_id", "end", "points", "ranks")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    match_id: int
    end: MatchEnd
    points: _containers.RepeatedScalarFieldContainer[int]
    ranks: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, match_id: _Optional[int] = ..., end: _Optional[_Union[MatchEnd, str]] = ..., points: _Optional[_Iterable[int]] = ..., ranks: _Optional[_Iterable[int]] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("kind", "match_id", "detail")
    KIND_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    kind: FaultKind
    match_id: int
    detail: str
    def __init__(self, kind: _Optional[_Union[FaultKind, str]] = ..., match_id: _Optional[int] = ..., detail: _Optional[str] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("detail",)
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    detail: str
    def __init__(self, detail: _Optional[str] = ...) -> None: ...
