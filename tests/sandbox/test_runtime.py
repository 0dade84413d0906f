"""What of a machine is shown to a bot besides its folder: its interpreter, and never what lies beside that."""

import sys
from pathlib import Path

import pytest

from harness.sandbox.runtime import PACKAGE, Runtime, python_runtime, runtime_of


def made(path: Path, text: str = "") -> Path:
    """A program at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def linked(path: Path, target: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """A Python such as pyenv makes."""
    made(tmp_path / "pyenv/3.12/lib/python3.12/os.py")
    linked(tmp_path / "pyenv/3.12/bin/python3", Path("python3.12"))
    return made(tmp_path / "pyenv/3.12/bin/python3.12")


def test_an_environment_is_shown_with_the_installation_below_it(tmp_path: Path, installation: Path) -> None:
    project = tmp_path / "project"
    made(project / "pyvenv.cfg", f"home = {installation.parent}\nversion = 3.12\n")
    made(project / "lib/python3.12/site-packages/grpc/__init__.py")
    made(project / "ledger.db")
    python = linked(project / "bin/python", installation.parent / "python3")
    runtime = runtime_of(str(python), {})

    assert set(runtime.paths) - {PACKAGE} == {
        project / "bin",
        project / "lib",
        project / "pyvenv.cfg",
        installation.parent,
        installation.parents[1] / "lib",
    }
    assert runtime.search == (project / "bin",)


def test_a_link_among_other_programs_does_not_show_them(tmp_path: Path, installation: Path) -> None:
    made(tmp_path / "home/.local/bin/secret")
    made(tmp_path / "home/.local/lib/private")
    python = linked(tmp_path / "home/.local/bin/python3", installation)
    paths = python_runtime(python).paths

    assert python in paths
    assert not any((tmp_path / "home/.local").is_relative_to(path) for path in paths)
    assert {path for path in paths if path.is_relative_to(tmp_path / "home")} == {python}


def test_the_interpreter_that_runs_this_finds_all_that_it_has_loaded() -> None:
    shown = python_runtime(Path(sys.executable)).paths
    loaded = [Path(file) for name, module in sys.modules.items() if (file := getattr(module, "__file__", None))]
    needed = [file for file in loaded if file.is_relative_to(sys.prefix) or file.is_relative_to(sys.base_prefix)]

    assert needed
    usr = Path("/usr")
    assert [f for f in needed if not f.is_relative_to(usr) and not any(f.is_relative_to(p) for p in shown)] == []


def test_a_known_interpreter_is_shown_with_what_lies_around_it(tmp_path: Path) -> None:
    node = made(tmp_path / "node-20/bin/node")
    made(tmp_path / "node-20/lib/node_modules/npm/index.js")
    made(tmp_path / "node-20/notes.txt")
    linked(tmp_path / "path/node", node)
    runtime = runtime_of("node", {"PATH": str(tmp_path / "path")})

    assert set(runtime.paths) == {tmp_path / "path/node", tmp_path / "node-20/bin", tmp_path / "node-20/lib"}


def test_a_known_interpreter_in_the_home_shows_itself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    made(tmp_path / "lib/private")
    bun = made(tmp_path / "bin/bun")

    assert runtime_of("bun", {"PATH": str(bun.parent)}).paths == (bun,)


@pytest.mark.parametrize("word", ["{folder}/bin/fox", "fox", "no-such-program", "/usr/bin/env"])
def test_an_argv_of_a_stranger_shows_nothing(tmp_path: Path, word: str) -> None:
    made(tmp_path / "bin/fox")

    assert runtime_of(word.replace("{folder}", str(tmp_path)), {"PATH": str(tmp_path / "bin")}) == Runtime()


def test_two_runtimes_are_one_without_repetition(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    both = Runtime((tmp_path / "a/b",), (tmp_path,)).with_(Runtime((tmp_path / "a",), (tmp_path, tmp_path / "a")))

    assert both == Runtime((tmp_path / "a",), (tmp_path, tmp_path / "a"))
