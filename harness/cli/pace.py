"""How far something has come that goes through many matches."""

import time

from rich.text import Text

from harness.cli.app import Common
from harness.cli.tables import duration, remarks
from ladder.words import plural

NS_PER_S = 1_000_000_000
LINE_EVERY_NS = 10 * NS_PER_S
"""A line is printed about so often."""


class Pace:
    """Tells on stderr, every ten seconds or so, how far something has come that goes through matches."""

    def __init__(self, common: Common, done: str) -> None:
        """`done` is what has become of them: `checked`."""
        self._done = done
        self._is_told = common.progress != "none"
        self._began_ns = time.monotonic_ns()
        self._next_line_ns = self._began_ns + LINE_EVERY_NS

    def __call__(self, count: int, total: int | None = None) -> None:
        """`count` matches are done now, of `total`; None: nobody knows how many it will be."""
        now_ns = time.monotonic_ns()
        if self._is_told and now_ns >= self._next_line_ns:
            self._next_line_ns = now_ns + LINE_EVERY_NS
            per_s = count * NS_PER_S / (now_ns - self._began_ns)
            told, rest = plural(count, "match", "matches"), ""
            if total is not None and count:
                told = f"{count:,} of {plural(total, 'match', 'matches')}"
                rest = f", {duration((total - count) / per_s)} left"
            remarks().print(Text(f"{told} {self._done}, {per_s:.0f}/s{rest}"), soft_wrap=True)
