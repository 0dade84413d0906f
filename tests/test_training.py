"""The player that `docs/training.md` prints does what the page says: it beats sample bots in both games."""

from pathlib import Path

import pytest

from harness import local
from harness.bot import Bot
from tests.documents import blocks
from tests.sample_bots.programs import bot_class

PAGE = Path(__file__).parents[1] / "docs" / "training.md"


@pytest.fixture
def searcher(tmp_path: Path) -> type[Bot]:
    """The class that stands on the page."""
    (text,) = (block.text for block in blocks(str(PAGE), PAGE.read_text()) if block.marks.get("file") == "searcher.py")
    (tmp_path / "bot.py").write_text(text)
    return local.load(tmp_path)


def test_it_is_as_short_as_the_page_says() -> None:
    (text,) = (block.text for block in blocks(str(PAGE), PAGE.read_text()) if block.marks.get("file") == "searcher.py")

    assert sum(bool(line.strip()) for line in text.splitlines()) <= 60


@pytest.mark.slow
@pytest.mark.parametrize(("game", "sign", "blocks_count", "worlds"), [("guillotine", -1, 1, 6), ("zhiletka", 1, 4, 10)])
def test_a_search_in_few_worlds_beats_the_novice(
    searcher: type[Bot], game: str, sign: int, blocks_count: int, worlds: int
) -> None:
    searcher.worlds = worlds  # type: ignore[attr-defined]  # a class that stands on a page
    margin = 0.0
    for block in range(blocks_count):
        for seat in range(4):
            seats = [bot_class("novice")] * 4
            seats[seat] = searcher
            record = local.play(game, seats, seed=block)
            assert record.faults == ()
            margin += sign * (record.points[seat] - sum(record.points) / 4)

    assert margin > 0
