"""Golden matches: whole matches as inputs, and a digest of every state and event on the way.

They hold what has been played under one `rules_version` for good. A new version is a reason to write them
anew, `python -m tests.games.golden_matches GAME`, and nothing else is: a file of the same version is never
overwritten with another digest.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from harness import games
from harness.cards import card_name, parse_cards
from harness.games.game import Event, OptionValue, State, Step
from tests.games.matches import steps_of

FOLDER = Path(__file__).parent / "golden"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
MATCHES: Mapping[str, tuple[int, str, int, dict[str, OptionValue]]] = {
    "guillotine_default": (0, "guillotine", 4, {}),
    "guillotine_default_2": (1, "guillotine", 4, {}),
    "guillotine_french": (2, "guillotine", 4, {"rank_order": "french"}),
    "guillotine_any_one": (3, "guillotine", 4, {"domino_same_rank": "any", "ace_bonus": "one"}),
    "guillotine_all_options": (
        4,
        "guillotine",
        4,
        {"rank_order": "french", "domino_same_rank": "any", "ace_bonus": "off"},
    ),
    "zhiletka_2_seats": (0, "zhiletka", 2, {}),
    "zhiletka_4_seats": (1, "zhiletka", 4, {}),
    "zhiletka_6_seats": (2, "zhiletka", 6, {"hands_per_seat": 2}),
    "zhiletka_5_seats_carry": (3, "zhiletka", 5, {"undecided": "carry"}),
    # From this seed each of these options makes a difference.
    "zhiletka_all_options": (
        33,
        "zhiletka",
        6,
        {
            "ante": 120,
            "initial_tie": "eldest",
            "set_exact": False,
            "set_on_take": False,
            "limit_attack": False,
            "undecided": "carry",
        },
    ),
}
"""Seed, game, seat count and options, by file name."""


class GoldenDeal(TypedDict):
    """The inputs of one deal, as records write them."""

    deck: str
    actions: list[str]


class Golden(TypedDict):
    """One file."""

    game: str
    rules_version: str
    options: dict[str, OptionValue]
    seat_count: int
    first_dealer: int
    deals: list[GoldenDeal]
    points: list[int]
    digest: str


def read(name: str) -> Golden:
    """The golden match called `name`."""
    golden: Golden = json.loads((FOLDER / f"{name}.json").read_text())
    return golden


def digest_of(golden: Golden) -> str:
    """SHA-256 of all that the match shows when it is played again; AssertionError where it ends otherwise."""
    digest = hashlib.sha256()
    state = None
    for state, events in steps(golden):
        digest.update(_shown(state, events))
    assert state is not None
    assert list(state.points) == golden["points"]
    return digest.hexdigest()


def steps(golden: Golden) -> Iterator[Step]:
    """Every state of the match played again, with the events that led to it."""
    game = games.game(golden["game"], golden["options"])
    state = game.start(golden["seat_count"], golden["first_dealer"])
    for deal in golden["deals"]:
        state, events = state.deal(parse_cards(deal["deck"]))
        yield state, events
        for text in deal["actions"]:
            state, events = state.act(game.parse_action(text))
            yield state, events


def _shown(state: State, events: Sequence[Event]) -> bytes:
    hands = [state.hand(seat) for seat in range(len(state.points))]
    line = (tuple(events), state.pending, state.deal_index, state.dealer, state.points, hands)
    return f"{line!r}\n".encode()


def _played(name: str, seat_count: int, options: Mapping[str, OptionValue], seed: int) -> Golden:
    game = games.game(name, options)
    deals: list[GoldenDeal] = []
    digest = hashlib.sha256()
    played = list(steps_of(game, seat_count, seed))
    for before, given, after, events in played:
        if isinstance(given, tuple):
            deals.append({"deck": " ".join(map(card_name, given)), "actions": []})
        else:
            deals[-1]["actions"].append(game.action_name(before, given))
        digest.update(_shown(after, events))
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "options": dict(game.options),
        "seat_count": seat_count,
        "first_dealer": played[0].before.dealer,
        "deals": deals,
        "points": list(played[-1].after.points),
        "digest": digest.hexdigest(),
    }


def main(name: str) -> None:
    """Writes the golden matches of one game."""
    for file_name, (seed, game, seat_count, options) in MATCHES.items():
        if game != name:
            continue
        golden = _played(game, seat_count, options, seed)
        if file_name in NAMES:
            old = read(file_name)
            if old["rules_version"] == golden["rules_version"] and old["digest"] != golden["digest"]:
                sys.exit(
                    f"{file_name}: rules version {old['rules_version']} has been played otherwise; give it a new one"
                )
        (FOLDER / f"{file_name}.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
