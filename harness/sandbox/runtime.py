"""What a bot's program needs to be able to read besides the system and its own folder: its interpreter, and the SDK."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1]
"""The package `harness`, which bots of the SDK import."""
SYSTEM = Path("/usr")
"""Visible to every bot, read-only, and what is in it needs no mention."""
INTERPRETERS = ("node", "java", "deno", "bun", "ruby", "julia", "lua", "luajit", "php", "dotnet")
"""Programs that are shown with what lies around them, wherever the organiser's PATH finds them."""

_PARTS = ("bin", "lib", "lib64", "pyvenv.cfg")
"""What is shown of a prefix: a virtual environment may be somebody's project folder, ledger and all."""
_PROGRAM_PARTS = ("bin", "lib", "lib64", "libexec", "conf", "share", "jmods", "release")


class Runtime(NamedTuple):
    """Where a bot's program comes from."""

    paths: tuple[Path, ...] = ()
    """What it may read, as it is named; links on the way to it are followed."""
    search: tuple[Path, ...] = ()
    """Folders of programs, searched before the system's."""

    def with_(self, other: "Runtime") -> "Runtime":
        """Both."""
        return Runtime(_named((*self.paths, *other.paths)), tuple(dict.fromkeys((*self.search, *other.search))))


def runtime_of(program: str, environment: Mapping[str, str]) -> Runtime:
    """What `program`, the first word of an argv, needs. Looks at files; starts nothing."""
    found = shutil.which(program, path=environment.get("PATH", os.defpath))
    if found is None:
        return Runtime()
    path = Path(found)
    if is_python(path):
        return python_runtime(path)
    # Any other is shown only where the organiser's own PATH leads to it: an argv is a stranger's text.
    return program_runtime(path) if program in INTERPRETERS else Runtime()


@cache
def python_runtime(interpreter: Path) -> Runtime:
    """What an interpreter of Python needs. Looked for once: a search at each start would cost more than the start."""
    return Runtime(_named(_python_paths(interpreter)), (interpreter.parent,))


@cache
def program_runtime(program: Path) -> Runtime:
    """What another program needs. Looked for once, too."""
    return Runtime(_named(_program_paths(program)), (program.parent,))


def is_python(program: Path) -> bool:
    """Whether a program is an interpreter of Python, by its name."""
    return program.name.startswith("python")


def _python_paths(interpreter: Path) -> Iterator[Path]:
    """What an interpreter reads: its environment, the installation below that, and the SDK of this harness."""
    yield PACKAGE
    for hop in _hops(interpreter):
        yield hop
        prefix = hop.parent.parent
        base = _base_of(prefix / "pyvenv.cfg")
        for place in (prefix, *([base.parent, base.resolve().parent] if base is not None else [])):
            if (place / "pyvenv.cfg").is_file() or any(place.glob("lib*/python3*/os.py")):
                yield from (place / part for part in _PARTS)
    if interpreter == Path(sys.executable):
        for name in {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}:
            yield from (Path(name) / part for part in _PARTS)


def _program_paths(program: Path) -> Iterator[Path]:
    """What another program reads: itself and, where it lies in a folder of its own, what lies around it."""
    for hop in _hops(program):
        yield hop
        prefix = hop.parent.parent
        if hop.parent.name == "bin" and prefix.name != ".local" and not Path.home().is_relative_to(prefix):
            yield from (prefix / part for part in _PROGRAM_PARTS)


def _hops(path: Path) -> Iterator[Path]:
    """`path`, what it links to, what that links to, and so on, and the file behind it all."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
    yield path.resolve()


def _base_of(config: Path) -> Path | None:
    """Folder of the interpreter that a virtual environment was made from."""
    try:
        lines = config.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    for line in lines:
        name, _, value = line.partition("=")
        if name.strip() == "home":
            return Path(value.strip())
    return None


def _named(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Those that are there and not below `SYSTEM` or another of them, each once, in a fixed order."""
    there = {path for path in paths if path.exists() and not path.resolve().is_relative_to(SYSTEM)}
    return tuple(sorted(path for path in there if there.isdisjoint(path.parents)))
