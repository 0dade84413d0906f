"""The project's own Python files, parsed, for tests of how the code is laid out. Generated files are not among them."""

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Source(NamedTuple):
    """One Python file."""

    path: Path
    """Relative to the checkout."""
    module: str
    """Dotted name; a package's own name for its `__init__.py`."""
    text: str
    tree: ast.Module


@cache
def sources(*folders: str) -> tuple[Source, ...]:
    """Files below `folders` of the checkout, by path."""
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return tuple(_source(path.relative_to(ROOT)) for path in paths if not path.stem.endswith(("_pb2", "_pb2_grpc")))


def _source(path: Path) -> Source:
    text = (ROOT / path).read_text()
    parts = path.parent.parts if path.name == "__init__.py" else path.with_suffix("").parts
    return Source(path, ".".join(parts), text, ast.parse(text, str(path)))


def imported_modules(source: Source) -> dict[str, int]:
    """Modules that `source` imports anywhere, and a line that does. `from a import b` is a.b where that is a module."""
    found: dict[str, int] = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.setdefault(alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            parent = _parent(source, node)
            for alias in node.names:
                found.setdefault(_module_or_parent(parent, alias.name), node.lineno)
    return found


def _parent(source: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = source.module.split(".")
    if source.path.name != "__init__.py":
        package = package[:-1]
    package = package[: len(package) - node.level + 1]
    return ".".join([*package, *([node.module] if node.module else [])])


@cache
def _module_or_parent(parent: str, name: str) -> str:
    folder = ROOT.joinpath(*parent.split("."))
    if not (folder / name).is_dir() and not (folder / f"{name}.py").is_file():
        return parent
    init = folder / "__init__.py"
    hidden = init.is_file() and name in _defined_names(init)  # such as the function harness.games.game
    return parent if hidden else f"{parent}.{name}"


@cache
def _defined_names(path: Path) -> frozenset[str]:
    body = ast.parse(path.read_text()).body
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef))
