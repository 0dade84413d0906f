"""The conversation that docs/lines.md shows is a real one."""

import json

from tests.documents import blocks
from tests.lines.exchange import exchange
from tests.sources import ROOT


def test_the_page_shows_a_real_conversation() -> None:
    _, _, page = (ROOT / "docs/lines.md").read_text().partition("\n## A whole match\n")
    shown = [
        json.loads(block.text) if block.language == "json" else block.text.strip()
        for block in blocks("docs/lines.md", page)
    ]

    assert shown == exchange()
