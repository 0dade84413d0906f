"""Names that people choose, and which of them are accepted.

Names of bots and cups and versions become parts of paths, match ids and pages: few characters, no
surprises. Titles, teams and authors are text of any language, without what could forge a page or a
terminal. `why_not_...` returns why a text is refused, as the end of a sentence, or None.
"""

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches

SUBMITTED = "submitted"
"""Stands in `bots` of cup.toml for every submitted bot, and is therefore no bot's name."""
MAX_TITLE_CHARACTERS = 200
MAX_TEAM_CHARACTERS = 80
MAX_REASON_CHARACTERS = 400
"""Of a ruling."""

NAME_PATTERN = r"[a-z0-9][a-z0-9._-]{0,39}"
VERSION_PATTERN = r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,39}"


def why_not_a_name(text: str) -> str | None:
    """Why `text` cannot be the name of a bot or a cup.

    >>> why_not_a_name("tallinn-fox") is None
    True
    """
    if text == SUBMITTED:
        return f"{text!r} is a word of cup.toml; take another"
    if re.fullmatch(NAME_PATTERN, text) is None:
        return f"must be 1 to 40 of a-z, 0-9, '.', '_' and '-', the first a letter or digit, not {_short(text)}"
    return None


def why_not_a_version(text: str) -> str | None:
    """Why `text` cannot be the version of a bot."""
    if re.fullmatch(VERSION_PATTERN, text) is None:
        return (
            "must be 1 to 40 of letters, digits, '.', '+', '_' and '-', the first a letter or digit, "
            f"not {_short(text)}"
        )
    return None


def why_not_a_reason(text: str, max_characters: int) -> str | None:
    """Why `text` cannot be shown to people as a reason.

    >>> why_not_a_reason(" ", 100)
    'is empty; write why, for everybody to read'
    """
    return why_not_a_title(text, max_characters) if text.strip() else "is empty; write why, for everybody to read"


def why_not_a_title(text: str, max_characters: int = MAX_TITLE_CHARACTERS) -> str | None:
    """Why `text` cannot be shown to people as a title, a team or an author.

    >>> why_not_a_title("fox\\n")
    'holds U+000A, a control character; leave it out'
    """
    if not text.strip():
        return "is empty; write a name or leave the key out"
    for char in text:
        if not char.isprintable():
            return f"holds U+{ord(char):04X}, {_kind(char)}; leave it out"
    if text != text.strip():
        return "begins or ends with a space; leave it out"
    if len(text) > max_characters:
        return f"has {len(text)} characters; {max_characters} is the most"
    return None


def why_not_a_team(text: str) -> str | None:
    """Why `text` cannot be the name of a team."""
    return why_not_a_title(text, MAX_TEAM_CHARACTERS)


def in_one_form(text: str) -> str:
    """`text` in the normal form NFC of Unicode: a name that several systems write in several ways is one.

    >>> in_one_form("E\\u0301lan") == "\\u00c9lan"
    True
    """
    return unicodedata.normalize("NFC", text)


def did_you_mean(word: str, words: Sequence[str]) -> str:
    """What to add after "no such ...": the closest of `words`, or all of them."""
    close = get_close_matches(word, words, 1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(words)}"


def _kind(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Zl", "Zp"):
        return "a line end"
    if category == "Zs":
        return "a space that looks like another"
    if category == "Cf":
        return "an invisible mark that can change the order or look of text"
    return "a control character" if category == "Cc" else "not a character that can be shown"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:60] + "...")  # repr escapes what is not printable
