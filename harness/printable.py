"""Text of strangers made harmless for a terminal: nothing in it can move the cursor, colour, or hide."""

import json


def printable(text: str) -> str:
    r"""`text` with every character that is not printable written as an escape (`\x1b`, `\u202e`).

    Line ends, escape codes, C1 controls and bidirectional marks are all "not printable".

    >>> printable("fox\x1b[31m\u202e")
    'fox\\x1b[31m\\u202e'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(ord(char)) for char in text)


def printable_json(line: str) -> str:
    r"""A line of JSON with every character that is not printable written as JSON's own escape: the same value.

    >>> printable_json('"fox‮"')
    '"fox\\u202e"'
    """
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
