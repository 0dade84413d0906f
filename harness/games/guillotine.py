"""The rules of Guillotine, clause by clause as `docs/rules/guillotine.md` numbers them.

Five phases, each an immutable tuple, follow one another:

    Between --deal--> Announcing --act--> Playing (32 cards) or Domino (until two are out)
       ^                                     |
       +------ a deal is over ---------------+--> Finished after the last deal

Hands are turned to the seat to act: `hands[0]` is its own, `hands[1]` its left neighbour's. What the
plays of a deal leave as it is stands in `Setting`.
"""

from collections.abc import Mapping, Sequence
from operator import add
from typing import NamedTuple

from harness.cards import ACE, EMPTY, RANK_MASKS, SEVEN, Card, CardSet, card_name, pack_from, rank_of
from harness.games.contracts import SEAT_COUNT, domino_points, trick_points
from harness.games.game import (
    CONTRACT_NAMES,
    CONTRACTS,
    DOMINO,
    END,
    PASS,
    Acted,
    Action,
    Dealt,
    Decision,
    Deck,
    Event,
    Game,
    IllegalAction,
    OptionValue,
    Out,
    Outcome,
    Scored,
    Seat,
    Shuffle,
    State,
    Step,
    Taken,
)
from harness.games.options import OptionReader
from harness.games.orders import RANK_ORDERS, neighbours
from harness.games.tricks import SUIT_MASK_OF, card_lists, hand_list, highest_cards

RULES_VERSION = "1"
DEAL_COUNT = 24  # G2.2
PACK = pack_from(SEVEN)  # G1.1

Hands = tuple[CardSet, ...]

_AWAITS_DECK = Shuffle(PACK)


class Rules(NamedTuple):
    """The rules under one choice of options."""

    rank_order: str
    domino_same_rank: str
    ace_bonus: str

    def start(self, seat_count: int, first_dealer: Seat) -> State:
        """The state before the first deal. ValueError for a seat count that the rules do not offer."""
        if seat_count != SEAT_COUNT:
            raise ValueError(f"Guillotine is for {SEAT_COUNT} seats, not {seat_count}")
        if first_dealer not in range(SEAT_COUNT):  # G2.1: who it is was drawn by lot elsewhere
            raise ValueError(f"no seat {first_dealer} at a table of {SEAT_COUNT}")
        setting = Setting(self, 0, first_dealer, (0,) * SEAT_COUNT, (CONTRACTS,) * SEAT_COUNT)
        return Between(setting, (EMPTY,) * SEAT_COUNT)


class Setting(NamedTuple):
    """What stays the same while the cards of a deal are played."""

    rules: Rules
    deal_index: int
    dealer: Seat
    points: tuple[int, ...]
    """Of the deals that are over: a deal scores when it ends."""
    contracts_left: tuple[tuple[Action, ...], ...]
    """Contracts that each seat has still to announce, ascending."""


class Between(NamedTuple):
    """Before a deal: a deck is awaited."""

    setting: Setting
    hands: tuple[CardSet, ...]
    """Cards that each seat held when the deal before was over, by seat."""

    @property
    def pending(self) -> Shuffle:
        return _AWAITS_DECK

    @property
    def turn(self) -> None:
        return None

    @property
    def actions(self) -> tuple[Action, ...]:
        return ()

    @property
    def deal_index(self) -> int:
        return self.setting.deal_index

    @property
    def dealer(self) -> Seat:
        return self.setting.dealer

    @property
    def points(self) -> tuple[int, ...]:
        return self.setting.points

    def hand(self, seat: Seat) -> CardSet:
        """Cards that `seat` held when the deal before was over."""
        return self.hands[seat]

    def deal(self, deck: Deck) -> Step:
        """Deals eight cards to each; the dealer is to announce."""
        deck = tuple(deck)
        if tuple(sorted(deck)) != PACK:
            raise ValueError("the deck is not a permutation of the 32 cards from seven to ace")
        setting, dealer = self.setting, self.dealer
        # G2.3: one at a time, the dealer's left neighbour first and the dealer last.
        bits = [_BIT[card] for card in deck]  # no card comes twice, so that their sums are sets
        hands = (sum(bits[3::4]), sum(bits[0::4]), sum(bits[1::4]), sum(bits[2::4]))
        dealt = Dealt(setting.deal_index, dealer, _by_seat(hands, dealer), EMPTY)
        return Announcing(setting.contracts_left[dealer], dealer, hands, setting), (dealt,)

    def act(self, action: Action) -> Step:
        raise IllegalAction(f"action {action}: a deck is awaited, not a decision")


class Announcing(NamedTuple):
    """The dealer, who has seen its own hand and nothing else, is to name the contract (G3.1)."""

    actions: tuple[Action, ...]
    turn: Seat
    hands: Hands
    setting: Setting

    @property
    def pending(self) -> Decision:
        return Decision(self.turn, self.actions)

    @property
    def deal_index(self) -> int:
        return self.setting.deal_index

    @property
    def dealer(self) -> Seat:
        return self.setting.dealer

    @property
    def points(self) -> tuple[int, ...]:
        return self.setting.points

    def hand(self, seat: Seat) -> CardSet:
        """Cards that `seat` holds."""
        return self.hands[(seat - self.turn) % 4]

    def deal(self, deck: Deck) -> Step:
        raise ValueError("no deck is awaited: the dealer is to announce")

    def act(self, action: Action) -> Step:
        """Announces the contract."""
        actions, turn, hands, setting = self
        if action not in actions:
            raise IllegalAction(f"action {action} is not a contract that seat {turn} may announce")
        rules, deal_index, dealer, points, contracts_left = setting
        # G3.2: each contract once a dealer, whatever the others have announced.
        left = tuple([contract for contract in actions if contract != action])
        contracts_left = (*contracts_left[:dealer], left, *contracts_left[dealer + 1 :])
        setting = Setting(rules, deal_index, dealer, points, contracts_left)
        # G4.1, G6.1: the dealer leads, or lays, any card.
        cards = hand_list(_LISTS, hands[0])
        if action == DOMINO:
            return Domino(cards, turn, hands, EMPTY, None, setting), _ACTED[turn][action]
        return Playing(cards, turn, hands, (), (), action, setting), _ACTED[turn][action]


class Playing(NamedTuple):
    """One of the five trick contracts: a seat is to play a card."""

    actions: tuple[Action, ...]
    turn: Seat
    hands: Hands
    trick: tuple[Card, ...]
    """Cards on the table, the one led first."""
    tricks: tuple[Taken, ...]
    """Tricks won so far, in order."""
    contract: Action
    setting: Setting

    @property
    def pending(self) -> Decision:
        return Decision(self.turn, self.actions)

    @property
    def deal_index(self) -> int:
        return self.setting.deal_index

    @property
    def dealer(self) -> Seat:
        return self.setting.dealer

    @property
    def points(self) -> tuple[int, ...]:
        return self.setting.points

    def hand(self, seat: Seat) -> CardSet:
        """Cards that `seat` holds."""
        return self.hands[(seat - self.turn) % 4]

    def deal(self, deck: Deck) -> Step:
        raise ValueError("no deck is awaited: a card is to be played")

    def act(self, action: Action) -> Step:
        """Plays the card to the trick."""
        actions, turn, hands, trick, tricks, contract, setting = self
        if action not in actions:
            raise IllegalAction(f"action {action} is not a card that seat {turn} may play")
        mine, left, across, right = hands
        hands = (left, across, right, mine ^ _BIT[action])
        trick += (action,)
        turn_left = (turn + 1) % 4
        if len(trick) < 4:
            # G4.2: clockwise, each follows suit if it can. G4.3: if it cannot, any card will do.
            cards = _LISTS[left & SUIT_MASK_OF[trick[0]]] or hand_list(_LISTS, left)
            return _new(Playing, (cards, turn_left, hands, trick, tricks, contract, setting)), _ACTED[turn][action]

        # G4.4: the highest card of the suit led wins. Whoever led sits on the left of the last to play.
        led, second, third, last = trick
        trick_set = _BIT[led] | _BIT[second] | _BIT[third] | _BIT[last]
        place = trick.index(_HIGHEST[setting.rules.rank_order][trick_set & SUIT_MASK_OF[led]])
        winner = (turn_left + place) % 4
        hands = hands[place:] + hands[:place]
        taken = _new(Taken, (winner, trick_set))
        events = _ACTED[turn][action] + (taken,)
        tricks += (taken,)
        if hands[0]:
            # G4.5: the winner leads.
            cards = hand_list(_LISTS, hands[0])
            return _new(Playing, (cards, winner, hands, (), tricks, contract, setting)), events
        # G4.6: the deal is over when every card is played, not before.
        return _score(setting, hands, trick_points(contract, tricks), events)


class Domino(NamedTuple):
    """The contract Domino: a seat is to lay a card or to pass, or it may end its ace bonus."""

    actions: tuple[Action, ...]
    turn: Seat
    hands: Hands
    fitting: CardSet
    """Cards that fit the layout, whoever holds them, with some that lie there already; empty before the first card."""
    first_out: Seat | None
    setting: Setting

    @property
    def pending(self) -> Decision:
        return Decision(self.turn, self.actions)

    @property
    def deal_index(self) -> int:
        return self.setting.deal_index

    @property
    def dealer(self) -> Seat:
        return self.setting.dealer

    @property
    def points(self) -> tuple[int, ...]:
        return self.setting.points

    def hand(self, seat: Seat) -> CardSet:
        """Cards that `seat` holds."""
        return self.hands[(seat - self.turn) % 4]

    def deal(self, deck: Deck) -> Step:
        raise ValueError("no deck is awaited: a card is to be laid")

    def act(self, action: Action) -> Step:
        """Lays the card, passes, or ends the bonus."""
        actions, turn, hands, fitting, first_out, setting = self
        if action not in actions:
            raise IllegalAction(f"action {action} is not one that seat {turn} may choose")
        events = _ACTED[turn][action]
        if action >= PASS:
            return _next_turn(turn, hands, fitting, first_out, setting), events

        rules = setting.rules
        opening = not fitting
        mine, left, across, right = hands
        mine ^= _BIT[action]
        hands = (mine, left, across, right)
        fitting |= _NEIGHBOURS[rules.rank_order][action]  # G6.3
        if opening or rules.domino_same_rank == "any":
            fitting |= RANK_MASKS[rank_of(action)]  # G6.4: the start rank opens the other suits

        if not mine:
            # G6.9: whoever has no card left is out, in a bonus too.
            events += (Out(turn),)
            if first_out is not None:
                # G6.10: the second ends the deal, at once.
                return _score(setting, _by_seat(hands, turn), domino_points(first_out, turn), events)
            return _next_turn(turn, hands, fitting, turn, setting), events
        # G6.7: an ace lets its player go on. G6.8: not the card that opens the deal.
        in_bonus = actions[-1] == END
        goes_on = rank_of(action) == ACE or (in_bonus and rules.ace_bonus == "all")
        if goes_on and not opening and rules.ace_bonus != "off":
            cards = hand_list(_LISTS, mine & fitting)
            if cards:  # G6.7: otherwise the turn ends by itself
                return _new(Domino, ((*cards, END), turn, hands, fitting, first_out, setting)), events
        return _next_turn(turn, hands, fitting, first_out, setting), events


class Finished(NamedTuple):
    """The match is over (G7.1)."""

    setting: Setting
    hands: tuple[CardSet, ...]
    """Cards that each seat held when the last deal was over, by seat."""

    @property
    def pending(self) -> Outcome:
        return Outcome(tuple(-points for points in self.setting.points))  # G7.2, G7.3: the lowest points win

    @property
    def turn(self) -> None:
        return None

    @property
    def actions(self) -> tuple[Action, ...]:
        return ()

    @property
    def deal_index(self) -> int:
        return self.setting.deal_index

    @property
    def dealer(self) -> Seat:
        return self.setting.dealer

    @property
    def points(self) -> tuple[int, ...]:
        return self.setting.points

    def hand(self, seat: Seat) -> CardSet:
        """Cards that `seat` held when the last deal was over."""
        return self.hands[seat]

    def deal(self, deck: Deck) -> Step:
        raise ValueError("no deck is awaited: the match is over")

    def act(self, action: Action) -> Step:
        raise IllegalAction(f"action {action}: the match is over")


def _next_turn(turn: Seat, hands: Hands, fitting: CardSet, first_out: Seat | None, setting: Setting) -> Domino:
    """The next turn of Domino after that of `turn`, to whom `hands` are still turned."""
    # G6.2, G6.9: clockwise; the one seat that may be out is skipped.
    steps = 1 if hands[1] else 2
    hands = hands[steps:] + hands[:steps]
    # G6.5: whoever can lay a card must. G6.6: whoever cannot passes.
    actions = hand_list(_LISTS, hands[0] & fitting) or _PASS_ALONE
    return _new(Domino, (actions, (turn + steps) % 4, hands, fitting, first_out, setting))


def _score(setting: Setting, hands: Hands, deltas: tuple[int, ...], events: tuple[Event, ...]) -> Step:
    """Ends the deal with `hands`, here by seat, not played."""
    rules, deal_index, dealer, points, contracts_left = setting
    points = tuple(map(add, points, deltas))
    events += (Scored(deltas, 0),)
    if deal_index == DEAL_COUNT - 1:  # G7.1
        return Finished(Setting(rules, deal_index, dealer, points, contracts_left), hands), events
    # G2.2: the deal moves one seat clockwise.
    setting = Setting(rules, deal_index + 1, (dealer + 1) % SEAT_COUNT, points, contracts_left)
    return Between(setting, hands), events


def _by_seat(hands: Hands, turn: Seat) -> Hands:
    """Hands turned to `turn`, from seat 0 on."""
    return hands[SEAT_COUNT - turn :] + hands[: SEAT_COUNT - turn]


def action_name(state: State, action: Action) -> str:
    """Text of an action legal in `state`: `contract:royalty`, `play:QS`, `pass`. ValueError where it is not legal."""
    if action not in state.actions:
        raise ValueError(f"action {action} is not legal here and has no name")
    return _TEXTS[action]


def parse_action(text: str) -> Action:
    """Action that `text` denotes; ValueError where it denotes none."""
    if text not in _ACTIONS:
        raise ValueError(f"not an action of Guillotine: {text!r} (such as contract:royalty, play:QS, pass, end)")
    return _ACTIONS[text]


def canonical(texts: Sequence[str]) -> tuple[str, ...]:
    """`texts` themselves: every action has one form only."""
    return tuple(texts)


def game(options: Mapping[str, OptionValue]) -> Game:
    """Guillotine under `options`; ValueError for a name or value that is not one of them."""
    reader = OptionReader("guillotine", options)
    rules = Rules(
        rank_order=reader.word("rank_order", "seed", "french"),  # G-A1
        domino_same_rank=reader.word("domino_same_rank", "start", "any"),  # G-A10
        ace_bonus=reader.word("ace_bonus", "all", "one", "off"),  # G-A12
    )
    return Game(
        name="guillotine",
        rules_version=RULES_VERSION,
        options=reader.differing(),
        seat_counts=(SEAT_COUNT,),
        deal_count={SEAT_COUNT: DEAL_COUNT}.__getitem__,
        pack=PACK,
        start=rules.start,
        action_name=action_name,
        texts=_TEXTS,
        parse_action=parse_action,
        canonical=canonical,
    )


_NEIGHBOURS = {name: neighbours(order) for name, order in RANK_ORDERS.items()}
_HIGHEST = {name: highest_cards(PACK, order) for name, order in RANK_ORDERS.items()}
_LISTS = card_lists(PACK)

_TEXTS: dict[Action, str] = {
    **{card: f"play:{card_name(card)}" for card in PACK},
    **{contract: f"contract:{name}" for contract, name in zip(CONTRACTS, CONTRACT_NAMES, strict=True)},
    PASS: "pass",
    END: "end",
}
_ACTIONS = {text: action for action, text in _TEXTS.items()}
_PASS_ALONE = (PASS,)

# The events of an action with no other consequence, by seat and action: made once.
_ACTED: tuple[dict[Action, tuple[Event, ...]], ...] = tuple(
    {action: (Acted(seat, action),) for action in _TEXTS} for seat in range(SEAT_COUNT)
)
_BIT = tuple(1 << card for card in range(PACK[-1] + 1))
# Makes a NamedTuple in half the time of its own constructor: for what every play makes anew.
_new = tuple.__new__
