"""What a bot writes: one line an ask, with an action and, behind a `#`, a note for its author's eyes."""

import re
from typing import NamedTuple

from harness.cards import parse_card
from harness.games.game import TAKE, Action, action_cards, pair
from harness.lines.told import NAMED

LINE_BYTES = 1024
"""Longest line that is read, its end included."""
SHOWN_CHARS = 60
STDOUT_IS_FOR_ACTIONS = "stdout is for actions alone, print everything else to stderr"

PAIRS = 64
"""Actions from here on put two cards on the table."""

_NUMBER = re.compile(r"-?[0-9]{1,10}")
_VERBS = ("play:", "attack:", "cover:")
_ACTIONS = {text: action for action, text in NAMED.items()}


class Unreadable(ValueError):
    """A line that names no action. The message is the fault's detail."""


class Answered(NamedTuple):
    """What a line says. Whether the action is legal is the referee's to say."""

    action: Action
    note: str


def read_answer(line: bytes, legal: tuple[Action, ...]) -> Answered:
    """What `line`, without its end, says.

    An action is its number, its text in a record (`play:QS`, `cover:9S+TS`, `take`) or that text without the verb. The
    cards of an attack may come in either order. Unreadable for anything else.
    """
    text, _, note = line.decode(errors="replace").partition("#")
    word = text.strip()
    action = _action(word)
    if action is None:
        raise Unreadable(f"wrote {shown(line)} where an action was due; {STDOUT_IS_FOR_ACTIONS}")
    if action >= PAIRS and TAKE not in legal:  # an attack, whose cards have no order
        action = pair(*sorted(action_cards(action)))
    return Answered(action, note.strip())


def shown(line: bytes) -> str:
    """`line` as a detail shows it: its beginning, in quotes."""
    text = line.decode(errors="replace")
    return repr(text[:SHOWN_CHARS]) + ("..." if len(text) > SHOWN_CHARS else "")


def _action(word: str) -> Action | None:
    if _NUMBER.fullmatch(word):
        number = int(word)
        return number if -(1 << 31) <= number < 1 << 31 else None
    if word in _ACTIONS:
        return _ACTIONS[word]
    verb = next((verb for verb in _VERBS if word.startswith(verb)), "")
    try:
        cards = [parse_card(name) for name in word.removeprefix(verb).split("+")]
    except ValueError:
        return None
    if len(cards) == 1:
        return cards[0]
    return pair(*cards) if len(cards) == 2 and cards[0] != cards[1] else None
