"""Unfolds a packed replay again, as viewer.js does: what comes out must be the frames that went in."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ladder.site.packing import CARD_LETTERS

Members = Mapping[str, Any]


class Seen(NamedTuple):
    """A frame as the viewer knows it."""

    places: dict[str, str]
    words: tuple[str, ...]
    turn: int | None
    points: tuple[int, ...]
    pot: int | None
    tally: tuple[int, ...]
    house: tuple[int, ...]
    out: tuple[int, ...]
    shown: tuple[str, ...]
    winner: int | None


def unfold(replay: Members) -> list[list[Seen]]:
    """The frames of every deal."""
    points = [0] * len(replay["seats"])
    unfolded = []
    for deal in replay["deals"]:
        frames = _Deal(replay, deal, points).frames()
        points = list(frames[-1].points)
        unfolded.append(frames)
    return unfolded


class _Deal:
    def __init__(self, replay: Members, deal: Members, points: list[int]) -> None:
        self.pack: list[str] = replay["pack"].split()
        self.shapes = replay["shapes"]
        self.words = replay["words"]
        self.seat_count: int = len(replay["seats"])
        self.deal = deal
        self.cards = iter(deal["c"])
        self.numbers = iter(deal.get("n", []))
        names = replay["places"]
        at = deal["at"]
        self.places = {card: names[CARD_LETTERS.index(at[index])] for index, card in enumerate(self.pack)}
        self.actor: int = deal["d"]
        self.points = points
        self.pot: int | None = None
        self.tally = [0] * self.seat_count
        self.house: tuple[int, ...] = ()
        self.out: tuple[int, ...] = ()
        self.shown: tuple[str, ...] = ()

    def frames(self) -> list[Seen]:
        return [self._frame(self.shapes[number]) for number in self.deal["f"]]

    def _card(self) -> str:
        return self.pack[CARD_LETTERS.index(next(self.cards))]

    def _seat(self, relative: int) -> int:
        return (relative + self.actor) % self.seat_count

    def _place(self, name: str) -> str:
        return re.sub(r"@(\d+)$", lambda found: str(self._seat(int(found[1]))), name)

    def _frame(self, shape: Members) -> Seen:
        before = dict(self.places)
        for start, target in shape.get("s", []):
            start = self._place(start)
            swept = [card for card, place in before.items() if place == start or place.startswith(start + ".")]
            self.places.update(dict.fromkeys(swept, self._place(target)))
        laid = []
        for name in shape.get("m", []):
            card, place = self._card(), self._place(name)
            if before[card] == f"hand.{self.actor}" and not place.startswith("hand"):
                laid.append(card)
            self.places[card] = place
        words = tuple(self._say(say, laid) for say in shape.get("w", []))
        self.shown += tuple(self._card() for _ in range(shape.get("x", 0)))
        if "p" in shape:
            self.points = [points + next(self.numbers) for points in self.points]
        if "o" in shape:
            self.pot = next(self.numbers)
        for seat in shape.get("y", []):
            self.tally[self._seat(seat)] += 1
        self.house += tuple(self._seat(seat) for seat in shape.get("h", []))
        self.out += tuple(self._seat(seat) for seat in shape.get("u", []))
        turn = self._seat(shape["t"]) if "t" in shape else None
        winner = self._seat(shape["g"]) if "g" in shape else None
        seen = Seen(
            dict(self.places),
            words,
            turn,
            tuple(self.points),
            self.pot,
            tuple(self.tally),
            self.house,
            self.out,
            self.shown,
            winner,
        )
        if turn is not None:
            self.actor = turn
        return seen

    def _say(self, say: list[int], laid: list[str]) -> str:
        number, *seats = say

        def fill(found: re.Match[str]) -> str:
            blank = found[1]
            if blank == "a":
                return str(self.actor)
            if blank == "m":
                return " ".join(laid)
            if blank == "s":
                return str(self._seat(seats.pop(0)))
            return str(next(self.numbers)) if blank == "n" else self._card()

        return re.sub(r"\{(\w)\}", fill, self.words[number])
