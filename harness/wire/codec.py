"""Values of the games <-> bytes of the protocol.

Protobuf messages merge when their bytes are concatenated. So the harness never builds a message
tree: it makes small fragments, each the bytes of a message with one field set, caches what is
public, and joins. `match_id_bytes(5) + seen_bytes(e1) + seen_bytes(e2) + request_bytes(...)` is an
Update with two events and a request; `update_fragment` makes it a part of an UpdateBatch,
`batch_message` joins such parts into what goes on the wire.

Nothing here hides anything: only projected events (`harness.games.view.Seen`) can be encoded, and
the size of what is encoded depends on nothing else.
"""

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from harness.cards import SUIT_MASKS, CardSet, cards_in, set_of
from harness.faults import FaultKind, SeatFaulted
from harness.games.game import Acted, Action, Cleared, OptionValue, Out, PickedUp, Scored, Seat, Shown, Taken
from harness.games.view import Drawn, HandDealt, SeatView, Seen
from harness.wire import arena_pb2 as pb

K = TypeVar("K")
NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000

# Tags of fields: field number * 8, and 2 more where a length follows.
_OBSERVATION_EVENTS = b"\x0a"
_UPDATE_EVENTS = b"\x12"
_UPDATE_REQUEST = b"\x1a"
_UPDATE_OBSERVATION = b"\x22"
_UPDATE_MATCH_ID = b"\x08"
_BATCH_STARTED = b"\x0a"
_BATCH_UPDATES = b"\x12"
_BATCH_OVER = b"\x1a"
_OVER_MATCH_ID = b"\x08"
_RESPONSE_UPDATES = b"\x12"
_REQUEST_ID = b"\x09"
_REQUEST_ACTIONS = b"\x12"
_REQUEST_CLOCK = b"\x1a"
_EVENT_DEALT = b"\x0a"
_EVENT_TAKEN = b"\x3a"
_DEALT_INDEX = b"\x08"
_DEALT_DEALER = b"\x10"
_DEALT_HAND = b"\x1a"
_DEALT_UPCARDS = b"\x22"
_TAKEN_SEAT = b"\x08"
_TAKEN_CARDS = b"\x12"

_CLUBS, _DIAMONDS, _HEARTS, _SPADES = SUIT_MASKS
_pack_id = struct.Struct("<cQ").pack
_pack_request = struct.Struct("<cBcQcB").pack
_ONE_BYTE = tuple(bytes((n,)) for n in range(128))

_FAULT_TO_WIRE: dict[FaultKind, pb.FaultKind.ValueType] = {
    FaultKind.ILLEGAL_ACTION: pb.FAULT_KIND_ILLEGAL_ACTION,
    FaultKind.TIMEOUT: pb.FAULT_KIND_TIMEOUT,
    FaultKind.DISCONNECTED: pb.FAULT_KIND_DISCONNECTED,
    FaultKind.CRASHED: pb.FAULT_KIND_CRASHED,
    FaultKind.PROTOCOL: pb.FAULT_KIND_PROTOCOL,
    FaultKind.RESOURCES: pb.FAULT_KIND_RESOURCES,
    FaultKind.START: pb.FAULT_KIND_START,
}
_FAULT_FROM_WIRE: dict[int, FaultKind] = {int(number): kind for kind, number in _FAULT_TO_WIRE.items()}


def fault_kind_to_wire(kind: FaultKind) -> pb.FaultKind.ValueType:
    """The protocol's number for `kind`."""
    return _FAULT_TO_WIRE[kind]


def fault_kind_from_wire(number: int) -> FaultKind | None:
    """Kind that the protocol's `number` means; None for one that this version does not know."""
    return _FAULT_FROM_WIRE.get(number)


# Fragments of an Update ----------------------------------------------------------------------------


def match_id_bytes(match_id: int) -> bytes:
    """An Update that holds the id of its match, which is not negative, and nothing else."""
    return _UPDATE_MATCH_ID + _varint(match_id)


def seen_bytes(event: Seen | SeatFaulted) -> bytes:
    """An Update that holds `event` and nothing else."""
    if (kept := _KEPT_BYTES.get(type(event))) is not None:
        return kept[event]
    if type(event) is Taken:
        return taken_bytes(event)
    return _dealt_bytes(event)  # type: ignore[arg-type]  # the same


def taken_bytes(event: Taken) -> bytes:
    """The same of a trick: frequent, and of so many kinds that to find it among those kept would take longer."""
    seat, cards = event
    listed = _card_bytes(cards)
    return _TAKEN_HEADS[seat, len(listed)] + listed


def request_bytes(decision_id: int, actions: tuple[Action, ...], clock_ns: int | None) -> bytes:
    """An Update that holds one request and nothing else. `actions` ascend; `clock_ns`: time left, None for no limit.

    Clocks are told in whole milliseconds, so that their bytes are met again.
    """
    # They ascend: where each is a byte, they are written as quickly as they would be found among those kept.
    listed = bytes(actions) if actions[-1] < 128 else b"".join([_varint(action) for action in actions])
    count = len(listed)
    rest = listed if clock_ns is None else listed + _CLOCK_BYTES[clock_ns // NS_PER_MS]
    size = 11 + len(rest)  # with 9 bytes for the id and 2 that stand before the actions
    if size < 128:  # and so is `count`: a byte each
        return _pack_request(_UPDATE_REQUEST, size, _REQUEST_ID, decision_id, _REQUEST_ACTIONS, count) + rest
    head = _pack_id(_REQUEST_ID, decision_id) + _REQUEST_ACTIONS + _varint(count)
    return _field(_UPDATE_REQUEST, head + rest)


def observation_bytes(view: SeatView) -> bytes:
    """An Update that holds the observation of `view` and nothing else."""
    rest = pb.Observation(
        hand=cards_in(view.hand),
        hand_counts=view.hand_counts,
        stock_count=view.stock_count,
        points=view.points,
        pot=view.pot,
        contracts=[
            pb.Acted(seat=seat, action=contract)
            for seat, contracts in enumerate(view.contracts)
            for contract in sorted(contracts)
        ],
    )
    events = b"".join([_OBSERVATION_EVENTS + seen_bytes(event)[1:] for event in view.snapshot_events])
    return _field(_UPDATE_OBSERVATION, events + rest.SerializeToString())


# Fragments of an UpdateBatch -----------------------------------------------------------------------


def update_fragment(update: bytes) -> bytes:
    """An UpdateBatch that holds one Update: this one."""
    return UPDATE_HEADS[len(update)] + update


def started_fragment(
    match_id: int,
    *,
    game: str,
    rules_version: str,
    seat: Seat,
    seat_count: int,
    bot_seed: int,
    options: Iterable[tuple[str, OptionValue]] = (),
    bank_ns: int | None = None,
    increment_ns: int | None = None,
    silence_ns: int | None = None,
) -> bytes:
    """An UpdateBatch that holds one MatchStarted. A duration of None is left unset: no limit."""
    own = pb.MatchStarted(match_id=match_id, seat=seat, bot_seed=bot_seed).SerializeToString()
    return _field(
        _BATCH_STARTED,
        own + _started_alike(game, rules_version, seat_count, tuple(options), bank_ns, increment_ns, silence_ns),
    )


@lru_cache(maxsize=64)
def _started_alike(
    game: str,
    rules_version: str,
    seat_count: int,
    options: tuple[tuple[str, OptionValue], ...],
    bank_ns: int | None,
    increment_ns: int | None,
    silence_ns: int | None,
) -> bytes:
    """What is the same in every match of a cup."""
    started = pb.MatchStarted(
        game=game,
        rules_version=rules_version,
        seat_count=seat_count,
        options=[pb.RuleOption(name=name, value=option_to_wire(value)) for name, value in options],
    )
    if bank_ns is not None:
        started.clock.MergeFromString(_duration_bytes(bank_ns))
        started.clock.SetInParent()
    if increment_ns is not None:
        started.increment.MergeFromString(_duration_bytes(increment_ns))
        started.increment.SetInParent()
    if silence_ns is not None:
        started.silence_limit.MergeFromString(_duration_bytes(silence_ns))
        started.silence_limit.SetInParent()
    return started.SerializeToString()


def over_fragment(match_id: int, end: pb.MatchEnd.ValueType, points: Sequence[int], ranks: Sequence[int]) -> bytes:
    """An UpdateBatch that holds one MatchOver."""
    return _field(_BATCH_OVER, _OVER_MATCH_ID + _varint(match_id) + _over_alike(end, tuple(points), tuple(ranks)))


@lru_cache(maxsize=1)
def _over_alike(end: pb.MatchEnd.ValueType, points: tuple[int, ...], ranks: tuple[int, ...]) -> bytes:
    """What all seats of a match hear: one after another."""
    return pb.MatchOver(end=end, points=points, ranks=ranks).SerializeToString()


# Whole messages of the harness ---------------------------------------------------------------------


def batch_message(fragments: Iterable[bytes]) -> bytes:
    """The PlayResponse that holds the UpdateBatch of these fragments."""
    return _field(_RESPONSE_UPDATES, b"".join(fragments))


def welcome_message(bot: str, session_id: str) -> bytes:
    """The PlayResponse that accepts a bot."""
    return pb.PlayResponse(welcome=pb.Welcome(bot=bot, session_id=session_id)).SerializeToString()


def fault_message(kind: FaultKind, match_id: int | None, detail: str) -> bytes:
    """The PlayResponse that says what the bot did wrong; `match_id` None: the stream as a whole."""
    fault = pb.Fault(kind=fault_kind_to_wire(kind), match_id=match_id, detail=detail)
    return pb.PlayResponse(fault=fault).SerializeToString()


def ping_message(nonce: int) -> bytes:
    """The PlayResponse that asks for a Pong."""
    return pb.PlayResponse(ping=pb.Ping(nonce=nonce)).SerializeToString()


def goodbye_message(detail: str) -> bytes:
    """The PlayResponse that ends the stream in order."""
    return pb.PlayResponse(goodbye=pb.Goodbye(detail=detail)).SerializeToString()


# Read by the bot -----------------------------------------------------------------------------------


def seen_of(event: pb.Event) -> Seen | SeatFaulted | None:
    """The value of `event`; None for a kind that this version does not know."""
    match event.WhichOneof("event"):
        case "acted":
            acted = event.acted
            return Acted(acted.seat, acted.action)
        case "taken":
            return Taken(event.taken.seat, set_of(event.taken.cards))
        case "drew":
            return Drawn(event.drew.seat, event.drew.card_count, set_of(event.drew.cards))
        case "cleared":
            return Cleared(set_of(event.cleared.cards))
        case "picked_up":
            return PickedUp(event.picked_up.seat, set_of(event.picked_up.cards))
        case "dealt":
            dealt = event.dealt
            return HandDealt(dealt.deal_index, dealt.dealer_seat, set_of(dealt.hand), set_of(dealt.upcards))
        case "scored":
            return Scored(tuple(event.scored.deltas), event.scored.pot)
        case "out":
            return Out(event.out.seat)
        case "shown":
            return Shown(event.shown.seat, set_of(event.shown.cards))
        case "seat_faulted":
            kind = fault_kind_from_wire(event.seat_faulted.kind)
            return None if kind is None else SeatFaulted(event.seat_faulted.seat, kind)
        case _:
            return None


def option_to_wire(value: OptionValue) -> str:
    """Text of an option's value: `true`, `60`, `one`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def option_from_wire(text: str) -> OptionValue:
    """Value that `text` means: the inverse of `option_to_wire`."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() else text


# Encoding ------------------------------------------------------------------------------------------


def _encode(event: Seen | SeatFaulted) -> bytes:
    return _field(_UPDATE_EVENTS, _event_message(event).SerializeToString())


def _taken_head(seat_and_count: tuple[Seat, int]) -> bytes:
    """All that stands before the cards of a Taken: its seat, and how many they are."""
    seat, card_count = seat_and_count
    body = _number(_TAKEN_SEAT, seat) + _field(_TAKEN_CARDS, bytes(card_count))
    return _field(_UPDATE_EVENTS, _field(_EVENT_TAKEN, body)).removesuffix(bytes(card_count))


def _dealt_bytes(event: HandDealt) -> bytes:
    body = _number(_DEALT_INDEX, event.deal_index) + _number(_DEALT_DEALER, event.dealer)
    if event.hand:
        body += _field(_DEALT_HAND, _card_bytes(event.hand))
    if event.upcards:
        body += _field(_DEALT_UPCARDS, _card_bytes(event.upcards))
    return _field(_UPDATE_EVENTS, _field(_EVENT_DEALT, body))


def _card_bytes(cards: CardSet) -> bytes:
    """Members of `cards`, ascending, a byte each."""
    suits = _SUIT_BYTES
    return suits[cards & _CLUBS] + suits[cards & _DIAMONDS] + suits[cards & _HEARTS] + suits[cards & _SPADES]


def _event_message(event: Seen | SeatFaulted) -> pb.Event:
    match event:
        case Acted(seat, action):
            return pb.Event(acted=pb.Acted(seat=seat, action=action))
        case Taken(seat, cards):
            return pb.Event(taken=pb.Taken(seat=seat, cards=cards_in(cards)))
        case Drawn(seat, card_count, cards):
            return pb.Event(drew=pb.Drew(seat=seat, card_count=card_count, cards=cards_in(cards)))
        case Cleared(cards):
            return pb.Event(cleared=pb.Cleared(cards=cards_in(cards)))
        case PickedUp(seat, cards):
            return pb.Event(picked_up=pb.PickedUp(seat=seat, cards=cards_in(cards)))
        case HandDealt(deal_index, dealer, hand, upcards):
            dealt = pb.Dealt(deal_index=deal_index, dealer_seat=dealer, hand=cards_in(hand), upcards=cards_in(upcards))
            return pb.Event(dealt=dealt)
        case Scored(deltas, pot):
            return pb.Event(scored=pb.Scored(deltas=deltas, pot=pot))
        case Out(seat):
            return pb.Event(out=pb.Out(seat=seat))
        case Shown(seat, cards):
            return pb.Event(shown=pb.Shown(seat=seat, cards=cards_in(cards)))
        case SeatFaulted(seat, kind):
            return pb.Event(seat_faulted=pb.SeatFaulted(seat=seat, kind=fault_kind_to_wire(kind)))


def _duration_bytes(span_ns: int) -> bytes:
    """A google.protobuf.Duration of `span_ns`, not negative."""
    seconds, nanos = divmod(span_ns, NS_PER_S)
    return b"\x08" + _varint(seconds) + b"\x10" + _varint(nanos)


def _clock_bytes(clock_ms: int) -> bytes:
    return _field(_REQUEST_CLOCK, _duration_bytes(clock_ms * NS_PER_MS))


def _number(tag: bytes, number: int) -> bytes:
    """A whole number, not negative; 0 is not written."""
    return tag + _varint(number) if number else b""


def _field(tag: bytes, body: bytes) -> bytes:
    return tag + _varint(len(body)) + body


def _varint(number: int) -> bytes:
    """`number`, not negative, seven bits a byte, lowest first."""
    if number < 128:
        return _ONE_BYTE[number]
    if number < 16384:
        return bytes((number & 127 | 128, number >> 7))
    groups = bytearray()
    while number >= 128:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)


class _Kept(dict[K, bytes]):
    """Bytes that are worked out when they are first asked for, and kept; all are dropped when they are too many."""

    def __init__(self, make: Callable[[K], bytes], most: int = 1 << 15) -> None:
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, key: K) -> bytes:
        if len(self) >= self._most:
            self.clear()
        made = self[key] = self._make(key)
        return made


_SUIT_BYTES: _Kept[CardSet] = _Kept(lambda cards: bytes(cards_in(cards)))
_TAKEN_HEADS = _Kept(_taken_head)
UPDATE_HEADS: Mapping[int, bytes] = _Kept(lambda size: _BATCH_UPDATES + _varint(size))
"""What `update_fragment` puts before an update, by its length."""
_CLOCK_BYTES = _Kept(_clock_bytes, 1 << 17)
# By kind: as plain tuples, Acted(1, 2) and PickedUp(1, 2) are equal. Of the kinds that are not here there is no end of
# different events, which hardly ever come again.
_KEPT_BYTES: dict[type, _Kept[Seen | SeatFaulted]] = {
    kind: _Kept(_encode) for kind in (Acted, Drawn, Cleared, PickedUp, Scored, Out, Shown, SeatFaulted)
}
ACTED_BYTES: Mapping[Seen | SeatFaulted, bytes] = _KEPT_BYTES[Acted]
"""What `seen_bytes` gives for each Acted, worked out when it is asked for: most events are looked up here, uncalled."""
