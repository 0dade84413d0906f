"""Guillotine for tests: positions of as few cards as a test needs, and plays from texts."""

from collections.abc import Iterable, Mapping, Sequence

from harness.cards import CardSet, parse_card, parse_cards, set_of
from harness.games.game import CONTRACT_NAMES, CONTRACTS, Action, Deck, Event, OptionValue, Scored, Seat, State
from harness.games.guillotine import Announcing, Between, Domino, Rules, Setting, game

Options = Mapping[str, OptionValue]
GAME = game({})

ONE_SUIT_EACH = (
    "7S 8S 9S TS JS QS KS AS",
    "7H 8H 9H TH JH QH KH AH",
    "7C 8C 9C TC JC QC KC AC",
    "7D 8D 9D TD JD QD KD AD",
)
"""Hands of which nobody can ever follow suit."""


def cards(names: str) -> CardSet:
    """The set of the cards that `names` denotes."""
    return set_of(parse_cards(names))


def rules(options: Options | None = None) -> Rules:
    """The rules under `options`, as the game itself reads them."""
    start = game(options or {}).start(4, 0)
    assert isinstance(start, Between)
    return start.setting.rules


def deck_for(hands: Sequence[str], dealer: Seat) -> Deck:
    """The deck that deals `hands`, by seat, when `dealer` deals."""
    order = [parse_cards(hands[(dealer + 1 + place) % 4]) for place in range(4)]
    return tuple(card for round_of_four in zip(*order, strict=True) for card in round_of_four)


def announcing(
    *hands: str,
    dealer: Seat = 0,
    used: Sequence[str] = (),
    deal_index: int = 0,
    points: tuple[int, ...] = (0, 0, 0, 0),
    options: Options | None = None,
) -> Announcing:
    """The dealer is to announce; `used` are the contracts that it has announced before."""
    left = tuple(each for each, name in zip(CONTRACTS, CONTRACT_NAMES, strict=True) if name not in used)
    contracts_left = tuple(left if seat == dealer else CONTRACTS for seat in range(4))
    setting = Setting(rules(options), deal_index, dealer, points, contracts_left)
    return Announcing(left, dealer, _turned([cards(hand) for hand in hands], dealer), setting)


def in_trick(
    *hands: str, contract: str = "royalty", leader: Seat = 0, trick: str = "", options: Options | None = None
) -> State:
    """`leader` dealt and led; the cards of `trick` lie on the table and are in no hand."""
    held = [cards(hand) for hand in hands]
    for place, card in enumerate(parse_cards(trick)):
        held[(leader + place) % 4] |= 1 << card
    start = announcing(*hands, dealer=leader, options=options)._replace(hands=_turned(held, leader))
    return play(start, f"contract:{contract}", *(f"play:{name}" for name in trick.split()))[0]


def in_domino(
    *hands: str,
    laid: str = "",
    turn: Seat = 0,
    out: Seat | None = None,
    options: Options | None = None,
    deal_index: int = 0,
) -> State:
    """The cards of `laid` lie there, the first one opened; `turn` is to act, and had no part in it."""
    start = announcing(*hands, dealer=turn, options=options, deal_index=deal_index)
    state = play(start, "contract:domino")[0]
    last = next(seat for seat in ((turn - steps) % 4 for steps in (1, 2, 3)) if seat != out)
    for card in parse_cards(laid):
        assert isinstance(state, Domino)
        held = [cards(hand) | (1 << card if seat == last else 0) for seat, hand in enumerate(hands)]
        state = state._replace(actions=(card,), turn=last, hands=_turned(held, last), first_out=out).act(card)[0]
    assert state.turn == turn
    return state


def _turned(hands: Sequence[CardSet], turn: Seat) -> tuple[CardSet, ...]:
    return (*hands[turn:], *hands[:turn])


def play(state: State, *texts: str) -> tuple[State, list[Event]]:
    """The state after the actions of `texts`, and all that happened."""
    happened: list[Event] = []
    for text in texts:
        state, events = state.act(GAME.parse_action(text))
        happened += events
    return state, happened


def deal_and_play(hands: Sequence[str], dealer: Seat, texts: Iterable[str]) -> tuple[State, list[Event]]:
    """The first deal of a match, as far as `texts` go."""
    state, dealt = GAME.start(4, dealer).deal(deck_for(hands, dealer))
    state, events = play(state, *texts)
    return state, [*dealt, *events]


def legal(state: State) -> set[str]:
    """Texts of the legal actions."""
    return {GAME.action_name(state, action) for action in state.actions}


def card_actions(names: str) -> tuple[Action, ...]:
    """The actions of playing each of the cards, ascending."""
    return tuple(sorted(parse_card(name) for name in names.split()))


def deltas(events: Sequence[Event]) -> tuple[int, ...]:
    """What the one deal that ended brought, by seat."""
    (scored,) = (event for event in events if isinstance(event, Scored))
    return scored.deltas
