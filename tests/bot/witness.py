"""Bots for tests: a random one, and one that writes down every word that its view says."""

from typing import ClassVar

from harness.bot.bot import Bot
from harness.bot.view import View
from harness.games.game import Action

WORDS = (
    "actions",
    "attack",
    "clock_s",
    "contract",
    "contracts",
    "deal_index",
    "dealer",
    "defender",
    "faulted",
    "game",
    "gone",
    "hand",
    "hand_counts",
    "history",
    "known",
    "led",
    "options",
    "out",
    "pack",
    "points",
    "possible",
    "pot",
    "seat",
    "seat_count",
    "stock_count",
    "table",
    "taken",
    "trick",
    "tricks",
    "trumps",
    "unseen",
    "unseen_set",
    "upcards",
    "voids",
)


class RandomBot(Bot):
    def choose(self, view: View) -> Action:
        return view.random.choice(view.actions)


class Witness(RandomBot):
    """Plays at random and writes down what it sees. Take a fresh class from `witness` for each test."""

    said: ClassVar[list[dict[str, object]]]

    def choose(self, view: View) -> Action:
        self.said.append({word: getattr(view, word) for word in WORDS})
        return super().choose(view)


def witness(*, snapshot: bool = False) -> type[Witness]:
    """A class with a notebook of its own."""

    class Fresh(Witness):
        said: ClassVar[list[dict[str, object]]] = []

    Fresh.snapshot = snapshot
    Fresh.__name__ = "Witness"
    return Fresh
