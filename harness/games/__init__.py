"""The games: pure rules, one file a game, and the one place that knows them all by name."""

import copyreg
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache

from harness.games import guillotine, zhiletka
from harness.games.game import Game, IllegalAction, OptionValue, State

__all__ = ["GAME_NAMES", "Game", "IllegalAction", "State", "game"]

_MAKERS = {"guillotine": guillotine.game, "zhiletka": zhiletka.game}
GAME_NAMES: tuple[str, ...] = tuple(_MAKERS)


def game(name: str, options: Mapping[str, OptionValue] | None = None) -> Game:
    """Game called `name` under `options` (those not given stand at their defaults).

    Raises ValueError for an unknown game, option or value, with what would be right.
    """
    try:
        make = _MAKERS[name]
    except KeyError:
        close = get_close_matches(name, GAME_NAMES, 1)
        hint = f"; did you mean {close[0]!r}?" if close else f" (there are {', '.join(GAME_NAMES)})"
        raise ValueError(f"no game called {name!r}{hint}") from None
    return make(options or {})


@cache
def _same(name: str, options: tuple[tuple[str, OptionValue], ...]) -> Game:
    return game(name, dict(options))


def _reduced(rules: Game) -> tuple[Callable[..., Game], tuple[str, tuple[tuple[str, OptionValue], ...]]]:
    return _same, (rules.name, rules.options)


# A game is pickled as its name and options: who unpickles a thousand tables has one game and not a thousand, whose
# texts would push each other out of the processor's caches.
copyreg.pickle(Game, _reduced)
