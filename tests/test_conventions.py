"""What CONTRIBUTING.md asks of every file, where a machine can tell."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.sources import Source, sources

SHIPPED = sources("harness", "ladder", "sample_bots", "protos")
CODE = (*SHIPPED, *sources("tests"))

VAGUE_WORDS = {"util", "utils", "helper", "helpers", "common", "manager", "base", "misc"}
MOST_LINES = 450
LONGER: dict[str, str] = {}
"""Files that may be longer, each with the reason."""
BROAD_EXCEPT = ("harness/arena/", "harness/bot/", "harness/cli/", "harness/local.py", "harness/sandbox/", "tests/")
"""Where everything may be caught: a table must not take the cup down with it, a bot's one match its others, nor a
fork of the keeper go on as a second keeper."""


def test_no_file_has_a_name_that_could_hold_anything() -> None:
    vague = [str(source.path) for source in CODE if VAGUE_WORDS & set(re.split(r"[/._]", str(source.path)))]

    assert vague == []


def test_no_file_is_longer_than_one_noun_needs() -> None:
    line_counts = {str(source.path): source.text.count("\n") for source in CODE}

    too_long = {path: count for path, count in line_counts.items() if count > MOST_LINES and path not in LONGER}
    assert too_long == {}, "split them, or give the reason in LONGER"


@pytest.mark.parametrize("source", CODE, ids=lambda source: source.module)
def test_an_exception_from_a_check_says_why(source: Source) -> None:
    lines = enumerate(source.text.splitlines(), 1)

    silent = [
        f"{source.path}:{number}"
        for number, line in lines
        if re.search(r"#\s*(type: ignore|noqa)", line)
        and not re.search(r"#\s*(type: ignore\[[\w, -]+\]|noqa: [A-Z]+\d+(, ?[A-Z]+\d+)*)\s+\S.*\w", line)
    ]
    assert silent == [], "name the code of the check, and the reason after it"


@pytest.mark.parametrize("source", CODE, ids=lambda source: source.module)
def test_nothing_is_caught_that_nobody_expected(source: Source) -> None:
    handlers = [node for node in ast.walk(source.tree) if isinstance(node, ast.ExceptHandler)]

    broad = [f"{source.path}:{handler.lineno}" for handler in handlers if _is_broad(handler)]
    assert broad == [] or str(source.path).startswith(BROAD_EXCEPT)


def _is_broad(handler: ast.ExceptHandler) -> bool:
    """Catches everything and lets it go no further."""
    names = (
        {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} if handler.type else {"Exception"}
    )
    raises_again = any(isinstance(node, ast.Raise) and node.exc is None for node in handler.body)
    return bool(names & {"Exception", "BaseException"}) and not raises_again


@pytest.mark.parametrize("source", SHIPPED, ids=lambda source: source.module)
def test_nothing_is_typed_any(source: Source) -> None:
    names = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "Any"]

    assert [f"{source.path}:{node.lineno}" for node in names] == []


DOCUMENTED_METHODS = {
    node.name
    for source in SHIPPED
    for owner in ast.walk(source.tree)
    if isinstance(owner, ast.ClassDef)
    for node in owner.body
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node)
}
"""Methods that say somewhere what they promise; a class that keeps the same promise need not repeat it."""


@pytest.mark.parametrize("source", SHIPPED, ids=lambda source: source.module)
def test_whatever_is_public_has_a_docstring(source: Source) -> None:
    bare = [f"{source.path}:1"] if source.tree.body and not ast.get_docstring(source.tree) else []

    bare += [f"{source.path}:{node.lineno} {node.name}" for node in _public(source.tree) if not ast.get_docstring(node)]
    assert bare == []


def _public(tree: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        if isinstance(tree, ast.Module) or node.name not in DOCUMENTED_METHODS:
            yield node
        if isinstance(node, ast.ClassDef):
            yield from _public(node)
