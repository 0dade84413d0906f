"""The typer application and what holds for every verb: home, quiet, JSON, progress."""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from harness.cli.codes import MEANINGS
from harness.errors import HarnessError

VERBS = {
    "demo": "Play small cups of the sample bots in both games, just now; print the ladders and publish their site.",
    "new": "Make a folder with a bot that plays, to begin from.",
    "check": "Start a bot as the ladder would, play with it, and say what is well and what is not.",
    "match": "Play one match for practice. It enters no standings.",
    "compare": "Say whether A is better than B: the same deals, seat and opponents, once with each. Stores nothing.",
    "play": "Play against bots in the terminal.",
    "pack": "Write NAME-VERSION.zip, the file to hand in. The same folder always gives the same file.",
    "submit": "Check bots and store each as a version in this home. Nothing is sent anywhere.",
    "plan": "Show who would meet whom how often, and how sure the ladder would be. Plays nothing.",
    "run": "Play a cup. The same command goes on after an interruption.",
    "ladder": "Print standings: Elo with 95 % intervals, ranks, points.",
    "publish": "Write the static site: ladder, bots, matches, replays, how it was made. Only what changed is written "
    "again.",
    "replay": "Show a match in the terminal, or export records.",
    "rerun": "Play a recorded match again with a bot in its seat, and show where it chooses otherwise. Never stored.",
    "report": "Tell every fault of bots since they were last submitted, each with a command that plays it again.",
    "verify": "Play every record again, deal every deck again, and name what differs.",
    "void": "Declare matches void, each with its block. The next run plays the block again with new deals.",
    "withdraw": "Withdraw a bot from a cup: it plays no more and takes no rank. Its results stay.",
    "rulings": "List what was declared void or withdrawn, when and why; or take a ruling back.",
    "import": "Add rounds and matches from ledgers, published sites and files of records. What is here is passed over.",
    "bots": "List the bots of the home: versions, what they are kept for, matches and faults.",
    "retire": "Take a submitted bot out of the ladders that it would play in. Its matches stay.",
    "doctor": "Say what works on this machine and what to install; try its sandbox with bots that do their worst.",
}
"""The verbs in the order in which help tells them: each lives in the file of its name, which is loaded only when it is
asked for, and its function's docstring says the same."""

Progress = Literal["live", "lines", "none"]
"""A table that redraws itself on a terminal, plain lines elsewhere, or nothing."""


class Common(NamedTuple):
    """Options that every verb knows."""

    home: Path | None
    quiet: bool
    json: bool
    progress: Progress


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # here, as no other call needs it and it takes time

        print(f"cardarena {version('cardarena')}")
        raise typer.Exit


def common(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where ledger and bots are kept. Else $CARDARENA_HOME, else the nearest .cardarena above.",
            show_default=False,
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print results only.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print facts as JSON; nothing else on stdout.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print no progress.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Keep the common options for the verb."""
    progress: Progress = "none" if no_progress or quiet else "live" if sys.stderr.isatty() else "lines"
    context.obj = Common(home, quiet, json, progress)


def _new() -> typer.Typer:
    made = typer.Typer(
        name="cardarena",
        help="Tournaments of card games between programs: bots over gRPC, refereed matches, Elo ladders.",
        add_completion=False,
        pretty_exceptions_enable=False,  # `harness.cli.command` decides what a person sees; locals may hold tokens
        context_settings={"help_option_names": ["--help", "-h"]},
        epilog="Start here: cardarena demo. Each verb has its own --help with an example.\n\nExit codes: "
        + "; ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items())
        + ".",
    )
    made.callback()(common)
    return made


app = _new()
"""Where the file of a verb registers it."""

EVERYWHERE = "Before or after the verb: --home DIR, --quiet, --json, --no-progress."


def verb(example: str, *, name: str | None = None) -> Callable[[Callable[..., int | None]], Callable[..., int | None]]:
    """Registers a function as the verb of its name, or of `name`, with an example at the end of its help."""
    return app.command(name, epilog=f"Example: {example}\n\n{EVERYWHERE}")


def application(asked: str | None) -> typer.Typer:
    """`app` with the verb `asked` loaded; where there is none, what tells of all: for help, and for hints."""
    if asked in VERBS:
        import_module(f"harness.cli.{asked}")
        return app
    contents = _new()
    for name, summary in VERBS.items():
        contents.command(name, help=summary)(_never_called)
    return contents


def _never_called() -> None:
    raise AssertionError("a verb was called by its name only")


_FLAGS = ("--quiet", "--json", "--no-progress")
_VALUES = ("--home",)


def common_apart(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options of `Common` in `argv`, and the rest, verb first: they may stand before or after it.

    >>> common_apart(["ladder", "--json", "spring"])
    (['--json'], ['ladder', 'spring'])
    """
    first: list[str] = []
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in _FLAGS or word.startswith(tuple(f"{name}=" for name in _VALUES)):
            first.append(word)
        elif word in _VALUES:
            value = next(words, None)
            if value is None:
                raise HarnessError(f"{word}: what should it be? Write it after the option (cardarena --help)")
            first += [word, value]
        else:
            rest.append(word)
    return first, rest
