"""Every arrow points one way: imports keep to the table, and what is pure does not look at the world."""

import ast
import subprocess
import sys

import pytest

from tests.architecture_page import PAGE, page
from tests.import_table import OPENS_A_FILE, TABLE, WORLD, covers, is_pure
from tests.sources import ROOT, Source, imported_modules, sources

CODE = sources("harness", "ladder", "sample_bots", "protos", "tests")


def _place(module: str) -> str | None:
    """The narrowest row that `module` belongs to. Files of harness and harness.games itself need rows of their own."""
    rows = [row for row in TABLE if covers(row, module)]
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
        return covers(place.split(".")[0], module) or root in rule.packages.split() or rule.packages == "*"
    if module == "harness":
        return True
    project = [f"harness.{name}" for name in rule.project.split()]
    return rule.project == "*" or covers(place, module) or any(covers(name, module) for name in project)


def test_every_file_has_a_row_in_the_table() -> None:
    homeless = [str(source.path) for source in CODE if _place(source.module) is None]

    assert homeless == [], "add them to TABLE in tests/import_table.py, then `make docs`"


@pytest.mark.parametrize("source", CODE, ids=lambda source: source.module)
def test_a_file_imports_only_what_its_row_allows(source: Source) -> None:
    imports = imported_modules(source).items()

    refused = [f"{source.path}:{line} imports {module}" for module, line in imports if not _may_import(source, module)]
    assert refused == []


@pytest.mark.parametrize(
    "source", [source for source in CODE if is_pure(source.module)], ids=lambda source: source.module
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
    if any(covers(name, module) for name in WORLD.split()):
        return True
    return module.startswith(("harness.", "ladder.")) and not is_pure(module)


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


def test_the_page_on_architecture_shows_the_table_and_every_file() -> None:
    written = PAGE.read_text()

    assert page(written) == written, "out of date: run `make docs`"
