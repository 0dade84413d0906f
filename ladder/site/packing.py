"""How a page carries a replay: a few bytes a move, so that hundreds of matches fit where one page of text would.

Most moves are alike but for the card: a seat plays it and the turn passes on. So a frame is written as the number of
its *shape* and what fills the shape's blanks. In a shape seats are counted from the one that acts (`@0`), clockwise.
The shapes are listed once a replay; `viewer.js` unfolds them. A shape has

    s   sweeps: [a place or the beginning of its name, new place], for all the cards that lay there before
    m   moves: the new place of one card after the other, from the deal's `c`
    w   sentences: [number of the words, arguments...]; a seat is a number, a card is taken from `c`, a number from `n`
    t   seat to act next
    y   seats that the tally counts one more for
    h   seats that the house plays for from here
    u   seats that are out from here
    x   how many cards, from `c`, are shown to all from here
    g   seat that takes the trick or the pot
    p   1: points are added, one number a seat from `n`
    o   1: a new pot from `n`

and leaves out what is empty. Cards are letters, their places in the pack; times are characters on a scale of its own.
"""

import base64
import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ladder.site.frames import Deal, Frame
from ladder.site.visible import visible

JsonValue = str | int | float | bool | None | Sequence["JsonValue"] | Mapping[str, "JsonValue"]

FORMAT = 1
CARD_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BLANK = re.compile(r"\{([amscpn])\}")
_OF_SEATS = ("hand", "table", "won")

# Times: one character each, from '#' upwards; the backslash is left out, so that JSON needs no escapes.
TIME_FIRST_MS, TIME_STEP = 0.01, 1.3
_TIME_CHARACTERS = "".join(chr(code) for code in range(35, 127) if code != 92)


def replay_script(
    match: str, game: str, seats: Sequence[str], pack: Sequence[str], points_name: str, deals: Iterable[Deal]
) -> bytes:
    """The script that a match page loads: `window.REPLAY`, the JSON of the replay deflated, in base 85."""
    members = replay_members(match, game, seats, pack, points_name, deals)
    text = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = squeeze.compress(text.encode()) + squeeze.flush()
    return b'window.REPLAY="' + base64.b85encode(packed) + b'";\n'


def replay_members(
    match: str, game: str, seats: Sequence[str], pack: Sequence[str], points_name: str, deals: Iterable[Deal]
) -> dict[str, JsonValue]:
    """The replay as it is written, before it is deflated."""
    packer = _Packer(pack, len(seats))
    packed = [packer.deal(deal) for deal in deals]
    return {
        "v": FORMAT,
        "match": match,
        "game": game,
        "seats": [visible(seat) for seat in seats],
        "pack": " ".join(pack),
        "unit": points_name,
        "words": list(packer.words),
        "places": list(packer.places),
        "shapes": list(packer.shapes.values()),
        "deals": packed,
    }


def time_character(spent_ms: float | None) -> str:
    """`spent_ms` to about 15 %; a space where nobody was asked.

    >>> time_character(None), time_character(0.0), time_character(2.9)
    (' ', '#', '9')
    """
    if spent_ms is None:
        return " "
    step = round(math.log(max(spent_ms, TIME_FIRST_MS) / TIME_FIRST_MS) / math.log(TIME_STEP))
    return _TIME_CHARACTERS[min(step, len(_TIME_CHARACTERS) - 1)]


class _Packer:
    """Collects the words and shapes of a replay while it packs deals."""

    def __init__(self, pack: Sequence[str], seat_count: int) -> None:
        self.letters = dict(zip(pack, CARD_LETTERS, strict=False))
        self.seat_count = seat_count
        self.words: dict[str, int] = {}
        self.places: dict[str, str] = {}
        """A letter for each place where cards lie first."""
        self.points = (0,) * seat_count
        self.shapes: dict[str, JsonValue] = {}
        self.numbers: dict[str, int] = {}

    def number_of(self, shape: JsonValue) -> int:
        """The number of `shape`, which may be new."""
        written = repr(shape)
        if written not in self.shapes:
            self.shapes[written] = shape
            self.numbers[written] = len(self.numbers)
        return self.numbers[written]

    def deal(self, deal: Deal) -> dict[str, JsonValue]:
        """`at` where each card of the pack lies first, a letter for one of `places`; the rest as the module says."""
        first = deal.frames[0]
        blanks = _Blanks(self, deal.dealer)
        # Told against a table where the cards lie as `at` says and nothing has happened in this deal.
        untouched = Frame(places=first.places, says=(), turn=None, points=self.points)
        shapes = [blanks.shape(untouched, first, deal.rest)]
        self.points = deal.frames[-1].points
        actor = first.turn
        for before, frame in zip(deal.frames, deal.frames[1:], strict=False):
            blanks.actor = deal.dealer if actor is None else actor
            shapes.append(blanks.shape(before, frame, deal.rest))
            actor = frame.turn
        members: dict[str, JsonValue] = {
            "t": deal.title,
            "d": deal.dealer,
            "l": deal.layout,
            "at": "".join(self._letter(first.places.get(card, deal.rest)) for card in self.letters),
            "f": shapes,
            "c": "".join(blanks.cards),
        }
        optional: dict[str, JsonValue] = {
            "n": blanks.numbers,
            "e": deal.ending,
            "o": deal.ranks,
            "y": deal.tally_name,
            "ms": "".join(time_character(frame.spent_ms) for frame in deal.frames[1:]).rstrip(),
            "notes": {
                str(number): visible(frame.note) for number, frame in enumerate(deal.frames) if frame.note is not None
            },
        }
        return members | {name: value for name, value in optional.items() if value}

    def _letter(self, place: str) -> str:
        return self.places.setdefault(place, CARD_LETTERS[len(self.places)])


class _Blanks:
    """The shape of each frame of a deal, and what fills the blanks."""

    def __init__(self, packer: _Packer, actor: int) -> None:
        self.packer = packer
        self.actor = actor
        self.zeros = (0,) * packer.seat_count
        self.cards: list[str] = []
        self.numbers: list[int] = []

    def shape(self, before: Frame, frame: Frame, rest: str) -> int:
        """The number of the shape that leads from `before` to `frame`; its blanks are filled."""
        shape: dict[str, JsonValue] = {}
        self._move(shape, before, frame, rest)
        shape["w"] = [self._say(say.words, say.args) for say in frame.says]
        if frame.turn is not None:
            shape["t"] = self._seat(frame.turn)
        if frame.tally != before.tally:
            tally = zip(frame.tally, before.tally or self.zeros, strict=True)
            counted = [now - earlier for now, earlier in tally]
            shape["y"] = [self._seat(seat) for seat, more in enumerate(counted) for _ in range(more)]
        if frame.house != before.house:
            shape["h"] = [self._seat(seat) for seat in frame.house if seat not in before.house]
        if frame.out != before.out:
            shape["u"] = [self._seat(seat) for seat in frame.out if seat not in before.out]
        if frame.shown != before.shown:
            shown = [card for card in frame.shown if card not in before.shown]
            self.cards += [self.packer.letters[card] for card in shown]
            shape["x"] = len(shown)
        if frame.winner is not None:
            shape["g"] = self._seat(frame.winner)
        if frame.points != before.points:
            shape["p"] = 1
            self.numbers += [now - earlier for now, earlier in zip(frame.points, before.points, strict=True)]
        if frame.pot != before.pot and frame.pot is not None:
            shape["o"] = 1
            self.numbers.append(frame.pot)
        return self.packer.number_of({name: value for name, value in shape.items() if value != []})

    def _move(self, shape: dict[str, JsonValue], before: Frame, frame: Frame, rest: str) -> None:
        moved = {
            card: place
            for card, place in frame.places.items() - before.places.items()
            if card in before.places or place != rest
        }
        sweeps = _sweeps(before, moved, f"hand.{self.actor}")
        for _, cards, _ in sweeps:
            for card in cards:
                del moved[card]
        laid = sorted(moved, key=lambda card: (moved[card], self.packer.letters[card]))
        shape["s"] = [[self._relative(start), self._relative(target)] for start, _, target in sweeps]
        shape["m"] = [self._relative(moved[card]) for card in laid]
        self.cards += [self.packer.letters[card] for card in laid]

    def _say(self, words: str, args: Sequence[int | str]) -> list[JsonValue]:
        said: list[JsonValue] = [self.packer.words.setdefault(words, len(self.packer.words))]
        for blank, arg in zip(_blanks(words), args, strict=True):
            if isinstance(arg, str):
                self.cards.append(self.packer.letters[arg])
            elif blank == "s":
                said.append(self._seat(arg))
            else:
                self.numbers.append(arg)
        return said

    def _seat(self, seat: int) -> int:
        return (seat - self.actor) % self.packer.seat_count

    def _relative(self, place: str) -> str:
        """`place` with its seat counted from the one that acts; places of no seat, such as `attack.0`, as they are."""
        name, dot, seat = place.partition(".")
        return f"{name}.@{self._seat(int(seat))}" if dot and name in _OF_SEATS else place


@lru_cache(maxsize=1024)
def _blanks(words: str) -> tuple[str, ...]:
    """The blanks of `words` that arguments fill."""
    return tuple(blank for blank in _BLANK.findall(words) if blank not in "am")


def _sweeps(before: Frame, moved: Mapping[str, str], own: str) -> list[tuple[str, list[str], str]]:
    """Cards that leave together: all of one place, or of all places whose names begin alike, for one new place.

    Cards that leave `own`, the hand of the seat that acts, are told one by one: readers want to know them.
    """
    found: list[tuple[str, list[str], str]] = []
    swept: set[str] = set()
    left = {before.places[card] for card in moved if before.places.get(card, own) != own}
    for start in dict.fromkeys(name for place in sorted(left) for name in _beginnings(place)):
        cards = [card for card, place in before.places.items() if place == start or place.startswith(start + ".")]
        targets = {moved.get(card) for card in cards}
        target = targets.pop()
        if not targets and target is not None and swept.isdisjoint(cards):
            found.append((start, cards, target))
            swept.update(cards)
    return found


def _beginnings(place: str) -> tuple[str, ...]:
    """Names that a sweep of `place` may go by; a hand is one seat's alone."""
    beginning = place.partition(".")[0]
    return (place,) if beginning in ("hand", place) else (beginning, place)
