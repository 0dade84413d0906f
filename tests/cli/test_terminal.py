"""What a person sees on a terminal of 80 columns: tables that fit, no colour where it is not wanted, a live picture."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from harness.cli.app import Common
from harness.cli.progress import CupProgress
from tests.cli.command import COMMAND_TIMEOUT_S, environment, play_without_processes, write_cup

COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-7]|38|9[0-7])[;m]")


def on_terminal(
    *words: str | Path,
    folder: Path,
    columns: int = 80,
    mark: bytes = b"leaves",
    keys: bytes = b"",
    stops: int = 0,
    **env: str,
) -> tuple[int, str]:
    """Exit code of a command, and all that it sent to its terminal, where somebody presses Ctrl-Z, and then `keys`."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli", *map(str, words)],
        cwd=folder,
        env=environment(TERM="xterm-256color", **env),
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,  # whom nobody could wake again is not stopped: it goes on at once
    )
    os.close(its)
    seen, wanted = b"", 1
    try:
        while data := os.read(ours, 65536):
            seen += data
            pictures = seen.count(mark)  # pressed before the first, keys would be shown
            if stops and pictures:
                process.send_signal(signal.SIGTSTP)
                stops, wanted = stops - 1, pictures + 1
            elif keys and pictures >= wanted:
                os.write(ours, keys)
                keys = b""
    except OSError:  # so Linux tells that the other end of a terminal is closed
        pass
    finally:
        os.close(ours)
    return process.wait(COMMAND_TIMEOUT_S), seen.decode()


def lines(seen: str) -> list[str]:
    """What was sent, line by line, without escape codes."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen).replace("\r", "").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["ladder", "bots", "plan cup.toml", "replay spring/1/000001 --times"])
def test_no_line_is_longer_than_the_terminal(tmp_path: Path, verb: str) -> None:
    long_name = "a-bot-with-a-name-of-forty-characters-xx"
    for name in (long_name, "fox"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "bot.toml").write_text(
            f'schema = 1\n[bot]\nname = "{name}"\nversion = "1"\ngames = ["zhiletka"]\n[run]\nargv = ["x"]\n'
        )
    cup = write_cup(tmp_path, bots=f'["./{long_name}", "./{long_name}", "./fox", "sample:random"]')
    play_without_processes(cup)
    write_cup(tmp_path, bots=f'["./{long_name}", "./{long_name}", "./fox", "sample:random"]', matches="24")

    code, seen = on_terminal(*verb.split(), folder=tmp_path)

    assert code == 0
    assert max(map(len, lines(seen))) <= 80
    assert "…" not in seen


@pytest.mark.slow
def test_whoever_presses_ctrl_z_while_a_run_is_shown_has_a_cursor(tmp_path: Path) -> None:
    code, seen = on_terminal("run", write_cup(tmp_path), folder=tmp_path, mark=b" of 12 matches", stops=1)

    assert code == 0
    assert "\x1b[?25h\x1b[?25l" in seen


@pytest.mark.slow
def test_no_color_is_heeded(spring: Path) -> None:
    _, coloured = on_terminal("--help", folder=spring)
    _, plain = on_terminal("--help", folder=spring, NO_COLOR="1")

    assert COLOUR.search(coloured)
    assert not COLOUR.search(plain)
    assert lines(plain) == lines(coloured)


@pytest.mark.slow
def test_a_run_is_watched_live_and_leaves_the_ladder_standing(tmp_path: Path) -> None:
    cup = write_cup(tmp_path)

    code, seen = on_terminal("run", cup, folder=tmp_path)

    assert code == 0
    assert re.search("[0-9]+ of 12 matches, [0-9.]+/s", seen)
    assert lines(seen)[0] == "spring, round 1: 12 matches of 4 bots"
    assert " leads and is better than " in "".join(lines(seen)[-2:])
    assert "\x1b[?25h" in seen  # the cursor is back


def test_nothing_is_drawn_before_a_round_begins() -> None:
    with CupProgress(
        Common(None, quiet=False, json=False, progress="live"), lambda: pytest.fail("no heat")
    ) as progress:
        shown = progress._screen()

    assert str(shown) == ""


@pytest.mark.slow
def test_whoever_presses_ctrl_z_has_the_terminal_as_it_was_and_comes_back_to_the_same_picture(spring: Path) -> None:
    code, seen = on_terminal("replay", "spring/1/000001", folder=spring, keys=b"q", stops=1)
    first, between, second, last = re.split(r"\x1b\[\?25h\x1b\[\?1049l|\x1b\[\?1049h\x1b\[\?25l", seen)[1:]

    assert code == 0
    assert "leaves" in first
    assert (between, last) == ("", "")
    assert second == first


@pytest.mark.slow
def test_a_replay_is_stepped_through_with_keys_and_leaves_the_terminal_as_it_was(spring: Path) -> None:
    code, seen = on_terminal("replay", "spring/1/000001", folder=spring, keys=b"\x1b[C\x1b[Ctq")
    _, plain = on_terminal("replay", "spring/1/000001", folder=spring, keys=b"q", NO_COLOR="1")

    assert code == 0
    assert seen.count("spring/1/000001") == 4
    assert re.search(r"action \d+ of 0-\d", seen)
    assert seen.startswith("\x1b[?1049h")
    assert seen.endswith("\x1b[?1049l")
    assert COLOUR.search(seen)
    assert not COLOUR.search(plain)
    assert max(map(len, lines(seen))) <= 80
