"""Examples in Markdown files, and how they are run.

A fenced block is an example by its language:

* `console`: each line that begins with `$ ` is a command (lines that begin with `> ` go on with it); the lines
  after it are what it prints, checked loosely: they must appear in that order, other lines may stand between,
  `...` stands for anything, a number for any number and a run of spaces for any other.
* `python`: a program that must run; where it begins with `>>>`, or is called `pycon`, a session, checked as doctest
  does. The sessions of a document are one session, held at its end.
* `toml`: read as the harness reads it where it has a table `[cup]` or `[bot]`, else parsed;
* `json`: one value, or one a line.

The examples of a document run in order, in a folder of the document's own. HTML comments just before a block
change what is done with it:

* `<!-- file: fox/bot.py -->` saves the block there instead; later examples find it;
* `<!-- exit: 2 -->` says how the last command of the block ends, where that is not 0;
* `<!-- wide -->` runs it with the wide tests only;
* `<!-- not run: REASON -->` leaves it alone.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from harness import toml_file
from harness.cup import CupFile
from harness.workshop.manifest import BotManifest

COMMAND_TIMEOUT_S = 300
CHECKED_LANGUAGES = ("console", "python", "pycon", "toml", "json")
UNCHECKED_LANGUAGES = (
    "",
    "text",
    "proto",
    "mermaid",
    "cpp",
    "c",
    "js",
    "javascript",
    "java",
    "go",
    "ruby",
    "make",
    "html",
    "css",
    "sql",
)
MARKS = ("file", "exit", "wide", "needs", "not run")


class Block(NamedTuple):
    """One fenced block."""

    document: str
    line: int
    """Of the opening fence, from 1."""
    language: str
    text: str
    marks: dict[str, str]


class Command(NamedTuple):
    """One command of a console block and the lines that it should print."""

    text: str
    output: tuple[str, ...]


def blocks(document: str, text: str) -> list[Block]:
    """Fenced blocks of `text`, in order. ValueError for a fence that is not closed or a mark that is not known."""
    found: list[Block] = []
    marks: dict[str, str] = {}
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if fence := re.match(r"(\s*)(```+)\s*([\w+-]*)", line):
            indent, ticks, language = fence.groups()
            if unknown := [name for name in marks if name not in MARKS]:
                raise ValueError(f"{document}:{number}: no such mark: {unknown[0]!r}; there are {', '.join(MARKS)}")
            body = [inner.removeprefix(indent) for inner in _until(ticks, lines, f"{document}:{number}")]
            found.append(Block(document, number, language, "\n".join([*body, ""]), marks))
            marks = {}
        elif mark := re.fullmatch(r"\s*<!-- *(.*?)(?:: *(.*?))? *-->", line):
            marks[mark[1]] = mark[2] or ""
        elif line.strip():
            marks = {}
    return found


def _until(ticks: str, lines: Iterator[tuple[int, str]], where: str) -> Iterator[str]:
    for _, line in lines:
        if line.strip() == ticks:
            return
        yield line
    raise ValueError(f"{where}: the block is never closed")


def commands(block: Block) -> list[Command]:
    """Commands of a console block, in order. ValueError where it does not begin with one."""
    found: list[Command] = []
    for line in block.text.rstrip().splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], ()))
        elif not found:
            raise ValueError(f"{block.document}:{block.line}: a console block begins with `$ `")
        elif line.startswith("> ") and not found[-1].output:
            found[-1] = Command(f"{found[-1].text}\n{line[2:]}", ())
        else:
            found[-1] = found[-1]._replace(output=(*found[-1].output, line))
    return found


def missing_line(expected: tuple[str, ...], printed: str) -> str | None:
    """The first expected line that `printed` does not show after the ones before it; None where all are there."""
    rest = iter(printed.splitlines())
    for line in expected:
        if line.strip() in ("", "..."):
            continue
        pattern = _loose(line)
        if not any(re.fullmatch(pattern, candidate.strip()) for candidate in rest):
            return line
    return None


_NUMBER = r"[-+]?\d+(?:[.,]\d+)*"


def _loose(line: str) -> str:
    """Pattern of the lines that count as `line`."""
    tokens = re.split(rf"(\s+|\.\.\.|…|{_NUMBER})", line.strip())
    return "".join(_loose_token(token) for token in tokens)


def _loose_token(token: str) -> str:
    if token.isspace():
        return r"\s+"
    if token in ("...", "…"):
        return ".*"
    return _NUMBER if re.fullmatch(_NUMBER, token) else re.escape(token)


def run_document(examples: list[Block], folder: Path, *, wide: bool) -> list[str]:
    """Runs the examples of one document in `folder`; what is wrong with them, one text each."""
    problems: list[str] = []
    session: list[str] = []
    for block in examples:
        if _is_session(block) and "not run" not in block.marks:
            session += [""] * (block.line - len(session)) + block.text.splitlines()
        else:
            problems += _block_problems(block, folder, wide=wide)
    if session:
        (folder / "session.txt").write_text("\n".join([*session, ""]))
        ran = _run([sys.executable, "-m", "doctest", "-o", "ELLIPSIS", "session.txt"], folder)
        problems += [f"{examples[0].document}: {ran.stdout}"] if ran.returncode else []
    return problems


def _is_session(block: Block) -> bool:
    return block.language == "pycon" or (block.language == "python" and block.text.startswith(">>> "))


def _block_problems(block: Block, folder: Path, *, wide: bool) -> list[str]:
    where = f"{block.document}:{block.line}"
    if block.language not in CHECKED_LANGUAGES + UNCHECKED_LANGUAGES:
        return [f"{where}: no rule for {block.language!r} (commands are written as ```console with `$ `)"]
    if "not run" in block.marks:
        return [] if block.marks["not run"] else [f"{where}: not run, and no reason why"]
    if "wide" in block.marks and not wide:
        return []
    missing = [program for program in block.marks.get("needs", "").split() if shutil.which(program) is None]
    if missing:
        return [f"{where}: not here: {', '.join(missing)}"] if os.environ.get("CARDARENA_NO_SKIP") == "1" else []
    problems = _problems(block, folder, where)
    if "file" in block.marks:
        path = folder / block.marks["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)
    return problems


def _problems(block: Block, folder: Path, where: str) -> list[str]:
    if block.language == "console":
        return list(_console_problems(block, folder, where))
    if block.language == "toml":
        return _toml_problems(block.text, where)
    if block.language == "json":
        return _json_problems(block.text, where)
    if block.language == "python" and "file" in block.marks:
        compile(block.text, where, "exec")
        return []
    if block.language == "python":
        (folder / "example.py").write_text(block.text)
        ran = _run([sys.executable, "example.py"], folder)
        return [] if ran.returncode == 0 else [f"{where}: exit {ran.returncode}\n{ran.stdout}"]
    return []


def _console_problems(block: Block, folder: Path, where: str) -> Iterator[str]:
    steps = commands(block)
    for step in steps:
        ran = _run(["bash", "-c", step.text], folder)
        expected = int(block.marks.get("exit", "0")) if step is steps[-1] else 0
        if ran.returncode != expected:
            yield f"{where}: $ {step.text}\nexit {ran.returncode}, expected {expected}:\n{ran.stdout}"
        elif (line := missing_line(step.output, ran.stdout)) is not None:
            yield f"{where}: $ {step.text}\ndid not print (in this order): {line}\nbut:\n{ran.stdout}"


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("CARDARENA", "PYTEST", "FORCE_"))}
    env |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "120",
        "PYTHONPYCACHEPREFIX": str(folder / ".pycache"),
    }
    return subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=COMMAND_TIMEOUT_S,
    )


def _toml_problems(text: str, where: str) -> list[str]:
    try:
        tables = tomllib.loads(text)
        if "cup" in tables:
            toml_file.parse(text, CupFile, source=where)
        elif "bot" in tables:
            toml_file.parse(text, BotManifest, source=where)
    except tomllib.TOMLDecodeError as error:
        return [f"{where}: {error}"]
    except toml_file.TomlError as error:
        return list(error.mistakes)
    return []


def _json_problems(text: str, where: str) -> list[str]:
    try:
        json.loads(text)
        return []
    except ValueError:
        pass
    try:
        for line in text.splitlines():
            json.loads(line)
        return []
    except ValueError as error:
        return [f"{where}: neither one value nor one a line: {error}"]
