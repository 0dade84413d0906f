"""A person at the table, without the terminal: events and lines of text go in, lines to show come out.

sitting.see(event)        # what happened, told when the person is asked next
sitting.ask(actions)      # the lines to show; then for each line that the person writes
sitting.hear(text)        # Chosen, Told or Left
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from harness.cards import Card, cards_in
from harness.cli.faces import Faces, read_cards
from harness.cli.position import Position, in_columns, in_lines, stakes
from harness.faults import SeatFaulted
from harness.games.game import (
    CONTRACT_NAMES,
    CONTRACTS,
    END,
    PASS,
    TAKE,
    Acted,
    Action,
    Cleared,
    Out,
    PickedUp,
    Scored,
    Seat,
    Shown,
    Taken,
    action_cards,
)
from harness.games.view import Drawn, HandDealt, SeatView, Seen
from harness.printable import printable
from ladder.words import plural

PROMPT = "? rules, q leaves > "

_RULES = {
    "guillotine": """\
Guillotine: 24 deals, 8 cards each, points are bad, the lowest total wins.
The dealer names one of six contracts, each once in its six deals:
  royalty      king of hearts +20, queen of spades +10
  queens       each queen +10, king of hearts -10
  spades       each spade +5, king of hearts -10
  parliament   each trick -5, king of hearts -10: here tricks are good
  guillotine   king of hearts +10, queens +10, spades +5, first, last trick +5
  domino       get rid of your cards: first out -30, second -10
Tricks: follow suit if you can; the highest card of the suit led wins; no
trumps; 7 8 9 T J Q K A. Domino: lay a card next to its neighbour in rank, or
one of the rank that the deal began with; after an ace you may go on.""",
    "zhiletka": """\
Zhiletka: everybody pays an ante, gets three cards; one card is turned up: its
suit is trumps. You win the pot with a set, three cards of one suit or of one
rank, or as the last one in.
Attack your left neighbour with one card, or two of one suit or of one rank.
The defender beats every card with a higher one of its suit or a trump, or
takes them all. Beaten cards leave the game, both draw up to three, and the
defender attacks. Who takes draws nothing, and the same seat attacks again;
with six cards or more one is out of the hand.
6 7 8 9 T J Q K A. A set claims itself.""",
}
_HELP = """\
Write the number of a choice, or the card: QS, qs, 10h; two cards: 7S 9S.
Words work too: take, pass, end, royalty. q leaves the table."""


class Chosen(NamedTuple):
    """The person chose this."""

    action: Action


class Told(NamedTuple):
    """Show this, and ask again."""

    lines: tuple[str, ...]


class Left(NamedTuple):
    """The person leaves the table."""


Reply = Chosen | Told | Left


class Sitting:
    """One match, as the person in `seat` meets it."""

    def __init__(
        self, game: str, names: Sequence[str], seat: Seat, pack_size: int, deal_count: int, faces: Faces
    ) -> None:
        """`names` of all seats; the person's own is not used. `deal_count`: deals of the match."""
        self.game = game
        self.seat = seat
        self.view = SeatView(seat, len(names), pack_size)
        self._names = ["you" if other == seat else printable(name) for other, name in enumerate(names)]
        self._shown = Position(game, self._names, faces)
        self._deal_count = deal_count
        self._faces = faces
        self._news: list[str] = []
        self._line: list[str] = []
        self._actions: tuple[Action, ...] = ()

    # What happens -------------------------------------------------------------------------------

    def see(self, event: Seen | SeatFaulted) -> None:
        """Something happened."""
        covers = bool(self.view.table)
        self.view.see(event)
        self._news += self._tell(event, covers=covers)

    def _tell(self, event: Seen | SeatFaulted, *, covers: bool) -> Iterator[str]:
        match event:
            case HandDealt():
                yield from self._break()
                yield ""
                yield self._faces.strong(self._deal_line())
            case Acted(seat, action):
                if action in CONTRACTS:
                    name = CONTRACT_NAMES[CONTRACTS.index(action)]
                    yield f"{self._who(seat, 'name', 'names')} {self._faces.strong(name)}: {stakes(name, self._faces)}"
                else:
                    self._line.append(self._act(seat, action, covers=covers))
            case Taken(seat, _):
                self._line.append(f"-> {self._who(seat, 'take', 'takes')} the trick")
                yield from self._break()
            case PickedUp():  # the action before it was called so
                yield from self._break()
            case Cleared():
                self._line.append("-> beaten")
                yield from self._break()
            case Drawn(seat, count, cards):
                what = self._faces.cards(cards_in(cards)) if cards else f"{plural(count, 'card')}"
                self._line.append(f"{self._who(seat, 'draw', 'draws')} {what}")
            case Shown(seat, cards):
                yield from self._break()
                yield f"{self._who(seat, 'show', 'shows')} a set: {self._faces.cards(cards_in(cards))}"
            case Out(seat):
                self._line.append(f"{self._who(seat, 'are', 'is')} out")
            case Scored(deltas, pot):
                yield from self._break()
                parts = [f"{name} {delta:+d}" for name, delta in zip(self._names, deltas, strict=True) if delta]
                parts += [f"{pot} in the pot"] if pot else []
                yield from in_columns("points   ", parts or ["none"])
            case SeatFaulted(seat, kind):
                yield f"{self._names[seat]} is at fault ({kind}): from here the house plays for it"

    def _break(self) -> Iterator[str]:
        """What is gathered, as lines that fit."""
        yield from in_lines(self._line)
        self._line = []

    def _deal_line(self) -> str:
        view = self.view
        number = f"deal {view.deal_index + 1} of {self._deal_count}"
        up = cards_in(view.upcards)
        trumps = f"; {self._faces.cards(up)} turned up, trumps are {self._faces.suit(up[0] // 13)}" if up else ""
        return f"{number}, {self._who(view.dealer, 'deal', 'deals')}{trumps}"

    def _act(self, seat: Seat, action: Action, *, covers: bool) -> str:
        if action == TAKE:
            return self._who(seat, "take", "takes")
        if action == PASS:
            return self._who(seat, "pass", "passes")
        if action == END:
            return self._who(seat, "stop", "stops")
        cards = self._faces.cards(action_cards(action))
        if self.game != "zhiletka":
            return f"{self._names[seat]} {cards}"
        verb = (
            self._who(seat, "cover with", "covers with") if covers else self._who(seat, "attack with", "attacks with")
        )
        return f"{verb} {cards}"

    def _who(self, seat: Seat, yours: str, theirs: str) -> str:
        return f"{self._names[seat]} {yours if seat == self.seat else theirs}"

    # What is asked ------------------------------------------------------------------------------

    def ask(self, actions: tuple[Action, ...]) -> tuple[str, ...]:
        """It is the person's turn: what happened since, table, hand and choices."""
        self._actions = actions
        news = (*self._news, *self._break())
        self._news = []
        return ("", *news, *self._position())

    def _position(self) -> Iterator[str]:
        yield from self._shown.lines(self.view)
        if self._actions[0] in CONTRACTS:
            for number, action in enumerate(self._actions, 1):
                name = self._choice(action)
                costs = self._faces.faint(stakes(name, self._faces))
                yield f"{'choose' if number == 1 else '':9}{number} {name:12}{costs}"
            return
        yield from in_columns("choose   ", [f"{n} {self._choice(a)}" for n, a in enumerate(self._actions, 1)])

    def _choice(self, action: Action) -> str:
        return self._shown.choice(action)

    # What the person says -----------------------------------------------------------------------

    def hear(self, text: str) -> Reply:
        """What a line that the person wrote means."""
        word = text.strip().lower()
        if word in ("q", "quit", "exit"):
            return Left()
        if word in ("?", "h", "help", "rules"):
            return Told((*_RULES[self.game].splitlines(), "", *_HELP.splitlines(), "", *self._position()))
        if not word:
            return Told(tuple(self._position()))
        if word.isdecimal() and word.isascii():
            return self._numbered(int(word[:9]))
        return self._named(word)

    def _numbered(self, number: int) -> Reply:
        if 1 <= number <= len(self._actions):
            return Chosen(self._actions[number - 1])
        return Told((f"there are choices 1 to {len(self._actions)}",))

    def _named(self, word: str) -> Reply:
        cards = read_cards(word)
        if cards is not None:
            return self._carded(cards)
        by_name = {self._choice(action): action for action in self._actions if not action_cards(action)}
        if word in by_name:
            return Chosen(by_name[word])
        close = get_close_matches(word, by_name, 1) if by_name else []
        hint = f"; did you mean {close[0]}?" if close else "; a number, a card such as QS, ? for the rules"
        return Told((f"{printable(word[:40])} is no choice here{hint}",))

    def _carded(self, cards: tuple[Card, ...]) -> Reply:
        exact = [action for action in self._actions if action_cards(action) == cards]
        same = [action for action in self._actions if sorted(action_cards(action)) == sorted(cards)]
        if len(exact or same) == 1:
            return Chosen((exact or same)[0])
        missing = [card for card in cards if not self.view.hand >> card & 1]
        if missing:
            return Told((f"you do not hold {self._faces.cards(missing)}",))
        return Told((f"{self._faces.cards(cards)} cannot be played now",))

    # The end ------------------------------------------------------------------------------------

    def over(self, points: Sequence[int], places: Sequence[int]) -> tuple[str, ...]:
        """The last lines."""
        news = (*self._news, *self._break(), "")
        self._news = []
        order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
        width = max(map(len, self._names))
        return (*news, *(f"{places[seat]}. {self._names[seat]:{width}}  {points[seat]:+d}" for seat in order))
