"""What an author writes: a class with `choose`. The rest of its methods may stay as they are."""

import operator
import sys
from typing import ClassVar, NamedTuple, NoReturn

from harness.bot.view import View
from harness.faults import FaultKind
from harness.games.game import Action


class FaultNotice(NamedTuple):
    """What the harness says the bot did wrong. `kind` is None for one that this SDK does not know."""

    kind: FaultKind | None
    detail: str


class Bot:
    """A player of card games. Derive from it, write `choose`, and hand the class to `run`.

        class MyBot(Bot):
            def choose(self, view):
                return view.actions[0]

        if __name__ == "__main__":
            run(MyBot)

    **Every match has an object of its own**, made without arguments, so that what a bot keeps in
    `self` stays apart however many matches it plays at once. What all matches share, such as a
    model or a table, belongs to the class: load it in `load`. All methods are called in one thread,
    always the same, which is not the main one.
    """

    games: ClassVar[tuple[str, ...]] = ("guillotine", "zhiletka")
    """Names of the games that it plays. Narrows what bot.toml promises."""
    snapshot: ClassVar[bool] = False
    """True: each `choose` gets a view made from that request alone; for bots that keep nothing in `self`."""
    max_matches: ClassVar[int | None] = None
    """Most matches that one process plays at once. Narrows what bot.toml promises; None leaves it as it is."""
    version: ClassVar[str] = ""
    """Names the build, for people; at most 64 characters."""

    @classmethod
    def load(cls) -> None:
        """Called once in a process, before its first match: the place for models and tables."""

    def on_start(self, view: View) -> None:
        """Called when the match starts: `view` has `game`, `seat`, `options`, `random`, and no cards yet."""

    def choose(self, view: View) -> Action:
        """One of `view.actions`. Called when there are at least two. Anything else is a fault and costs the match."""
        raise NotImplementedError(f"{type(self).__name__} has no `choose`")

    def on_over(self, view: View) -> None:
        """Called when the match is over: `view.result` has points and places. Not called after a fault."""

    def on_fault(self, view: View, fault: FaultNotice) -> None:
        """Called when the harness finds the bot at fault; nothing more comes of this match. Writes a line to stderr."""
        kind = fault.kind or "unknown"
        sys.stderr.write(f"fault in match {view.info.match_id} ({view.game}): {kind}: {fault.detail}\n")


_loaded: set[type[Bot]] = set()


def load_once(bot_class: type[Bot]) -> None:
    """Calls `load` of a class unless this process has done so."""
    if bot_class not in _loaded:
        _loaded.add(bot_class)
        bot_class.load()


def check_bot_class(bot_class: object) -> None:
    """TypeError, with the mend, unless `bot_class` is a class derived from `Bot`."""
    if isinstance(bot_class, Bot):
        name = type(bot_class).__name__
        raise TypeError(
            f"a bot class is wanted, not an object: write {name}, not {name}(). "
            "Every match gets an object of its own, so that `self` is safe with many matches at once"
        )
    if not isinstance(bot_class, type) or not issubclass(bot_class, Bot):
        raise TypeError(f"a class derived from harness.bot.Bot is wanted, not {bot_class!r}")


def checked_action(chosen: object) -> Action:
    """What `choose` returned, as a plain int. TypeError for anything that is no whole number.

    Legal or not is the referee's to say.
    """
    if isinstance(chosen, bool) or not hasattr(chosen, "__index__"):
        raise TypeError(f"choose must return one of view.actions, an int; it returned {chosen!r:.80}")
    action = operator.index(chosen)
    if not -(1 << 31) <= action < 1 << 31:
        raise TypeError(f"choose must return one of view.actions; {action} is out of the range of actions")
    return action


def run(bot_class: type[Bot]) -> None:
    """Plays with `bot_class` until the harness says goodbye.

    Where to and as whom, the environment says: CARDARENA_ADDRESS (`unix:/path` or `host:port`) and
    CARDARENA_TOKEN. Returns after an orderly end. Exits with status 1 and a message on stderr when
    the bot raises, or the harness cannot be reached or refuses it.
    """
    check_bot_class(bot_class)
    from harness.bot.client import play_until_goodbye  # grpc is not needed to define a bot, or to play in process

    failure = play_until_goodbye(bot_class)
    if failure is not None:
        _exit(failure)


def _exit(message: str) -> NoReturn:
    sys.stderr.write(message.rstrip() + "\n")
    sys.exit(1)
