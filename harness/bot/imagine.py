"""A guess at what a seat cannot see: a state of the rules that fits all that it saw, the rest drawn by lot.

Such a guess is called a determinisation; to try each action in many of them is how programs play games with hidden
cards (Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", JAIR 14, 2001).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import count

from harness import games
from harness.bot.chance import SplitMix64
from harness.bot.inference import next_holder
from harness.bot.view import View
from harness.cards import Card, CardSet, set_of
from harness.games import guillotine, zhiletka
from harness.games.game import CONTRACTS, DOMINO, OptionValue, State, Taken, pair
from harness.games.orders import fitting_cards
from harness.games.sets import set_in

MOST_ATTEMPTS = 100
"""After so many draws a set in another's hand is let pass: what it took may be one, under some options."""


def imagine(view: View, chance: SplitMix64 | None = None) -> State:
    """A state in which the seat is to choose one of `view.actions`, and which fits all that it saw.

    What others hold and what is still to be drawn comes from `chance` (None: `view.random`), each seat's cards from
    those that it may hold (`View.possible`); how others have played makes nothing more or less likely. Points are those
    of the match so far, so that what the rest of a deal brings is a difference. Only within `choose`.
    """
    chance = chance or view.random
    if view.game == "zhiletka":
        return _bout(view, *_hands(view, chance, partial(_is_without_set, view)))
    hands, _ = _hands(view, chance, lambda hands: True)
    return _deal(view, hands)


def _hands(
    view: View, chance: SplitMix64, fits: Callable[[Sequence[CardSet]], bool]
) -> tuple[list[CardSet], list[Card]]:
    """What each seat holds, and the unseen cards that nobody does, in an order drawn by lot."""
    counts, known, possible = view.hand_counts, view.fold.known, view.possible
    for attempt in count():
        free = list(view.unseen)
        chance.shuffle(free)
        hands = [view.fold.hand if seat == view.seat else known[seat] for seat in range(view.seat_count)]
        # Whoever may hold the fewest cards takes first, so that what is left fits the others, nearly always.
        others = [seat for seat in range(view.seat_count) if seat != view.seat]
        for seat in sorted(others, key=lambda other: possible[other].bit_count()):
            missing = counts[seat] - hands[seat].bit_count()
            taken = [card for card in free if possible[seat] >> card & 1][:missing] if missing else []
            hands[seat] |= set_of(taken)
            free = [card for card in free if card not in taken]
        is_whole = all(hand.bit_count() == number for hand, number in zip(hands, counts, strict=True))
        if is_whole and (fits(hands) or attempt >= MOST_ATTEMPTS):
            return hands, free
    raise AssertionError("count() does not end")


def _is_without_set(view: View, hands: Sequence[CardSet]) -> bool:
    """Whether no other seat has had a set when the bout began, which would have claimed itself (Z3.4)."""
    attack = set_of(card for _, card in view.fold.table)
    attacker = view.fold.table[0][0] if view.fold.table else view.seat
    exact = bool(view.options.get("set_exact", True))
    return not any(
        set_in(hand | attack if seat == attacker else hand, exact=exact)
        for seat, hand in enumerate(hands)
        if seat != view.seat
    )


@lru_cache(maxsize=16)
def _rules(name: str, options: tuple[tuple[str, OptionValue], ...], seat_count: int) -> State:
    return games.game(name, dict(options)).start(seat_count, 0)


def _start(view: View) -> State:
    return _rules(view.game, tuple(view.options.items()), view.seat_count)


def _deal(view: View, by_seat: Sequence[CardSet]) -> State:
    """A deal of Guillotine."""
    fold, seat, actions = view.fold, view.seat, view.actions
    before = _start(view)
    assert isinstance(before, guillotine.Between)
    left = tuple(tuple(each for each in CONTRACTS if each not in announced) for announced in fold.contracts)
    setting = guillotine.Setting(before.setting.rules, fold.deal_index, fold.dealer, tuple(fold.points), left)
    mine, next_, across, last = (*by_seat[seat:], *by_seat[:seat])
    hands = (mine, next_, across, last)
    if fold.contract is None:
        return guillotine.Announcing(actions, seat, hands, setting)
    if fold.contract != DOMINO:
        tricks = tuple(Taken(trick.winner, set_of(card for _, card in trick.plays)) for trick in view.tricks)
        trick = tuple(card for _, card in fold.table)
        return guillotine.Playing(actions, seat, hands, trick, tricks, fold.contract, setting)
    rules = setting.rules
    layout = [card for _, card in fold.table]
    fitting = fitting_cards(layout, rules.rank_order, same_rank=rules.domino_same_rank)
    return guillotine.Domino(actions, seat, hands, fitting, fold.out[0] if fold.out else None, setting)


def _bout(view: View, hands: Sequence[CardSet], rest: Sequence[Card]) -> State:
    """A hand of Zhiletka."""
    fold = view.fold
    before = _start(view)
    assert isinstance(before, zhiletka.Between)
    first_dealer = (fold.dealer - fold.deal_index) % fold.seat_count
    setting = zhiletka.Setting(
        before.setting.rules, fold.seat_count, first_dealer, fold.deal_index, tuple(fold.points), fold.pot
    )
    upcard = fold.upcards.bit_length() - 1
    stock = (*rest[: fold.stock_count - 1], upcard) if fold.stock_count else ()
    out = set_of(fold.out)
    if not fold.table:
        defender = next_holder(view.seat, fold.hand_counts)
        return zhiletka.Attacking(setting, upcard, tuple(hands), stock, out, view.seat, defender, view.actions)
    attacker = fold.table[0][0]
    cards = [card for _, card in fold.table]
    attack = cards[0] if len(cards) == 1 else pair(*cards)
    return zhiletka.Answering(setting, upcard, tuple(hands), stock, out, attacker, view.seat, attack, view.actions)
