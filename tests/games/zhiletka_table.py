"""Zhiletka for tests: positions out of nothing, hands played from texts, and what events say about the end."""

from collections.abc import Mapping, Sequence
from itertools import chain

from harness.cards import CardSet, parse_card, parse_cards, set_of
from harness.games.bouts import PACK, attack_actions
from harness.games.game import (
    Acted,
    Cleared,
    Dealt,
    Deck,
    Event,
    OptionValue,
    Out,
    PickedUp,
    Scored,
    Seat,
    Shown,
    State,
)
from harness.games.zhiletka import Attacking, Between, Rules, Setting, game

Options = Mapping[str, OptionValue]
GAME = game({})
NO_SET = {2: ("8D JD AC", "6S 9S QC"), 3: ("8D JD AC", "6S 9S QC", "7H TH KD")}
"""Hands by seat without a set, by seat count."""


def cards(names: str) -> CardSet:
    """The set of the cards that `names` denotes."""
    return set_of(parse_cards(names))


def rules(options: Options | None = None) -> Rules:
    """The rules under `options`, as the game itself reads them."""
    start = game(options or {}).start(2, 0)
    assert isinstance(start, Between)
    return start.setting.rules


def position(
    *hands: str,
    stock: str = "",
    trump: str = "C",
    attacker: Seat = 0,
    attack: str = "",
    out: Sequence[Seat] = (),
    options: Options | None = None,
    pot: int | None = None,
    deal_index: int = 0,
) -> State:
    """A position, of as few cards as the test needs. Seat 0 dealt; the antes are paid.

    With `attack` the cards of it lie on the table (and are in no hand) and the defender is to act.
    """
    chosen, seat_count = rules(options), len(hands)
    held = [cards(hand) for hand in hands]
    laid = tuple(sorted(parse_cards(attack)))
    held[attacker] |= set_of(laid)
    order = [(attacker + step) % seat_count for step in range(1, seat_count)]
    defender = next(seat for seat in order if held[seat])
    pairs = not chosen.limit_attack or held[defender].bit_count() > 1
    points = (-chosen.ante,) * seat_count
    pot = seat_count * chosen.ante if pot is None else pot
    state: State = Attacking(
        setting=Setting(chosen, seat_count, 0, deal_index, points, pot),
        upcard=parse_card("A" + trump),
        hands=tuple(held),
        stock=parse_cards(stock),
        out=sum(1 << seat for seat in out),
        attacker=attacker,
        defender=defender,
        actions=attack_actions(held[attacker], pairs=pairs),
    )
    if laid:
        state, _ = state.act(laid[0] if len(laid) == 1 else laid[0] + 64 * (laid[1] + 1))
    return state


def seated(state: State) -> tuple[Seat, Seat]:
    """Attacker and defender of the attack that is due."""
    assert isinstance(state, Attacking)
    return state.attacker, state.defender


def legal(state: State) -> list[str]:
    """Texts of the legal actions, in the order of the actions."""
    return [GAME.action_name(state, action) for action in state.actions]


def play(state: State, *texts: str) -> tuple[State, list[Event]]:
    """Plays `texts` (either order of a pair attack) and gives the state after them and all events."""
    events: list[Event] = []
    for text in GAME.canonical(texts):
        state, more = state.act(GAME.parse_action(text))
        events.extend(more)
    return state, events


def deck_for(hands: Sequence[str], *, dealer: Seat = 0, upcard: str | None = None, stock: str = "") -> Deck:
    """A whole deck that deals `hands` by seat and turns `upcard` up; `stock` is drawn first, then all the rest."""
    order = [(dealer + step) % len(hands) for step in range(1, len(hands) + 1)]
    dealt = list(chain.from_iterable(zip(*(parse_cards(hands[seat]) for seat in order), strict=True)))
    drawn = list(parse_cards(stock))
    left = [card for card in PACK if card not in dealt and card not in drawn]
    turned = left[-1] if upcard is None else parse_card(upcard)
    return (*dealt, turned, *drawn, *(card for card in left if card != turned))


def how_it_ended(events: Sequence[Event]) -> str:
    """How the hand that `events` end was decided, from what everybody sees."""
    *_, scored = events
    assert isinstance(scored, Scored)
    shown = [event.seat for event in events if isinstance(event, Shown)]
    acted = [event for event in events if isinstance(event, Acted)]
    if shown and not acted:
        return "initial_set"
    if shown:
        answering = acted[-1].seat
        taken = any(isinstance(event, PickedUp) for event in events[events.index(acted[-1]) :])
        if shown != [answering]:
            return "set_attacker"
        return "set_taker" if taken else "set_defender"
    return "last_standing" if len(winners(events)) == 1 else "undecided"


def winners(events: Sequence[Event]) -> list[Seat]:
    """Seats that the last event pays."""
    scored = events[-1]
    assert isinstance(scored, Scored)
    return [seat for seat, delta in enumerate(scored.deltas) if delta > 0]


def discarded(events: Sequence[Event]) -> CardSet:
    """Cards that `events` say left the game by being beaten."""
    return sum(event.cards for event in events if isinstance(event, Cleared))


def net_chips(events: Sequence[Event], seat_count: int) -> list[int]:
    """What the `Scored` events of a hand come to, by seat."""
    totals = [0] * seat_count
    for event in events:
        if isinstance(event, Scored):
            totals = [total + delta for total, delta in zip(totals, event.deltas, strict=True)]
    return totals


def eliminated(events: Sequence[Event]) -> list[Seat]:
    """Seats that `events` say are out, in order."""
    return [event.seat for event in events if isinstance(event, Out)]


def first_hand(
    deck: Deck, seat_count: int, dealer: Seat = 0, options: Options | None = None
) -> tuple[State, list[Event]]:
    """The first hand of a match after `deck` was dealt."""
    state, events = game(options or {}).start(seat_count, dealer).deal(deck)
    assert isinstance(events[0], Dealt)
    return state, list(events)
