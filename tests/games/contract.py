"""The laws that every game keeps, as functions over one match played at random.

`tests/games/test_laws.py` runs each of `LAWS` over `CASES`: every game, every seat count, every option. A
new game needs a row in `TERMS` and nothing else. A law that is broken raises AssertionError.

What the laws compare with, where each card is and what a seat has seen, is worked out by `matches.py` a
second time, apart from the code that they check.
"""

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

import pytest

from harness import games
from harness.cards import EMPTY, cards_in, set_of
from harness.games.game import (
    CONTRACTS,
    DOMINO,
    Acted,
    Dealt,
    Decision,
    Deck,
    Drew,
    Event,
    Game,
    IllegalAction,
    OptionValue,
    Outcome,
    Scored,
    Seat,
    Shuffle,
    State,
    outcome_places,
)
from harness.games.view import SeatView, Seen, project
from tests.games.matches import CardLedger, Case, Step, seen_cards, steps_of, take


class Terms(NamedTuple):
    """What a game promises of its matches."""

    option_sets: tuple[tuple[int, Mapping[str, OptionValue]], ...]
    """Seat counts and options to play with, besides the defaults for every seat count."""
    deal_count: Callable[[int, Mapping[str, OptionValue]], int]
    """Deals of a match, by seat count and options."""
    most_actions: Callable[[int], int]
    """Most actions of a deal, by seat count."""
    low_wins: bool
    check_scores: Callable[[Sequence[Step]], None]
    """What the rules say of sums of points."""


# Law 1: what a state waits for, and that it takes nothing else.


def only_what_is_offered_is_accepted(case: Case, seed: int) -> None:
    """Actions are ascending, unique and not empty; each is accepted; any other int is refused and changes nothing."""
    game, random = case.game(), Random(seed)
    for number, step in enumerate(steps_of(game, case.seat_count, seed)):
        state = step.before
        frozen = pickle.dumps(state)
        if state.actions:
            assert state.pending == Decision(state.turn, state.actions)  # type: ignore[arg-type]  # a seat is to act
            assert list(state.actions) == sorted(set(state.actions))
            assert state.turn in range(case.seat_count)
            for action in state.actions:
                state.act(action)
        else:
            assert isinstance(state.pending, Shuffle)
            assert state.turn is None
        # Every int that could be mistaken for an action, now and then; a few each time.
        others = range(-70, 64 * 54) if number % 200 == 0 else random.choices(range(-70, 64 * 54), k=5)
        for other in others:
            if other not in state.actions:
                with pytest.raises(IllegalAction):
                    state.act(other)
        for deck in wrong_decks(game, random, awaited=not state.actions):
            with pytest.raises(ValueError, match="deck"):
                state.deal(deck)
        assert pickle.dumps(state) == frozen


def wrong_decks(game: Game, random: Random, *, awaited: bool) -> Iterator[Deck]:
    """Decks that no state may take; a right one too unless one is `awaited`."""
    deck = tuple(random.sample(game.pack, len(game.pack)))
    if awaited:
        yield ()
        yield deck[1:]
        yield (*deck, deck[0])
        yield (deck[1], *deck[1:])
        yield (52, *deck[1:])
        yield (-1, *deck[1:])
    else:
        yield deck


# Law 2: the same inputs give the same match.


def same_inputs_give_the_same_match(case: Case, seed: int) -> None:
    """States and events repeat, compare and hash; a state that was pickled goes on as the one that was not."""
    steps = list(steps_of(case.game(), case.seat_count, seed))
    state = case.game().start(case.seat_count, steps[0].before.dealer)
    for step in steps:
        assert state == step.before
        assert hash(state) == hash(step.before)
        thawed = pickle.loads(pickle.dumps(state))
        assert thawed == state
        assert type(thawed) is type(state)
        again = take(thawed, step.given)
        assert again.events == step.events
        assert [type(event) for event in again.events] == [type(event) for event in step.events]
        state = again.after
    assert state == steps[-1].after
    states = [step.before for step in steps] + [state]
    assert len(set(states)) == len(states), "a state came back: the match could go round in circles"


# Law 3: every match ends.


def every_match_ends_within_its_bound(case: Case, seed: int) -> None:
    """Deals are as many as the rules say, and no deal has more actions than its bound."""
    terms = TERMS[case.name]
    most_actions = terms.most_actions(case.seat_count)
    deal_count = action_count = 0
    state = None
    for step in steps_of(case.game(), case.seat_count, seed):
        if isinstance(step.given, tuple):
            assert step.before.deal_index == deal_count
            deal_count, action_count = deal_count + 1, 0
        else:
            action_count += 1
            assert step.before.deal_index == deal_count - 1
        assert action_count <= most_actions
        state = step.after
    assert state is not None
    assert terms.deal_count(case.seat_count, case.options) == deal_count == case.game().deal_count(case.seat_count)
    assert not state.actions
    assert state.turn is None


# Law 4: cards are conserved.


def cards_are_conserved(case: Case, seed: int) -> None:
    """Every card is in one place at every step, and the hands of the states are where the events put them."""
    game = case.game()
    ledger = CardLedger(game, case.seat_count)
    for step in steps_of(game, case.seat_count, seed):
        for event in step.events:
            ledger.see(event)
        places = [*ledger.hands, ledger.stock, ledger.table, ledger.away]
        assert sum(place.bit_count() for place in places) == len(game.pack)
        assert sum(places) == ledger.pack
        assert [step.after.hand(seat) for seat in range(case.seat_count)] == ledger.hands


# Law 5: secrecy.

Project = Callable[[Event, Seat], Seen]


def nothing_depends_on_unseen_cards(
    case: Case, seed: int, *, game: Game | None = None, project: Project = project
) -> int:
    """In every world that a seat cannot tell from the true one it is told and asked the same, byte for byte.

    Worlds are made by exchanging cards that the seat has not seen and playing the same history again.
    Returns how many were compared. `game` and `project` stand in for the true ones, to see the law at work.
    """
    random = Random(seed)
    steps = list(steps_of(game or case.game(), case.seat_count, seed))
    deals = [number for number, step in enumerate(steps) if isinstance(step.given, tuple)]
    world_count = 0
    for viewer in range(case.seat_count):
        # A history that ends with a request to the viewer shows most: what is asked has not been played yet.
        asked = [number for number, step in enumerate(steps, 1) if step.after.turn == viewer]
        for _ in range(6):
            # A short match may end before the viewer is asked anything.
            end = random.choice(asked) if asked and random.random() < 0.8 else random.randrange(len(steps)) + 1
            begun = [number for number in deals if number < end]
            # Mostly of the deal under way; sometimes of one long over, whose leftovers must not matter either.
            first = random.choice((begun[-1], begun[-1], random.choice(begun)))
            over = min([number for number in deals if number > first] + [end])
            world_count += _compare_worlds(steps[first:end], over - first, viewer, random, project)
    return world_count


def _compare_worlds(history: Sequence[Step], over: int, viewer: Seat, random: Random, project: Project) -> int:
    """Worlds that differ in the deal that begins `history` and ends before its step `over`."""
    seen = seen_cards(viewer, [event for step in history[:over] for event in step.events])
    deck = history[0].given
    assert isinstance(deck, tuple)
    unseen = [card for card in deck if not seen >> card & 1]
    expected_public = [_public(step.events) for step in history]
    expected_told = told(history, viewer, project)
    world_count = 0
    if len(unseen) < 2:
        return 0
    for swap_count in (1, 1, 2, 3, len(unseen)):
        world = list(deck)
        for _ in range(swap_count):
            one, other = (world.index(card) for card in random.sample(unseen, 2))
            world[one], world[other] = world[other], world[one]
        replayed = _replay(history, tuple(world))
        # The seat can tell a world in which this could not have been played, or in which it were not its turn now.
        if replayed is None or [_public(step.events) for step in replayed] != expected_public:
            continue
        if (replayed[-1].after.turn == viewer) != (history[-1].after.turn == viewer):
            continue
        deck = tuple(world)  # wander on from here
        world_count += 1
        assert told(replayed, viewer, project) == expected_told
    return world_count


def told(history: Sequence[Step], viewer: Seat, project: Project = project) -> bytes:
    """All that `viewer` is told and asked in `history`, the request at its end included."""
    lines = []
    for step in history:
        if step.before.turn == viewer:
            lines.append(f"asked {step.before.actions}")
        lines += [f"told {project(event, viewer)}" for event in step.events]
        lines.append(f"points {step.after.points} deal {step.after.deal_index} dealer {step.after.dealer}")
    last = history[-1].after
    if last.turn == viewer:
        lines.append(f"asked {last.actions}")
    return "\n".join(lines).encode()


def _public(events: Sequence[Event]) -> list[object]:
    """What everybody at the table can see, sizes of hands and of draws included."""
    return [
        ("dealt", event.deal_index, event.dealer, [hand.bit_count() for hand in event.hands], event.upcards)
        if isinstance(event, Dealt)
        else ("drew", event.seat, event.cards.bit_count())
        if isinstance(event, Drew)
        else event
        for event in events
    ]


def _replay(history: Sequence[Step], deck: Deck) -> list[Step] | None:
    """`history` with another deck at its beginning; None where it cannot be played so."""
    state, given = history[0].before, deck
    replayed = [take(state, given)]
    for step in history[1:]:
        state = replayed[-1].after
        if state.turn != step.before.turn or (state.actions and step.given not in state.actions):
            return None
        if not state.actions and not (isinstance(state.pending, Shuffle) and isinstance(step.given, tuple)):
            return None
        replayed.append(take(state, step.given))
    return replayed


# Law 6: a seat's own fold.


def a_seat_can_keep_its_own_view(case: Case, seed: int) -> None:
    """`SeatView`, fed with projected events, has the seat's hand, everybody's card counts, the stock and the points."""
    game, seats = case.game(), range(case.seat_count)
    views = [SeatView(seat, case.seat_count, len(game.pack)) for seat in seats]
    ledger = CardLedger(game, case.seat_count)
    seen = [EMPTY] * case.seat_count
    for step in steps_of(game, case.seat_count, seed):
        if isinstance(step.given, tuple):
            seen = [EMPTY] * case.seat_count
        for event in step.events:
            ledger.see(event)
            for seat, view in enumerate(views):
                view.see(project(event, seat))
        hand_counts = [hand.bit_count() for hand in ledger.hands]
        for view in views:
            _agree(view, step.after, ledger)
            seen[view.seat] |= seen_cards(view.seat, step.events)
            assert view.unseen & ledger.pack == ledger.pack & ~seen[view.seat]
            assert view.hand_counts == hand_counts
            assert view.deal_events[-len(step.events) :] == [project(event, view.seat) for event in step.events]


def _agree(view: SeatView, state: State, ledger: CardLedger) -> None:
    assert view.hand == state.hand(view.seat)
    assert tuple(view.points) == state.points
    assert view.stock_count == ledger.stock.bit_count()
    if state.actions:
        assert (view.deal_index, view.dealer) == (state.deal_index, state.dealer)
    assert set_of(card for _, card in view.table) == ledger.table
    for seat, known in enumerate(view.known):
        assert known & ~ledger.hands[seat] == EMPTY
        assert seat != view.seat or known == EMPTY
    assert (sum(view.taken) | view.gone) & ~ledger.away == EMPTY


# Law 7: hands are sets.


def the_order_of_dealing_does_not_show(case: Case, seed: int) -> None:
    """A deck that deals each seat its cards in another order makes the same state and the same events."""
    random = Random(seed)
    for step in steps_of(case.game(), case.seat_count, seed):
        if not isinstance(step.given, tuple):
            continue
        dealt = step.events[0]
        assert isinstance(dealt, Dealt)
        deck = list(step.given)
        for hand in dealt.hands:
            cards = list(cards_in(hand))
            places = sorted(step.given.index(card) for card in cards)
            random.shuffle(cards)
            for place, card in zip(places, cards, strict=True):
                deck[place] = card
        assert take(step.before, tuple(deck)) == Step(step.before, tuple(deck), step.after, step.events)


# Law 8: scores add up.


def scores_add_up(case: Case, seed: int) -> None:
    """Points are the sum of what was scored, a deal ends with Scored, and the outcome ranks the points."""
    terms = TERMS[case.name]
    steps = list(steps_of(case.game(), case.seat_count, seed))
    points = [0] * case.seat_count
    for step in steps:
        assert step.before.points == tuple(points)
        for event in step.events:
            if isinstance(event, Scored):
                assert event.pot >= 0
                points = [sum(both) for both in zip(points, event.deltas, strict=True)]
        if not step.after.actions:
            assert isinstance(step.events[-1], Scored)
    last = steps[-1].after
    assert last.points == tuple(points)
    assert isinstance(last.pending, Outcome)
    assert last.pending.scores == tuple(-each if terms.low_wins else each for each in points)
    assert outcome_places(last.pending.scores)[points.index(min(points) if terms.low_wins else max(points))] == 1
    terms.check_scores(steps)


CONTRACT_SUMS = dict(zip(CONTRACTS, (30, 30, 30, -50, 100, -40), strict=True))


def _check_guillotine_scores(steps: Sequence[Step]) -> None:
    contract = DOMINO
    sums: list[int] = []
    for step in steps:
        for event in step.events:
            if isinstance(event, Acted) and event.action in CONTRACT_SUMS:
                contract = event.action
            elif isinstance(event, Scored):
                assert sum(event.deltas) == CONTRACT_SUMS[contract]
                assert all(delta % 5 == 0 for delta in event.deltas)
                assert contract != DOMINO or sorted(event.deltas) == [-30, -10, 0, 0]
                sums.append(sum(event.deltas))
    for dealer in range(4):
        assert sum(sums[dealer::4]) == 100, "each contract once a dealer"
    assert sum(steps[-1].after.points) == 400


def _check_zhiletka_scores(steps: Sequence[Step]) -> None:
    pot = 0
    for step in steps:
        for event in step.events:
            if isinstance(event, Scored):
                assert sum(event.deltas) == pot - event.pot, "what leaves the pot reaches the seats"
                pot = event.pot
        assert sum(step.after.points) == -pot
    assert pot == 0


# Texts.


def actions_have_names(case: Case, seed: int) -> None:
    """Every legal action has a text of its own that means it again, and a deal's texts are canonical."""
    game = case.game()
    texts: list[str] = []
    for step in steps_of(game, case.seat_count, seed):
        state = step.before
        names = [game.action_name(state, action) for action in state.actions]
        assert game.texts is None or names == [game.texts[action] for action in state.actions]
        assert len(set(names)) == len(names)
        assert tuple(game.parse_action(name) for name in names) == state.actions
        if isinstance(step.given, int):
            texts.append(names[state.actions.index(step.given)])
        if not step.after.actions:
            assert game.canonical(texts) == tuple(texts)
            texts = []
    for text in ("", "play", "take:QS", "play:1S", "attack:QS+QS", "contract:", "Take"):
        with pytest.raises(ValueError, match=r"\w"):
            game.parse_action(text)


TERMS = {
    "guillotine": Terms(
        option_sets=(
            (4, {"rank_order": "french"}),
            (4, {"domino_same_rank": "any"}),
            (4, {"ace_bonus": "one"}),
            (4, {"ace_bonus": "off"}),
            (4, {"ace_bonus": "one", "domino_same_rank": "any", "rank_order": "french"}),
        ),
        deal_count=lambda seat_count, options: 24,
        most_actions=lambda seat_count: 1 + 30 + 90 + 4,  # the contract, cards, passes and ends of Domino
        low_wins=True,
        check_scores=_check_guillotine_scores,
    ),
    "zhiletka": Terms(
        option_sets=(
            (6, {"initial_tie": "eldest"}),
            (3, {"set_exact": False}),
            (4, {"set_on_take": False}),
            (6, {"limit_attack": False}),
            (6, {"undecided": "carry"}),
            (5, {"ante": 120, "hands_per_seat": 1}),
        ),
        deal_count=lambda seat_count, options: seat_count * int(options.get("hands_per_seat", 4)),
        most_actions=lambda seat_count: 2 * (5 * seat_count + 89),
        low_wins=False,
        check_scores=_check_zhiletka_scores,
    ),
}


def _cases() -> Iterator[Case]:
    for name, terms in TERMS.items():
        yield from (Case(name, seat_count, {}) for seat_count in games.game(name).seat_counts)
        yield from (Case(name, seat_count, options) for seat_count, options in terms.option_sets)


CASES = tuple(_cases())
LAWS: tuple[Callable[[Case, int], object], ...] = (
    only_what_is_offered_is_accepted,
    same_inputs_give_the_same_match,
    every_match_ends_within_its_bound,
    cards_are_conserved,
    nothing_depends_on_unseen_cards,
    a_seat_can_keep_its_own_view,
    the_order_of_dealing_does_not_show,
    scores_add_up,
    actions_have_names,
)
