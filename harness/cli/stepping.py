"""A recorded match move by move, without the terminal: keys go in, screens of 80 columns come out."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from harness import games
from harness.cards import Card, CardSet, cards_in, parse_card
from harness.cli.faces import Faces, width_of
from harness.cli.position import WIDTH, in_columns
from harness.games.game import Seat, action_cards
from harness.games.view import SeatView, project
from harness.printable import printable
from harness.publish.frames import Beside, deals_of
from harness.record import MatchRecord, ReplayStep, replay_steps
from ladder.site.frames import Deal, Frame, Say
from ladder.words import plural

_NAME_WIDTH = 18
_KEYS = "→ ← move   t T trick   d D deal   f fault   g G first, last   q leaves"
_BLANK = re.compile(r"(\{[a-z]\})")


class _Moment(NamedTuple):
    """What is shown at once."""

    deal_index: int
    number: int
    """Actions of the deal that were made."""
    deal: Deal
    frame: Frame
    mover: Seat | None
    moved: tuple[Card, ...]
    known: tuple[CardSet, ...]
    """Cards of others that the viewer knows, by seat."""


class Stepper:
    """Where a reader stands in a match. All hands open, or only what seat `viewer` knew."""

    def __init__(self, record: MatchRecord, beside: Beside, faces: Faces, viewer: Seat | None = None) -> None:
        """ReplayDifference as `harness.record.replay`."""
        self._record = record
        self._faces = faces
        self._viewer = viewer
        self._names = [_short(printable(entry.bot)) for entry in record.seats]
        self._pack_size = len(games.game(record.game, record.options).pack)
        self._moments = list(self._all(beside))
        self.at = 0

    def _all(self, beside: Beside) -> Iterator[_Moment]:
        steps = replay_steps(self._record)
        view = SeatView(self._viewer or 0, len(self._names), self._pack_size)
        for deal_index, deal in enumerate(deals_of(self._record, beside)):
            for number, (frame, step) in enumerate(zip(deal.frames, steps, strict=False)):
                for event in step.events:
                    view.see(project(event, view.seat))
                acted = step if isinstance(step, ReplayStep) else None
                yield _Moment(
                    deal_index=deal_index,
                    number=number,
                    deal=deal,
                    frame=frame,
                    mover=acted.seat if acted else None,
                    moved=action_cards(acted.action) if acted else (),
                    known=tuple(view.known),
                )

    # Keys ---------------------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """Moves as `key` says; unknown keys do nothing. False: the reader leaves."""
        if key in ("q", "escape"):
            return False
        last = len(self._moments) - 1
        steps: dict[str, Callable[[], int]] = {
            "right": lambda: self.at + 1,
            "left": lambda: self.at - 1,
            "t": lambda: self._next(_begins_trick, 1),
            "T": lambda: self._next(_begins_trick, -1),
            "d": lambda: self._next(lambda moment: moment.number == 0, 1),
            "D": lambda: self._next(lambda moment: moment.number == 0, -1),
            "f": lambda: self._next(self._brings_fault, 1),
            "g": lambda: 0,
            "G": lambda: last,
        }
        if (step := steps.get(key)) is not None:
            self.at = min(max(step(), 0), last)
        return True

    def _next(self, fits: Callable[[_Moment], bool], way: int) -> int:
        end = len(self._moments) if way > 0 else -1
        return next((at for at in range(self.at + way, end, way) if fits(self._moments[at])), end - way)

    def _brings_fault(self, moment: _Moment) -> bool:
        return any((at.deal, at.action) == (moment.deal_index, moment.number - 1) for at in self._record.faults)

    # Screens ------------------------------------------------------------------------------------

    def screen(self) -> list[str]:
        """The lines to show, at most 23."""
        moment, faces = self._moments[self.at], self._faces
        actions = len(moment.deal.frames) - 1
        whose = "" if self._viewer is None else f", as {self._names[self._viewer]} saw it"
        head = f"deal {moment.deal_index} of 0-{len(self._record.deals) - 1}: {moment.deal.title}"
        where = f"action {moment.number - 1} of 0-{actions - 1}" if moment.number else "before its first action"
        lines = [faces.strong(f"{self._record.match}{whose}"), f"{head}, {where}", ""]
        lines += [self._seat(moment, seat) for seat in range(len(self._names))]
        lines += ["", *self._table(moment), "", *self._said(moment)]
        return [*lines, "", faces.faint(_KEYS if faces.signs else _KEYS.replace("→ ←", "arrows"))]

    def _seat(self, moment: _Moment, seat: Seat) -> str:
        frame = moment.frame
        sign = ">" if frame.turn == seat else " "
        dealer = "*" if moment.deal.dealer == seat else " "
        tally = f"{frame.tally[seat]:2} {moment.deal.tally_name}" if frame.tally and moment.deal.tally_name else ""
        end = "  out" if seat in frame.out else "  house" if seat in frame.house else ""
        name = f"{self._names[seat]:{_NAME_WIDTH}}"
        turned = self._faces.strong(name) if frame.turn == seat else name
        return f"{sign}{dealer}{turned} {frame.points[seat]:+5} {tally}  {self._hand(moment, seat)}{end}".rstrip()

    def _hand(self, moment: _Moment, seat: Seat) -> str:
        held = [parse_card(name) for name, place in moment.frame.places.items() if place == f"hand.{seat}"]
        if self._viewer in (None, seat):
            return self._faces.by_suit(sorted(held))
        known = [card for card in cards_in(moment.known[seat]) if card in held]
        return plural(len(held), "card") + (f", {self._faces.cards(known)} known" if known else "")

    def _table(self, moment: _Moment) -> Iterator[str]:
        places, faces = moment.frame.places, self._faces
        if moment.deal.layout == "domino":
            yield from in_columns("table    ", faces.suits(_at(places, "layout")) or ["nothing yet"])
            return
        if moment.deal.layout == "tricks":
            by_seat = [(seat, card) for seat in range(len(self._names)) for card in _at(places, f"table.{seat}")]
            played = [f"{self._names[seat]} {faces.card(card)}" for seat, card in by_seat]
            yield from in_columns("table    ", played or ["nothing yet"])
            return
        for word in ("attack", "cover"):
            cards = [card for number in range(2) for card in _at(places, f"{word}.{number}")]
            yield f"{word:9}{faces.cards(cards)}".rstrip()
        stock = f"stock {self._pack_size - len(places)}"
        upcard = [f"turned up {faces.cards(_at(places, 'upcard'))}"] if _at(places, "upcard") else []
        pot = [f"pot {moment.frame.pot}"] if moment.frame.pot is not None else []
        yield from in_columns("", [stock, *upcard, *pot])

    def _said(self, moment: _Moment) -> Iterator[str]:
        for say in moment.frame.says:
            yield self._sentence(moment, say)
        if self._viewer not in (None, moment.mover):
            return
        if moment.frame.spent_ms is not None:
            yield self._faces.faint(f"thought {moment.frame.spent_ms:.1f} ms")
        if moment.frame.note is not None:
            note = f"note     {printable(moment.frame.note)}"
            yield self._faces.faint(note if len(note) <= WIDTH else note[: WIDTH - 3] + "...")

    def _sentence(self, moment: _Moment, say: Say) -> str:
        args = iter(say.args)
        words: list[str] = []
        last_seat: int | str | None = None
        hidden = 0
        for part in _BLANK.split(say.words):
            if part == "{a}":
                words.append("" if moment.mover is None else self._names[moment.mover])
            elif part == "{m}":
                words.append(self._faces.cards(moment.moved))
            elif part in ("{s}", "{c}", "{p}", "{n}"):
                value = next(args)
                if part == "{s}":
                    last_seat = value
                    words.append(self._names[int(value)])
                elif part == "{p}" and self._viewer not in (None, last_seat):
                    hidden += 1
                else:
                    words.append(str(value) if part == "{n}" else self._faces.card(parse_card(str(value))))
            else:
                words.append(part)
        if hidden:
            words.append(f" {plural(hidden, 'card')}")
        return " ".join("".join(words).split())


def _begins_trick(moment: _Moment) -> bool:
    return any(say.words.startswith(("{a} leads", "{a} attacks")) for say in moment.frame.says)


def _at(places: Mapping[str, str], place: str) -> list[Card]:
    return sorted(parse_card(name) for name, where in places.items() if where == place)


def _short(name: str) -> str:
    return name if width_of(name) <= _NAME_WIDTH else name[: _NAME_WIDTH - 1] + "~"
