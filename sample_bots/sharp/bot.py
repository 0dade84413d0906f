"""The top rung: Guillotine by counting, Zhiletka by the odds. Each game has a file of its own."""

import guillotine
import zhiletka

from harness.bot import Action, Bot, View, run


class Sharp(Bot):
    """Keeps nothing in `self`, draws nothing: all that it knows of a match is in its view."""

    version = "1.0.0"

    @classmethod
    def load(cls) -> None:
        guillotine.points_to_come()

    def choose(self, view: View) -> Action:
        return zhiletka.choose(view) if view.game == "zhiletka" else guillotine.choose(view)


if __name__ == "__main__":
    run(Sharp)
