"""What a bot is told: one JSON object a line, and all that its seat knows in every ask.

Words are those of `harness.bot.View`; cards are texts (`QS`), seats numbers, collections of cards in ascending order.
"""

import json
from collections.abc import Iterable, Sequence

from harness.bot import FaultNotice, MatchInfo, View
from harness.cards import SUIT_NAMES, Card, card_name, cards_in
from harness.faults import SeatFaulted
from harness.games.game import (
    CONTRACT_NAMES,
    CONTRACTS,
    END,
    PASS,
    TAKE,
    Acted,
    Action,
    Cleared,
    Out,
    PickedUp,
    Scored,
    Shown,
    Taken,
    action_cards,
)
from harness.games.view import Drawn, HandDealt, Seen

VERSION = 1
"""Of this format. A member or a type of line may be added to it: bots skip what they do not know."""

NAMED = {
    PASS: "pass",
    END: "end",
    TAKE: "take",
    **{contract: f"contract:{name}" for contract, name in zip(CONTRACTS, CONTRACT_NAMES, strict=True)},
}


def action_text(action: Action) -> str:
    """Text of an action, as a bot may write it: `QS`, `7S+9S`, `pass`, `contract:royalty`."""
    return NAMED.get(action) or "+".join(map(card_name, action_cards(action)))


def hello_line(games: Sequence[str]) -> bytes:
    """The first line of all. The bot is ready once it has read it."""
    return _line({"type": "hello", "version": VERSION, "games": list(games)})


def start_line(info: MatchInfo) -> bytes:
    """A match begins."""
    clock = {} if info.bank_s is None else {"bank_s": info.bank_s, "increment_s": info.increment_s}
    return _line({"type": "start", **_match(info), "rules_version": info.rules_version, **clock})


def ask_line(view: View, asked: int) -> bytes:
    """The bot is to choose. `asked`: how often it was asked before in this match."""
    fold = view.fold
    return _line(
        {
            "type": "ask",
            **_match(view.info),
            "asked": asked,
            "clock_s": view.clock_s,
            "deal_index": fold.deal_index,
            "dealer": fold.dealer,
            "hand": _names(cards_in(fold.hand)),
            "hand_counts": fold.hand_counts,
            "table": [[seat, card_name(card)] for seat, card in fold.table],
            "points": fold.points,
            "contract": None if fold.contract is None else NAMED[fold.contract],
            "contracts": [[NAMED[contract] for contract in contracts] for contracts in view.contracts],
            "led": None if view.led is None else SUIT_NAMES[view.led],
            "taken": [_names(cards) for cards in view.taken],
            "trumps": None if view.trumps is None else SUIT_NAMES[view.trumps],
            "upcards": _names(view.upcards),
            "stock_count": fold.stock_count,
            "pot": fold.pot,
            "known": [_names(cards) for cards in view.known],
            "gone": _names(view.gone),
            "unseen": _names(view.unseen),
            "out": fold.out,
            "faulted": view.faulted,
            "history": [_event(event) for event in fold.deal_events],
            "legal": [action_text(action) for action in view.actions],
            "actions": view.actions,
        }
    )


def over_line(view: View) -> bytes:
    """A match has ended."""
    result = view.result
    assert result is not None
    return _line(
        {
            "type": "over",
            "match": view.info.match_id,
            "points": result.points,
            "places": result.places,
            "canceled": result.canceled,
        }
    )


def fault_line(view: View, fault: FaultNotice) -> bytes:
    """The bot is at fault, and nothing more comes of that match."""
    kind = fault.kind or "unknown"
    return _line({"type": "fault", "match": view.info.match_id, "kind": kind, "detail": fault.detail})


def _match(info: MatchInfo) -> dict[str, object]:
    return {
        "match": info.match_id,
        "game": info.game,
        "options": dict(info.options),
        "seat": info.seat,
        "seat_count": info.seat_count,
        "seed": str(info.bot_seed),  # a text: 64 bits are too many for the numbers of JavaScript
    }


def _event(event: Seen | SeatFaulted) -> dict[str, object]:
    match event:
        case HandDealt(deal_index, dealer, hand, upcards):
            return {
                "event": "dealt",
                "deal_index": deal_index,
                "dealer": dealer,
                "hand": _names(cards_in(hand)),
                "upcards": _names(cards_in(upcards)),
            }
        case Acted(seat, action):
            return {"event": "acted", "seat": seat, "action": action_text(action)}
        case Drawn(seat, card_count, cards):
            return {"event": "drew", "seat": seat, "card_count": card_count, "cards": _names(cards_in(cards))}
        case Taken(seat, cards):
            return {"event": "taken", "seat": seat, "cards": _names(cards_in(cards))}
        case PickedUp(seat, cards):
            return {"event": "picked_up", "seat": seat, "cards": _names(cards_in(cards))}
        case Shown(seat, cards):
            return {"event": "shown", "seat": seat, "cards": _names(cards_in(cards))}
        case Cleared(cards):
            return {"event": "cleared", "cards": _names(cards_in(cards))}
        case Scored(deltas, pot):
            return {"event": "scored", "deltas": deltas, "pot": pot}
        case Out(seat):
            return {"event": "out", "seat": seat}
        case SeatFaulted(seat, kind):
            return {"event": "seat_faulted", "seat": seat, "kind": kind}


def _names(cards: Iterable[Card]) -> list[str]:
    return [card_name(card) for card in cards]


def _line(members: dict[str, object]) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode() + b"\n"
