"""The rules of Guillotine."""

from collections.abc import Mapping

from harness.games.game import Game, OptionValue


def game(options: Mapping[str, OptionValue]) -> Game:
    """Guillotine under `options`."""
    raise ValueError("not written yet")
