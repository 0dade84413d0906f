"""Every arrow points one way: who may import whom, and which modules are pure.

The table is the architecture: change it in a commit of its own that says why, and docs/architecture.md with it.
"""

import ast
import subprocess
import sys
from typing import NamedTuple

import pytest

from tests.sources import ROOT, Source, imported_modules, sources


class Rule(NamedTuple):
    """What one place may import besides itself and the standard library. A name stands for all below it."""

    project: str = ""
    packages: str = ""


EDGES = "arena cards cup deals errors faults games match names printable record sandbox store"
EDGES = "arena cards cup deals errors faults games match names printable record sandbox store"
GAMES = "cards games.bouts games.contracts games.game games.options games.orders games.sets games.tricks"

TABLE = {
    "harness": Rule(),
    "harness.cards": Rule(),
    "harness.faults": Rule(),
    "harness.errors": Rule(),
    "harness.names": Rule("printable"),
    "harness.printable": Rule(),
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
    "harness.record": Rule("cards faults games match printable"),
    "harness.deals": Rule("cards games.game"),
    "harness.schedule": Rule("deals", "numpy"),
    "harness.wire": Rule("cards faults games", "google"),
    "harness.stream_clock": Rule(),
    "harness.session": Rule("cards faults games printable stream_clock wire", "google"),
    # Edges: processes, sockets, files.
    "harness.sandbox": Rule("errors printable"),
    "harness.arena": Rule("cards deals errors faults games match printable sandbox session wire", "google grpc"),
    "harness.store": Rule("errors games match names printable record toml_file"),
    "harness.toml_file": Rule("errors names printable", "pydantic pydantic_core"),
    "harness.cup": Rule("errors games match names printable toml_file", "pydantic"),
    "harness.workshop": Rule(f"{EDGES} toml_file", "pydantic"),
    "harness.round": Rule("cup deals games schedule store"),
    "harness.standing": Rule("cup faults store", "ladder"),
    "harness.tournament": Rule(f"{EDGES} round schedule standing workshop"),
    # What bot authors import: a client, never the server.
    "harness.bot": Rule("cards faults games wire", "google grpc"),
    "harness.local": Rule("bot cards deals faults games match record"),
    "harness.cli": Rule("*", "ladder rich typer"),
    # A library of its own: results in, ratings out.
    "ladder": Rule("", "numpy scipy"),
    "sample_bots": Rule("bot cards games", "google grpc"),
    "tests": Rule("*", "*"),
    "protos": Rule(),
}

PURE = (
    "harness.cards",
    "harness.deals",
    "harness.errors",
    "harness.faults",
    "harness.games",
    "harness.match",
    "harness.names",
    "harness.printable",
    "harness.record",
    "harness.schedule",
    "harness.session",
    "harness.stream_clock",
    "harness.wire",
    "ladder",
)
"""Time, chance and identity are arguments here: nothing of these may look at the world."""

OPENS_A_FILE = {"ladder.results": ("pathlib",), "ladder.pgn": ("pathlib",), "ladder.export": ("io",)}
"""What these may import all the same: they read and write the results that a path or a text holds."""

WORLD = """
    asyncio ctypes datetime fcntl getpass glob grpc http importlib io locale logging mmap multiprocessing numpy.random
    os pathlib platform pty pwd queue random resource rich sched secrets select selectors shutil signal socket
    socketserver sqlite3 ssl subprocess sys tempfile threading time typer urllib uuid
"""

CODE = sources("harness", "ladder", "sample_bots", "protos", "tests")


def _covers(name: str, module: str) -> bool:
    return module == name or module.startswith(name + ".")


def _place(module: str) -> str | None:
    """The narrowest row that `module` belongs to. Files of harness and harness.games itself need rows of their own."""
    rows = [row for row in TABLE if _covers(row, module)]
    place = max(rows, key=len, default=None)
    return None if place in ("harness", "harness.games") and place != module else place


def _may_import(source: Source, module: str) -> bool:
    place = _place(source.module)
    assert place is not None
    rule = TABLE[place]
    root = module.split(".")[0]
    if root in sys.stdlib_module_names or (ROOT / source.path.parent / f"{root}.py").is_file():
        return True
    if root not in ("harness", "ladder", "sample_bots", "tests", "protos"):
        return rule.packages == "*" or root in rule.packages.split()
    if root != "harness":
        return _covers(place.split(".")[0], module) or root in rule.packages.split() or rule.packages == "*"
    if module == "harness":
        return True
    project = [f"harness.{name}" for name in rule.project.split()]
    return rule.project == "*" or _covers(place, module) or any(_covers(name, module) for name in project)


def _is_pure(module: str) -> bool:
    return any(_covers(name, module) for name in PURE)


def test_every_file_has_a_row_in_the_table() -> None:
    homeless = [str(source.path) for source in CODE if _place(source.module) is None]

    assert homeless == [], "add them to TABLE in tests/test_architecture.py and to docs/architecture.md"


@pytest.mark.parametrize("source", CODE, ids=lambda source: source.module)
def test_a_file_imports_only_what_its_row_allows(source: Source) -> None:
    imports = imported_modules(source).items()

    refused = [f"{source.path}:{line} imports {module}" for module, line in imports if not _may_import(source, module)]
    assert refused == []


@pytest.mark.parametrize(
    "source", [source for source in CODE if _is_pure(source.module)], ids=lambda source: source.module
)
def test_a_pure_file_does_not_look_at_the_world(source: Source) -> None:
    imports = imported_modules(source).items()

    worldly = [
        f"{source.path}:{line} imports {module}" for module, line in imports if _is_worldly(module, source.module)
    ]
    assert worldly == []
    assert _worldly_calls(source) == []


def _is_worldly(module: str, importer: str) -> bool:
    if module in OPENS_A_FILE.get(importer, ()):
        return False
    if any(_covers(name, module) for name in WORLD.split()):
        return True
    return module.startswith(("harness.", "ladder.")) and not _is_pure(module)


def _worldly_calls(source: Source) -> list[str]:
    return [
        f"{source.path}:{node.lineno} calls {node.func.id}"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("open", "print", "input", "exec", "eval", "breakpoint", "__import__")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "refused"),
    [
        (
            "harness.bot",
            "harness.arena harness.match harness.session harness.store numpy pydantic rich scipy sqlite3 typer",
        ),
        ("harness.games", "asyncio google grpc numpy pydantic sqlite3 subprocess typer"),
        ("harness.match", "asyncio google grpc numpy pydantic sqlite3 subprocess typer"),
        ("harness.session", "asyncio grpc numpy pydantic sqlite3 subprocess typer"),
        ("ladder", "google grpc harness pydantic sqlite3 typer"),
    ],
)
def test_importing_a_module_leaves_nothing_behind_that_it_has_no_business_with(module: str, refused: str) -> None:
    command = [sys.executable, "-c", f"import {module}, sys; print(*sys.modules)"]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()

    assert sorted(set(refused.split()) & set(loaded)) == []
