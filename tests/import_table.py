"""Who may import whom, and which modules are pure: the architecture as a table.

Change it in a commit of its own that says why, and run `make docs`, which shows it to people in docs/architecture.md.
"""

from typing import NamedTuple


class Rule(NamedTuple):
    """What one place may import besides itself and the standard library. A name stands for all below it."""

    project: str = ""
    packages: str = ""


EDGES = "arena cards cup deals errors faults games match names printable record sandbox store whole_file"
GAMES = "cards games.bouts games.contracts games.game games.options games.orders games.sets games.tricks"

TABLE = {
    "harness": Rule(),
    "harness.cards": Rule(),
    "harness.faults": Rule(),
    "harness.errors": Rule(),
    "harness.names": Rule("printable"),
    "harness.printable": Rule(),
    "harness.last_words": Rule(),
    "harness.whole_file": Rule(),
    "harness.own_program": Rule(),
    # Rules of games. No game imports another, and none knows who referees it.
    "harness.games": Rule("games"),
    "harness.games.game": Rule("cards"),
    "harness.games.options": Rule("games.game"),
    "harness.games.view": Rule("cards faults games.game"),
    "harness.games.tricks": Rule("cards games.game"),
    "harness.games.contracts": Rule("cards games.game"),
    "harness.games.orders": Rule("cards"),
    "harness.games.bouts": Rule("cards games.game"),
    "harness.games.sets": Rule("cards games.game"),
    "harness.games.guillotine": Rule(GAMES),
    "harness.games.zhiletka": Rule(GAMES),
    # Referee, records, deals: values in, values out.
    "harness.match": Rule("cards faults games"),
    "harness.history": Rule("faults games.game match"),
    "harness.record": Rule("cards faults games match printable"),
    "harness.outline": Rule("record"),
    "harness.decisions": Rule("cards games record"),
    "harness.thinking": Rule("record"),
    "harness.rerun": Rule("deals faults games match record thinking"),
    "harness.deals": Rule("cards games.game"),
    "harness.schedule": Rule("deals", "ladder numpy"),
    "harness.wire": Rule("cards faults games", "google"),
    "harness.stream_clock": Rule(),
    "harness.conduct": Rule("faults"),
    "harness.seating": Rule("games wire"),
    "harness.reports": Rule("cards faults games"),
    "harness.session": Rule("cards faults games printable reports seating stream_clock wire", "google"),
    # Edges: processes, sockets, files.
    "harness.sandbox": Rule("errors last_words printable"),
    "harness.arena": Rule(
        "cards conduct deals errors faults games history match printable reports sandbox seating session wire",
        "google grpc",
    ),
    "harness.store": Rule(
        "errors faults games match names outline printable record toml_file whole_file workshop.manifest", "pydantic"
    ),
    "harness.toml_file": Rule("errors names printable", "pydantic pydantic_core"),
    "harness.cup": Rule("errors games match names printable toml_file", "pydantic"),
    "harness.workshop": Rule(f"{EDGES} toml_file", "pydantic"),
    # What a bot.toml says: a value, which the ledger keeps.
    "harness.workshop.manifest": Rule("games names toml_file", "pydantic"),
    # What `new` copies: bots, which import what bots may.
    "harness.workshop.scaffolds": Rule("bot"),
    # Above the roster: it starts bots as a cup does.
    "harness.workshop.check": Rule(
        f"{EDGES} conduct interruption last_words roster toml_file wire workshop", "google ladder"
    ),
    "harness.round": Rule("cup deals errors games schedule store"),
    "harness.moment": Rule(),
    "harness.interruption": Rule(),
    "harness.recollection": Rule(
        "arena cards conduct deals errors faults games history match round sandbox schedule store"
    ),
    "harness.voids": Rule("round store"),
    "harness.agenda": Rule("cup errors round schedule store voids"),
    "harness.roster": Rule(f"{EDGES} lines.command workshop"),
    # What works on a machine, tried with bots that do their worst.
    "harness.doctor": Rule(f"{EDGES} roster toml_file wire workshop", "google ladder pydantic"),
    "harness.counting": Rule("agenda cup faults store"),
    "harness.comparison": Rule("arena conduct deals faults games"),
    "harness.rulings": Rule("agenda counting cup errors faults names printable store"),
    "harness.counted": Rule("agenda counting cup faults store", "ladder numpy"),
    "harness.standing": Rule("agenda counted counting cup faults store", "ladder"),
    "harness.executor": Rule("arena conduct cup faults sandbox"),
    "harness.observer": Rule("arena faults record round"),
    "harness.shard": Rule("errors printable"),
    "harness.round_player": Rule(
        f"{EDGES} agenda conduct executor moment observer recollection round schedule shard standing workshop",
        "ladder",
    ),
    "harness.tournament": Rule(f"{EDGES} agenda executor interruption observer round round_player shard"),
    # Plays phases in other processes. Of a cup it knows clock and limits.
    "harness.workers": Rule("arena conduct cup deals errors faults games match own_program sandbox"),
    "harness.checkers": Rule(),
    "harness.pins": Rule("conduct cup faults match names round store", "ladder"),
    "harness.verify": Rule(
        "agenda cards checkers cup deals errors faults games match pins record round schedule store"
    ),
    "harness.estimate": Rule("agenda cup round store"),
    "harness.fault_groups": Rule("agenda faults last_words record store"),
    "harness.replays": Rule("checkers errors printable record"),
    "harness.intake": Rule("cup deals errors games printable record replays round store toml_file"),
    "harness.sources": Rule("errors intake printable record store"),
    "harness.published": Rule("agenda cup errors intake sources standing store verify", "ladder"),
    "harness.publish": Rule(
        f"{EDGES} agenda checkers counted counting moment outline round standing thinking toml_file workshop",
        "ladder numpy",
    ),
    # What bot authors import: a client, never the server.
    "harness.bot": Rule("cards faults games wire", "google grpc"),
    "harness.lines": Rule("bot cards faults games own_program wire"),
    "harness.local": Rule("bot cards deals faults games match record"),
    "harness.cli": Rule("*", "ladder rich typer"),
    # A library of its own: results in, ratings out.
    "ladder": Rule("", "numpy scipy"),
    "ladder.site": Rule("", "jinja2"),
    "sample_bots": Rule("bot cards games", "google grpc"),
    "tests": Rule("*", "*"),
    "protos": Rule(),
}

PURE = (
    "harness.cards",
    "harness.conduct",
    "harness.deals",
    "harness.decisions",
    "harness.errors",
    "harness.faults",
    "harness.games",
    "harness.history",
    "harness.last_words",
    "harness.match",
    "harness.names",
    "harness.printable",
    "harness.outline",
    "harness.record",
    "harness.reports",
    "harness.rerun",
    "harness.schedule",
    "harness.seating",
    "harness.session",
    "harness.shard",
    "harness.stream_clock",
    "harness.thinking",
    "harness.wire",
    "ladder",
)
"""Time, chance and identity are arguments here: nothing of these may look at the world."""

NOT_PURE = ("ladder.site",)
"""What lies below a pure place and is not pure itself."""

OPENS_A_FILE = {"ladder.results": ("pathlib",), "ladder.pgn": ("pathlib",), "ladder.export": ("io",)}
"""What these may import all the same: they read and write the results that a path or a text holds."""

WORLD = """
    asyncio ctypes datetime fcntl getpass glob grpc http importlib io locale logging mmap multiprocessing numpy.random
    os pathlib platform pty pwd queue random resource rich sched secrets select selectors shutil signal socket
    socketserver sqlite3 ssl subprocess sys tempfile threading time typer urllib uuid
"""


def covers(name: str, module: str) -> bool:
    """Whether `module` is what `name` stands for, or lies below it."""
    return module == name or module.startswith(name + ".")


def is_pure(module: str) -> bool:
    """Whether `module` must be pure."""
    return any(covers(name, module) for name in PURE) and not any(covers(name, module) for name in NOT_PURE)
