"""What a seat is sent does not depend on what it must not know: not by a byte, and not by the size of a message.

A match is played once; then cards that a seat has not seen by one of its requests change places, and the same actions
are played again, as long as they are legal. Up to there the two conversations with that seat are the same.
"""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from harness import games
from harness.arena import table as table_module
from harness.arena.specs import Played, TableSpec
from harness.bot import Action, Bot, View
from harness.faults import SeatFaulted
from harness.games.game import Dealt, Deck, Drew, Event, Game, Seat
from harness.games.view import Seen, project
from harness.match import TimeControl
from harness.wire import arena_pb2 as pb
from tests.arena.in_memory import MemoryArena
from tests.arena.tables import table
from tests.games.matches import seen_cards

CLOCK = TimeControl(20_000_000_000, 50_000_000, 5_000_000_000)
LONG_ID = 1 << 62
"""Ids from here on have one length on the wire, whatever they are."""


class World(MemoryArena):
    """A match whose actions are given. `marks`: how much `viewer` had been sent whenever all was as in the script."""

    def __init__(self, game: Game, seat_count: int, viewer: Seat, *, snapshots: bool, script: Played | None) -> None:
        labels = [f"bot{seat}" for seat in range(seat_count)]
        self.game = game
        self.viewer = viewer
        self.script = script
        self.moments: list[tuple[int, int, list[Event]]] = []
        """At each request of the viewer: its messages, the deal, and the events of the deal so far."""
        self.marked = 0
        self._events: list[Event] = []
        self._labels = labels
        world = self

        class Scripted(Bot):
            snapshot = snapshots

            def choose(self, view: View) -> Action:
                return world.choose(view)

        super().__init__(dict.fromkeys(labels, Scripted), iter(range(LONG_ID, LONG_ID + 1_000_000)), CLOCK)

    def run(self, deck: Callable[[int], Deck]) -> Played:
        """Plays the match with these decks."""
        spec = table(1, self._labels, self.game)
        seeds = tuple(range(len(self._labels)))
        (played,) = self.play([TableSpec(spec.match_id, self.game, spec.seats, 0, deck, seeds, None, self._hear)])
        return played

    def _hear(self, events: Sequence[Event | SeatFaulted]) -> None:
        self._events += [event for event in events if not isinstance(event, SeatFaulted)]

    def choose(self, view: View) -> Action:
        """The action of the script, while all is as it was there."""
        match = self.running[0].match
        number, log = len(match.deals) - 1, match.deals[-1]
        sent = self.sent[self._labels[self.viewer]]
        if self.script is None:
            if view.seat == self.viewer:
                dealt = max(place for place, event in enumerate(self._events) if isinstance(event, Dealt))
                self.moments.append((len(sent), number, self._events[dealt:]))
            return view.random.choice(view.actions)
        earlier = self.script.match.deals
        same = (
            all(now.actions == then.actions for now, then in zip(match.deals[:-1], earlier[:number], strict=True))
            and log.actions == earlier[number].actions[: len(log.actions)]
        )
        if same and len(log.actions) < len(earlier[number].actions):
            self.marked = len(sent)
            text = earlier[number].actions[len(log.actions)]
            for action in view.actions:
                if self.game.action_name(match.state, action) == text:
                    return action
        return view.actions[0]

    @property
    def conversation(self) -> list[tuple[int, bytes]]:
        """What the viewer was sent, ids apart: the size of each message, and the message without them."""
        return [(len(raw), _without_ids(raw)) for raw in self.sent[self._labels[self.viewer]]]


def _without_ids(raw: bytes) -> bytes:
    message = pb.PlayResponse.FromString(raw)
    for update in message.updates.updates:
        if update.HasField("request"):
            update.request.decision_id = LONG_ID
    return message.SerializeToString(deterministic=True)


def compare_worlds(game: Game, seat_count: int, viewer: Seat, seed: int, *, snapshots: bool) -> int:
    """Compares conversations in worlds that `viewer` cannot tell apart. How many messages were compared."""
    random = Random(seed)
    decks: dict[int, Deck] = {}

    def deck(deal_index: int) -> Deck:
        return decks.setdefault(deal_index, tuple(random.sample(game.pack, len(game.pack))))

    first = World(game, seat_count, viewer, snapshots=snapshots, script=None)
    script = first.run(deck)
    told = first.conversation
    compared = 0
    for sent, deal_index, events in random.sample(first.moments, 6):
        unseen = [card for card in decks[deal_index] if not seen_cards(viewer, events) >> card & 1]
        if len(unseen) < 2:
            continue
        changed = list(decks[deal_index])
        for _ in range(random.choice((1, 1, 2, len(unseen)))):
            one, other = (changed.index(card) for card in random.sample(unseen, 2))
            changed[one], changed[other] = changed[other], changed[one]
        world = World(game, seat_count, viewer, snapshots=snapshots, script=script)
        world.run(_with(deck, deal_index, tuple(changed)))
        # Beyond the moment the seat may learn what differs; up to it all must be equal, unless play differs before.
        until = min(sent, world.marked)
        assert world.conversation[:until] == told[:until]
        compared += until
    return compared


def _with(deck: Callable[[int], Deck], deal_index: int, changed: Deck) -> Callable[[int], Deck]:
    return lambda number: changed if number == deal_index else deck(number)


GAMES = (("guillotine", 4), ("zhiletka", 2), ("zhiletka", 4), ("zhiletka", 6))


@pytest.mark.slow
@pytest.mark.parametrize("snapshots", [False, True], ids=["events", "snapshots"])
@pytest.mark.parametrize(("name", "seat_count"), GAMES)
def test_hidden_cards_change_no_byte_of_what_a_seat_is_sent(name: str, seat_count: int, snapshots: bool) -> None:
    game = games.game(name)
    compared = [compare_worlds(game, seat_count, seed % seat_count, seed, snapshots=snapshots) for seed in range(8)]

    assert min(compared) > 0
    assert sum(compared) > 500


def _shows_draws(event: Event, viewer: Seat) -> Seen:
    """A projection with a leak: everybody sees what another draws."""
    return project(event, event.seat if isinstance(event, Drew) else viewer)


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "project", _shows_draws)

    def compare_all() -> None:
        for seed in range(8):
            compare_worlds(games.game("zhiletka"), 2, 0, seed, snapshots=False)

    with pytest.raises(AssertionError, match="At index"):
        compare_all()
