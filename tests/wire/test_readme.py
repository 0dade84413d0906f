"""What protos/README.md shows is what is said."""

import re
from pathlib import Path

from harness.bot.chance import SplitMix64
from tests.wire.conversation import conversation

README = Path(__file__).parents[2] / "protos" / "README.md"


def test_the_conversation_shown_is_the_one_held() -> None:
    shown = re.findall(r"```text\n# (bot|harness)\n(.*?)\n```\n", README.read_text(), flags=re.DOTALL)

    assert shown == list(conversation()), "python -m tests.wire.conversation prints what belongs there"


def test_the_chance_described_is_the_one_used() -> None:
    text = " ".join(README.read_text().split())
    first, zero = SplitMix64(1234567), SplitMix64(0)

    numbers = ", ".join(str(first.next()) for _ in range(4))
    first = SplitMix64(1234567)
    small = ", ".join(str(first.below(10)) for _ in range(4))
    assert f"With the seed 1234567 the numbers are {numbers}; `below(10)` gives {small}." in text
    assert f"With the seed 0 they begin with {zero.next()}, {zero.next()}." in text
