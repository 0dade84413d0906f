"""Bots with `[build]` are built once for each tree, in the sandbox, and play from what that leaves."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.sandbox.cell import LEVELS, Sandbox
from harness.sandbox.levels import try_level
from harness.sandbox.runtime import Runtime
from harness.workshop import building
from harness.workshop.building import Recipe, tools_of
from harness.workshop.builds import make_place
from harness.workshop.tree import tree_sha256

AVAILABLE = [level for level in LEVELS if not try_level(level).problem]
CONFINING = [level for level in AVAILABLE if level in ("bwrap", "landlock")]

DEEP = "import os\nfor _ in range(1500): os.mkdir('d' * 50); os.chdir('d' * 50)"


def sandbox(level: str = "") -> Sandbox:
    return try_level(level or AVAILABLE[0]).sandbox


def recipe(folder: Path, *codes: str, has_network: bool = False) -> Recipe:
    """Steps that each run a line of Python."""
    source = folder / "fox"
    source.mkdir(exist_ok=True)
    (source / "a.txt").write_text("source")
    steps = tuple((sys.executable, "-c", code) for code in codes)
    return Recipe("fox 1.0", source, tree_sha256(source), steps, {}, None, folder / "builds", has_network)


def kept(made: Recipe) -> list[str]:
    """What stands in the folder of built trees, but for its lock."""
    return sorted(path.name for path in made.builds.iterdir() if path.name != ".lock")


@pytest.mark.slow
@pytest.mark.parametrize("level", AVAILABLE)
async def test_steps_run_in_order_in_a_copy_that_is_kept_read_only(tmp_path: Path, level: str) -> None:
    made = recipe(
        tmp_path,
        "open('a.txt', 'a').write(' and'); import os; os.mkdir('out'); os.chmod('a.txt', 0o755)",
        "open('out/b.txt', 'w').write(open('a.txt').read() + ' more')",
    )

    assert await made(sandbox(level)) is None
    assert (made.source / "a.txt").read_text() == "source"
    assert (made.folder / "out/b.txt").read_text() == "source and more"
    assert (made.folder / "a.txt").stat().st_mode & 0o777 == 0o555
    assert (made.folder / "out/b.txt").stat().st_mode & 0o777 == 0o444
    assert kept(made) == [made.folder.name, f"{made.folder.name}.sha256"]


@pytest.mark.slow
async def test_a_tree_is_built_once_and_again_when_it_is_not_as_it_was_made(tmp_path: Path) -> None:
    made = recipe(tmp_path, "import time; open('when', 'w').write(str(time.time_ns()))")

    assert not made.is_built
    await made(sandbox())
    when = (made.folder / "when").read_text()
    await made(sandbox())
    assert (made.folder / "when").read_text() == when
    (made.folder / "when").chmod(0o644)
    (made.folder / "when").write_text("never")
    assert not made.is_built
    await made(sandbox())
    assert int((made.folder / "when").read_text()) > int(when)


def test_another_tree_step_variable_or_network_is_another_build(tmp_path: Path) -> None:
    first = recipe(tmp_path, "1")
    names = {first.folder.name, recipe(tmp_path, "2").folder.name, recipe(tmp_path, "1", has_network=True).folder.name}
    (tmp_path / "fox" / "b.txt").touch()
    other = Recipe("fox 1.0", first.source, tree_sha256(first.source), first.steps, {}, None, first.builds)
    with_variable = Recipe("fox 1.0", first.source, first.sha256, first.steps, {"A": "1"}, None, first.builds)

    assert len(names | {other.folder.name, with_variable.folder.name}) == 5


def program(path: Path, text: str = "#!/bin/sh\n", time_s: int = 1_000_000) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    os.utime(path, (time_s, time_s))
    return path


def test_a_program_that_is_replaced_is_another_tool_and_the_same_one_anywhere_on_the_way_is_not(tmp_path: Path) -> None:
    there = {"PATH": f"{tmp_path / 'first'}:{tmp_path / 'bin'}"}
    old, new = program(tmp_path / "opt" / "cc-13"), program(tmp_path / "opt" / "cc-14")
    link = tmp_path / "bin" / "cc"
    link.parent.mkdir()

    def tools() -> tuple[str, ...]:
        return tools_of(["cc", str(link), "none", "./own", "bin/own", "{dir}/own"], there, None)

    link.symlink_to(old)
    first = tools()
    by_another_way = tools_of([str(old)], {}, None)
    link.unlink()
    link.symlink_to(new)
    second = tools()
    program(new, "#!/bin/bash\n")
    larger = tools()
    program(new, "#!/bin/bash\n", time_s=2_000_000)
    later = tools()
    program(tmp_path / "first" / "cc")

    assert first == by_another_way
    assert [len(found) for found in (first, second, larger, later)] == [1] * 4
    assert len({first, second, larger, later}) == 4
    assert len(tools()) == 2  # what is found first by its name, and what is named by its path
    assert tools_of(["cc"], {}, Runtime(search=(tmp_path / "first",))) == tools_of(["cc"], there, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "detail", "line"),
    [
        ("print('two errors'); raise SystemExit(2)", "exited with code 2", "two errors"),
        ("import os; os.kill(os.getpid(), 9)", "was killed by signal 9 (SIGKILL)", ""),
        ("print('slow', flush=True); import time; time.sleep(600)", "took more than 5 s", "slow"),
        ("import os; os.symlink('/etc/passwd', 'p')", "p: a symbolic link; a bot's folder holds files and", ""),
        ("import os; os.mkfifo('p')", "p: a named pipe; a bot's folder holds files and", ""),
    ],
)
async def test_a_failure_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, detail: str, line: str
) -> None:
    monkeypatch.setattr(building, "STEP_S", 5.0 if "slow" in code else 60.0)
    made = recipe(tmp_path, code)
    problem = await made(sandbox())

    assert problem is not None
    assert problem.detail.startswith("could not be built: ")
    assert detail in problem.detail
    assert problem.last_lines == ((line,) if line else ())
    assert kept(made) == []


@pytest.mark.slow
async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    made = recipe(tmp_path)
    missing = Recipe(made.title, made.source, made.sha256, (("no-such-tool",),), {}, None, made.builds)
    problem = await missing(sandbox("limits"))

    assert problem is not None
    assert problem.detail.startswith("could not be built: no-such-tool could not be started: ")


async def test_a_source_that_changed_is_the_operators_to_mend(tmp_path: Path) -> None:
    made = recipe(tmp_path, "1")
    (made.source / "a.txt").write_text("changed")

    with pytest.raises(HarnessError, match="changed while it was read"):
        await made(sandbox())


@pytest.fixture
def port() -> Iterator[int]:
    """Of a server on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.slow
@pytest.mark.parametrize("level", CONFINING)
async def test_steps_reach_the_network_only_where_arena_toml_lets_them(tmp_path: Path, level: str, port: int) -> None:
    dial = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
    alone = await recipe(tmp_path, dial)(sandbox(level))
    reaching = await recipe(tmp_path, dial, has_network=True)(sandbox(level))

    assert alone is not None
    assert "exited with code 1" in alone.detail
    assert reaching is None


@pytest.mark.slow
@pytest.mark.parametrize("level", CONFINING)
async def test_steps_write_nowhere_but_in_their_own_copy(tmp_path: Path, level: str) -> None:
    places = [tmp_path / "fox" / "b.txt", tmp_path / "builds" / "b.txt", Path.home() / "cardarena-was-here"]
    tries = "\n".join(
        f"try:\n    open({str(place)!r}, 'w')\nexcept OSError: pass\nelse: print({place.name!r})" for place in places
    )
    assert await recipe(tmp_path, tries)(sandbox(level)) is None
    assert not any(place.exists() for place in places)


@pytest.mark.slow
@pytest.mark.parametrize("deep", [DEEP, DEEP.replace("* 50", "* 1")], ids=["long", "many"])
async def test_what_steps_leave_is_removed_however_deep_it_is(tmp_path: Path, deep: str) -> None:
    made = recipe(tmp_path, deep, "pass")

    problem = await made(sandbox())

    assert problem is not None
    assert problem.detail.startswith("could not be built: ")
    assert kept(made) == []


@pytest.mark.slow
async def test_a_tree_that_is_too_deep_to_keep_is_the_bots_fault(tmp_path: Path) -> None:
    made = recipe(tmp_path, DEEP)

    problem = await made(sandbox())

    assert problem is not None
    assert problem.detail.startswith("could not be built: ")
    assert kept(made) == []


@pytest.mark.slow
async def test_what_another_process_has_built_meanwhile_is_left_alone(tmp_path: Path) -> None:
    made = recipe(tmp_path, "open('x', 'w')")
    assert await made(sandbox()) is None
    inode = made.folder.stat().st_ino
    work = tmp_path / "work"
    copied = tree_sha256(made.folder)
    work.mkdir()
    (work / "other").touch()
    place = tmp_path / "place"
    place.mkdir()

    assert made._keep(work, place) is None

    assert made.folder.stat().st_ino == inode
    assert tree_sha256(made.folder) == copied


@pytest.mark.slow
async def test_what_a_killed_process_has_left_goes_with_the_next_build_and_what_is_under_way_stays(
    tmp_path: Path,
) -> None:
    made = recipe(tmp_path, "open('x', 'w')")
    under_way, lock_fd = make_place(made.builds)
    killed, killed_fd = make_place(made.builds)
    (killed / "bot").mkdir()
    os.close(killed_fd)
    (made.builds / ".building-without-a-lock").mkdir()
    half = made.builds / "half-made"
    half.mkdir()
    os.utime(half, (0, 0))

    assert await made(sandbox()) is None

    assert kept(made) == [under_way.name, made.folder.name, f"{made.folder.name}.sha256"]
    os.close(lock_fd)


def test_a_place_whose_lock_cannot_be_opened_may_be_somebodys_and_stays(tmp_path: Path) -> None:
    strange = tmp_path / ".building-strange"
    (strange / ".lock").mkdir(parents=True)
    (tmp_path / ".building-left").mkdir()

    place, lock_fd = make_place(tmp_path)

    assert {path.name for path in tmp_path.glob(".building-*")} == {place.name, strange.name}
    os.close(lock_fd)


@pytest.mark.slow
async def test_a_tree_that_nobody_looks_at_goes_and_one_that_is_looked_at_stays(tmp_path: Path) -> None:
    made = recipe(tmp_path, "open('x', 'w')")
    other = recipe(tmp_path, "open('y', 'w')")
    old = recipe(tmp_path, "open('z', 'w')")
    for one in (made, old):
        assert await one(sandbox()) is None
    for one in (made, old):
        os.utime(one.builds / f"{one.folder.name}.sha256", (0, 0))
    assert made.is_built

    assert await other(sandbox()) is None

    assert made.is_built
    assert not old.folder.exists()
    assert not (old.builds / f"{old.folder.name}.sha256").exists()
