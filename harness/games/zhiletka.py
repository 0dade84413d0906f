"""The rules of Zhiletka."""

from collections.abc import Mapping

from harness.games.game import Game, OptionValue


def game(options: Mapping[str, OptionValue]) -> Game:
    """Zhiletka under `options`."""
    raise ValueError("not written yet")
