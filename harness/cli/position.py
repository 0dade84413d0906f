"""What a seat knows at a moment, as lines of text: score, table, hand; and how choices and news are written."""

import re
from collections.abc import Iterable, Iterator, Sequence

from harness.cards import cards_in, parse_card
from harness.cli.faces import Faces, width_of
from harness.games.game import CONTRACT_NAMES, CONTRACTS, DOMINO, END, PASS, TAKE, Action, action_cards
from harness.games.view import SeatView

WIDTH = 78
STAKES = {
    "royalty": "KH costs 20, QS 10",
    "queens": "each queen costs 10, KH gives 10 back",
    "spades": "each spade costs 5, KH gives 10 back",
    "parliament": "each trick gives 5 back, KH 10",
    "guillotine": "KH 10, queens 10, spades 5, first and last trick 5",
    "domino": "first out gets 30 back, second 10",
}


class Position:
    """Shows what a seat knows. `names` by seat, harmless for a terminal."""

    def __init__(self, game: str, names: Sequence[str], faces: Faces) -> None:
        self.game = game
        self.names = names
        self.faces = faces

    def lines(self, view: SeatView) -> Iterator[str]:
        """All but the choices."""
        faces, names = self.faces, self.names
        points = [f"{name} {points}" for name, points in zip(names, view.points, strict=True)]
        yield from map(faces.faint, in_columns("score    ", points + ([f"pot {view.pot}"] if view.pot else [])))
        if self.game == "zhiletka":
            held = [f"{names[seat]} {count}" for seat, count in enumerate(view.hand_counts) if seat != view.seat]
            trumps = [f"trumps {faces.plain.suit(card // 13)}" for card in cards_in(view.upcards)[:1]]
            yield from map(faces.faint, in_columns("cards    ", [*held, f"stock {view.stock_count}", *trumps]))
        if view.contract is not None:
            name = CONTRACT_NAMES[CONTRACTS.index(view.contract)]
            yield faces.faint(f"contract {name}: {stakes(name, faces)}")
        if view.table:
            yield from self._table(view)
        yield f"hand     {faces.by_suit(cards_in(view.hand))}"

    def decision(self, view: SeatView, legal: Iterable[Action]) -> Iterator[str]:
        """All, and what may be done."""
        yield from self.lines(view)
        yield from in_columns("legal    ", [self.choice(action) for action in legal])

    def _table(self, view: SeatView) -> Iterator[str]:
        if view.contract == DOMINO:
            laid = sum(1 << card for _, card in view.table)
            yield from in_columns("table    ", self.faces.suits(cards_in(laid)))
            return
        yield from in_columns("table    ", [f"{self.names[seat]} {self.faces.card(card)}" for seat, card in view.table])

    def choice(self, action: Action) -> str:
        """An action, as a choice is written."""
        if action in CONTRACTS:
            return CONTRACT_NAMES[CONTRACTS.index(action)]
        words = {PASS: "pass", END: "end", TAKE: "take"}
        return words[action] if action in words else self.faces.cards(action_cards(action))


def stakes(contract: str, faces: Faces) -> str:
    """What a contract costs, without colour: it is looked up rather than read."""
    return re.sub(r"\b[KQ][HS]\b", lambda found: faces.plain.card(parse_card(found[0])), STAKES[contract])


def in_columns(head: str, parts: Sequence[str]) -> Iterator[str]:
    """`parts` behind `head`, in lines that fit."""
    line, indent = head, " " * len(head)
    for part in parts:
        if width_of(line) + width_of(part) > WIDTH and line not in (head, indent):
            yield line.rstrip()
            line = indent
        line += part + "   "
    yield line.rstrip()


def in_lines(parts: Sequence[str]) -> Iterator[str]:
    """`parts` with commas between them, none before an arrow, in lines that fit."""
    line = ""
    for part in parts:
        glue = " " if part.startswith("->") else ", "
        if line and width_of(line) + width_of(part) + 2 > WIDTH - 2:
            yield "  " + line
            line = ""
        line = f"{line}{glue}{part}" if line else part
    if line:
        yield "  " + line
