"""The player that `docs/training.md` prints does what the page says: it beats sample bots in both games."""

from pathlib import Path

import pytest

from harness import local
from harness.bot import Bot
from tests.documents import blocks
from tests.sample_bots.programs import bot_class

PAGE = Path(__file__).parents[1] / "docs" / "training.md"
BOT = "searcher/bot.py"


def program() -> str:
    """The bot that stands on the page."""
    (text,) = (block.text for block in blocks(str(PAGE), PAGE.read_text()) if block.marks.get("file") == BOT)
    return text


@pytest.fixture
def searcher(tmp_path: Path) -> type[Bot]:
    """Its class."""
    (tmp_path / "bot.py").write_text(program())
    return local.load(tmp_path)


def test_it_is_as_short_as_the_page_says() -> None:
    lines = [line.strip() for line in program().splitlines()]

    assert sum(bool(line) and not line.startswith('"""') for line in lines) <= 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "sign", "blocks_count", "playouts"), [("guillotine", -1, 1, 24), ("zhiletka", 1, 2, 20)]
)
def test_a_search_of_few_playouts_beats_the_novice(
    searcher: type[Bot], game: str, sign: int, blocks_count: int, playouts: int
) -> None:
    searcher.playouts = {game: playouts}  # type: ignore[attr-defined]  # a class that stands on a page
    margin = 0.0
    for block in range(blocks_count):
        for seat in range(4):
            seats = [bot_class("novice")] * 4
            seats[seat] = searcher
            record = local.play(game, seats, seed=block)
            assert record.faults == ()
            margin += sign * (record.points[seat] - sum(record.points) / 4)

    assert margin > 0
