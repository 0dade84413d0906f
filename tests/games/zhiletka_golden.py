"""Golden matches of Zhiletka: whole matches as inputs, and a digest of every state and event on the way.

They hold what has been played under one `rules_version` for good. `python -m tests.games.zhiletka_golden`
plays them anew and writes the files: only for a new rules version.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TypedDict

from harness.cards import card_name, parse_cards
from harness.games import zhiletka
from harness.games.game import Deck, Event, Game, OptionValue, Shuffle, State, Step

FOLDER = Path(__file__).parent / "golden"
MATCHES: dict[str, tuple[int, dict[str, OptionValue]]] = {
    "zhiletka_2_seats": (2, {}),
    "zhiletka_4_seats": (4, {}),
    "zhiletka_6_seats": (6, {"hands_per_seat": 2}),
    "zhiletka_3_seats_other_options": (
        3,
        {
            "ante": 120,
            "initial_tie": "eldest",
            "set_exact": False,
            "set_on_take": False,
            "limit_attack": False,
            "undecided": "carry",
        },
    ),
    "zhiletka_5_seats_carry": (5, {"undecided": "carry"}),
}
"""Seat count and options, by file name."""


class GoldenDeal(TypedDict):
    deck: str
    actions: list[str]


class Golden(TypedDict):
    game: str
    rules_version: str
    options: dict[str, OptionValue]
    seat_count: int
    first_dealer: int
    deals: list[GoldenDeal]
    points: list[int]
    digest: str


class Digest:
    """SHA-256 of all that a match shows: events, what is pending, hands, points."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, state: State, events: Sequence[Event]) -> None:
        hands = [state.hand(seat) for seat in range(len(state.points))]
        line = (tuple(events), state.pending, state.deal_index, state.dealer, state.points, hands)
        self._hash.update(f"{line!r}\n".encode())

    def text(self) -> str:
        return self._hash.hexdigest()


def played(game: Game, seat_count: int, first_dealer: int, random: Random) -> Golden:
    """A match of random choices."""
    state = game.start(seat_count, first_dealer)
    digest, deals = Digest(), list[GoldenDeal]()
    while isinstance(state.pending, Shuffle):
        deck: Deck = tuple(random.sample(game.pack, len(game.pack)))
        state, events = state.deal(deck)
        digest.add(state, events)
        actions = []
        while state.actions:
            action = random.choice(state.actions)
            actions.append(game.action_name(state, action))
            state, events = state.act(action)
            digest.add(state, events)
        deals.append({"deck": " ".join(map(card_name, deck)), "actions": actions})
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "options": dict(game.options),
        "seat_count": seat_count,
        "first_dealer": first_dealer,
        "deals": deals,
        "points": list(state.points),
        "digest": digest.text(),
    }


def steps(golden: Golden) -> Iterator[Step]:
    """Every state of `golden` played again, with the events that led to it."""
    game = zhiletka.game(golden["options"])
    state = game.start(golden["seat_count"], golden["first_dealer"])
    for deal in golden["deals"]:
        state, events = state.deal(parse_cards(deal["deck"]))
        yield state, events
        for text in deal["actions"]:
            state, events = state.act(game.parse_action(text))
            yield state, events


def read(name: str) -> Golden:
    golden: Golden = json.loads((FOLDER / f"{name}.json").read_text())
    return golden


def main() -> None:
    for number, (name, (seat_count, options)) in enumerate(MATCHES.items()):
        golden = played(zhiletka.game(options), seat_count, number % seat_count, Random(number))
        (FOLDER / f"{name}.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
