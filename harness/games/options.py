"""Reads the options of a game: Python values, or the texts that the protocol and the command line carry."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from harness.games.game import OptionValue

_Value = TypeVar("_Value", str, int, bool)


class OptionReader:
    """Reads each option of one game by its name and kind, then tells what differs from the defaults.

    A game asks for all its options and then calls `differing`, which raises ValueError for all that is wrong: each with
    the name, the value and what would be right. Until then a wrong value reads as the default.
    """

    def __init__(self, game: str, given: Mapping[str, OptionValue]) -> None:
        self._game = game
        self._given = given
        self._asked: list[str] = []
        self._differing: dict[str, OptionValue] = {}
        self._mistakes: list[str] = []

    def word(self, name: str, default: str, *others: str) -> str:
        """Value of an option that is one of a few words."""
        words = (default, *others)
        value = self._value(name, default)
        if not isinstance(value, str) or value not in words:
            return self._refuse(name, value, ", ".join(words), words, default)
        return self._read(name, value, default)

    def flag(self, name: str, *, default: bool) -> bool:
        """Value of an option that is true or false."""
        value = self._value(name, default)
        if isinstance(value, str):
            if value not in ("true", "false"):
                return self._refuse(name, value, "true, false", ("true", "false"), default)
            value = value == "true"
        if not isinstance(value, bool):
            return self._refuse(name, value, "true, false", (), default)
        return self._read(name, value, default)

    def whole(self, name: str, *, default: int, step: int, most: int) -> int:
        """Value of an option that is a positive whole number, a multiple of `step`, `most` at the most."""
        value = self._value(name, default)
        if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= len(str(most)):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= most or value % step:
            kind = "a positive whole number" if step == 1 else f"a positive multiple of {step}"
            return self._refuse(name, value, f"{kind}, {most} at the most", (), default)
        return self._read(name, value, default)

    def differing(self) -> tuple[tuple[str, OptionValue], ...]:
        """Options that differ from their defaults, by name, ascending. Refuses names that the game did not ask for."""
        for name in self._given:
            if name not in self._asked:
                hint = _meant(name, self._asked) or f" (there are {', '.join(self._asked)})"
                self._mistakes.append(f"{self._game} has no option {name!r}{hint}")
        if self._mistakes:
            raise ValueError("; ".join(self._mistakes))
        return tuple(sorted(self._differing.items()))

    def _value(self, name: str, default: OptionValue) -> OptionValue:
        self._asked.append(name)
        return self._given.get(name, default)

    def _read(self, name: str, value: _Value, default: _Value) -> _Value:
        if value != default:
            self._differing[name] = value
        return value

    def _refuse(self, name: str, value: OptionValue, offered: str, words: Iterable[str], default: _Value) -> _Value:
        hint = _meant(str(value), words)
        self._mistakes.append(f"{self._game} option {name} cannot be {value!r}{hint} ({offered})")
        return default


def _meant(word: str, words: Iterable[str]) -> str:
    close = get_close_matches(word, tuple(words), 1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
