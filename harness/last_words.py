"""What a program wrote last, with the lines that tell why it failed where a long trace stands below them."""

import re
from collections.abc import Sequence

LEFT_OUT = "[...]"
_TELLS = re.compile(
    r"^(?:Unhandled exception\. |\S+: )?(?:Uncaught )?[\w.$:]*(?:Error|Exception)(?: \[\w+\])?:"  # Python, Node, C#
    r'|^Exception in thread "|^Caused by: '  # Java, Kotlin
    r"|^panic: |^fatal error: "  # Go
    r"|^thread '.*' panicked at "  # Rust
    r"|^terminate called |^\S+: error while loading shared libraries: "  # C++
    r"|\((?:\w+::)*\w*Error\)$"  # Ruby
    r"|^PHP Fatal error: |\b[Ee]rror: |\bERROR: "  # compilers, sanitizers, and what else says so
)
_TOLD_LINES = 2
"""Rust says what went wrong in the line below."""


def last_words(lines: Sequence[str], count: int) -> tuple[str, ...]:
    r"""At most `count` of `lines`: the last ones, and before them what tells of an error, where none of those does.

    >>> last_words(["panic: no such card", "", *"abcdef", ""], 6)
    ('panic: no such card', '[...]', 'd', 'e', 'f', '')
    """
    end = tuple(lines[-count:])
    room = count - _TOLD_LINES - 1
    if len(lines) <= count or room < 1 or any(map(_TELLS.search, end)):
        return end
    at = next((at for at in range(len(lines) - count - 1, -1, -1) if _TELLS.search(lines[at])), None)
    if at is None:
        return end
    told = tuple(line for line in lines[at : at + _TOLD_LINES] if line)
    return (*told, LEFT_OUT, *lines[len(told) + 1 - count :])
