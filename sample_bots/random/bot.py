"""Plays any legal action, each equally likely: the least that a bot can be, and the zero of a ladder."""

from harness.bot import Action, Bot, View, run


class RandomBot(Bot):
    """Draws one number of `view.random` for each choice."""

    version = "1.0.0"

    def choose(self, view: View) -> Action:
        return view.random.choice(view.actions)


if __name__ == "__main__":
    run(RandomBot)
