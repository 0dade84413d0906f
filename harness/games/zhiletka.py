"""The rules of Zhiletka, clause by clause as `docs/rules/zhiletka.md` numbers them.

Four phases, each an immutable tuple, follow one another:

    Between --deal--> Attacking --act--> Answering --act--> Attacking ...
       ^                                     |
       +------ a hand is over (or at once after the deal, where somebody has a set)
                                             +--> Finished after the last hand

What holds for a whole hand is in `Setting`; the rest of a phase is what the bouts change.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from harness.cards import EMPTY, Card, CardSet, card_name, set_of
from harness.games.bouts import PACK, answer_actions, attack_actions, canonical, parse_action
from harness.games.game import (
    TAKE,
    Acted,
    Action,
    Cleared,
    Dealt,
    Decision,
    Deck,
    Drew,
    Event,
    Game,
    IllegalAction,
    OptionValue,
    Out,
    Outcome,
    PickedUp,
    Scored,
    Seat,
    Shown,
    Shuffle,
    State,
    Step,
    action_cards,
)
from harness.games.options import OptionReader
from harness.games.sets import HAND_SIZE, SETS, set_in

RULES_VERSION = "1"
SEAT_COUNTS = (2, 3, 4, 5, 6)  # Z1.3
OUT_SIZE = 6  # Z7.1

_AWAITS_DECK = Shuffle(PACK)

# The seats clockwise from each, by seat count.
_CLOCKWISE: tuple[tuple[tuple[Seat, ...], ...], ...] = tuple(
    tuple(tuple((first + step) % seat_count for step in range(seat_count)) for first in range(seat_count))
    for seat_count in range(SEAT_COUNTS[-1] + 1)
)


class Rules(NamedTuple):
    """The rules under one choice of options."""

    ante: int
    hands_per_seat: int
    initial_tie: str
    set_exact: bool
    set_on_take: bool
    limit_attack: bool
    undecided: str

    def deal_count(self, seat_count: int) -> int:
        """Hands of a match: everybody deals equally often (Z11.1)."""
        return self.hands_per_seat * seat_count

    def start(self, seat_count: int, first_dealer: Seat) -> State:
        """The state before the first deal. ValueError for a seat count that the rules do not offer."""
        if seat_count not in SEAT_COUNTS:
            raise ValueError(f"Zhiletka is for 2 to 6 seats, not {seat_count}")
        if first_dealer not in range(seat_count):
            raise ValueError(f"no seat {first_dealer} at a table of {seat_count}")
        return Between(Setting(self, seat_count, first_dealer, 0, (0,) * seat_count, 0), (EMPTY,) * seat_count)


class Setting(NamedTuple):
    """What stays the same while a hand is played."""

    rules: Rules
    seat_count: int
    first_dealer: Seat
    deal_index: int
    points: tuple[int, ...]
    """Net chips so far, the ante of a hand under way paid (Z11.4)."""
    pot: int

    @property
    def dealer(self) -> Seat:
        """Whoever won before, the deal goes round (Z2.2, Z11.2)."""
        return (self.first_dealer + self.deal_index) % self.seat_count

    @property
    def is_last_hand(self) -> bool:
        """No other hand follows."""
        return self.deal_index + 1 == self.rules.deal_count(self.seat_count)


class Between(NamedTuple):
    """Before a hand: a deck is awaited."""

    setting: Setting
    hands: tuple[CardSet, ...]
    """Cards that each seat held when the hand before was over."""

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
        """Cards that `seat` held when the hand before was over."""
        return self.hands[seat]

    def deal(self, deck: Deck) -> Step:
        """Takes the antes, deals, turns the trump card up and pays the initial sets, if any (Z2, Z3.2, Z3.3)."""
        deck = tuple(deck)
        if tuple(sorted(deck)) != PACK:
            raise ValueError("the deck is not a permutation of the 36 cards from six to ace")
        rules, seat_count, first_dealer, deal_index, points, pot = self.setting
        dealer = self.setting.dealer
        order = _CLOCKWISE[seat_count][(dealer + 1) % seat_count]

        # Z2.3: three cards each, one at a time from the dealer's left.
        dealt_count = HAND_SIZE * seat_count
        dealt = [EMPTY] * seat_count
        for place, seat in enumerate(order):
            dealt[seat] = set_of(deck[place:dealt_count:seat_count])
        hands = tuple(dealt)
        upcard = deck[dealt_count]
        stock = (*deck[dealt_count + 1 :], upcard)  # Z2.4: the trump card is drawn last

        # Z2.1, Z11.3: everybody pays the ante; Z-A23: what an undecided hand carried is still in the pot.
        pot += seat_count * rules.ante
        setting = Setting(
            rules, seat_count, first_dealer, deal_index, tuple(total - rules.ante for total in points), pot
        )
        events: list[Event] = [
            Dealt(deal_index, dealer, hands, 1 << upcard),
            Scored((-rules.ante,) * seat_count, pot),
        ]

        # Z3.4: a set claims itself. All that were dealt are shown, also where only the eldest is paid.
        holders = [seat for seat in order if hands[seat] in SETS]
        if holders:
            events.extend(Shown(seat, hands[seat]) for seat in holders)
            # Z3.2, Z3.3; Z-A1: eldest = the first clockwise from the dealer's left takes it all.
            return _pay(setting, hands, holders[:1] if rules.initial_tie == "eldest" else holders, events)
        return _next_attack(setting, upcard, hands, stock, 0, order[0], events)  # Z4.1

    def act(self, action: Action) -> Step:
        raise IllegalAction(f"action {action}: a deck is awaited, not a decision")


class Attacking(NamedTuple):
    """A bout begins: the attacker chooses one or two cards."""

    setting: Setting
    upcard: Card
    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    """Next card first; the upcard is its last."""
    out: int
    """Bit `1 << seat` for each seat eliminated."""
    attacker: Seat
    defender: Seat
    actions: tuple[Action, ...]

    @property
    def pending(self) -> Decision:
        return Decision(self.attacker, self.actions)

    @property
    def turn(self) -> Seat:
        return self.attacker

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
        return self.hands[seat]

    def deal(self, deck: Deck) -> Step:
        raise ValueError("no deck is awaited: the attacker is to act")

    def act(self, action: Action) -> Step:
        """Lays the attack on the table (Z4.3)."""
        setting, upcard, hands, stock, out, attacker, defender, actions = self
        if action not in actions:
            raise IllegalAction(f"action {action} is not an attack that seat {attacker} may make")
        attack_mask = 1 << action if action < 52 else 1 << (action & 63) | 1 << (action >> 6) - 1
        hands = (*hands[:attacker], hands[attacker] ^ attack_mask, *hands[attacker + 1 :])
        answers = answer_actions(hands[defender], action, upcard // 13)
        answering = Answering(setting, upcard, hands, stock, out, attacker, defender, action, answers)
        return answering, (Acted(attacker, action),)


class Answering(NamedTuple):
    """An attack lies on the table: the defender beats all of it or takes it."""

    setting: Setting
    upcard: Card
    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    out: int
    attacker: Seat
    defender: Seat
    attack: Action
    """The cards on the table, which no hand holds."""
    actions: tuple[Action, ...]

    @property
    def pending(self) -> Decision:
        return Decision(self.defender, self.actions)

    @property
    def turn(self) -> Seat:
        return self.defender

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
        return self.hands[seat]

    def deal(self, deck: Deck) -> Step:
        raise ValueError("no deck is awaited: the defender is to act")

    def act(self, action: Action) -> Step:
        """Ends the bout: beaten (Z6) or taken (Z7)."""
        if action not in self.actions:
            raise IllegalAction(f"action {action} is not an answer that seat {self.defender} may give")
        return _take(self) if action == TAKE else _beat(self, action)


class Finished(NamedTuple):
    """The match is over."""

    setting: Setting
    hands: tuple[CardSet, ...]
    """Cards that each seat held when the last hand was over."""

    @property
    def pending(self) -> Outcome:
        return Outcome(self.setting.points)  # Z11.5: the highest total wins

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
        """Cards that `seat` held when the last hand was over."""
        return self.hands[seat]

    def deal(self, deck: Deck) -> Step:
        raise ValueError("no deck is awaited: the match is over")

    def act(self, action: Action) -> Step:
        raise IllegalAction(f"action {action}: the match is over")


def _beat(bout: Answering, cover: Action) -> Step:
    attacker, defender = bout.attacker, bout.defender
    cover_mask = set_of(action_cards(cover))
    hands = list(bout.hands)
    hands[defender] ^= cover_mask
    events: list[Event] = [
        Acted(defender, cover),
        Cleared(set_of(action_cards(bout.attack)) | cover_mask),  # Z6.1
    ]
    # Z6.2-Z6.4: the defender draws first. Z6.5: he is entitled to the next attack.
    return _end_bout(bout, hands, bout.out, (defender, attacker), defender, events)


def _take(bout: Answering) -> Step:
    setting, attacker, defender, out = bout.setting, bout.attacker, bout.defender, bout.out
    attack_mask = set_of(action_cards(bout.attack))
    hands = list(bout.hands)
    hands[defender] |= attack_mask
    events: list[Event] = [Acted(defender, TAKE), PickedUp(defender, attack_mask)]

    if hands[defender].bit_count() >= OUT_SIZE:  # Z7.1
        hands[defender] = EMPTY  # Z7.2
        out |= 1 << defender
        events.append(Out(defender))
        if (
            out.bit_count() == setting.seat_count - 1
        ):  # Z8.1: the attacker is the last; he need not draw nor hold a card
            return _pay(setting, tuple(hands), (attacker,), events)
    elif setting.rules.set_on_take and hands[defender] in SETS:
        # Z7.3: exactly three cards, also where `set_exact` is false. With a stock he would hold four or more (Z4.4).
        events.append(Shown(defender, hands[defender]))
        return _pay(setting, tuple(hands), (defender,), events)

    # Z7.4: only the attacker draws. Z7.5: he is entitled to the next attack too.
    return _end_bout(bout, hands, out, (attacker,), attacker, events)


def _end_bout(
    bout: Answering, hands: list[CardSet], out: int, drawing: Iterable[Seat], entitled: Seat, events: list[Event]
) -> Step:
    """Lets the seats of `drawing` draw and claim in that order; then the next attack is due, `entitled` to make it."""
    stock, exact = bout.stock, bout.setting.rules.set_exact
    for seat in drawing:
        missing_count = HAND_SIZE - hands[seat].bit_count()
        if missing_count > 0 and stock:  # Z8.2: without a stock nobody draws any more
            drawn = set_of(stock[:missing_count])
            stock = stock[missing_count:]
            hands[seat] |= drawn
            events.append(Drew(seat, drawn))
        shown = set_in(hands[seat], exact=exact)  # Z6.3, Z6.4, Z7.4: whether he drew or not (Z-A4, Z-A5)
        if shown:
            events.append(Shown(seat, shown))
            return _pay(bout.setting, tuple(hands), (seat,), events)
    return _next_attack(bout.setting, bout.upcard, tuple(hands), stock, out, entitled, events)


def _next_attack(
    setting: Setting,
    upcard: Card,
    hands: tuple[CardSet, ...],
    stock: tuple[Card, ...],
    out: int,
    entitled: Seat,
    events: list[Event],
) -> Step:
    """The next attack: from `entitled` clockwise, the first seat with cards attacks the second."""
    # Z4.2, Z8.2: seats without cards are passed over; the eliminated hold none.
    holders = [seat for seat in _CLOCKWISE[setting.seat_count][entitled] if hands[seat]]
    if len(holders) < 2:  # Z8.3
        remaining = [seat for seat in range(setting.seat_count) if not out >> seat & 1]
        carried = setting.rules.undecided == "carry" and not setting.is_last_hand
        return _pay(setting, hands, () if carried else remaining, events)  # Z9, Z-A23
    attacker, defender = holders[0], holders[1]
    # Z4.3: never more cards than the defender holds.
    pairs = not setting.rules.limit_attack or hands[defender].bit_count() > 1
    attacks = attack_actions(hands[attacker], pairs=pairs)
    return Attacking(setting, upcard, hands, stock, out, attacker, defender, attacks), tuple(events)


def _pay(setting: Setting, hands: tuple[CardSet, ...], winners: Sequence[Seat], events: list[Event]) -> Step:
    """Ends the hand: `winners` share the pot equally (Z9); with none it is carried to the next hand."""
    rules, seat_count, first_dealer, deal_index, points, pot = setting
    # Z11.6: the pot is a multiple of 60, so that 2 to 6 share it without a rest.
    share = pot // len(winners) if winners else 0
    deltas = tuple(share if seat in winners else 0 for seat in range(seat_count))
    points = tuple(total + delta for total, delta in zip(points, deltas, strict=True))
    pot = 0 if winners else pot
    events.append(Scored(deltas, pot))
    if setting.is_last_hand:
        return Finished(Setting(rules, seat_count, first_dealer, deal_index, points, pot), hands), tuple(events)
    return Between(Setting(rules, seat_count, first_dealer, deal_index + 1, points, pot), hands), tuple(events)


def action_name(state: State, action: Action) -> str:
    """Text of an action legal in `state`: `attack:7S+9S`, `cover:9S+TS`, `take`. ValueError where it is not legal."""
    if action not in state.actions:
        raise ValueError(f"action {action} is not legal here and has no name")
    if action == TAKE:
        return "take"
    verb = "attack" if isinstance(state, Attacking) else "cover"
    return f"{verb}:{'+'.join(map(card_name, action_cards(action)))}"


def game(options: Mapping[str, OptionValue]) -> Game:
    """Zhiletka under `options`; ValueError for a name or value that is not one of them."""
    reader = OptionReader("zhiletka", options)
    rules = Rules(
        ante=reader.whole("ante", default=60, step=60, most=300_000),  # Z11.6
        hands_per_seat=reader.whole("hands_per_seat", default=4, step=1, most=100),  # Z11.1
        initial_tie=reader.word("initial_tie", "split", "eldest"),  # Z-A1
        set_exact=reader.flag("set_exact", default=True),  # Z-A3
        set_on_take=reader.flag("set_on_take", default=True),  # Z-A6
        limit_attack=reader.flag("limit_attack", default=True),  # Z-A11
        undecided=reader.word("undecided", "split", "carry"),  # Z-A23
    )
    return Game(
        name="zhiletka",
        rules_version=RULES_VERSION,
        options=reader.differing(),
        seat_counts=SEAT_COUNTS,
        deal_count=rules.deal_count,
        pack=PACK,
        start=rules.start,
        action_name=action_name,
        texts=None,
        parse_action=parse_action,
        canonical=canonical,
    )
