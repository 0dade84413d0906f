"""What cannot run is told before anything is started, with the way out."""

import struct
import sys
from pathlib import Path

import pytest

from harness.workshop.check.runtime import Program, examine

PATH = "/usr/bin:/bin"
PYTHON = sys.executable


def program(folder: Path, *argv: str) -> Program:
    return examine(argv, folder, PATH)


def executable(folder: Path, name: str, contents: bytes) -> Path:
    path = folder / name
    path.write_bytes(contents)
    path.chmod(0o755)
    return path


def elf(machine: int, loader: str = "") -> bytes:
    """The head of a little-endian ELF of 64 bits, with one program header."""
    name = loader.encode() + b"\0" if loader else b""
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    head = ident + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, 1 if loader else 0, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 3, 4, 64 + 56, 0, 0, len(name), len(name), 1) if loader else b""
    return head + segment + name


def test_a_program_on_the_path_is_found(tmp_path: Path) -> None:
    found = program(tmp_path, "sh", "run.sh")

    assert found.path is not None
    assert found.path.name == "sh"
    assert found.problem == ""


@pytest.mark.parametrize(
    ("argv", "problem", "mend"),
    [
        (("no-such-thing",), "no program called no-such-thing on the path /usr/bin:/bin", "install it here, or ship"),
        (("./engine",), "there is no ", "install it here, or ship it in the bot's folder"),
        (("./robt",), "there is no ", "did you mean ./robot?"),
        (("robot",), "no program called robot", 'write "./robot"'),
        (("python3.99", "x.py"), "no program called python3.99", 'write "{python}"'),
        (("./plain",), "plain may not be executed", "chmod +x ./plain"),
        (("./sub",), "sub is a folder", "name the program in it"),
        ((PYTHON, "bott.py"), "there is no bott.py in the bot's folder", "did you mean bot.py?"),
        (
            (PYTHON, "-u", "main.js"),
            "there is no main.js in the bot's folder",
            "argv in bot.toml names what Python runs",
        ),
    ],
)
def test_what_is_not_there_is_named_with_the_mend(
    tmp_path: Path, argv: tuple[str, ...], problem: str, mend: str
) -> None:
    executable(tmp_path, "robot", b"#!/bin/sh\n")
    (tmp_path / "plain").write_text("#!/bin/sh\n")
    (tmp_path / "bot.py").touch()
    (tmp_path / "sub").mkdir()
    found = program(tmp_path, *argv)

    assert found.path is None
    assert problem in found.problem
    assert mend in found.mend


@pytest.mark.parametrize(
    ("contents", "problem", "mend"),
    [
        (
            b"#!/bin/sh\r\necho\r\n",
            "has Windows line ends, so that its interpreter is looked for as '/bin/sh\\r'",
            "sed",
        ),
        (b"#!/opt/nowhere/python\n", "asks for /opt/nowhere/python, which is not here", "mend its first line"),
        (b"#!/usr/bin/env no-such-thing\n", "asks for no-such-thing, which is not on the path", "mend its first line"),
        (b"#!\n", "asks for nothing, which is not here", "mend"),
        (b"print('hello')\n", "is no program: neither ELF, nor does it begin with #!", "name its interpreter first"),
        (b"MZ\x90\0", "is a program for Windows", "build it for "),
        (b"\xcf\xfa\xed\xfe", "is a program for macOS", "build it for "),
        (elf(0x1234), "is built for machine 0x1234, this machine is ", "build it for "),
    ],
)
def test_what_the_kernel_would_refuse_is_told(tmp_path: Path, contents: bytes, problem: str, mend: str) -> None:
    executable(tmp_path, "bot", contents)
    found = program(tmp_path, "./bot")

    assert found.path is None
    assert problem in found.problem
    assert mend in found.mend


def test_a_program_whose_loader_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    executable(tmp_path, "bot", elf(0x3E, "/lib/ld-nowhere.so.1"))

    assert "needs /lib/ld-nowhere.so.1 to be loaded" in program(tmp_path, "./bot").problem


def test_a_script_that_can_run_is_left_alone(tmp_path: Path) -> None:
    path = executable(tmp_path, "bot", b"#!/usr/bin/env sh\necho\n")

    assert program(tmp_path, "./bot") == Program(path)


def test_modules_that_hide_others_are_listed_for_python_alone(tmp_path: Path) -> None:
    for name in ("random.py", "harness.py", "bot.py", "cards.py"):
        (tmp_path / name).touch()
    (tmp_path / "grpc").mkdir()
    (tmp_path / "grpc" / "__init__.py").touch()

    assert program(tmp_path, PYTHON, "bot.py").hides == ("grpc", "harness.py", "random.py")
    assert program(tmp_path, "sh", "bot.py").hides == ()
