"""The conversation that docs/lines.md shows, held again; as a script, printed.

python -m tests.lines.exchange
"""

import json
from typing import Any, ClassVar

from harness import local
from harness.bot import Bot, View
from harness.lines.told import action_text, ask_line, hello_line, over_line, start_line

SEED = 362
SEAT = 1
OPTIONS = {"hands_per_seat": 1}


class _Talker(Bot):
    """Plays at random; the one in SEAT says what a bot of lines would read and write."""

    said: ClassVar[list[Any]] = []

    def __init__(self) -> None:
        self.asked = 0

    def _hear(self, view: View, line: bytes) -> None:
        if view.seat == SEAT:
            self.said.append(json.loads(line))

    def on_start(self, view: View) -> None:
        self._hear(view, start_line(view.info))

    def choose(self, view: View) -> int:
        action = view.random.choice(view.actions)
        self._hear(view, ask_line(view, self.asked))
        if view.seat == SEAT:
            self.asked += 1
            self.said.append(action_text(action))
        return action

    def on_over(self, view: View) -> None:
        self._hear(view, over_line(view))


def exchange(seed: int = SEED) -> list[Any]:
    """What is read, parsed, and what is written, as texts, in order."""
    _Talker.said.clear()
    local.play("zhiletka", [_Talker, _Talker], seed=seed, options=OPTIONS)
    return [json.loads(hello_line(["zhiletka"])), *_Talker.said]


def main() -> None:
    """Prints it."""
    for said in exchange():
        print(json.dumps(said) if isinstance(said, dict) else said)


if __name__ == "__main__":
    main()
